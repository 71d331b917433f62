/* test_supervise_kill.c - a process that is killed, in each of its phases.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whole runs of a right backend.  A worker or a judge kills itself with SIGKILL
 * when it begins a chosen phase of a chosen case, which its parent cannot tell
 * from a kill from outside.  The expected result is spec/verdicts.md,
 * "Attributing failures": one kill changes no verdict; one that comes again is
 * as if the process had died by itself.  faults.t sends signals at any time.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/supervise_private.h"
#include "runner/test/slow_judge.h"

enum {
    CASES = JOB_TAKEN + 3 /* for two jobs */
};

static struct slow_judge j;
static char folder[] = "/tmp/assay-kill-XXXXXX";

/* Of which process, at what, and how often. */
static struct {
    bool judge;
    enum job_phase phase;
    int64_t position, again; /* of the first time, and of the next; -1: any */
    int times;
} aim;

/* Files count, as a worker shares no memory with its parent but its own. */
static void on_phase(const struct job_place *place, bool judge)
{
    char path[sizeof folder + 32];
    if (judge != aim.judge || atomic_load(&place->phase) != (int)aim.phase)
        return;
    for (int i = 0; i < aim.times; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        if (access(path, F_OK) == 0)
            continue;
        int64_t due = i == 0 ? aim.position : aim.again;
        if (due >= 0 && job_position(place) != due)
            return;
        int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (fd < 0) /* another worker took this turn since */
            continue;
        close(fd);
        raise(SIGKILL);
    }
}

static int killed(void)
{
    char path[sizeof folder + 32];
    int n = 0;
    for (int i = 0; i < aim.times; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        n += unlink(path) == 0;
    }
    return n;
}

static struct job_result last[CASES];
static int results[CASES];

static bool keep(void *self, const struct job_result *r)
{
    if (!r->held) {
        last[r->position] = *r;
        results[r->position]++;
    }
    return true;
}

static void tick(void *self)
{
}

/* The same case several times.  Who is the one that is expected to be wrong? */
static void run(const char *what, int jobs, int64_t who,
                enum verdict_status due)
{
    static const volatile sig_atomic_t never = 0;
    const char *build = getenv("B") ? getenv("B") : "build";
    const struct supervise_options how = {.jobs = jobs,
                                          .timeout_ms = 10000,
                                          .sleep_ms = 60000,
                                          .open_ms = 60000,
                                          .memory_bytes = INT64_C(4) << 30,
                                          .interrupted = &never};
    int64_t pending[CASES];
    struct job_context x = j.context;
    struct status st = {0};
    for (int i = 0; i < CASES; i++)
        pending[i] =
            j.context.pending[slow_judge_position(&j, "Add/judge/plain")];
    x.pending = pending;
    x.pending_count = CASES;
    x.backend_path = arena_printf(&j.arena, "%s/backends/native.so", build);
    x.backend_options = "";
    x.memory_bytes = how.memory_bytes;
    x.on_phase = on_phase;
    memset(last, 0, sizeof last);
    memset(results, 0, sizeof results);
    OK(supervise(&x, &how, keep, tick, NULL, &st),
       "%s, %d jobs: the run is complete %s", what, jobs, st.text);
    int wrong = 0;
    EQ_INT(killed(), aim.times, "and was disturbed");
    for (int i = 0; i < CASES; i++) {
        enum verdict_status want = i == who ? due : VERDICT_PASS;
        bool right = results[i] == 1 && last[i].status == (int)want
                     && !last[i].reference_wrong && !last[i].disturbed;
        wrong += !right;
        if (!right)
            printf("# case %d: %d results, %s (%s), expected %s\n", i,
                   results[i],
                   verdict_name((enum verdict_status)last[i].status),
                   last[i].text, verdict_name(want));
    }
    EQ_INT(wrong, 0, "each case has its verdict, once");
}

static const struct {
    const char *name;
    bool judge;
    enum job_phase phase;
    /* What is tried again, alone or with what is left, has position 0; what a
     * judge did not release, its first one.  -1: any. */
    int64_t position, again;
    enum verdict_status twice; /* PASS: it is between cases */
} phases[] = {
    {"a worker that opens", false, JOB_OPEN, -1, -1, VERDICT_PASS},
    {"a worker that makes a case", false, JOB_MAKE, -1, -1, VERDICT_PASS},
    {"a worker that compiles", false, JOB_COMPILE, 0, 0, VERDICT_CRASH},
    {"a worker that executes", false, JOB_EXECUTE, 1, 0, VERDICT_CRASH},
    {"a worker that hands over", false, JOB_SEND, 1, 0, VERDICT_CRASH},
    {"a worker between cases", false, JOB_IDLE, -1, -1, VERDICT_PASS},
    {"a worker that closes", false, JOB_CLOSE, -1, -1, VERDICT_PASS},
    {"a judge that evaluates", true, JOB_EVALUATE, 1, 0, VERDICT_LIMIT},
    {"a judge that reads", true, JOB_JUDGE, 1, 0, VERDICT_LIMIT},
    {"a judge that hands over", true, JOB_SEND, 1, 1, VERDICT_PASS},
    {"a judge between cases", true, JOB_IDLE, 1, 1, VERDICT_PASS},
};

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    slow_judge_open(&j);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        for (int times = 1; times < 3; times++) {
            aim.judge = phases[i].judge;
            aim.phase = phases[i].phase;
            aim.position = phases[i].position;
            aim.again = phases[i].again;
            aim.times = times;
            char what[80];
            snprintf(what, sizeof what, "%s is killed%s", phases[i].name,
                     times > 1 ? " twice" : "");
            /* Each job closes once. */
            int least = aim.phase == JOB_CLOSE ? times : 1;
            for (int jobs = least; jobs < 3; jobs++)
                run(what, jobs, times > 1 ? aim.position : -1, phases[i].twice);
        }
    slow_judge_close(&j);
    rmdir(folder);
    return tap_done();
}
