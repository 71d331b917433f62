/* formula.h - formulas of the table as instructions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORMULA_FORMULA_H
#define INTERP_FORMULA_FORMULA_H

#include "interp/program/op.h"

/* One instruction of a program's entry that is being replaced, or an operand of
 * it. */
struct formula {
    struct arena *arena;
    const char *name;        /* of the instructions that it adds */
    const struct json *with; /* intermediate values by name; or NULL */
    bool whole; /* it replaces the instruction; else one of its operands */
    const struct program *old;
    struct program *program;      /* that is being made, */
    struct computation *entry;    /* and its entry */
    const struct instruction *in; /* as it was */
    const int *map;               /* from numbers in the old entry to these */
    int at;                       /* what "operand" means */
    bool each;                    /* it means that: inside "each" */
    int *named, named_count;      /* what the first names of "with" are */
};

/* The shape of operand k of the instruction. */
const struct shape *formula_shape(const struct formula *f, int k);

/* A formula that is text, as interp/data/line.h says; NULL without a text.
 * Fails with INPUT if it is malformed, or names an unknown operation or type.
 */
bool formula_read(struct arena *a, const struct json *text,
                  const struct json **formula, struct status *st);

/* Append what a formula says, and give the number of its last instruction.
 *
 * A call is an operation on formulas: Div(1, rhs).  After a colon comes the
 * type that it converts to: f32; own, of the first operand; other-sign, the
 * integer type of that width; bits, the unsigned one; result.  self() is the
 * instruction's own operation, with its attributes, and each(F) among its
 * operands stands for F of each operand, which F calls "operand".  A constant
 * of another type is Constant:u32(1).  A word is an operand by its name,
 * operand r of the operation that gave operand l (l.r), "result" (what the
 * instruction gives), or a constant (type.max); a number is a constant, too.
 * The names of "with" come before all others.
 * Constants have the shape of operand 0, and are rounded to its type, as is
 * every intermediate result, as in any program. */
bool formula_add(struct formula *f, const struct json *node, int *number,
                 struct status *st);

/* A whole formula: first each member of "with", which later ones and the
 * formula may name. */
bool formula_all(struct formula *f, const struct json *node, int *number,
                 struct status *st);

/* The attributes given in a call.  In a string, {X} stands for X: a formula of
 * the sizes of the operand (formula_attribute.c). */
bool formula_attribute(const struct formula *f, const struct op *op,
                       const struct json *given, int *count,
                       struct attribute **attributes, struct status *st);

/* JSON in which {X} of strings and {"each": X} of lists are replaced: values
 * that follow from a shape.  UNSUPPORTED if one has no value. */
bool formula_attribute_json(struct arena *a, const struct shape *shape,
                            const struct json *node, const struct json **made,
                            struct status *st);

/* The word for an operand of an operation: its name, or its number, as that of
 * a module's input (op: NULL). */
const char *formula_operand(struct arena *a, const struct op *op, int k);

#endif
