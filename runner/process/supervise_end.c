/* supervise_end.c - does the reference terminate on a case?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend that does not terminate may be right.  The reference is tried in a
 * separate process, under the limits of a second try.
 */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/judge/judge_reference.h"
#include "interp/specification/profile.h"
#include "runner/process/child.h"
#include "runner/process/supervise.h"
#include "runner/process/supervise_watch.h"

enum {
    ENDS,
    NO_END,
    LOOK_MS = 5
};

static int try(const struct job_context *context, int64_t position)
{
    const struct plan_case *p =
        &context->plan->cases[context->pending[position]];
    const struct profile *profile = context->profile;
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct test_case *c;
    struct judge_reference reference;
    if (!case_make(&a, p->stub, p->form, context->limits, &c, &st))
        return st.code == STATUS_SYSTEM ? NO_END : ENDS;
    if (c->rejected)
        return c->rejection.code == STATUS_SYSTEM ? NO_END : ENDS;
    if (c->policies
        && !profile_with(&a, context->profile, c->policies, &profile, &st))
        return ENDS;
    const struct judge_mode mode = {.profile = profile,
                                    .limits = context->limits};
    return judge_reference(&a, c, &mode, &reference, &st)
                   || st.code != STATUS_SYSTEM
               ? ENDS
               : NO_END;
}

bool supervise_end(const struct job_context *context,
                   const struct supervise_options *options, int64_t position)
{
    struct child c = {0};
    int status = 0;
    pid_t pid = child_fork(&c, true);
    if (pid < 0)
        return true;
    if (pid == 0)
        _exit(try(context, position));
    struct supervise_watch_clock clock = {0};
    struct supervise_watch_limits most = {
        SUPERVISE_ALONE_TIMES * options->timeout_ms, options->sleep_ms};
    struct supervise_watch w;
    supervise_watch_begin(&w, 0, supervise_watch_now(&clock));
    while (!child_ended(&c, &status)) {
        child_listen(&c);
        int64_t now = supervise_watch_now(&clock);
        bool late = supervise_watch_look(&w, pid, 0, now, most)
                    != SUPERVISE_WATCH_IN_TIME;
        if (late || *options->interrupted) {
            kill(pid, SIGKILL);
            child_wait(&c, &status);
            return !late;
        }
        poll(NULL, 0, LOOK_MS);
    }
    return !WIFEXITED(status) || WEXITSTATUS(status) == ENDS;
}
