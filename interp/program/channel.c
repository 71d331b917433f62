/* channel.c - see channel.h.  Tests: channels.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/channel.h"

#include <inttypes.h>
#include <stdio.h>

#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"
#include "interp/program/op_table.h"

struct message {
    struct outcome value;
    struct message *next;
};

/* One channel between the processes of one place in their programs. */
struct channel {
    int64_t id;
    int place;
    uint64_t sends, receives; /* of the program that runs, in this round */
    uint64_t sent, awaited;   /* ever */
    struct message *first, **end;
    struct channel *next;
};

/* One process that waits. */
struct waiting {
    int process;
    int64_t id;
    const char *op, *name;
    const struct op *other; /* for which it waits */
    struct waiting *next;
};

struct channels {
    struct arena *arena;
    struct channel *list;
    int *places; /* of each process in its program */
    bool moved;
    struct waiting *waiting, **end;
};

void channel_open(struct arena *a, struct machine *m)
{
    struct channels *c = arena_new(a, struct channels, 1);
    c->arena = a;
    c->places = arena_new(a, int, (size_t)m->replicas + 1);
    c->end = &c->waiting;
    m->channels = c;
}

void channel_round(struct machine *m)
{
    struct channels *c = m->channels;
    c->moved = false;
    c->waiting = NULL;
    c->end = &c->waiting;
}

void channel_begin(struct machine *m, int count, const int *processes)
{
    struct channels *c = m->channels;
    for (int i = 0; i < count; i++)
        c->places[processes[i]] = i;
    for (struct channel *x = c->list; x; x = x->next)
        x->sends = x->receives = 0;
}

bool channel_moved(const struct machine *m)
{
    const struct channels *c = m->channels;
    return c->moved;
}

bool channel_deadlock(const struct machine *m, struct status *st)
{
    const struct channels *c = m->channels;
    char text[sizeof st->text] = "deadlock:";
    size_t n = 9;
    for (const struct waiting *w = c->waiting; w && n < sizeof text;
         w = w->next) {
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%s device %d waits in %s '%s' for the %s of "
                              "channel %" PRId64,
                              w == c->waiting ? "" : ",", w->process, w->op,
                              w->name, w->other->name, w->id);
    }
    return FAIL(st, STRUCTURE, "%s", text);
}

static struct channel *channel_of(struct eval *ev, int64_t id)
{
    struct channels *c = ev->machine->channels;
    int place = c->places[ev->replica];
    for (struct channel *x = c->list; x; x = x->next)
        if (x->id == id && x->place == place)
            return x;
    struct channel *x = arena_new(c->arena, struct channel, 1);
    x->id = id;
    x->place = place;
    x->end = &x->first;
    x->next = c->list;
    c->list = x;
    return x;
}

/* False: the process waits. */
static bool wait_for(struct eval *ev, const struct op *other, int64_t id)
{
    struct channels *c = ev->machine->channels;
    struct waiting *w = arena_new(c->arena, struct waiting, 1);
    *w = (struct waiting){.process = ev->replica,
                          .id = id,
                          .op = ev->in->op->name,
                          .name = ev->in->name,
                          .other = other};
    *c->end = w;
    c->end = &w->next;
    return false;
}

/* Exact values are copied, as loops reuse their memory. */
static struct outcome keep(struct eval *ev, const struct outcome *value)
{
    struct channels *c = ev->machine->channels;
    const struct profile *p = ev->machine->profile;
    if (ev->want_exact
        && (!interval_goal_exact(ev->arena, p, value)
            || interval_nan_open(p, value)))
        return *value;
    return (struct outcome){.value = literal_copy(c->arena, value->value)};
}

bool channel_send(struct eval *ev, int64_t id, const struct outcome *value,
                  uint64_t *request)
{
    struct channels *c = ev->machine->channels;
    struct channel *x = channel_of(ev, id);
    *request = x->sends++;
    if (*request < x->sent)
        return true;
    /* A Recv comes before its Send. */
    if (*request >= x->awaited)
        return wait_for(ev, &op_Recv, id);
    struct message *m = arena_new(c->arena, struct message, 1);
    m->value = keep(ev, value);
    *x->end = m;
    x->end = &m->next;
    x->sent++;
    c->moved = true;
    return true;
}

uint64_t channel_receive(struct eval *ev, int64_t id)
{
    struct channels *c = ev->machine->channels;
    struct channel *x = channel_of(ev, id);
    uint64_t request = x->receives++;
    if (x->receives > x->awaited) {
        x->awaited = x->receives;
        c->moved = true;
    }
    return request;
}

bool channel_take(struct eval *ev, int64_t id, uint64_t request,
                  const struct outcome **value)
{
    const struct channel *x = channel_of(ev, id);
    const struct message *m = x->first;
    if (request >= x->sent)
        return wait_for(ev, &op_Send, id);
    for (uint64_t i = 0; i < request; i++)
        m = m->next;
    *value = &m->value;
    return true;
}

bool channel_sent(struct eval *ev, int64_t id, uint64_t request)
{
    return request < channel_of(ev, id)->sent || wait_for(ev, &op_Recv, id);
}
