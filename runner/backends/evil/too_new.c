/* too_new.c - needs a version of the ABI that is not there.
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
    (void)options;
    *backend = NULL;
    snprintf(error->text, sizeof error->text,
             "needs version 2.0 of the ABI, the host has %u.%u",
             (unsigned)host->abi_major, (unsigned)host->abi_minor);
    return ASSAY_FAILED;
}
