/* sweep_result.c - see sweep_private.h: the results of the parts.  Tests:
 * sweep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/exact/real.h"
#include "runner/sweep_private.h"

/* Add the results of a part to the totals. */
static void add_up(struct sweep *s, const struct sweep_part *p)
{
    s->done_count++;
    s->count += p->count;
    s->correct += p->correct;
    s->bad += p->bad;
    s->special += p->special;
    int64_t more = llabs(p->error) - llabs(s->error);
    /* Parts come in any order: of equal errors the least input is reported. */
    if (p->has_error
        && (!s->has_error || more > 0
            || (more == 0 && p->worst_input < s->worst_input))) {
        s->has_error = true;
        s->error = p->error;
        s->worst_input = p->worst_input;
        s->worst_second = p->worst_second;
    }
}

void sweep_result_earlier(struct sweep *s, struct sweep_part *p,
                          const struct store_sweep_part *from)
{
    p->done = true;
    p->count = from->count;
    p->correct = from->correct;
    p->bad = from->bad;
    p->special = from->special;
    p->has_error = from->has_error;
    p->error = from->error;
    p->worst_input = from->worst_input;
    /* For pairs, the database has both operands in one number. */
    p->worst_second = s->options->pairs
                          ? from->worst_input & dtype_mask(s->options->type)
                          : from->worst_second;
    p->order = store_sweep_order(from);
    s->time_ns += from->time;
    add_up(s, p);
}

/* A left operand and a right one as one number. */
static uint64_t operands_of(const struct sweep_options *o, uint64_t left,
                            uint64_t right)
{
    return o->pairs ? left << dtype_table[o->type].bits | right : left;
}

/* "f32:3f800000", and of pairs " bf16:3f80 bf16:4000" */
static void read_input(const struct sweep_options *o, const char *text,
                       struct sweep_part *p)
{
    const char *first = strchr(text, ':');
    const char *second = first ? strchr(first + 1, ':') : NULL;
    uint64_t left = first ? strtoull(first + 1, NULL, 16) : p->first;
    uint64_t right = second ? strtoull(second + 1, NULL, 16) : 0;
    p->worst_input = operands_of(o, left, right);
    p->worst_second = right;
}

static bool odd(const struct job_wrong *w)
{
    enum dtype t = (enum dtype)w->type;
    return dtype_class(t) == DTYPE_FLOAT
           && (!real_is_finite(t, w->got) || !real_is_finite(t, w->want));
}

/* Into a list in the order of parts, which come in any order. */
static void insert_wrong(struct sweep_wrong *list, int *count,
                         const struct sweep_wrong *w)
{
    int at = *count;
    while (at > 0 && list[at - 1].part > w->part)
        at--;
    if (at == SWEEP_WRONG_MAX)
        return;
    *count += *count < SWEEP_WRONG_MAX;
    for (int i = *count - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *w;
}

static void remember_wrong(struct sweep *s, int64_t part,
                           const struct job_result *r)
{
    const struct job_wrong *w = (const struct job_wrong *)(r + 1);
    for (int i = 0; i < r->wrong_count; i++) {
        const struct sweep_wrong one = {part,
                                        operands_of(s->options,
                                                    w[i].operands[0].bits,
                                                    w[i].operands[1].bits),
                                        w[i].operands[1].bits,
                                        w[i].got,
                                        w[i].want,
                                        (enum dtype)w[i].type};
        if (w[i].operand_count > 0 && odd(&w[i]))
            insert_wrong(s->odd, &s->special_count, &one);
        else if (w[i].operand_count > 0)
            insert_wrong(s->wrong, &s->wrong_count, &one);
    }
}

static bool store_part(struct sweeping *x, const struct sweep_part *p,
                       const struct job_result *r)
{
    struct sweep *s = x->sweep;
    const struct job_bin *b =
        (const struct job_bin *)((const struct job_wrong *)(r + 1)
                                 + r->wrong_count);
    int64_t bins[VERDICT_BINS] = {0};
    for (int i = 0; i < r->bin_count; i++) {
        bins[b[i].bin - VERDICT_BIN_FIRST] = b[i].count;
        s->bins[b[i].bin - VERDICT_BIN_FIRST] += b[i].count;
    }
    const struct monotone_part *m = &p->order;
    const struct store_sweep_part row = {
        .sweep = x->row,
        .first = p->first,
        .count = p->count,
        .correct = p->correct,
        .bad = p->bad,
        .special = p->special,
        .has_error = p->has_error,
        .error = p->error,
        .has_worst_input = p->has_error,
        .worst_input = p->worst_input,
        .time = r->time_ns,
        .has_worst_second = p->has_error && s->options->hunt && s->operands > 1,
        .worst_second = p->worst_second,
        .has_breaks = m->counted,
        .breaks = m->breaks,
        .has_break_input = m->counted && m->breaks > 0,
        .break_input = m->input,
        .has_first_result = m->counted,
        .first_result = m->first,
        .has_last_result = m->counted,
        .last_result = m->last};
    return !x->store || store_sweep_part_add(x->store, &row, bins, x->st);
}

/* A result of another shape, type or size is a failure without units. */
static bool is_judged(const struct sweep_options *o, const struct sweep_part *p,
                      const struct job_result *r)
{
    if (o->hunt) /* maybe only the worst of them */
        return r->units > 0 || (r->units == 0 && r->status == VERDICT_PASS);
    return r->units == p->count;
}

/* Goes on, unless it is the program that is refused, for every part. */
static bool count_failed(struct sweep *s, const struct job_result *r)
{
    s->failed++;
    s->unsupported |= r->status == VERDICT_UNSUPPORTED;
    if (s->failed == 1) {
        snprintf(s->why, sizeof s->why, "%s: %.280s",
                 verdict_name((enum verdict_status)r->status), r->text);
        text_clean(s->why, sizeof s->why, s->why);
    }
    return r->status == VERDICT_CRASH || r->status == VERDICT_TIMEOUT
           || r->status == VERDICT_FAIL;
}

bool sweep_result_take(void *self, const struct job_result *r)
{
    struct sweeping *x = self;
    struct sweep *s = x->sweep;
    struct sweep_part *p = &s->parts[x->plan_first + x->pending[r->position]];
    if (p->done || r->held)
        return true;
    if (!is_judged(x->options, p, r))
        return count_failed(s, r);
    p->done = true;
    if (s->options->hunt)
        p->count = r->units;
    p->correct = r->correct;
    p->bad = r->bad;
    p->special = r->special;
    p->has_error = r->has_error;
    p->error = r->error;
    p->order = r->order;
    read_input(x->options, r->worst_input, p);
    s->time_ns += r->time_ns;
    add_up(s, p);
    remember_wrong(s, p - s->parts, r);
    x->failed = !store_part(x, p, r);
    return !x->failed;
}
