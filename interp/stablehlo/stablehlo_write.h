/* stablehlo_write.h - the writer that stablehlo.c and stablehlo_op.c share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_WRITE_H
#define INTERP_STABLEHLO_STABLEHLO_WRITE_H

#include <stdio.h>

#include "interp/program/program.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The value of an instruction: one SSA name for each array or token. */
struct stablehlo_value {
    int count;
    const char **names;
    const struct shape **shapes;
};

/* An instruction that is written, the values of its operands, and its own. */
struct stablehlo_item {
    const struct instruction *in;
    const struct stablehlo_value *operands;
    struct stablehlo_value *result;
};

struct stablehlo_writer {
    struct arena *arena;
    const struct program *program;
    const struct computation *body; /* that is being written */
    FILE *out;
    int next; /* number of the next SSA name */
    int indent;
    int depth, written; /* regions inside one another; instructions so far */
    const struct computation **functions; /* called; to write after main */
    int function_count, function_room;
    struct status *st;
};

/* Type of an array or token: tensor<2x3xf32>, !stablehlo.token. */
const char *stablehlo_write_type(struct stablehlo_writer *w,
                                 const struct shape *s);
/* A new name for each leaf of a shape. */
struct stablehlo_value stablehlo_write_names(struct stablehlo_writer *w,
                                             const struct shape *s);
/* Begin a line. */
void stablehlo_write_line(struct stablehlo_writer *w);
/* %1, %2 */
void stablehlo_write_list(struct stablehlo_writer *w,
                          const struct stablehlo_value *v);
/* (tensor<...>, tensor<...>) */
void stablehlo_write_types(struct stablehlo_writer *w,
                           const struct stablehlo_value *v);
/* [1, 2] */
void stablehlo_write_ints(struct stablehlo_writer *w, int count,
                          const int64_t *ints);
/* array<i64: 1, 2> */
void stablehlo_write_array(struct stablehlo_writer *w, int count,
                           const int64_t *ints);
/* A stablehlo.constant of a literal array; its name. */
const char *stablehlo_write_constant(struct stablehlo_writer *w,
                                     const struct literal *l);
/* A region that applies a computation to its block's arguments. */
bool stablehlo_write_region(struct stablehlo_writer *w,
                            const struct computation *c);
/* A region without arguments that calls it on values of outside. */
bool stablehlo_write_branch(struct stablehlo_writer *w,
                            const struct computation *c,
                            const struct stablehlo_value *arguments);
/* The name of a computation's function, which is written later. */
const char *stablehlo_write_function(struct stablehlo_writer *w,
                                     const struct computation *c);

/* A func.func.  Tokens do not cross main: one is made for each that is a
 * parameter, and those of the result stay inside. */
bool stablehlo_write_definition(struct stablehlo_writer *w,
                                const struct computation *c, const char *name,
                                bool main);

/* stablehlo_op.c: one instruction, from its operands' values. */
bool stablehlo_op_write(struct stablehlo_writer *w,
                        const struct stablehlo_item *it);

/* One line under construction: which operands go in, and its regions. */
struct stablehlo_line {
    const char *spelling;
    struct stablehlo_value operands;
    const struct stablehlo_value *result; /* NULL: the item's own */
    int region_count;
    const struct computation *regions[2];
};

/* All leaves of several values, one after the other. */
struct stablehlo_value
stablehlo_op_flatten(struct stablehlo_writer *w, int count,
                     const struct stablehlo_value *values);
struct stablehlo_value stablehlo_op_one(struct stablehlo_writer *w,
                                        const char *name,
                                        const struct shape *shape);
/* A line of simple parts; the name of its result. */
const char *stablehlo_op_simple(struct stablehlo_writer *w,
                                const char *spelling,
                                const struct stablehlo_value *operands,
                                const char *attributes,
                                const struct shape *result);
/* The computation that an attribute names.  Fails with UNSUPPORTED and gives
 * NULL where inference did not bind it. */
const struct computation *
stablehlo_op_computation(struct stablehlo_writer *w,
                         const struct instruction *in,
                         enum attribute_name attribute, int which);
bool stablehlo_op_line(struct stablehlo_writer *w,
                       const struct stablehlo_item *it,
                       const struct stablehlo_line *line);

/* stablehlo_broadcast.c: an operand with the result's dimensions, where the
 * builder broadcasts and StableHLO does not. */
struct stablehlo_value stablehlo_broadcast(struct stablehlo_writer *w,
                                           const struct stablehlo_item *it,
                                           int which);

#endif
