/* uses.h - which uses of subnormal numbers one evaluation flushes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A use is an operand of an instruction that compares or computes.  Where a
 * profile lets a backend flush operands, each use may be flushed or not,
 * whatever the others are.  The uses that meet a subnormal number are found
 * while the program is evaluated, and each combination is one evaluation.
 *
 * A computation may be compiled anew for each instruction that calls it, so its
 * uses are others there.
 */
#ifndef INTERP_PROGRAM_USES_H
#define INTERP_PROGRAM_USES_H

#include "interp/program/op.h"

enum {
    USES_MAX = 32,  /* in one program; the others keep subnormal numbers */
    USES_SITES = 64 /* instructions that have or call them; likewise */
};

/* Zero-initialised, the first combination: all uses keep their numbers. */
struct uses {
    int decided; /* before this evaluation; the others keep their numbers */
    int found;   /* in this evaluation, in the order in which they are met */
    bool over;   /* there are more */
    /* In place of a combination: each use takes its number, the zero, and all
     * that lies between. */
    bool spread;
    /* Each result that is only flushed or not is decided, too, so that it may
     * decide: the profile without flushed results.  NULL: it is what it may
     * be. */
    const struct profile *keeping;
    const struct profile *flushing; /* with it: the profile that flushes them */
    bool refused;                   /* some combination was, as inadmissible */
    int64_t steps;                  /* of all evaluations so far */
    int site_count;
    struct uses_site { /* an instruction, and the site that calls it, or -1 */
        const struct instruction *in;
        int caller;
    } sites[USES_SITES];
    struct uses_one {
        int site;
        int number;    /* of the operand; behind all uses_choice, uses_settle */
        int way, last; /* from 0: enum machine_flush, or what is chosen */
    } one[USES_MAX];
};

/* Go on to the next combination; false after the last one. */
bool uses_next(struct uses *u);

/* How operand k of an instruction is taken: as the machine says or, where each
 * use is decided alone, as this one is. */
enum machine_flush uses_way(const struct eval *ev, int k);
/* The same of an instruction that takes all operands alike. */
enum machine_flush uses_way_all(const struct eval *ev);
/* A copy of l, in place of operand k, flushed so; NULL where it is taken as it
 * is. */
struct literal *uses_flushed(const struct eval *ev, int k,
                             const struct literal *l);
/* Operand k as an instruction takes it that computes. */
const struct literal *uses_taken(const struct eval *ev, int k);
/* Where each use is decided alone: what an instruction gives of what several
 * operands that were flushed let it give, 0 to last. */
int uses_choice(const struct eval *ev, int last);
/* Where results are decided: take one that is flushed or not for one of both.
 */
void uses_settle(struct eval *ev);
/* May some operand be flushed? */
bool uses_any(const struct machine *m);
/* Do uses take all between a number and its zero? */
bool uses_spread(const struct machine *m);
/* Can all uses of the program do that?  False also where it is not known. */
bool uses_all_spread(const struct program *p);

#endif
