/* test_supervise.c - what a run concludes from the ends of its processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs, with limits far below any that a user may set.  What each backend
 * does wrong stands in its file (runner/backends/evil); the verdicts that are
 * due are those of spec/verdicts.md, "Attributing failures".  faults.t and
 * evil.t test the same through the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/supervise.h"
#include "runner/test/slow_judge.h"

enum {
    CASES_MAX = 64
};

static struct slow_judge j;

/* The last result of each position that is not held. */
static struct job_result last[CASES_MAX];
static int64_t results;

static bool keep(void *self, const struct job_result *r)
{
    if (r->held)
        return true;
    last[r->position] = *r;
    results++;
    return true;
}

static void tick(void *self)
{
}

/* One case, so many times. */
static bool run(const char *plugin, const char *name, int64_t count,
                const struct supervise_options *limits)
{
    static const volatile sig_atomic_t never = 0;
    const char *build = getenv("B") ? getenv("B") : "build";
    int64_t pending[CASES_MAX];
    struct supervise_options how = *limits;
    struct job_context x = j.context;
    struct status st = {0};
    for (int64_t i = 0; i < count; i++)
        pending[i] = j.context.pending[slow_judge_position(&j, name)];
    x.pending = pending;
    x.pending_count = count;
    x.backend_path = arena_printf(&j.arena, "%s/backends/%s.so", build, plugin);
    x.backend_options = "";
    x.memory_bytes = how.memory_bytes = INT64_C(4) << 30;
    how.interrupted = &never;
    memset(last, 0, sizeof last);
    results = 0;
    return OK(supervise(&x, &how, keep, tick, NULL, &st), "%s: a run (%s)",
              plugin, st.text);
}

/* Cases that sleep one after another, each within its own limit, exceed
 * together any limit there is: the sum is nobody's. */
static void hang(void)
{
    enum {
        COUNT = 16
    };
    const struct supervise_options limits = {
        .jobs = 1, .timeout_ms = 10000, .sleep_ms = 100, .open_ms = 100};
    run("evil/hang_compile", "Add/judge/plain", COUNT, &limits);
    EQ_INT(results, COUNT, "each case has one result");
    for (int i = 0; i < COUNT; i++) {
        EQ_INT(last[i].status, VERDICT_TIMEOUT, "case %d timed out", i);
        EQ_STR(last[i].text, "no result within 0.1 s in which it slept",
               "and nothing else is said of it");
    }
}

int main(void)
{
    slow_judge_open(&j);
    hang();
    slow_judge_close(&j);
    return tap_done();
}
