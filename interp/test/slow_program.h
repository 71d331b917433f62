/* slow_program.h - one operation as a program, for tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_TEST_SLOW_PROGRAM_H
#define INTERP_TEST_SLOW_PROGRAM_H

#include "interp/program/evaluate.h"

enum {
    SLOW_OPERANDS = 8,
    SLOW_ATTRIBUTES = 16
};

/* An operation as a test applies it: operands, attributes, replicas. */
struct slow_program {
    struct arena *arena;
    struct program *program;
    const struct op *op;
    int operand_count, attribute_count, replicas;
    struct literal *operands[8][SLOW_OPERANDS]; /* [replica][i] */
    struct attribute attributes[SLOW_ATTRIBUTES];
    const char *profile;
    bool want_exact;
    struct status status;
    struct outcome outcomes[8];
};

/* A fresh one; everything lives in the arena. */
struct slow_program *slow_program_new(struct arena *a, const char *op);
/* Operands of all replicas alike; then of one. */
void slow_program_operand(struct slow_program *p, struct literal *l);
/* The same of slow_program_literal. */
struct literal *slow_program_values(struct slow_program *p, const char *shape,
                                    int count, const int64_t *values);
/* An attribute whose form (of spec/ops) is numbers, which are copied. */
void slow_program_ints(struct slow_program *p, enum attribute_name name,
                       int count, const int64_t *ints);
#define SLOW_PROGRAM_INTS(p, name, ...) \
    slow_program_ints((p), (name), \
                      (int)(sizeof((const int64_t[]){__VA_ARGS__}) / 8), \
                      (const int64_t[]){__VA_ARGS__})
void slow_program_int(struct slow_program *p, enum attribute_name name,
                      int64_t value);
void slow_program_name(struct slow_program *p, enum attribute_name name,
                       const char *value);
void slow_program_type(struct slow_program *p, enum attribute_name name,
                       enum dtype type);
void slow_program_shape(struct slow_program *p, enum attribute_name name,
                        const char *text);
void slow_program_builtin(struct slow_program *p, enum attribute_name name,
                          const char *builtin);
void slow_program_computation(struct slow_program *p, enum attribute_name name,
                              const struct computation *c);
/* Add an instruction of that operation to a computation. */
int slow_program_add(struct slow_program *p, struct computation *c,
                     const char *op, int count, const int *operands);
/* Infer and evaluate; false, and status, if it fails. */
bool slow_program_run(struct slow_program *p);
/* The result of replica 0. */
const struct literal *slow_program_value(const struct slow_program *p);

/* Literals: all elements from a list of integers (converted), repeated. */
struct literal *slow_program_literal(struct arena *a, const char *shape,
                                     int count, const int64_t *values);
struct literal *slow_program_random(struct arena *a, const char *shape,
                                    uint64_t seed, int64_t low, int64_t high);
/* Element i as an integer, which it must be; INT64_MIN if it is none. */
int64_t slow_program_int_at(const struct literal *l, int64_t i);

#endif
