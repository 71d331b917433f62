/* report_seen.h - what is seen of a wrong result that has no cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REPORT_REPORT_SEEN_H
#define REPORT_REPORT_SEEN_H

#include "report/report.h"

/* In words, from the units that are kept of a case: the first statement that
 * holds for each of them. */
const char *report_seen(const struct store_wrong *w, int count);

#endif
