/* dynamic.h - operations on the elements within the actual sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An array with actual sizes behaves like the array of the elements within
 * them.  So most operations need to know only which dimensions of their result
 * are dynamic: their operands are made compact, the operation is inferred and
 * evaluated on those, and the results are put where they belong.
 */
#ifndef INTERP_OPS_DYNAMIC_H
#define INTERP_OPS_DYNAMIC_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* Is dimension d of an array dynamic? */
bool dynamic_is(const struct shape *s, int64_t d);
/* Set the dynamic dimensions of the result, an array. */
void dynamic_mark(struct infer *in, const bool *flags);
/* Fail with UNSUPPORTED, and why, if a dimension of an operand is dynamic and
 * not allowed; allowed may be NULL. */
bool dynamic_refuse(const struct infer *in, int operand, const bool *allowed,
                    const char *why, struct status *st);

/* Only the first dimension of an operand, a batch, may be dynamic; mark those
 * of the result, an array. */
bool dynamic_batch(struct infer *in, int batch, struct status *st);

/* Does an operand have actual sizes? */
bool dynamic_any(const struct eval *ev);

struct dynamic {
    struct eval *ev;
    int64_t **sizes;       /* to take, of each operand and dimension */
    struct instruction in; /* to evaluate: other attributes, perhaps */
    bool like;             /* result i has the sizes of operand i: not those
                              that evaluation gives, of bounds perhaps */
};
/* The actual sizes, and the instruction as it is. */
struct dynamic dynamic_open(struct eval *ev);
/* Dimension dk of operand k goes with dimension di of operand i: if it is
 * static, just its first elements take part.  Fails with "inadmissible: ..." if
 * there are not as many of them. */
bool dynamic_follow(struct dynamic *p, int i, int64_t di, int k, int64_t dk,
                    struct status *st);
/* Either goes with the other. */
bool dynamic_pair(struct dynamic *p, int i, int64_t di, int k, int64_t dk,
                  struct status *st);
/* Replace an attribute's integers by as many others. */
void dynamic_set_ints(struct dynamic *p, enum attribute_name name,
                      const int64_t *ints);
/* Evaluate on compact operands.  Elements of the result that counts, but of
 * which the compact result has none, may be anything. */
bool dynamic_eval(struct dynamic *p, struct status *st);
/* The same where the actual sizes are those to take. */
bool dynamic_eval_own(struct eval *ev, struct status *st);

#endif
