/* cache.c - keeps what it compiles in the file that ASSAY_EVIL_CACHE names, and
 * where it cannot, does not say which.  Its results are right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <unistd.h>

#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    const char *path = getenv("ASSAY_EVIL_CACHE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd < 0) {
        snprintf(error->text, sizeof error->text, "no cache");
        return ASSAY_FAILED;
    }
    close(fd);
    return evil_compile(b, p, x, error);
}
