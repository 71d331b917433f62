/* channel.c - Send and Recv, between programs that run side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No program blocks: an instruction that needs a value not yet sent has no
 * result, and neither has any that depends on it.  The machine runs such a
 * program again from the start, when others have run, and what it sent before
 * stays sent.
 */
#include <stdio.h>
#include <string.h>

#include "native.h"

struct message {
    const struct value *value;
    struct message *next;
};

/* One channel between the processes of one place in their programs. */
struct channel {
    int64_t id;
    int place;
    int64_t sends, receives; /* by the program that runs, so far */
    int64_t sent, awaited;   /* ever */
    struct message *first, **end;
    struct channel *next;
};

/* ---- Checking ------------------------------------------------------------ */

static const struct computation *home(const struct check *c)
{
    for (int i = 0; i < c->program->count; i++)
        for (int k = 0; k < c->program->computations[i].count; k++)
            if (&c->program->computations[i].nodes[k] == c->node)
                return &c->program->computations[i];
    return NULL;
}

/* A context goes to one Done, and nowhere else. */
static assay_code check_users(struct check *c, const char *done)
{
    const struct computation *f = home(c);
    int uses = 0;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->nodes[i].count; k++) {
            if (&f->nodes[f->nodes[i].operands[k]] != c->node)
                continue;
            if (strcmp(f->nodes[i].op->name, done) != 0 || uses++ > 0)
                return program_fail(
                    c, ASSAY_STRUCTURE,
                    "'%s' uses a context that only one %s may use",
                    f->nodes[i].name, done);
        }
    if (&f->nodes[f->root] == c->node)
        return program_fail(c, ASSAY_STRUCTURE,
                            "the context is a result; only one %s may use it",
                            done);
    return ASSAY_OK;
}

/* A channel has one Send and one Recv, of one shape. */
static assay_code check_other(struct check *c, const struct node *other,
                              const struct shape *data)
{
    int sends = strcmp(other->op->name, "Send") == 0;
    if (other == c->node || (!sends && strcmp(other->op->name, "Recv") != 0)
        || attribute_int(other, "channel_id", 0)
               != attribute_int(c->node, "channel_id", 0))
        return ASSAY_OK;
    if (other->op == c->node->op)
        return program_fail(c, ASSAY_STRUCTURE, "'%s' uses the channel too",
                            other->name);
    const struct attribute *a = attribute_find(other, "shape");
    if (!sends && a != NULL && !shape_equal(a->shape, data))
        return program_fail(c, ASSAY_SHAPE, "'%s' expects another shape",
                            other->name);
    return ASSAY_OK;
}

static assay_code check_begin(struct check *c, const struct shape *data,
                              int token, const char *done)
{
    const struct attribute *id;
    TRY(attribute_need(c, "channel_id", &id));
    if (data->dynamic != NULL)
        return program_fail(c, ASSAY_UNSUPPORTED, "dynamic dimensions");
    if (c->node->count > token && c->operands[token]->kind != ASSAY_TOKEN)
        return program_fail(c, ASSAY_TYPE, "operand %d is not a token", token);
    TRY(check_users(c, done));
    for (int i = 0; i < c->program->count; i++)
        for (int k = 0; k < c->program->computations[i].count; k++)
            TRY(check_other(c, &c->program->computations[i].nodes[k], data));
    const struct shape *parts[3] = {
        data, shape_new(c->memory, type_find("u32"), 0, NULL),
        shape_token(c->memory)};
    c->result = shape_tuple(c->memory, 3, parts);
    return ASSAY_OK;
}

assay_code channel_check_send(struct check *c)
{
    if (c->operands[0]->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "the data are not an array");
    return check_begin(c, c->operands[0], 1, "SendDone");
}

assay_code channel_check_recv(struct check *c)
{
    const struct attribute *a;
    TRY(attribute_need(c, "shape", &a));
    if (a->shape->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_SHAPE, "the data are not an array");
    return check_begin(c, a->shape, 0, "RecvDone");
}

