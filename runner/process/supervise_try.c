/* supervise_try.c - what the end of a process means for its case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case at which a process died, or that timed out, is set aside and tried
 * again alone, in fresh processes, after all other cases.  What that comes to
 * is the table fate.def.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "interp/base/memory.h"
#include "runner/process/fate.h"
#include "runner/process/supervise_private.h"

enum {
    KILLS_MAX = 2,
    JUDGE_DEATHS_MAX = 2,
    MEBIBYTE = 1 << 20,
};

struct supervise_trouble *supervise_try_find(struct supervisor *s,
                                             int64_t position)
{
    for (int64_t i = 0; i < s->trouble_count; i++)
        if (s->troubles[i].position == position)
            return &s->troubles[i];
    return NULL;
}

static struct supervise_trouble *note(struct supervisor *s, int64_t position)
{
    struct supervise_trouble *t = supervise_try_find(s, position);
    if (t)
        return t;
    if (!MEMORY_GROW(s->troubles, s->trouble_count, s->trouble_room)) {
        supervise_fail(s, "out of memory", "");
        return NULL;
    }
    t = &s->troubles[s->trouble_count++];
    *t = (struct supervise_trouble){.position = position};
    return t;
}

bool supervise_try_aside(struct supervisor *s, int64_t position)
{
    struct supervise_trouble *t = note(s, position);
    if (!t)
        return false;
    t->tries++;
    s->state[position] = SUPERVISE_ASIDE;
    return true;
}

/* ---- Giving results ------------------------------------------------------ */

void supervise_try_give(struct supervisor *s, const struct job_result *r)
{
    if (!r->held) {
        s->state[r->position] = SUPERVISE_SETTLED;
        s->settled++;
    }
    if (!s->failed && !s->enough && !s->on_result(s->self, r))
        s->enough = true;
}

/* A result without a judge. */
static struct job_result make_own(int64_t position, int attempt,
                                  enum verdict_status status, const char *text)
{
    struct job_result r = {.position = position,
                           .attempt = attempt,
                           .status = (int32_t)status,
                           .units = -1,
                           .worst_unit = -1};
    snprintf(r.text, sizeof r.text, "%s", text);
    return r;
}

static void give_own(struct supervisor *s, int64_t position, int attempt,
                     enum verdict_status status, const char *text)
{
    struct job_result r = make_own(position, attempt, status, text);
    supervise_try_give(s, &r);
}

static void give_flake(struct supervisor *s, const struct supervise_trouble *t,
                       enum verdict_status now, const char *text)
{
    char both[JOB_TEXT];
    job_flake(both, t->first, t->text, now, text);
    give_own(s, t->position, 2, VERDICT_FLAKE, both);
}

/* Is it what the expectations say?  Not if the case could not even be made:
 * that tells nothing about the case yet. */
static bool is_expected(const struct supervisor *s, int64_t position,
                        const struct supervise_death *d)
{
    const struct job_result r = make_own(position, 1, d->status, d->text);
    return d->phase != JOB_MAKE && !d->outside && supervise_expects(s, &r);
}

/* It is not known yet; kept all the same, should this process be killed. */
static void give_first(struct supervisor *s, struct supervise_trouble *t,
                       const struct supervise_death *d)
{
    struct job_result r = make_own(t->position, 1, d->status, d->text);
    r.held = true;
    t->has_first = true;
    t->own = !d->outside && !d->asleep;
    t->first = d->status;
    snprintf(t->text, sizeof t->text, "%s", d->text);
    supervise_try_give(s, &r);
}

/* Facts about earlier tries of the case. */
static unsigned facts_before(const struct supervise_trouble *t)
{
    if (!t || !t->has_first)
        return 0;
    return t->first == VERDICT_CRASH ? FATE_FIRST_CRASH : FATE_FIRST_TIMEOUT;
}

static unsigned facts_of(const struct supervise_death *d)
{
    return (d->outside ? FATE_OUTSIDE : 0u)
           | (d->status == VERDICT_TIMEOUT ? FATE_TIMEOUT : 0u)
           | (d->phase == JOB_MAKE ? FATE_MAKING : 0u)
           | (d->phase == JOB_JUDGE ? FATE_READING : 0u)
           | (d->fault ? FATE_FAULT : 0u) | (d->memory ? FATE_MEMORY : 0u);
}

bool supervise_try_result(struct supervisor *s, struct job_result *r)
{
    if (r->position < 0 || r->position >= s->list_count)
        return false;
    r->position = s->list[r->position];
    enum supervise_state state = s->state[r->position];
    if (state == SUPERVISE_SETTLED
        || (state == SUPERVISE_ASIDE && !supervise_alone(s))
        || (state == SUPERVISE_BESIDE && s->round != SUPERVISE_ROUND_BESIDE))
        return false;
    const struct supervise_trouble *t =
        state == SUPERVISE_ASIDE ? supervise_try_find(s, r->position) : NULL;
    /* One that never came to the call in which the others hang, as a rejection
     * never comes to execute, says nothing about it. */
    if (s->streak_phase != JOB_EXECUTE || r->time_ns > r->compile_ns)
        s->streak = s->confirmed = 0;
    if (supervise_batch_runs(s))
        return supervise_batch_result(s, r);
    if (r->disturbed && !supervise_alone(s)) {
        s->outcome.disturbed++;
        supervise_try_aside(s, r->position);
        return true;
    }
    if (fate_of(FATE_RESULT | facts_before(t)) == FATE_IS_FLAKE) {
        give_flake(s, t, (enum verdict_status)r->status, r->text);
        return true;
    }
    s->outcome.unconfirmed += t && t->has_first;
    if (!supervise_batch_differs(s, r))
        supervise_try_give(s, r);
    return true;
}

