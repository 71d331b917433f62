/* glob.h - names that a pattern stands for.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A glob matches the whole name: * is any text, slashes too; ? one character;
 * [abc], [a-z] and [!abc] one of a set; @(A|B) one of several, and likewise ?,
 * *, + and ! before parentheses; a backslash takes away what the next character
 * means.  As names may contain such characters, a glob that is the name matches
 * it as well.
 *
 * A character is a byte.  Time and memory are bounded by a polynomial in the
 * lengths of both, whatever the glob.
 */
#ifndef INTERP_BASE_GLOB_H
#define INTERP_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

enum {
    GLOB_BYTES = 2000, /* unless nothing in it is special */
    GLOB_DEPTH = 20,   /* of lists in lists */
    GLOB_NAME = 2000   /* bytes of a name that a glob with lists may match */
};

/* Is it within the limits?  One that is not matches only the name that it is;
 * whoever reads a glob refuses it, with GLOB_LIMITS. */
bool glob_allowed(const char *glob);
#define GLOB_LIMITS \
    "a glob may have at most 2000 bytes and 20 lists in one another"

bool glob_match(const char *glob, const char *name);

/* Does one of these globs match it?  The list ends with NULL; everything
 * matches an empty one, and NULL. */
bool glob_match_any(const char *const *globs, const char *name);

/* The length of its beginning that stands for itself: each name that matches
 * begins with it, or is the glob. */
size_t glob_plain(const char *glob);

#endif
