/* check_sorted.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/check/check.h"

int64_t check_sorted_line(const struct check_sorted *s, int64_t line)
{
    return line / s->step * s->step * s->length + line % s->step;
}

/* Compare two rows byte by byte: which order that gives does not matter. */
struct row_order {
    const struct literal *const *arrays;
    int n;
};

static int compare_rows(const struct row_order *o, int64_t i,
                        const struct row_order *p, int64_t k)
{
    for (int w = 0; w < o->n; w++) {
        size_t size = (size_t)dtype_bytes(o->arrays[w]->shape->dtype);
        int c = memcmp(o->arrays[w]->data + (size_t)i * size,
                       p->arrays[w]->data + (size_t)k * size, size);
        if (c != 0)
            return c;
    }
    return 0;
}

static void sift(const struct row_order *o, int64_t *at, int64_t i, int64_t n)
{
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && compare_rows(o, at[child], o, at[child + 1]) < 0)
            child++;
        if (compare_rows(o, at[i], o, at[child]) >= 0)
            return;
        int64_t swap = at[i];
        at[i] = at[child];
        at[child] = swap;
    }
}

/* A heap sort of elements by their rows. */
static void sort_rows(const struct row_order *o, int64_t *at, int64_t n)
{
    for (int64_t i = n / 2 - 1; i >= 0; i--)
        sift(o, at, i, n);
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t swap = at[0];
        at[0] = at[i];
        at[i] = swap;
        sift(o, at, 0, i);
    }
}

/* Is every pair of rows in a permitted order?  ranks has the line's elements of
 * got, and after them those of the reference that they are. */
static bool in_order(const struct check_sorted *s, const unsigned char *before,
                     int64_t first, int64_t *wrong)
{
    int64_t n = s->length, *rank = s->ranks + 2 * n;
    for (int64_t i = 0; i < n; i++)
        rank[(s->ranks[i] - first) / s->step] =
            (s->ranks[n + i] - first) / s->step;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = i + 1; k < n; k++)
            if (before[rank[k] * n + rank[i]]) {
                *wrong = i;
                return false;
            }
    return true;
}

/* Are the rows of ranks from to to - 1 the same in both, in any order? */
static bool same_class(const struct check_sorted *s,
                       const struct row_order *got,
                       const struct row_order *want, int64_t first,
                       int64_t from, int64_t to)
{
    int64_t n = to - from, *g = s->ranks, *w = s->ranks + n;
    for (int64_t i = 0; i < n; i++)
        g[i] = w[i] = first + (from + i) * s->step;
    if (n > 1) {
        sort_rows(got, g, n);
        sort_rows(want, w, n);
    }
    for (int64_t i = 0; i < n; i++)
        if (compare_rows(got, g[i], want, w[i]) != 0)
            return false;
    return true;
}

bool check_sorted(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found)
{
    const struct check_sorted *s = goal->check.data;
    struct row_order given = {got, n},
                     want = {s->values + goal->check.place, n};
    for (int64_t line = 0; line < s->outer * s->step; line++) {
        const int64_t *classes = s->classes + line * s->length;
        int64_t first = check_sorted_line(s, line);
        for (int64_t from = 0, to; from < s->length; from = to) {
            to = from + 1;
            while (to < s->length && classes[to] == classes[from])
                to++;
            int64_t wrong = from;
            const unsigned char *before =
                n == s->n && s->before ? s->before[line] : NULL;
            if (same_class(s, &given, &want, first, from, to)) {
                if (!before || in_order(s, before, first, &wrong))
                    continue;
                found->leaf = 0;
                found->unit = (first + wrong * s->step)
                              * dtype_units(got[0]->shape->dtype);
                snprintf(found->why, sizeof found->why,
                         "the row at %" PRId64 " of line %" PRId64
                         " precedes one that is less",
                         wrong, line);
                return false;
            }
            found->leaf = 0;
            found->unit =
                (first + from * s->step) * dtype_units(got[0]->shape->dtype);
            snprintf(found->why, sizeof found->why,
                     "the rows at %" PRId64 " to %" PRId64 " of line %" PRId64
                     " are not a permutation of the expected ones",
                     from, to - 1, line);
            return false;
        }
    }
    return true;
}
