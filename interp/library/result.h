/* result.h - what the library's handles are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_LIBRARY_RESULT_H
#define INTERP_LIBRARY_RESULT_H

#include <assay/reference.h>

#include "interp/case/case.h"
#include "interp/judge/judge_value.h"

struct assay_reference {
    struct arena arena;
    struct limits limits;
    bool values_only;
    const assay_tensor *const *operands; /* in place of inputs, or NULL */
    int64_t operand_count;
    const char *profile_name; /* NULL: as the case says */
    const struct profile *profile;
    struct case_file *file;
};

struct output {
    const assay_tensor *tensor;
    const struct literal *value;
    const struct goal *goal; /* NULL: a token */
    const char **accepts;    /* of each unit, once asked for */
};

struct assay_reference_result {
    struct arena arena;
    const assay_reference *of;
    const struct case_stub *stub;
    struct test_case *made;
    const struct profile *profile;
    assay_code code;
    const char *why, *differs;
    struct judge_reference evaluated;
    int outputs;           /* of a replica */
    struct output *output; /* of all */
    int inputs;
    const assay_tensor **input;
};

/* The data by which values of that result are judged, in an arena. */
static inline struct judge_value result_judge(const assay_reference_result *r,
                                              struct arena *a)
{
    return (struct judge_value){
        .arena = a,
        .mode = {.profile = r->profile, .limits = &r->of->limits},
        .made = r->made,
        .plain = &r->evaluated,
        .exact = true};
}

#endif