static assay_code check_done(struct check *c, const char *begin)
{
    const struct attribute *id;
    const struct computation *f = home(c);
    const struct node *from = &f->nodes[c->node->operands[0]];
    TRY(attribute_need(c, "channel_id", &id));
    if (strcmp(from->op->name, begin) != 0)
        return program_fail(c, ASSAY_STRUCTURE,
                            "the operand is not the context of a %s", begin);
    if (attribute_int(from, "channel_id", 0) != id->ints[0])
        return program_fail(c, ASSAY_ATTRIBUTE, "'%s' uses another channel",
                            from->name);
    return ASSAY_OK;
}

assay_code channel_check_send_done(struct check *c)
{
    c->result = shape_token(c->memory);
    return check_done(c, "Send");
}

assay_code channel_check_recv_done(struct check *c)
{
    TRY(check_done(c, "Recv"));
    const struct shape *parts[2] = {c->operands[0]->elements[0],
                                    shape_token(c->memory)};
    c->result = shape_tuple(c->memory, 2, parts);
    return ASSAY_OK;
}

/* ---- Running ------------------------------------------------------------- */

void channel_begin(struct machine *m, int count, const int *ids)
{
    for (int i = 0; i < count; i++)
        m->places[ids[i]] = i;
    for (struct channel *x = m->channels; x != NULL; x = x->next)
        x->sends = x->receives = 0;
}

static struct channel *channel_of(const struct run *r)
{
    struct machine *m = r->machine;
    int64_t id = attribute_int(r->node, "channel_id", 0);
    struct channel *x = m->channels;
    while (x != NULL && (x->id != id || x->place != m->places[r->replica]))
        x = x->next;
    if (x == NULL) {
        x = memory_new(m->memory, 1, sizeof *x);
        x->id = id;
        x->place = m->places[r->replica];
        x->end = &x->first;
        x->next = m->channels;
        m->channels = x;
    }
    return x;
}

/* It has no result; record this, in case it stays so. */
static assay_code leave(const struct run *r)
{
    struct machine *m = r->machine;
    size_t n = strlen(m->waits);
    int sends = r->node->op->name[0] == 'S';
    snprintf(m->waits + n, sizeof m->waits - n,
             "%s device %d waits in %s '%s' for the %s of channel %lld",
             n > 0 ? "," : "", r->replica, r->node->op->name, r->node->name,
             sends ? "Recv" : "Send",
             (long long)attribute_int(r->node, "channel_id", 0));
    return ASSAY_OK;
}

/* The context: what transfer of its channel it is. */
static struct value *context(struct run *r, int64_t number)
{
    struct value *out = machine_result(r);
    const struct value *n = out->elements[1];
    type_set_int(n->shape->type, n->data, 0, (uint64_t)number);
    return out;
}

static int64_t number(const struct run *r)
{
    const struct value *n = r->operands[0]->elements[1];
    return (int64_t)type_int(n->shape->type, n->data, 0);
}

/* A Recv comes before its Send. */
assay_code channel_run_send(struct run *r)
{
    struct channel *x = channel_of(r);
    int64_t k = x->sends++;
    if (k >= x->sent && k >= x->awaited)
        return leave(r);
    if (k >= x->sent) {
        struct message *m = memory_new(r->machine->memory, 1, sizeof *m);
        m->value = value_copy(r->machine->memory, r->operands[0]);
        *x->end = m;
        x->end = &m->next;
        x->sent++;
        r->machine->moved = 1;
    }
    context(r, k)->elements[0] = r->operands[0];
    return ASSAY_OK;
}

assay_code channel_run_recv(struct run *r)
{
    struct channel *x = channel_of(r);
    context(r, x->receives++);
    if (x->receives > x->awaited) {
        x->awaited = x->receives;
        r->machine->moved = 1;
    }
    return ASSAY_OK;
}

assay_code channel_run_send_done(struct run *r)
{
    if (number(r) >= channel_of(r)->sent)
        return leave(r);
    machine_result(r);
    return ASSAY_OK;
}

assay_code channel_run_recv_done(struct run *r)
{
    const struct channel *x = channel_of(r);
    const struct message *m = x->first;
    if (number(r) >= x->sent)
        return leave(r);
    for (int64_t k = number(r); k > 0; k--)
        m = m->next;
    machine_result(r)->elements[0] = value_copy(r->memory, m->value);
    return ASSAY_OK;
}
