/* cover_requirements.h - assay cover --requirements: what breaks each rule of
 * the specification, and would the cases notice?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_REQUIREMENTS_H
#define TOOLS_COVER_REQUIREMENTS_H

#include "tools/verbs/cover_deviations.h"

/* For each requirement and constraint print the deviations that break it, and
 * the case that shows so; o->name, o->count are not used.  In *percent how many
 * of those that a case can test have one, rounded down. */
bool cover_requirements(const struct cover_deviations *o,
                        const struct limits *limits, int64_t *percent,
                        struct status *st);

#endif