/* ---- Deaths -------------------------------------------------------------- */

/* Faults raise these; any other comes from outside: a person, a service
 * manager, the kernel when memory runs out. */
static bool is_fault(int signal)
{
    static const int faults[] = {SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,  SIGILL,
                                 SIGTRAP, SIGSYS,  SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i] == signal)
            return true;
    return false;
}

static void say_timeout(const struct supervisor *s, bool early, bool asleep,
                        const char *words, struct supervise_death *d)
{
    struct supervise_watch_limits most = supervise_limits(s, early);
    d->status = VERDICT_TIMEOUT;
    d->asleep = asleep;
    snprintf(d->text, sizeof d->text, "no result within %.6g s %s%s%.180s",
             (double)(asleep ? most.sleep_ms : most.busy_ms) / 1000,
             asleep ? "in which it slept" : "of processor time",
             words[0] ? CHILD_LAST_WORDS : "", words);
}

bool supervise_try_expected(const struct supervisor *s, int64_t at,
                            const struct supervise_seat *seat, bool asleep)
{
    struct supervise_death d = {.phase = atomic_load(&seat->place->phase)};
    if (at < 0 || at >= s->list_count || supervise_batch_runs(s))
        return false;
    say_timeout(s, true, asleep, "", &d);
    return is_expected(s, s->list[at], &d);
}

bool supervise_try_left(const struct supervise_seat *seat, int status)
{
    return seat->reason == SUPERVISE_BY_ITSELF && WIFEXITED(status)
           && WEXITSTATUS(status) == JOB_LEFT
           && atomic_load(&seat->place->phase) == JOB_CLOSE
           && job_position(seat->place) < 0;
}

/* Says that it used too much memory or disk space. */
static void say_too_much(const struct supervisor *s,
                         const struct supervise_seat *seat, const char *words,
                         struct supervise_death *d)
{
    const char *said = words[0] ? CHILD_LAST_WORDS : "";
    int64_t most = s->options->memory_bytes / MEBIBYTE;
    size_t size = sizeof d->text;
    d->memory = true;
    if (seat->reason == SUPERVISE_BY_MEMORY)
        snprintf(d->text, size,
                 "took %" PRId64 " MiB of memory, more than the limit of"
                 " %" PRId64 " MiB (--memory)%s%.120s",
                 (seat->memory + MEBIBYTE - 1) / MEBIBYTE, most, said, words);
    else if (seat->reason == SUPERVISE_BY_LIMIT)
        snprintf(d->text, size,
                 "took more memory than the limit of %" PRId64
                 " MiB (--memory)%s%.120s",
                 most, said, words);
    else
        snprintf(d->text, size,
                 "filled its scratch directory with more than %" PRId64
                 " MiB (--memory)%s%.120s",
                 most, said, words);
}

