/* record_violation.h - which rules a result breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RECORD_VIOLATION_H
#define RUNNER_RECORD_VIOLATION_H

#include "interp/judge/violation.h"
#include "runner/process/job.h"

/* Those of a case whose result is reported with that status; none unless it is
 * a wrong value, or a value where an error was expected. */
void record_violation(const struct plan_case *c, const struct profile *p,
                      const struct job_result *result,
                      enum verdict_status status, const char *covers,
                      struct violations *v);

#endif
