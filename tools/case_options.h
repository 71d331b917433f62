/* case_options.h - options of every verb that makes or evaluates cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CASE_OPTIONS_H
#define TOOLS_CASE_OPTIONS_H

#include <argp.h>

/* only --limit-..., and with --custom-call, as children of a verb's argp.  The
 * input of the first child is a struct limits: the verb's parser hands it on in
 * state->child_inputs[0] at ARGP_KEY_INIT.  --custom-call makes its function
 * known to the process (runner/plugin/custom_call.h). */
extern const struct argp_child case_options[];
extern const struct argp_child case_options_limits[];
/* The same one by one, for a list of a verb's own. */
extern const struct argp case_options_limit, case_options_custom;
/* The first, and the options of a program (tools/import.h), whose input is a
 * struct import: state->child_inputs[CASE_OPTIONS_IMPORT]. */
extern const struct argp_child case_options_program[];
enum {
    CASE_OPTIONS_IMPORT = 2
};

#endif
