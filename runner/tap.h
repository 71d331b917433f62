/* tap.h - results as a Test Anything Protocol stream, version 13.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_TAP_H
#define RUNNER_TAP_H

#include <stdio.h>

#include "interp/judge/verdict.h"

void tap_begin(FILE *f, int64_t count);
/* One result, with what is wrong and the command that runs it again (NULL:
 * none) in a YAML block below a failure. */
void tap_result(FILE *f, int64_t number, const char *name,
                enum verdict_status status, const char *text,
                const char *command);

#endif
