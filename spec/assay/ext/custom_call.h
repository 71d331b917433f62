/* assay/ext/custom_call.h - functions for CustomCall, revision 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An extension of the host: host->extension(host, "assay.custom-call/1")
 * returns a const assay_custom_call *, valid until close().
 */
#ifndef ASSAY_EXT_CUSTOM_CALL_H
#define ASSAY_EXT_CUSTOM_CALL_H

#include <assay/backend.h>

#define ASSAY_CUSTOM_CALL "assay.custom-call/1"

#ifdef __cplusplus
extern "C" {
#endif

/* in[i] are the data of operand i, out those of the result, in the layout of
 * assay_tensor; a tuple is an array of pointers to its elements.  It has no
 * side effects. */
typedef void assay_custom_function(void *out, const void **in);

typedef struct assay_custom_call {
    uint64_t size;
    /* The function registered for this call_target_name; NULL if there is none
     * or, with error->text set, if it cannot be loaded.  Valid until close().
     * [one] */
    assay_custom_function *(*find)(const assay_host *host, const char *name,
                                   assay_error *error);
} assay_custom_call;

#ifdef __cplusplus
}
#endif

#endif
