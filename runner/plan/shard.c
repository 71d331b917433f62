/* shard.c - see shard.h.  Tests: test_shard, shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Numbers ------------------------------------------------------------- */

/* Variables that give a task its number. */
static const struct source {
    const char *index, *count;
    const char *first, *step; /* NULL: 0 and 1 */
    int base;                 /* of the index, where only that is used */
} sources[] = {
    /* Bazel's test encyclopedia */
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", NULL, NULL, 0},
    /* GoogleTest, advanced topics */
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", NULL, NULL, 0},
    /* sbatch(1), --array */
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP", 0},
    /* Kubernetes, Job with completionMode: Indexed */
    {"JOB_COMPLETION_INDEX", NULL, NULL, NULL, 0},
    /* parallel(1) */
    {"PARALLEL_SEQ", NULL, NULL, NULL, 1},
};

/* A decimal number without a sign, at most 9 digits. */
static bool number(const char *text, const char *end, int *value)
{
    size_t n = (size_t)(end - text);
    if (n == 0 || n > 9 || strspn(text, "0123456789") < n)
        return false;
    *value = 0;
    for (; text < end; text++)
        *value = 10 * *value + (*text - '0');
    return true;
}

/* A variable that must hold a number, if it is set. */
static bool variable(const char *name, int *value, struct status *st)
{
    const char *text = name ? getenv(name) : NULL;
    if (!text || number(text, text + strlen(text), value))
        return true;
    return FAIL(st, INPUT, "%s is '%.40s'; expected a number", name, text);
}

static bool touch(const char *path, struct status *st)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return FAIL(st, INPUT, "TEST_SHARD_STATUS_FILE: %.200s: %s", path,
                    strerror(errno));
    return close(fd) == 0;
}

static bool in_range(const struct shard *s, const char *from, struct status *st)
{
    if (s->count < 1 || s->count > SHARDS_MAX)
        return FAIL(st, INPUT, "%s: expected 1 to %d shards, got %d", from,
                    SHARDS_MAX, s->count);
    if (s->number < 1 || s->number > s->count)
        return FAIL(st, INPUT, "%s: shard %d of %d does not exist", from,
                    s->number, s->count);
    return true;
}

/* count: what the caller gave, or 0. */
static bool from_environment(struct shard *s, int count, struct status *st)
{
    const struct source *f = NULL;
    for (size_t i = 0; !f && i < sizeof sources / sizeof sources[0]; i++)
        if (getenv(sources[i].index))
            f = &sources[i];
    if (!f)
        return FAIL(st, INPUT,
                    "--shard env: none of TEST_SHARD_INDEX, GTEST_SHARD_INDEX, "
                    "SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and "
                    "PARALLEL_SEQ is set");
    int index = 0, first = 0, step = 1;
    s->variable = f->index;
    s->count = count;
    TRY(variable(f->index, &index, st));
    if (count > 0) {
        s->number = index - f->base + 1;
        return in_range(s, f->index, st);
    }
    TRY(variable(f->count, &s->count, st) && variable(f->first, &first, st)
        && variable(f->step, &step, st));
    if (s->count == 0)
        return FAIL(st, INPUT,
                    "%s does not say how many shards there are; use "
                    "--shard env/N",
                    f->index);
    if (step < 1 || index < first || (index - first) % step != 0)
        return FAIL(st, INPUT, "%s is %d; expected %d plus a multiple of %d",
                    f->index, index, first, step);
    s->number = (index - first) / step + 1;
    return in_range(s, f->index, st);
}

bool shard_read(const char *text, struct shard *s, struct status *st)
{
    const char *status_file = getenv("TEST_SHARD_STATUS_FILE");
    const char *slash = strchr(text, '/');
    const char *end = slash ? slash : text + strlen(text);
    int count = 0;
    *s = (struct shard){0};
    bool good = !slash || number(slash + 1, text + strlen(text), &count);
    bool env = end - text == 3 && strncmp(text, "env", 3) == 0;
    if (!good || (slash && count == 0)
        || (!env && (!slash || !number(text, end, &s->number))))
        return FAIL(st, INPUT,
                    "--shard: expected I/N (from 1/N to N/N), env or env/N, "
                    "got '%.40s'",
                    text);
    if (status_file && *status_file)
        TRY(touch(status_file, st));
    if (env)
        return from_environment(s, count, st);
    s->count = count;
    return in_range(s, "--shard", st);
}

/* ---- The split ----------------------------------------------------------- */

struct weight {
    int64_t cost, place;
};

static int heavier(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool lighter(const struct weight *a, const struct weight *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->place < b->place);
}

/* The first of the heap has grown: it sinks to where it belongs. */
static void sink(struct weight *heap, int count)
{
    for (int i = 0, least;; i = least) {
        least = i;
        for (int child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < count && lighter(&heap[child], &heap[least]))
                least = child;
        if (least == i)
            return;
        struct weight w = heap[i];
        heap[i] = heap[least];
        heap[least] = w;
    }
}

int *shard_split(struct arena *a, const struct plan *plan, int count,
                 const int64_t *cost)
{
    size_t n = (size_t)plan->count;
    int *to = arena_new(a, int, n + 1);
    for (size_t i = 0; i < n; i++)
        to[i] = (int)(i % (size_t)count) + 1;
    if (!cost)
        return to;
    /* The heaviest first, each to the shard that has least so far. */
    struct weight *cases = arena_new(a, struct weight, n + 1);
    struct weight *heap = arena_new(a, struct weight, (size_t)count);
    for (size_t i = 0; i < n; i++)
        cases[i] = (struct weight){cost[i], (int64_t)i};
    qsort(cases, n, sizeof *cases, heavier);
    for (int i = 0; i < count; i++)
        heap[i] = (struct weight){0, i};
    for (size_t i = 0; i < n; i++) {
        to[cases[i].place] = (int)heap[0].place + 1;
        heap[0].cost += cases[i].cost;
        sink(heap, count);
    }
    return to;
}

void shard_part(struct arena *a, const struct plan *whole, const int *shard_of,
                int number, struct plan *part, int64_t **where)
{
    size_t n = (size_t)whole->count + 1;
    *part = *whole;
    part->count = 0;
    part->cases = arena_new(a, struct plan_case, n);
    *where = arena_new(a, int64_t, n);
    for (int64_t i = 0; i < whole->count; i++) {
        if (shard_of[i] != number)
            continue;
        (*where)[part->count] = i;
        part->cases[part->count++] = whole->cases[i];
    }
}
