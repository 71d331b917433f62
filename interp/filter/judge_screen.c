/* judge_screen.c - see judge_fast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/slow.h"
#include "interp/fast/fast_estimate.h"
#include "interp/filter/judge_fast.h"
#include "interp/program/op.h"

enum {
    BLOCK = 256
};

/* The largest estimates, in descending order; of equal ones the first unit's
 * first. */
struct worst {
    int64_t unit[JUDGE_SCREEN_MOST];
    double ulps[JUDGE_SCREEN_MOST];
    int count;
};

static void insert(struct worst *w, int64_t unit, double ulps)
{
    int at = w->count;
    while (at > 0 && w->ulps[at - 1] < ulps)
        at--;
    if (at == JUDGE_SCREEN_MOST)
        return;
    w->count += w->count < JUDGE_SCREEN_MOST;
    for (int i = w->count - 1; i > at; i--) {
        w->unit[i] = w->unit[i - 1];
        w->ulps[i] = w->ulps[i - 1];
    }
    w->unit[at] = unit;
    w->ulps[at] = ulps;
}

static void read(const struct literal *from, int64_t at, int n, double *to)
{
    memcpy(to, from->data + at * (int64_t)sizeof *to, (size_t)n * sizeof *to);
}

static void find_worst(const struct judge_whole *w,
                       const struct fast_estimate *e, struct worst *worst)
{
    double x[BLOCK], y[BLOCK], got[BLOCK], ulps[BLOCK];
    int64_t count = literal_units(w->x);
    for (int64_t at = 0; at < count; at += BLOCK) {
        int n = count - at < BLOCK ? (int)(count - at) : BLOCK;
        read(w->x, at, n, x);
        read(w->got, at, n, got);
        if (w->y)
            read(w->y, at, n, y);
        fast_estimate_errors(e, x, w->y ? y : NULL, got, n, ulps);
        for (int i = 0; i < n; i++)
            insert(worst, at + i, ulps[i]);
    }
    while (worst->count > 1
           && worst->ulps[worst->count - 1]
                  < worst->ulps[0] - FAST_ESTIMATE_DOUBT)
        worst->count--;
}

/* In ascending order, as judge_part wants them. */
static void sort_units(struct worst *w)
{
    for (int i = 1; i < w->count; i++)
        for (int k = i; k > 0 && w->unit[k - 1] > w->unit[k]; k--) {
            int64_t unit = w->unit[k];
            w->unit[k] = w->unit[k - 1];
            w->unit[k - 1] = unit;
        }
}

bool judge_screen(const struct judge_value *by, const struct judge_given *given,
                  struct verdict *v, struct judge_reference *reference,
                  enum verdict_status *status, char *text, size_t size)
{
    struct judge_whole w = {.by = by, .arena = by->arena};
    struct worst worst = {.count = 0};
    struct literal *got;
    if (slow() || by->mode.evaluate || by->mode.inputs
        || !(w.in = judge_part_single(by->made))
        || w.in->shape->dtype != DT_f64)
        return false;
    const struct fast_estimate *e = fast_estimate_find(w.in->op->name);
    if (!e || w.in->operand_count != (e->function ? 1 : 2))
        return false;
    w.x = by->made->inputs[0][0];
    w.y = e->function2 ? by->made->inputs[0][1] : NULL;
    /* Only the shape of the expected result is needed. */
    struct literal *shape = arena_new(w.arena, struct literal, 1);
    shape->shape = w.in->shape;
    if (literal_units(w.x) == 0
        || !verdict_layout(w.arena, shape, &given->got, &got, text, size))
        return false;
    w.got = got;
    find_worst(&w, e, &worst);
    sort_units(&worst);
    if (!judge_part(&w, given, worst.unit, worst.count, v))
        return false;
    v->leaves = NULL;
    v->leaf_count = 0;
    *reference = (struct judge_reference){
        .outcomes = arena_new(w.arena, struct outcome, 1), .replicas = 1};
    reference->outcomes[0].value = shape;
    *status = verdict_end(v, by->mode.profile, text, size);
    return true;
}
