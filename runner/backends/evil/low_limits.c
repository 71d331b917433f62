/* low_limits.c - lowers the limits of its process, which its next cases would
 * run into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sys/resource.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    const struct rlimit least = {0, 0};
    assay_code code = evil_execute(b, x, e, error);
    setrlimit(RLIMIT_DATA, &least);
    setrlimit(RLIMIT_AS, &least);
    setrlimit(RLIMIT_CPU, &least);
    setrlimit(RLIMIT_STACK, &least);
    setrlimit(RLIMIT_FSIZE, &least);
    return code;
}
