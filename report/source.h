/* source.h - where a rule comes from, as a reader finds it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files of spec/ cite a source by lines ("004:120-131; 000:36") or by a
 * name ("xla: FILE, FUNCTION").  spec/sources.json names the documents, the
 * headings of their sections, and the public addresses.  Texts live in the
 * arena; the functions may be called from several threads.
 */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include <stdbool.h>

#include "interp/base/arena.h"

/* Lines become the document's title, the section's heading and the lines, a
 * document's number its title, "xla: FILE" becomes "XLA: FILE". */
const char *source_words(struct arena *a, const char *source);

/* The places that can be cited, in the order of spec/sources.json. */
int source_count(void);
/* "Operation semantics", "StableHLO". */
const char *source_title(int place);
/* The address of the public page, or NULL. */
const char *source_address(int place);
/* "Arabic" for a document that is cited in a translation; else NULL. */
const char *source_language(int place);
/* Translations of one document have one title: is it the first of them? */
bool source_is_first(int place);
/* Does the source of a rule cite that place, or another translation of it?
 * False for all but the first of them. */
bool source_cites(const char *source, int place);

#endif
