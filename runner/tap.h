/* tap.h - results as a Test Anything Protocol stream, version 13.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_TAP_H
#define RUNNER_TAP_H

#include <stdio.h>

#include "interp/judge/verdict.h"

/* How the line of a status begins, and a directive after it. */
enum tap_form {
    TAP_OK,
    TAP_OK_SKIP,
    TAP_OK_TODO,
    TAP_NOT_OK,
    TAP_NOT_TODO
};
enum tap_form tap_form(enum verdict_status status);

void tap_begin(FILE *f, int64_t count);
/* The line of a result.  before: what the name has before it, with a space, or
 * NULL; text: why it was skipped or is to do. */
void tap_line(FILE *f, int64_t number, const char *before, const char *name,
              enum verdict_status status, const char *text);
/* One result, with what is wrong and the command that runs it again (NULL:
 * none) in a YAML block below a failure. */
void tap_result(FILE *f, int64_t number, const char *name,
                enum verdict_status status, const char *text,
                const char *command);

#endif