void supervise_try_why(const struct supervisor *s, struct supervise_seat *seat,
                       int status, struct supervise_death *d)
{
    const char *words = child_last_words(&seat->child);
    const char *said = words[0] ? CHILD_LAST_WORDS : "";
    size_t size = sizeof d->text;
    *d = (struct supervise_death){.status = VERDICT_CRASH,
                                  .phase = atomic_load(&seat->place->phase)};
    /* Measuring takes time, in which it may have come to another case. */
    d->outside = job_position(seat->place) != seat->blamed;
    switch (seat->reason) {
    case SUPERVISE_BY_BUSY:
    case SUPERVISE_BY_SLEEP:
        say_timeout(s, seat->early, seat->reason == SUPERVISE_BY_SLEEP, words,
                    d);
        return;
    case SUPERVISE_BY_SCRATCH:
        /* Earlier cases may have left data there, which are not this one's. */
        d->outside = d->outside || !seat->fresh || !supervise_alone(s);
        say_too_much(s, seat, words, d);
        return;
    case SUPERVISE_BY_MEMORY:
    case SUPERVISE_BY_LIMIT:
        say_too_much(s, seat, words, d);
        return;
    case SUPERVISE_BY_DAMAGE:
        d->outside = false;
        snprintf(d->text, size, "%s",
                 "overwrote memory shared with the runner");
        return;
    case SUPERVISE_BY_ITSELF:
    case SUPERVISE_BY_STOP:
        break;
    }
    if (WIFSIGNALED(status)) {
        d->outside = !is_fault(WTERMSIG(status));
        d->fault = !d->outside;
        snprintf(d->text, size, "killed by signal %d (%s)%s%.180s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)), said, words);
    } else {
        d->outside = false;
        d->memory = WEXITSTATUS(status) == JOB_NO_MEMORY;
        d->fault = !d->memory;
        snprintf(d->text, size, "exited with status %d%s%.180s",
                 WEXITSTATUS(status), said, words);
    }
}

/* Timeouts of one kind in a row; a result ends the row. */
void supervise_try_timeout(struct supervisor *s,
                           const struct supervise_death *d)
{
    if (s->streak_phase != d->phase || s->streak_asleep != d->asleep)
        s->streak = s->confirmed = 0;
    s->streak_phase = d->phase;
    s->streak_asleep = d->asleep;
    *(supervise_alone(s) ? &s->confirmed : &s->streak) += 1;
}

/* After how many consecutive timeouts, of the kind of the last one, does the
 * run give up?  One that sleeps takes six times as long as one that computes.
 */
int64_t supervise_try_most_timeouts(const struct supervisor *s)
{
    int64_t n = s->options->give_up;
    return s->streak_asleep
               ? (n + SUPERVISE_ASLEEP_PART - 1) / SUPERVISE_ASLEEP_PART
               : n;
}

bool supervise_try_streak_ended(const struct supervisor *s)
{
    return !supervise_alone(s) && s->options->give_up > 0
           && s->streak >= supervise_try_most_timeouts(s);
}

static bool has_end(const struct supervisor *s, int64_t position)
{
    int64_t at = 0;
    while (s->list[at] != position)
        at++;
    return supervise_end(&s->context, s->options, at);
}

/* A verdict that no judge gave: the fate of the case, in words. */
static void conclude(struct supervisor *s, int64_t position, enum fate fate,
                     const char *text)
{
    static const enum verdict_status verdicts[] = {
        [FATE_IS_TIMEOUT] = VERDICT_TIMEOUT,
        [FATE_IS_CRASH] = VERDICT_CRASH,
        [FATE_IS_LIMIT] = VERDICT_LIMIT,
        [FATE_IS_REFERENCE] = VERDICT_LIMIT,
    };
    struct job_result r = make_own(position, 2, verdicts[fate], text);
    r.reference_wrong = fate == FATE_IS_REFERENCE;
    supervise_try_give(s, &r);
}

/* Does the reference terminate?  Adds to the facts; false if the run was
 * interrupted before that was known. */
static bool ask(struct supervisor *s, int64_t position,
                const struct supervise_death *d, unsigned *facts)
{
    bool ends = has_end(s, position);
    if (*s->options->interrupted)
        return false;
    *facts |= FATE_ASKED | (ends ? FATE_ENDS : 0u);
    if (d->status != VERDICT_TIMEOUT)
        return true;
    supervise_try_timeout(s, d);
    if (!ends)
        s->confirmed = 0;
    return true;
}

void supervise_try_worker(struct supervisor *s, int64_t position,
                          const struct supervise_death *d)
{
    struct supervise_trouble *t = note(s, position);
    if (!t)
        return;
    unsigned facts = facts_of(d) | facts_before(t);
    if (d->outside && ++t->kills < KILLS_MAX)
        facts |= FATE_KILLED;
    if (!t->has_first && is_expected(s, position, d))
        facts |= FATE_EXPECTED;
    enum fate fate = fate_of(facts);
    if (d->status == VERDICT_TIMEOUT && !supervise_alone(s)
        && fate != FATE_IS_AGAIN && fate != FATE_IS_EXPECTED)
        supervise_try_timeout(s, d);
    if (fate == FATE_IS_ASK) {
        if (!ask(s, position, d, &facts))
            return;
        fate = fate_of(facts);
    }
    if (fate == FATE_IS_AGAIN || fate == FATE_IS_FIRST)
        supervise_try_aside(s, position);
    if (fate == FATE_IS_FIRST)
        give_first(s, t, d);
    else if (fate == FATE_IS_EXPECTED)
        give_own(s, position, 1, d->status, d->text);
    else if (fate == FATE_IS_FLAKE)
        give_flake(s, t, d->status, d->text);
    else if (fate != FATE_IS_AGAIN)
        conclude(s, position, fate, d->text);
}

void supervise_try_judge(struct supervisor *s, int64_t position,
                         const struct supervise_death *d)
{
    struct supervise_trouble *t = note(s, position);
    char text[JOB_TEXT];
    if (!t)
        return;
    unsigned facts = facts_of(d) | FATE_JUDGE;
    if (d->outside && ++t->judge_kills < KILLS_MAX)
        facts |= FATE_KILLED;
    else if (!d->outside && ++t->judge_deaths < JUDGE_DEATHS_MAX)
        facts |= FATE_MORE;
    enum fate fate = fate_of(facts);
    if (fate == FATE_IS_AGAIN) {
        supervise_try_aside(s, position);
        return;
    }
    snprintf(text, sizeof text, "%s: %s",
             d->phase == JOB_JUDGE ? "the judge, reading the results"
                                   : "the reference",
             d->text);
    conclude(s, position, fate, text);
}
