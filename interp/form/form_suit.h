/* form_suit.h - where a form applies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORM_FORM_SUIT_H
#define INTERP_FORM_FORM_SUIT_H

#include "interp/form/form.h"

/* A program of one process with what it gets. */
struct form_case {
    struct program *program; /* inferred */
    int count;               /* inputs: parameters of the entry */
    struct literal *const *inputs;
    const int *origins; /* the operand of the case that each belongs to */
};

/* The program's only instruction, whose operands are the parameters in order,
 * or which has none; NULL if it has more. */
const struct instruction *form_suit_single(const struct program *p);
/* Is every element of its result a function of the same element of each
 * operand? What spec/ops says of the result's value decides. */
bool form_suit_elementwise(const struct op *op);

/* Is it an array that the form is about?  Any value may be a constant. */
bool form_suit_fits(const struct form *f, const struct shape *s);
/* May a form be tried on this program?  It may still not apply. */
bool form_suit(const struct form_use *use, const struct form_case *c);

#endif
