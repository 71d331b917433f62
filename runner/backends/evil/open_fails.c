/* open_fails.c - cannot be opened.
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
    (void)host, (void)options;
    *backend = NULL;
    snprintf(error->text, sizeof error->text, "no device found");
    return ASSAY_FAILED;
}
