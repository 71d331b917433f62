/* text.h - untrusted text made harmless, so that text from a backend or a file
 * can be shown on a terminal and used in any output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_TEXT_H
#define INTERP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The noun after a number n: `one` after 1, `many` after any other.  "%d %s",
 * n, text_plural(n, "case", "cases"). */
const char *text_plural(int64_t n, const char *one, const char *many);

/* The length of the character of UTF-8 (RFC 3629) at text, which has left
 * bytes, at least one; 0 if there is none. */
size_t text_character(const char *text, size_t left);
/* Is c a byte within a character, not its first? */
bool text_inside(char c);

/* May the character at text be shown?  *bytes is its length, 1 where the bytes
 * are not UTF-8 (RFC 3629).  Not shown are control characters (C0, DEL, C1),
 * the line and paragraph separators, everything with Unicode's property
 * Bidi_Control, which reorders the text around it, and noncharacters of the
 * basic plane that XML forbids.  text must not be at its end. */
bool text_shows(const char *text, size_t *bytes);

/* Copy at most size - 1 bytes of text, a question mark for each character that
 * is not shown; never cuts a character in two.  NULL is "".  to may be from. */
void text_clean(char *to, size_t size, const char *from);

/* The edit distance of two names: insertions, deletions, substitutions and
 * transpositions of neighbours, regardless of case. */
int text_distance(const char *a, const char *b);

/* The nearest of count names, NULL if none is near, that is, if more than a
 * third of the longer one would have to change. */
const char *text_nearest(const char *name, const char *const *names, int count);

enum {
    TEXT_HINT = 96
};
/* For the end of a message about an unknown name: " (nearest: 'x')", or "" if
 * none is near.  to has TEXT_HINT bytes and is returned. */
const char *text_hint(char *to, const char *name, const char *const *names,
                      int count);

enum {
    TEXT_CLASS = 100 /* bytes */
};

/* The class of a message: its beginning, with # for each number, as positions,
 * sizes and addresses differ from case to case; in to, which has TEXT_CLASS + 1
 * bytes. */
const char *text_class(char *to, const char *message);

#endif
