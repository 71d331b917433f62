/* sweep_options.h - options that `assay sweep` and `assay hunt` share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SWEEP_OPTIONS_H
#define TOOLS_SWEEP_OPTIONS_H

#include <stdio.h>

#include "runner/sweep.h"
#include "tools/verbs/option.h"

/* The target: what to fill in, and where texts live. */
struct sweep_shared {
    struct arena *arena;
    struct sweep_options sweep;
    const char *svg;
    bool json;
};

/* These options, and the limits; their target is a struct sweep_shared. */
extern const struct option_set sweep_options;
/* Sets their defaults. */
void sweep_options_start(struct sweep_shared *x, struct arena *a,
                         enum dtype type);
/* Reads an element type into sweep.type. */
option_read sweep_options_type;
/* An element type, or argp_error(). */
enum dtype sweep_options_dtype(struct argp_state *state, const char *text);

/* SIGINT and SIGTERM end the sweep as soon as its rows are written. */
void sweep_options_signals(struct sweep_options *o);
/* Can --svg be written?  Asked before the sweep, not after it. */
bool sweep_options_ready(const struct sweep_shared *x, struct status *st);
/* Print what came out, as wanted, and draw it. */
bool sweep_options_report(const struct sweep_shared *x, struct arena *a,
                          const struct sweep *s, bool brief, struct status *st);

/* ---- sweep_print.c: what came of a sweep or a hunt, as text or JSON ------ */

/* On standard output: all of it, or one line if brief. */
void sweep_print_text(struct arena *a, const struct sweep *s, bool brief);
/* The same as one object on a line of its own. */
void sweep_print_json(struct arena *a, const struct sweep *s);

/* ---- sweep_svg.c: a sweep as a picture ----------------------------------- */

/* The error in ulps over the input: the worst of each part, where it is.  The
 * inputs lie in the order of their patterns, which is logarithmic in their
 * value; the errors have a logarithmic scale. */
void sweep_svg(FILE *f, const struct sweep *s);

#endif
