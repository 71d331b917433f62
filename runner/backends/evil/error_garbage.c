/* error_garbage.c - fails with a text that never ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assay/backend.h>
#include <stdio.h>
#include <string.h>

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    (void)host, (void)options;
    *backend = NULL;
    memset(error->text, 0xff, sizeof error->text);
    return ASSAY_FAILED;
}
