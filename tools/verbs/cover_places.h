/* cover_places.h - deviations at places: what became of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only for deviations that a case rejects where they have no place: of others
 * nothing more is known at one.  A place that no case of the operation has
 * cannot occur, and is left out.
 */
#ifndef TOOLS_COVER_PLACES_H
#define TOOLS_COVER_PLACES_H

#include "tools/verbs/cover_row.h"

/* possible: the places of an operation.  All write to standard output. */
void cover_places_json(const struct place_table *table, uint64_t possible,
                       const struct cover_row *r);
/* Counts by place, and what survives.  By operation: possible, rows. */
void cover_places_text(const struct place_table *table,
                       const uint64_t *possible, struct cover_row *const *rows);
/* Add them to counts. */
void cover_places_count(const struct place_table *table,
                        const uint64_t *possible, struct cover_row *const *rows,
                        int64_t counts[COVER_FATES]);

#endif
