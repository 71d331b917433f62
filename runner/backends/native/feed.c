/* feed.c - tokens, infeed and outfeed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

assay_code feed_check_after_all(struct check *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->operands[i]->kind != ASSAY_TOKEN)
            return program_fail(c, ASSAY_TYPE, "operand %d is not a token", i);
    c->result = shape_token(c->memory);
    return ASSAY_OK;
}

assay_code feed_run_after_all(struct run *r)
{
    machine_result(r);
    return ASSAY_OK;
}

assay_code feed_check_infeed(struct check *c)
{
    const struct attribute *a;
    TRY(attribute_need(c, "shape", &a));
    if (c->count == 1 && c->operands[0]->kind != ASSAY_TOKEN)
        return program_fail(c, ASSAY_TYPE, "the operand is not a token");
    int nested = a->shape->kind == ASSAY_TOKEN;
    for (int i = 0; a->shape->kind == ASSAY_TUPLE && i < a->shape->rank; i++)
        nested = nested || a->shape->elements[i]->kind != ASSAY_ARRAY;
    if (nested)
        return program_fail(c, ASSAY_SHAPE, "the shape holds more than arrays");
    const struct shape **both = memory_new(c->memory, 2, sizeof *both);
    both[0] = a->shape;
    both[1] = shape_token(c->memory);
    c->result = c->count == 1 ? shape_tuple(c->memory, 2, both) : a->shape;
    return ASSAY_OK;
}

/* The next tensor of this process, which belongs to the host. */
static assay_code take_item(struct run *r, struct value *to)
{
    struct machine *m = r->machine;
    const assay_execution *e = m->execution;
    int64_t *next = &m->infeed_next[r->replica];
    const struct shape *s;
    if (e->infeed == NULL
        || e->infeed_start[r->replica] + *next
               >= e->infeed_start[r->replica + 1])
        return memory_fail(m->error, ASSAY_STRUCTURE,
                           "'%s' waits for item %lld of the infeed",
                           r->node->name, (long long)*next);
    const assay_tensor *t = e->infeed[e->infeed_start[r->replica] + *next];
    TRY(shape_read(r->memory, t->shape, &s, m->error));
    if (!shape_equal(s, to->shape))
        return memory_fail(m->error, ASSAY_STRUCTURE,
                           "item %lld of the infeed has another shape",
                           (long long)*next);
    to->data = (unsigned char *)t->data;
    for (int i = 0; to->sizes != NULL && t->sizes != NULL && i < s->rank; i++)
        to->sizes[i] = t->sizes[i];
    ++*next;
    return ASSAY_OK;
}

assay_code feed_run_infeed(struct run *r)
{
    struct value *out = machine_result(r);
    struct value *data = r->node->count == 1 ? out->elements[0] : out;
    if (data->shape->kind == ASSAY_ARRAY)
        return take_item(r, data);
    for (int i = 0; i < data->shape->rank; i++)
        TRY(take_item(r, data->elements[i]));
    return ASSAY_OK;
}

assay_code feed_check_outfeed(struct check *c)
{
    const struct attribute *a;
    TRY(attribute_need(c, "shape_with_layout", &a));
    if (c->count == 2 && c->operands[1]->kind != ASSAY_TOKEN)
        return program_fail(c, ASSAY_TYPE, "operand 1 is not a token");
    if (!shape_equal(a->shape, c->operands[0]))
        return program_fail(c, ASSAY_SHAPE, "the operand has another shape");
    c->result = c->count == 2 ? shape_token(c->memory)
                              : shape_tuple(c->memory, 0, NULL);
    return ASSAY_OK;
}

/* Does the node feed, in or out, or call what does? */
static int feeds(const struct program *p, const struct node *n, int out)
{
    if (strcmp(n->op->name, out ? "Outfeed" : "Infeed") == 0)
        return 1;
    for (int i = 0; i < n->attribute_count; i++) {
        const struct attribute *a = &n->attributes[i];
        for (int j = 0; a->kind == ASSAY_COMPUTATIONS && j < a->count; j++) {
            if (a->ints[j] < 0 || a->ints[j] >= p->count)
                continue;
            const struct computation *f = &p->computations[a->ints[j]];
            if (out ? f->outfeeds : f->infeeds)
                return 1;
        }
    }
    return 0;
}

/* Does node `to` depend on node `from`?  marks has room for all nodes. */
static int depends(const struct computation *c, int from, int to, char *marks)
{
    memset(marks, 0, (size_t)c->count);
    marks[from] = 1;
    for (int i = from + 1; i <= to; i++)
        for (int j = 0; j < c->nodes[i].count; j++)
            marks[i] |= marks[c->nodes[i].operands[j]];
    return marks[to];
}

static assay_code check_one_feed(struct memory *m, const struct program *p,
                                 struct computation *c, int out,
                                 assay_error *error)
{
    char *marks = memory_new(m, (size_t)c->count + 1, 1);
    int last = -1;
    for (int i = 0; i < c->count; i++) {
        if (!feeds(p, &c->nodes[i], out))
            continue;
        if (last >= 0 && !depends(c, last, i, marks))
            return memory_fail(error, ASSAY_STRUCTURE,
                               "nothing orders %s '%s' and '%s'",
                               out ? "outfeeds" : "infeeds",
                               c->nodes[last].name, c->nodes[i].name);
        last = i;
    }
    *(out ? &c->outfeeds : &c->infeeds) = last >= 0;
    return ASSAY_OK;
}

assay_code feed_check_order(struct memory *m, const struct program *p,
                            struct computation *c, assay_error *error)
{
    TRY(check_one_feed(m, p, c, 0, error));
    return check_one_feed(m, p, c, 1, error);
}

/* Kept until the program has finished: it may be run again. */
struct outfed {
    struct value *value;
    struct outfed *next;
};

assay_code feed_run_outfeed(struct run *r)
{
    struct machine *m = r->machine;
    struct outfed *o = memory_new(m->memory, 1, sizeof *o);
    machine_result(r);
    o->value = value_copy(m->memory, r->operands[0]);
    *m->outfed_end[r->replica] = o;
    m->outfed_end[r->replica] = &o->next;
    return ASSAY_OK;
}

void feed_begin(struct machine *machine, int process)
{
    machine->infeed_next[process] = 0;
    machine->outfed[process] = NULL;
    machine->outfed_end[process] = &machine->outfed[process];
}

static void tell(const assay_execution *e, int process, const struct value *v)
{
    const struct shape *s = v->shape;
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++)
        tell(e, process, v->elements[i]);
    if (s->kind != ASSAY_ARRAY)
        return;
    assay_shape shape = {.size = sizeof shape,
                         .kind = ASSAY_ARRAY,
                         .rank = s->rank,
                         .dtype = s->type->name,
                         .dims = s->dims,
                         .dynamic = s->dynamic};
    assay_tensor t = {.size = sizeof t,
                      .shape = &shape,
                      .data = v->data,
                      .bytes = (uint64_t)(shape_count(s) * s->type->bytes),
                      .sizes = v->sizes};
    e->outfeed(e->outfeed_context, process, &t);
}

void feed_end(const struct machine *machine, int process)
{
    const assay_execution *e = machine->execution;
    for (const struct outfed *o = machine->outfed[process];
         o != NULL && e->outfeed != NULL; o = o->next)
        tell(e, process, o->value);
}
