/* call.c - see call.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/library/call.h"

#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>

#include "interp/base/text.h"
#include "interp/program/evaluate.h"

/* The exponent range and the flags that the caller's thread had. */
struct state {
    mpfr_exp_t low, high;
    mpfr_flags_t flags;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
/* MPFR's state is per thread, unless it was built otherwise: then one thread at
 * a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void end_thread(void *unused)
{
    evaluate_end();
}

static void begin_process(void)
{
    mp_memory_install();
    has_key = pthread_key_create(&key, end_thread) == 0;
}

static struct state enter(void)
{
    pthread_once(&once, begin_process);
    if (!mpfr_buildopt_tls_p())
        pthread_mutex_lock(&lock);
    if (has_key)
        pthread_setspecific(key, &key);
    struct state s = {mpfr_get_emin(), mpfr_get_emax(), mpfr_flags_save()};
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    /* Its numbers are from before, so if they were taken in a call that is
     * unwound, they would not be released. */
    mpfr_free_pool();
    return s;
}

static void leave(struct state s)
{
    mpfr_set_emin(s.low);
    mpfr_set_emax(s.high);
    mpfr_flags_restore(s.flags, MPFR_FLAGS_ALL);
    if (!mpfr_buildopt_tls_p())
        pthread_mutex_unlock(&lock);
}

struct call {
    struct arena *arena, before;
    memory_body *body;
    void *context;
};

/* Memory ran out.  A cache of MPFR's may be half filled, and is then useless.
 * */
static void undo(void *context)
{
    struct call *c = context;
    evaluate_end();
    *c->arena = c->before;
    c->arena->zeroed = false;
}

static bool call_body(void *context, struct status *st)
{
    const struct call *c = context;
    return c->body(c->context, st);
}

bool call_run(struct arena *a, memory_body *body, void *context,
              struct status *st)
{
    struct state s = enter();
    struct call c = {a, *a, body, context};
    bool good = memory_guard(call_body, &c, undo, st);
    leave(s);
    return good;
}

void call_say(assay_error *error, const char *text)
{
    if (!error || error->size <= offsetof(assay_error, text))
        return;
    size_t room = (size_t)error->size - offsetof(assay_error, text);
    room = room < sizeof error->text ? room : sizeof error->text;
    text_clean(error->text, room, text);
}

assay_code call_fail(assay_error *error, const struct status *st)
{
    char line[sizeof error->text];
    status_line(st, line, sizeof line);
    call_say(error, line);
    return ASSAY_FAILED;
}

assay_code call_missing(assay_error *error, const char *argument)
{
    struct status st = {STATUS_OK};
    FAIL(&st, INPUT, "the argument %s is NULL", argument);
    return call_fail(error, &st);
}
