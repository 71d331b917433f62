/* merge_causes.h - the causes of a joined run, held against its passing cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A shard has only a part of the cases that may contradict a cause, so its
 * causes are not held against any (runner/reasons.h).
 */
#ifndef TOOLS_MERGE_CAUSES_H
#define TOOLS_MERGE_CAUSES_H

#include "tools/verbs/recorded.h"

/* Settle the causes of the latest run of a database, as an unsplit run would.
 * Fails with INPUT where its suite or its profile are not found, and like the
 * database; then the causes are as the shards found them. */
bool merge_causes(struct arena *a, const char *database,
                  const struct recorded *from, struct status *st);

#endif
