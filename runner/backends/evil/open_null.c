/* open_null.c - says that it is open, and gives no backend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assay/backend.h>
#include <stdio.h>

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    (void)host, (void)options, (void)error;
    *backend = NULL;
    return ASSAY_OK;
}
