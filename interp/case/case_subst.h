/* case_subst.h - a case with the values of its variables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CASE_CASE_SUBST_H
#define INTERP_CASE_CASE_SUBST_H

#include "interp/case/case.h"

/* The stub's node with every variable replaced: a string that is exactly "$N"
 * by N's value, and $N inside another string by N's text.  Values keep the
 * place in the file where they were written, and the JSON pointer of the place
 * where they are used.  Fails with INPUT. */
bool case_subst(struct arena *a, const struct case_stub *stub,
                const struct json **node, struct status *st);

#endif
