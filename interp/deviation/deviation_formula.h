/* deviation_formula.h - formulas of the table as instructions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_FORMULA_H
#define INTERP_DEVIATION_DEVIATION_FORMULA_H

#include "interp/deviation/deviation.h"

/* One instruction of a program's entry that is being replaced. */
struct deviation_formula {
    struct arena *arena;
    const struct deviation *what;
    const struct program *old;
    struct program *program;      /* that is being made, */
    struct computation *entry;    /* and its entry */
    const struct instruction *in; /* as it was */
    const int *map;               /* from numbers in the old entry to these */
    int at;                       /* what "operand" means */
    bool each;                    /* it means that: inside "each" */
    int *named, named_count;      /* what the first names of "with" are */
    int depth;
};

/* The shape of operand k of the instruction. */
const struct shape *deviation_formula_shape(const struct deviation_formula *f,
                                            int k);

/* Append what a formula says, and give the number of its last instruction.
 *
 * An object is an operation on formulas: {"Div": [1, "rhs"]}.  After a colon
 * comes the type that it converts to: "f32"; "own", of the first operand;
 * "other-sign", the integer type of that width; "result".  "self" is the
 * instruction's own operation, with its attributes, and {"each": [F]} in its
 * list stands for F of each operand, which F calls "operand".  A constant of
 * another type is {"Constant:u32": [1]}.  A string is an operand by its name,
 * operand r of the operation that gave operand l ("l.r"), "result" (what the
 * instruction gives), or a constant ("type.max"); a number is a constant, too.
 * The names of the row's "with" come before all others.
 * Constants have the shape of operand 0, and are rounded to its type, as is
 * every intermediate result, as in any program. */
bool deviation_formula(struct deviation_formula *f, const struct json *node,
                       int *number, struct status *st);

/* The row's whole formula: first each member of its "with", which later ones
 * and the formula may name. */
bool deviation_formula_all(struct deviation_formula *f, int *number,
                           struct status *st);

#endif
