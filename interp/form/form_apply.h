/* form_apply.h - a program and its inputs, written in a form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORM_FORM_APPLY_H
#define INTERP_FORM_FORM_APPLY_H

#include "interp/base/literal.h"
#include "interp/form/form.h"
#include "interp/program/program.h"

/* ---- form_build.c: parts of the program that a form makes ---------------- */

/* A copy of p without its entry; what is added to it is in the arena. */
struct program *form_build_program(struct arena *a, const struct program *p);
/* Append an instruction with attributes, and give its number. */
int form_build_add(struct program *p, struct computation *c,
                   const struct op *op, int operand_count, const int *operands,
                   int attribute_count, const struct attribute *attributes);
int form_build_constant(struct program *p, struct computation *c,
                        const struct literal *value);
/* Append copies of a computation's instructions other than parameters, which
 * become parameters[i]; gives the number of the root. */
int form_build_body(struct program *p, struct computation *to,
                    const struct computation *from, const int *parameters);
/* An attribute that is a number, in the arena's memory. */
struct attribute form_build_number(struct arena *a, enum attribute_name name,
                                   int64_t value);

/* ---- form_suit.c: where a form applies ----------------------------------- */

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

/* ---- form_value.c: classes of values that may go wrong on their own ------ */

enum form_value {
    FORM_VALUE_ZERO,
    FORM_VALUE_NEGATIVE_ZERO,
    FORM_VALUE_SUBNORMAL,
    FORM_VALUE_LEAST_NORMAL,
    FORM_VALUE_ONE,
    FORM_VALUE_NEGATIVE,
    FORM_VALUE_LARGEST, /* finite; of integers the largest */
    FORM_VALUE_LEAST,   /* of signed integers the least */
    FORM_VALUE_INFINITY,
    FORM_VALUE_NEGATIVE_INFINITY,
    FORM_VALUE_NAN,
    FORM_VALUE_AWKWARD, /* odd, and too large for a float of fewer bits */
    FORM_VALUE_OTHER,
    FORM_VALUES
};

const char *form_value_name(enum form_value v);
/* The class of an element; of a complex one that of its real part. */
enum form_value form_value_of(const struct literal *l, int64_t i);
/* Bit 1 << class of all elements: of the first 4,096, and no others. */
unsigned form_value_set(const struct literal *l);
/* Those that the type has. */
unsigned form_value_set_of_type(enum dtype t);

/* ---- form_apply.c -------------------------------------------------------- */

/* Rewrite: data, that which must be computed and its inputs; written, how a
 * backend gets it.  Both share what did not change.  Everything is in the
 * arena. Fails with UNSUPPORTED if a form does not apply. */
bool form_apply(struct arena *a, const struct limits *limits,
                const struct form_uses *uses, const struct form_case *plain,
                struct form_case *data, struct form_case *written,
                struct status *st);

/* ---- Used by the files of this folder ------------------------------------ */

/* In form_control.c: put the program into a call, a branch, a loop, a Map. */
bool form_control(struct arena *a, const struct form *form, struct form_case *c,
                  struct status *st);
/* In form_data.c: give the data another shape, or choose elements. */
bool form_data(struct arena *a, const struct form_use *use, struct form_case *c,
               struct status *st);

#endif
