/* custom.h - functions from outside a program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A few are registered here, by names that begin with "assay." and those of
 * jaxlib's LAPACK (lapack.h); others are C functions named by the caller.
 */
#ifndef INTERP_OPS_CUSTOM_H
#define INTERP_OPS_CUSTOM_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* One registered function, with its own rule for the result's shape. */
struct custom {
    const char *name;
    bool (*infer)(struct infer *in, struct status *st);
    bool (*eval)(struct eval *ev, struct status *st);
    /* Arrays of the first operand's rank are matrices stored by columns, and
     * options are a dictionary: as jaxlib calls LAPACK. */
    bool by_columns;
};

/* NULL: not registered. */
const struct custom *custom_find(const char *name);

/* in[i] are the data of operand i, out those of the result; a tuple is an array
 * of pointers to its elements. */
typedef void custom_function(void *out, const void **in);

/* How a machine finds functions.  find returns NULL for an unregistered name,
 * and fails with SYSTEM if there is a function but it cannot be loaded. */
struct custom_lookup {
    bool (*find)(void *context, const char *name, custom_function **function,
                 struct status *st);
    void *context;
};

#endif
