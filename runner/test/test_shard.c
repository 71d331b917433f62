/* test_shard.c - how a plan is split, and who says so.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that a task has follow from the documentation of each scheduler
 * (named in shard.c); splits are worked out by hand.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/plan/shard.h"

static struct arena arena;

static const char *const variables[] = {
    "TEST_SHARD_INDEX",     "TEST_TOTAL_SHARDS",     "GTEST_SHARD_INDEX",
    "GTEST_TOTAL_SHARDS",   "SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_COUNT",
    "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX",
    "PARALLEL_SEQ",         "TEST_SHARD_STATUS_FILE"};

/* "3/8", or the message, for an environment "NAME=VALUE NAME=VALUE". */
static const char *read_in(const char *environment, const char *text)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
    char *next = arena_text(&arena, environment);
    while (*next) {
        char *p = next, *equals = strchr(p, '=');
        next += strcspn(next, " ");
        if (*next)
            *next++ = '\0';
        *equals = '\0';
        setenv(p, equals + 1, 1);
    }
    struct shard s;
    struct status st = {0};
    if (!shard_read(text, &s, &st))
        return arena_text(&arena, st.text);
    return arena_printf(&arena, "%d/%d", s.number, s.count);
}

static void test_numbers(void)
{
    EQ_STR(read_in("", "3/8"), "3/8", "I/N");
    EQ_STR(read_in("", "1/1"), "1/1", "all of it");
    const char *const bad[] = {"",        "3",
                               "0/8",     "9/8",
                               "/8",      "3/",
                               "-1/8",    "3/8/1",
                               "3/99999", "a/8",
                               "env/",    "env/0",
                               "3/0",     "99999999999/99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        OK(strncmp(read_in("", bad[i]), "--shard: ", 9) == 0, "refused: '%s'",
           bad[i]);
}

static void test_environment(void)
{
    EQ_STR(read_in("TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=4", "env"), "1/4",
           "Bazel counts from 0");
    EQ_STR(read_in("GTEST_SHARD_INDEX=3 GTEST_TOTAL_SHARDS=4", "env"), "4/4",
           "GoogleTest counts from 0");
    EQ_STR(read_in("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=8"
                   " SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=1",
                   "env"),
           "8/8", "sbatch --array=0-7");
    EQ_STR(read_in("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=4"
                   " SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2",
                   "env"),
           "4/4", "sbatch --array=1-7:2");
    EQ_STR(read_in("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=1"
                   " SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_STEP=1",
                   "env/8"),
           "8/8", "sbatch --array=7: one task of 0-7 again");
    EQ_STR(read_in("JOB_COMPLETION_INDEX=2", "env/5"), "3/5",
           "an indexed Job counts from 0");
    EQ_STR(read_in("PARALLEL_SEQ=5", "env/5"), "5/5", "parallel counts from 1");
    EQ_STR(read_in("TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2"
                   " SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=8",
                   "env"),
           "2/2", "the test runner inside a job decides");
    EQ_STR(read_in("", "env"),
           "--shard env: none of TEST_SHARD_INDEX, GTEST_SHARD_INDEX, "
           "SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and PARALLEL_SEQ is set",
           "no environment");
    EQ_STR(read_in("JOB_COMPLETION_INDEX=2", "env"),
           "JOB_COMPLETION_INDEX does not say how many shards there are; use "
           "--shard env/N",
           "no count");
    EQ_STR(read_in("JOB_COMPLETION_INDEX=5", "env/5"),
           "JOB_COMPLETION_INDEX: shard 6 of 5 does not exist", "too high");
    EQ_STR(read_in("PARALLEL_SEQ=0", "env/5"),
           "PARALLEL_SEQ: shard 0 of 5 does not exist", "too low");
    EQ_STR(read_in("TEST_SHARD_INDEX=x TEST_TOTAL_SHARDS=2", "env"),
           "TEST_SHARD_INDEX is 'x'; expected a number", "no number");
    EQ_STR(read_in("SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_COUNT=3"
                   " SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2",
                   "env"),
           "SLURM_ARRAY_TASK_ID is 6; expected 1 plus a multiple of 2",
           "not of this array");
    EQ_STR(read_in("SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3"
                   " SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1",
                   "env"),
           "SLURM_ARRAY_TASK_ID: shard 9 of 3 does not exist",
           "an array with gaps");
}

static void test_status_file(void)
{
    char path[] = "/tmp/assay-shard-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    const char *set = arena_printf(&arena,
                                   "TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=1"
                                   " TEST_SHARD_STATUS_FILE=%s",
                                   path);
    EQ_STR(read_in(set, "env"), "1/1", "with a status file");
    OK(access(path, F_OK) == 0, "it is made");
    unlink(path);
    set = arena_printf(&arena, "TEST_SHARD_STATUS_FILE=%s/none/file", "/tmp");
    OK(strncmp(read_in(set, "1/1"), "TEST_SHARD_STATUS_FILE: ", 24) == 0,
       "one that cannot be made is an error");
    read_in("", "1/1");
}

/* The shards of all cases, as digits. */
static const char *split(int n, int count, const int64_t *cost)
{
    struct plan p = {.count = n};
    int *of = shard_split(&arena, &p, count, cost);
    char *text = arena_alloc(&arena, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        text[i] = (char)('0' + of[i]);
    text[n] = '\0';
    return text;
}

static void test_split(void)
{
    EQ_STR(split(7, 3, NULL), "1231231", "dealt in turn");
    EQ_STR(split(2, 3, NULL), "12", "more shards than cases");
    EQ_STR(split(0, 3, NULL), "", "no case");
    /* 9 to 1; 7 to 2; 6 to 3; 5 to 3 (11); 4 to 2 (11); 3 to 1 (12). */
    EQ_STR(split(6, 3, (const int64_t[]){3, 9, 4, 7, 5, 6}), "112233",
           "the heaviest first, each to the lightest shard");
    EQ_STR(split(4, 2, (const int64_t[]){1, 1, 1, 1}), "1212",
           "equal costs: like the deal");
}

static void test_part(void)
{
    struct plan_case cases[5] = {{.form = NULL},
                                 {.form = "constant"},
                                 {.form = NULL},
                                 {.form = "constant"},
                                 {.form = NULL}};
    const struct plan whole = {.count = 5, .cases = cases};
    const int of[] = {2, 1, 2, 2, 1};
    struct plan part;
    int64_t *where;
    shard_part(&arena, &whole, of, 2, &part, &where);
    EQ_INT(part.count, 3, "three cases of five");
    OK(where[0] == 0 && where[1] == 2 && where[2] == 3, "in their order");
    OK(part.cases[2].form && whole.cases[1].form, "copied; the whole stays");
    shard_part(&arena, &whole, of, 3, &part, &where);
    EQ_INT(part.count, 0, "a shard without cases");
}

int main(void)
{
    test_numbers();
    test_environment();
    test_status_file();
    test_split();
    test_part();
    arena_free(&arena);
    return tap_done();
}
