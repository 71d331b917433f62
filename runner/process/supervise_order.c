/* supervise_order.c - which cases are beside each other in a batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compilers compile equal operations of a program once.  So cases of one
 * operation and one element type come one after another, and so do programs of
 * the same text: what one case asks of Conv, another asks of ConvGeneral.  The
 * order follows from the cases alone, so the same cases give the same batch.
 * batch.t and evil.t test this.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/hash.h"
#include "interp/stablehlo/stablehlo.h"
#include "runner/process/supervise_private.h"

struct key {
    int64_t position, place; /* place: in the list; of equal programs: of the
                                first one */
    const char *op, *type;
    const char *form;
    struct hash text;
};

static int by_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_operation(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = strcmp(x->op, y->op);
    order = order ? order : strcmp(x->type, y->type);
    order = order ? order : strcmp(x->form, y->form);
    return order ? order : by_number(x->position, y->position);
}

static int by_text(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = memcmp(&x->text, &y->text, sizeof x->text);
    return order ? order : by_number(x->place, y->place);
}

static int by_place(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = by_number(x->place, y->place);
    return order ? order : by_number(x->position, y->position);
}

/* The hash of the text that a compiler gets.  A case without a text is equal
 * to no other, and so are programs that must be rejected, which are in no
 * batch. */
static struct hash text_of(const struct supervisor *s, struct arena *a,
                           const struct plan_case *c, int64_t place)
{
    struct hash h = {{1, 2}};
    struct status st = {STATUS_OK};
    struct test_case *made;
    const char *text;
    if (case_make(a, c->stub, c->form, s->context.limits, &made, &st)
        && !made->written->rejected && made->written->program
        && made->written->program->entry
        && stablehlo_text(a, made->written->program, &text, &st))
        hash_text(&h, text);
    else
        hash_int(&h, (uint64_t)place);
    return h;
}

static void order_keys(const struct supervisor *s, struct key *keys, size_t n)
{
    struct arena a = ARENA_INIT;
    qsort(keys, n, sizeof *keys, by_operation);
    for (size_t i = 0; i < n; i++) {
        int64_t number = s->pending[keys[i].position];
        keys[i].place = (int64_t)i;
        keys[i].text =
            text_of(s, &a, &s->context.plan->cases[number], keys[i].place);
        arena_reset(&a);
    }
    /* Equal texts all have the place of the first. */
    qsort(keys, n, sizeof *keys, by_text);
    for (size_t i = 1; i < n; i++)
        if (memcmp(&keys[i].text, &keys[i - 1].text, sizeof keys[i].text) == 0)
            keys[i].place = keys[i - 1].place;
    qsort(keys, n, sizeof *keys, by_place);
    arena_free(&a);
}

bool supervise_order(struct supervisor *s)
{
    size_t n = (size_t)s->list_count;
    struct key *keys = calloc(n + 1, sizeof *keys);
    struct arena a = ARENA_INIT;
    if (!keys)
        return supervise_fail(s, "out of memory", "");
    for (size_t i = 0; i < n; i++) {
        const struct plan_case *c =
            &s->context.plan->cases[s->pending[s->list[i]]];
        const char *type = plan_type(&a, c->stub);
        keys[i].position = s->list[i];
        keys[i].op = c->stub->op ? c->stub->op : "";
        keys[i].type = type ? type : "";
        keys[i].form = c->form ? c->form : "";
    }
    order_keys(s, keys, n);
    for (size_t i = 0; i < n; i++)
        s->list[i] = keys[i].position;
    arena_free(&a);
    free(keys);
    return true;
}
