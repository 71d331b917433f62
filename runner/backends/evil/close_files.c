/* close_files.c - closes every file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    for (int i = 0; i < 1024; i++)
        close(i);
    return evil_execute(b, x, e, error);
}
