/* cover_rule_print.h - what breaks each rule: text, JSON or a page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_RULE_PRINT_H
#define TOOLS_COVER_RULE_PRINT_H

#include "tools/verbs/cover_deviations.h"
#include "tools/verbs/cover_rule.h"

/* To standard output; rules[i], counts[i]: of operation i.  Percent of the
 * testable ones that something breaks, rounded down. */
int64_t cover_rule_print(const struct cover_deviations *o,
                         struct cover_rule *const *rules, const int *counts);

#endif
