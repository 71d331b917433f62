/* plan_names.c - see plan_names.h.  Tests: caselist.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/plan_names.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/file.h"
#include "runner/plan/digest.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void plan_names_add(struct arena *a, struct plan_names *to, const char *name)
{
    ARENA_GROW(a, to->names, to->count, to->room);
    to->names[to->count++] = name;
}

void plan_names_end(struct arena *a, struct plan_names *to)
{
    int64_t kept = 0;
    if (to->count > 0)
        qsort(to->names, (size_t)to->count, sizeof *to->names, by_name);
    for (int64_t i = 0; i < to->count; i++)
        if (i == 0 || strcmp(to->names[i], to->names[kept - 1]) != 0)
            to->names[kept++] = to->names[i];
    to->count = kept;
    to->met = arena_alloc(a, (size_t)kept + 1);
    memset(to->met, 0, (size_t)kept + 1);
}

/* A line without the blanks around it; NULL: nothing is on it. */
static const char *name_of(char *line)
{
    line += strspn(line, " \t\r");
    size_t n = strlen(line);
    while (n > 0 && strchr(" \t\r", line[n - 1]))
        line[--n] = '\0';
    return n == 0 || *line == '#' ? NULL : line;
}

bool plan_names_read(struct arena *a, const char *path, struct plan_names *to,
                     struct status *st)
{
    char *text, *rest;
    size_t length;
    *to = (struct plan_names){.path = path};
    TRY(file_whole(path, &text, &length, st));
    if (memchr(text, '\0', length)) {
        free(text);
        return FAIL(st, INPUT, "%.200s: has a NUL byte, so it is not text",
                    path);
    }
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *name = name_of(line);
        if (name)
            plan_names_add(a, to, arena_text(a, name));
    }
    free(text);
    plan_names_end(a, to);
    return to->count > 0 || FAIL(st, INPUT, "%.200s: names no case", path);
}

bool plan_names_has(const struct plan_names *n, const char *name)
{
    const char **found =
        bsearch(&name, n->names, (size_t)n->count, sizeof *n->names, by_name);
    if (found)
        n->met[found - n->names] = 1;
    return found != NULL;
}

bool plan_names_below(const struct plan_names *n, const char *name, bool folder)
{
    size_t own = strlen(name);
    if (folder)
        own = strcspn(name, "/");
    for (int64_t i = 0; i < n->count; i++) {
        size_t its = folder ? strcspn(n->names[i], "/") : strlen(n->names[i]);
        if (strncmp(n->names[i], name, own < its ? own : its) == 0)
            return true;
    }
    return false;
}

int64_t plan_names_form(const struct plan_names *n, const char *plain,
                        int64_t from)
{
    size_t own = strlen(plain);
    int64_t end = n->count;
    while (from < end) { /* the first that is not before "plain#" */
        int64_t middle = from + (end - from) / 2;
        int order = strncmp(n->names[middle], plain, own);
        if (order < 0 || (order == 0 && n->names[middle][own] < '#'))
            from = middle + 1;
        else
            end = middle;
    }
    return from < n->count && strncmp(n->names[from], plain, own) == 0
                   && n->names[from][own] == '#'
               ? from
               : -1;
}

int64_t plan_names_unmet(const struct plan_names *n, const char **first)
{
    int64_t unmet = 0;
    for (int64_t i = 0; i < n->count; i++)
        if (!n->met[i] && unmet++ == 0)
            *first = n->names[i];
    return unmet;
}

const char *plan_names_digest(struct arena *a, const struct plan_names *n)
{
    size_t bytes = 0, at = 0;
    for (int64_t i = 0; i < n->count; i++)
        bytes += strlen(n->names[i]) + 1;
    char *all = arena_alloc(a, bytes + 1), *hex = arena_alloc(a, DIGEST_TEXT);
    for (int64_t i = 0; i < n->count; i++) {
        size_t own = strlen(n->names[i]);
        memcpy(all + at, n->names[i], own);
        all[at + own] = '\n';
        at += own + 1;
    }
    digest_bytes(all, bytes, hex);
    return hex;
}
