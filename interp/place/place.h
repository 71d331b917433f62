/* place.h - where in a program something holds.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/places.json lists the places.  Some are of an instruction in its program
 * (its rank, a scalar operand, in a loop), others of single elements of its
 * result (the remainder of a vector, where a NaN is).  A deviation may be
 * restricted to one, and forms (interp/form) write cases that have them.
 * Several places are a set: bit 1 << number of the row.
 */
#ifndef INTERP_PLACE_PLACE_H
#define INTERP_PLACE_PLACE_H

#include "interp/program/program.h"

enum {
    PLACES_MAX = 64
};

struct place {
    const char *id;     /* "scalar-operand" */
    const char *text;   /* a sentence */
    const char *phrase; /* "beside a scalar operand" */
    const char *source; /* a system that treats it apart; or NULL */
    int number;         /* of its row */
    const struct place_kind *kind;
    int64_t least, most; /* of the kind */
    const char *word;    /* likewise */
    unsigned values;     /* bits 1 << FORM_VALUE_x */
};

struct place_table {
    int count;
    struct place rows[PLACES_MAX];
    uint64_t of_elements; /* those that hold for some elements */
};

/* The embedded table, read once; it lives as long as the process.  Fails with
 * INPUT. */
bool place_read(const struct place_table **table, struct status *st);
/* The same of another text of that form. */
bool place_parse(struct arena *a, const struct json *root,
                 struct place_table *table, struct status *st);
/* The place of that name; fails with INPUT, and the nearest known name. */
bool place_find(const struct place_table *table, const char *name,
                const struct place **place, struct status *st);

/* An instruction of an inferred program. */
struct place_at {
    const struct program *program;
    const struct computation *computation;
    const struct instruction *in;
    int64_t execution; /* of the program, from 1; 0: it does not count */
};

/* Is the computation part of what the program does step by step: its entry, or
 * run by control flow, or by an operation that a place is inside of?  Others
 * are functions of an operation, such as that of Reduce. */
bool place_is_step(const struct place_table *table, const struct program *p,
                   const struct computation *c);
/* The places that an instruction has.  Those of elements are not among them. */
uint64_t place_of_instruction(const struct place_table *table,
                              const struct place_at *at);

/* One array that an instruction gives. */
struct place_array {
    const struct literal *right; /* as it must be */
    bool by_element; /* each element is a function of the same element of each
                        operand, or of a scalar one */
    int count;
    const struct literal *const *operands; /* NULL: one is not known */
};

/* Is every element of the result a function of the same element of each
 * operand? */
bool place_by_element(const struct op *op);
/* The places that element i of it has, of those of elements. */
uint64_t place_of_element(const struct place_table *table,
                          const struct place_array *array, int64_t i);

#endif
