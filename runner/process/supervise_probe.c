/* supervise_probe.c - the backend's name and capabilities
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Even this is done in another process: a plugin that crashes when it is
 * loaded must not take the run with it.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "runner/plugin/plugin.h"
#include "runner/process/child.h"
#include "runner/process/ring.h"
#include "runner/process/sandbox.h"
#include "runner/process/sandbox_notice.h"
#include "runner/process/supervise.h"
#include "runner/process/supervise_watch.h"

enum {
    PROPERTIES_MAX = 64,
    VALUE_BYTES = 512
};

struct answer {
    int ok, count, slow_compile, long_compile;
    char error[256];
    char name[128], version[VALUE_BYTES];
    char keys[PROPERTIES_MAX][128];
    char values[PROPERTIES_MAX][VALUE_BYTES];
};

static void copy(char *to, size_t size, const char *from)
{
    text_clean(to, size, from);
}

static void ask(const char *path, const char *options,
                const struct sandbox *sandbox, const char *folder,
                struct answer *to)
{
    struct plugin p;
    struct status st = {0};
    int listener = -1;
    if (sandbox
        && !sandbox_enter(sandbox, folder, &listener, to->error,
                          sizeof to->error))
        return;
    child_give(listener);
    if (!plugin_open(path, options, &p, &st)) {
        copy(to->error, sizeof to->error, st.text);
        return;
    }
    copy(to->name, sizeof to->name, p.backend->name);
    copy(to->version, sizeof to->version, p.backend->version);
    for (int i = 0; i < PROPERTIES_MAX; i++) {
        const char *key = NULL, *value = NULL;
        if (!plugin_property(&p, i, &key, &value) || !key)
            break;
        copy(to->keys[i], sizeof to->keys[i], key);
        copy(to->values[i], sizeof to->values[i], value);
        to->count = i + 1;
    }
    const char *compile = plugin_capability(&p, "compile");
    to->slow_compile = compile && strcmp(compile, "slow") == 0;
    to->long_compile =
        to->slow_compile || (compile && strcmp(compile, "long") == 0);
    to->ok = 1;
    plugin_close(&p);
}

/* The backend may have written there: text is cleaned again, and an invalid
 * count is 0. */
static const char *heard(struct arena *a, const char *text, size_t size)
{
    char *to = arena_alloc(a, size);
    memcpy(to, text, size);
    to[size - 1] = '\0';
    text_clean(to, size, to);
    return to;
}

static bool take_answer(struct arena *a, const struct answer *from,
                        struct supervise_backend *to)
{
    const int count = from->count;
    size_t n = count >= 0 && count <= PROPERTIES_MAX ? (size_t)count : 0;
    to->name = heard(a, from->name, sizeof from->name);
    to->version = heard(a, from->version, sizeof from->version);
    to->slow_compile = from->slow_compile == 1;
    to->long_compile = from->long_compile == 1;
    to->property_count = (int)n;
    to->keys = arena_new(a, const char *, n + 1);
    to->values = arena_new(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        to->keys[i] = heard(a, from->keys[i], sizeof from->keys[i]);
        to->values[i] = heard(a, from->values[i], sizeof from->values[i]);
    }
    return true;
}

/* How the process ended, and what the sandbox had refused. */
struct end {
    bool late;
    int status;
    struct sandbox_notices refused;
};

static bool died(const char *path, const struct end *how, struct child *child,
                 struct status *st)
{
    const int status = how->status;
    const char *words = child_last_words(child);
    const char *said = words[0] ? CHILD_LAST_WORDS : "";
    if (how->late)
        return FAIL(st, INPUT,
                    "%.80s: the backend hung while it was loaded%s%s", path,
                    said, words);
    if (WIFSIGNALED(status))
        return FAIL(
            st, INPUT,
            "%.80s: the backend died while it was loaded: signal %d (%s)"
            "%s%.120s",
            path, WTERMSIG(status), strsignal(WTERMSIG(status)), said, words);
    return FAIL(
        st, INPUT,
        "%.80s: the backend ended the process while it was loaded: exit "
        "status %d%s%.120s",
        path, WEXITSTATUS(status), said, words);
}

/* It reported why it cannot be opened; the end of its output may say more. */
static bool refused(const char *error, struct child *child, struct status *st)
{
    enum {
        SHOWN = 80
    };
    const char *words = child_last_words(child);
    size_t n = strlen(words), from = n > SHOWN ? n - SHOWN : 0;
    while (from > 0 && from < n && text_inside(words[from]))
        from++; /* no half of a character */
    return FAIL(st, INPUT, "%.160s%s%s", error, n ? CHILD_LAST_WORDS : "",
                words + from);
}

/* Ask once, in a new process.  False if none could be started. */
static bool ask_elsewhere(struct child *child, const char *path,
                          const char *options,
                          const struct supervise_options *limits,
                          struct answer *answer, struct end *how)
{
    struct supervise_watch_clock clock = {0};
    struct supervise_watch watch;
    int64_t busy = limits->timeout_ms, asleep = limits->sleep_ms;
    int64_t least = limits->open_ms;
    const struct supervise_watch_limits most = {
        busy < least ? least : busy, asleep < least ? least : asleep};
    char folder[SANDBOX_SCRATCH_PATH];
    *how = (struct end){0};
    sandbox_folder(limits->sandbox, 0, folder);
    const bool protects =
        folder[0] && strcmp(sandbox_level(limits->sandbox), "full") == 0;
    pid_t pid = child_fork(child, true);
    if (pid == 0) {
        ask(path, options, limits->sandbox, folder, answer);
        _exit(EXIT_SUCCESS);
    }
    if (pid < 0)
        return false;
    supervise_watch_begin(&watch, 0, supervise_watch_now(&clock));
    while (!child_ended(child, &how->status)) {
        child_listen(child);
        sandbox_notice_answer(&how->refused, child->listener,
                              protects ? folder : NULL, NULL);
        int64_t now = supervise_watch_now(&clock);
        if (supervise_watch_look(&watch, pid, 0, now, most)
            != SUPERVISE_WATCH_IN_TIME) {
            how->late = true;
            kill(child->pid, SIGKILL);
        }
        poll(NULL, 0, 1);
    }
    return true;
}

bool supervise_probe(struct arena *a, const char *path, const char *options,
                     const struct supervise_options *limits,
                     struct supervise_backend *backend, struct status *st)
{
    struct answer *answer = ring_map(sizeof *answer);
    struct child child = {0};
    struct end how;
    if (!answer)
        return FAIL(st, SYSTEM, "out of memory");
    bool started = ask_elsewhere(&child, path, options, limits, answer, &how);
    /* Another process may have killed it; a backend that crashes when it is
     * loaded crashes again. */
    if (started && !answer->ok && !how.late && WIFSIGNALED(how.status)) {
        child = (struct child){0};
        memset(answer, 0, sizeof *answer);
        started = ask_elsewhere(&child, path, options, limits, answer, &how);
    }
    const char *error = heard(a, answer->error, sizeof answer->error);
    const char *not_allowed = sandbox_notice_at(&how.refused, -1);
    bool ok = !started     ? FAIL(st, SYSTEM, "cannot start a process")
              : answer->ok ? take_answer(a, answer, backend)
              : error[0]   ? refused(error, &child, st)
                           : died(path, &how, &child, st);
    if (started && !ok && not_allowed) {
        size_t n = strlen(st->text);
        snprintf(st->text + n, sizeof st->text - n, "; %s", not_allowed);
    }
    ring_unmap(answer, sizeof *answer);
    return ok;
}
