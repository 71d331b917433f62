/* judge_ways.h - the other ways in which a result may be right.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the plain evaluation does not explain may be explained by flushed
 * operands, or by choices that the profile permits with a remark: the reference
 * is evaluated again for each, and what is pending is judged by its goals.
 */
#ifndef INTERP_JUDGE_JUDGE_WAYS_H
#define INTERP_JUDGE_JUDGE_WAYS_H

#include "interp/judge/judge_reference.h"
#include "interp/judge/judge_value.h"
#include "interp/program/program.h"

/* The goal of an array; an array without one was passed on unchanged.  Leaves
 * beyond those of the result are the arrays that the replica writes to the
 * outfeed; NULL if there are not as many. */
const struct goal *judge_ways_goal(struct arena *a,
                                   const struct judge_reference *ref,
                                   int replica, int leaf);

/* Explain what the plain goals left pending.  The leaves keep these goals.
 * False, with a text, if something is pending and a choice that the profile
 * permits leaves a decision of the program open: then it may be right. */
bool judge_ways(const struct judge_value *j, struct verdict *v,
                struct verdict_leaf *leaves, int count, char *text,
                size_t size);

/* ---- judge_flush.c ------------------------------------------------------- */
/* The ways in which a profile lets a backend flush operands.
 *
 * Operands come from parameters (and elements of those that are tuples), from
 * Infeed, and from constants.  judge_ways.c tries each way. */

/* May an instruction of the case treat an operand as zero in this way? */
bool judge_flush_possible(const struct test_case *c,
                          const struct profile *profile,
                          enum machine_flush flush);

/* Do element-wise functions alone compute, each of parameters? */
bool judge_flush_of_parameters(const struct program *p);

/* Has the case data of its own, inputs, infeed or constants, that the profile
 * may flush? */
bool judge_flush_any(struct arena *a, const struct test_case *c,
                     const struct profile *profile);

/* Set inputs and sources of mode to the way-th combination of flushed data:
 * false if there are no more; *changes says whether any number is flushed. */
bool judge_flush_way(struct arena *a, const struct test_case *c,
                     const struct profile *profile, int way,
                     struct judge_mode *mode, bool *changes);

/* ---- judge_permit.c ------------------------------------------------------ */
/* The choices that a profile permits with a remark. */

/* Those on which the program depends; returns how many. */
int judge_permit_list(struct arena *a, const struct program *p,
                      const struct profile *profile,
                      struct profile_permit **list);

/* The same without those that reject: the program then has no value, or no more
 * than by the policy's other choice. */
int judge_permit_values(struct arena *a, const struct program *p,
                        const struct profile *profile,
                        struct profile_permit **list);

/* Does a permitted choice make the program one that must be refused with this
 * class (STATUS_OK: with any)?  Then that choice's policy; else NULL. */
const char *judge_permit_refuses(struct arena *a, const struct test_case *c,
                                 const struct judge_mode *mode,
                                 enum code class);

/* ---- judge_moved.c ------------------------------------------------------- */
/* Finds the results that only move what the program was given. */

/* Does this leaf of a process's result only move what the program was given,
 * with all its bits? */
bool judge_moved(struct arena *a, const struct program *p, int process,
                 int leaf);
/* The same for a leaf of an operand of an instruction of c. */
bool judge_moved_operand(struct arena *a, const struct program *p,
                         const struct computation *c,
                         const struct instruction *in, int operand, int leaf);
/* And for all that the instruction that produces this leaf of a process's
 * result can move there: its operands of the leaf's element type. */
bool judge_moved_sources(struct arena *a, const struct program *p, int process,
                         int leaf);

#endif
