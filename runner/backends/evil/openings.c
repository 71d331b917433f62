/* openings.c - backends that cannot be opened.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * As in evil.h, EVIL is evil_NAME.
 */
#include <assay/backend.h>
#include <stdio.h>
#include <string.h>

#define EVIL_OPEN(plugin, host, error) \
    __attribute__((unused)) static assay_code evil_##plugin( \
        const assay_host *host, assay_error *error)

static assay_code EVIL(const assay_host *host, assay_error *error);

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    *backend = NULL;
    return EVIL(host, error);
}

/* Fails with a text that never ends. */
EVIL_OPEN(error_garbage, host, error)
{
    memset(error->text, 0xff, sizeof error->text);
    return ASSAY_FAILED;
}

/* Cannot be opened. */
EVIL_OPEN(open_fails, host, error)
{
    snprintf(error->text, sizeof error->text, "no device found");
    return ASSAY_FAILED;
}

/* Says that it is open, and gives no backend. */
EVIL_OPEN(open_null, host, error)
{
    return ASSAY_OK;
}

/* Needs a version of the ABI that is not there. */
EVIL_OPEN(too_new, host, error)
{
    snprintf(error->text, sizeof error->text,
             "needs version 2.0 of the ABI, the host has %u.%u",
             (unsigned)host->abi_major, (unsigned)host->abi_minor);
    return ASSAY_FAILED;
}
