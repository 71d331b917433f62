/* glob.c - see glob.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* FNM_EXTMATCH */
#include "interp/base/glob.h"

#include <fnmatch.h>
#include <string.h>

static bool is_special(const char *glob)
{
    return *glob == '*' || *glob == '?' || *glob == '[' || *glob == '\\'
           || (glob[0] != '\0' && glob[1] == '(' && strchr("@+!", glob[0]));
}

size_t glob_plain(const char *glob)
{
    size_t n = 0;
    while (glob[n] && !is_special(glob + n))
        n++;
    return n;
}

bool glob_match(const char *glob, const char *name)
{
    /* Most names differ before the first special character. */
    for (; *glob && !is_special(glob); glob++, name++)
        if (*glob != *name)
            return false;
    return strcmp(glob, name) == 0 || fnmatch(glob, name, FNM_EXTMATCH) == 0;
}

bool glob_match_any(const char *const *globs, const char *name)
{
    bool found = !globs || !*globs;
    for (; !found && *globs; globs++)
        found = glob_match(*globs, name);
    return found;
}
