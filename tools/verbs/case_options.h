/* case_options.h - options of every verb that makes or evaluates cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CASE_OPTIONS_H
#define TOOLS_CASE_OPTIONS_H

#include "tools/verbs/option.h"

/* --limit-...: its target is a struct limits. */
extern const struct option_set case_options_limit;
/* --custom-call makes its function known to the process
 * (runner/plugin/custom_call.h); it has no target. */
extern const struct option_set case_options_custom;

/* Both, as the first children of a verb whose target has a member limits. */
#define CASE_OPTIONS(of) \
    {&case_options_limit, offsetof(of, limits)}, \
    { \
        &case_options_custom, 0 \
    }

#endif
