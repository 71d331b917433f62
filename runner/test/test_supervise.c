/* test_supervise.c - what a run concludes from the ends of its processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs, with limits far below any that a user may set.  What each backend
 * does wrong is in its file (runner/backends/evil); the verdicts that are
 * expected are those of spec/verdicts.md, "Attributing failures".  faults.t and
 * evil.t test the same through the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/supervise_private.h"
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
               "and nothing else is reported");
    }
}

/* One kill from outside, whatever the process was at, and whoever it was: no
 * result, and the one of the second attempt is the verdict. */
static void one_kill(void)
{
    static const enum job_phase phases[] = {JOB_MAKE,     JOB_COMPILE,
                                            JOB_EXECUTE,  JOB_RELEASE,
                                            JOB_EVALUATE, JOB_JUDGE};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        static const volatile sig_atomic_t never = 0;
        const struct supervise_options how = {.interrupted = &never};
        struct status st = {0};
        int64_t list[1] = {0};
        unsigned char state[1] = {SUPERVISE_OPEN};
        bool judge = phases[i] == JOB_EVALUATE || phases[i] == JOB_JUDGE;
        struct supervisor s = {.options = &how,
                               .on_result = keep,
                               .st = &st,
                               .list = list,
                               .list_count = 1,
                               .state = state};
        const struct supervise_death killed = {.status = VERDICT_CRASH,
                                               .outside = true,
                                               .phase = phases[i],
                                               .text = "killed by signal 9"};
        struct job_result r = {.status = VERDICT_PASS, .attempt = 2};
        results = 0;
        if (judge)
            supervise_try_judge(&s, 0, &killed);
        else
            supervise_try_worker(&s, 0, &killed);
        OK(results == 0 && state[0] == SUPERVISE_ASIDE,
           "a kill in phase %d gives no result", (int)phases[i]);
        s.round = SUPERVISE_ROUND_ALONE;
        OK(supervise_try_result(&s, &r) && results == 1
               && last[0].status == VERDICT_PASS && !last[0].text[0],
           "and the second attempt its own");
        free(s.troubles);
    }
}

/* A seat that was found too slow or too large at one case, and died at
 * another. */
static void moved_on(void)
{
    static const enum supervise_reason reasons[] = {
        SUPERVISE_BY_BUSY, SUPERVISE_BY_SLEEP, SUPERVISE_BY_MEMORY};
    const struct supervise_options how = {.timeout_ms = 1, .sleep_ms = 1};
    struct supervisor s = {.options = &how};
    for (int i = 0; i < 3; i++)
        for (int64_t at = 4; at < 6; at++) {
            struct job_place place = {0};
            struct supervise_seat seat = {
                .place = &place, .reason = reasons[i], .blamed = 4};
            struct supervise_death d;
            job_at(&place, at);
            supervise_try_why(&s, &seat, 9, &d);
            EQ_INT(d.outside, at != 4, "the case that it went on to (%d)", i);
        }
}

int main(void)
{
    slow_judge_open(&j);
    hang();
    one_kill();
    moved_on();
    slow_judge_close(&j);
    return tap_done();
}
