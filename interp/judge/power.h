/* power.h - what else would be right on the data of a case?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bound of a long sum may be so wide that a backend that rounds its
 * operands to bf16, or leaves out a term, stays within it: then a verdict
 * proves little. So the program is evaluated with such mistakes in its sums,
 * and the results are judged as a backend's would be (spec/verdicts.md,
 * "Power").
 */
#ifndef INTERP_JUDGE_POWER_H
#define INTERP_JUDGE_POWER_H

#include "interp/judge/judge_value.h"

enum {
    POWER_MISTAKES = 5,
    POWER_STEPS = 1 << 22,
    POWER_STEPS_MANY = 1 << 18 /* where it is asked of many cases */
};

/* The names of the mistakes that change the result, and that pass without a
 * remark, in the table's order.  by->made, mode and plain are used. */
struct power {
    int count;
    const char *accepted[POWER_MISTAKES];
};

/* Does the case sum floats? */
bool power_applies(const struct test_case *c);
/* False if nothing is known: no operation of the program sums floats, or an
 * evaluation takes more than POWER_STEPS. */
bool power(const struct judge_value *by, struct power *to);
/* The same for reports: of a case that is read again, under the run's profile,
 * in at most POWER_STEPS_MANY. */
bool power_of_stub(struct arena *a, const struct case_stub *stub,
                   const struct profile *profile, struct power *to);

/* "bf16 operands, a missing term"; "" if there are none. */
const char *power_text(struct arena *a, const struct power *p);

#endif
