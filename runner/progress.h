/* progress.h - a progress line, on a terminal only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on, shown;
    int64_t total, start, last;
    const char *what; /* is being done, before the numbers; may be NULL */
};

/* On if standard error is a terminal and wanted. */
void progress_begin(struct progress *p, bool wanted, int64_t total);
void progress_show(struct progress *p, int64_t done, int64_t failed);
/* Clear the line before something else is written. */
void progress_clear(struct progress *p);

#endif
