/* option.h - values of options, read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_OPTION_H
#define TOOLS_OPTION_H

#include <argp.h>
#include <stdint.h>

#include "interp/base/arena.h"

/* The program as it was started, argv[0] of main: "assay" or a path. */
extern const char *option_program;

/* The command as it was started, so that what is printed can be entered again:
 * the program, the verb, and the arguments from argv[1] on, quoted where the
 * shell needs it. */
const char *option_line(struct arena *a, const char *verb, int argc,
                        char **argv);
/* Those of an option's texts that came before, "" at first, a comma, and this
 * one. */
const char *option_joined(struct arena *a, const char *before,
                          const char *text);
/* The number that text is, from low to high; else argp_error() about option
 * --name, which ends the program. */
int64_t option_number(struct argp_state *state, const char *name,
                      const char *text, int64_t low, int64_t high);
/* A glob, within the limits of interp/base/glob.h; else argp_error() about
 * option --name. */
const char *option_glob(struct argp_state *state, const char *name,
                        const char *text);
/* The number of text among count choices, or argp_error(). */
int option_choice(struct argp_state *state, const char *name, const char *text,
                  const char *const *choices, int count);
/* Seconds, also parts of them, from 0.001 to a million; in milliseconds. */
int64_t option_seconds(struct argp_state *state, const char *name,
                       const char *text);

#endif
