/* deviation_located.h - deviations that hold at a place only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inside the place results are those of the deviation, elsewhere the right
 * ones.  deviation_located_run evaluates any program so.  Where one operation
 * is all that a program does, deviation_located_at says which places its result
 * has, so one evaluation without a place serves all of them.
 */
#ifndef INTERP_DEVIATION_DEVIATION_LOCATED_H
#define INTERP_DEVIATION_DEVIATION_LOCATED_H

#include "interp/case/case.h"
#include "interp/deviation/deviation.h"

/* deviation_run for a use with a place: each instruction that has it, and that
 * the deviation applies to by itself, gives what it would under the deviation,
 * at the elements that have it.  Fails with UNSUPPORTED if there is none. */
bool deviation_located_run(struct arena *a, const struct deviation_use *use,
                           struct machine *machine,
                           struct literal *const *const *inputs,
                           struct outcome *outcomes, struct status *st);

/* The places of the result of a case. */
struct deviation_located {
    uint64_t all;  /* that its instructions have, as it is written */
    uint64_t some; /* that one of them has, of whatever type */
    const struct place_table *places;
    int count; /* arrays of the result of one replica */
    struct place_array *arrays;
};

/* The places that instructions of a case's operation have; with what it gives
 * (or NULL), those of elements can be asked for.  False if more than
 * that operation decides what its program gives, or several processes run: then
 * a deviation with a place may give another result than with the place left
 * out. */
bool deviation_located_at(struct arena *a, const struct test_case *c,
                          const struct literal *right,
                          struct deviation_located *to, struct status *st);
/* The places that the result has, or some of its elements have. */
uint64_t deviation_located_all(const struct deviation_located *at);
/* The places that element i of an array of the result has. */
uint64_t deviation_located_element(const struct deviation_located *at,
                                   int array, int64_t i);
/* Deviating values where the result has the place, right ones elsewhere. */
struct literal *deviation_located_mix(struct arena *a,
                                      const struct deviation_located *at,
                                      const struct place *place,
                                      const struct literal *right,
                                      const struct literal *other);

#endif
