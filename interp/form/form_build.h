/* form_build.h - parts of the program that a form makes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORM_FORM_BUILD_H
#define INTERP_FORM_FORM_BUILD_H

#include "interp/program/program.h"

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

#endif
