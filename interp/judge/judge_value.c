/* judge_value.c - see judge_value.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/judge_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/base/slow.h"
#include "interp/judge/judge_ways.h"

/* ---- A backend that is right --------------------------------------------- */

/* One array or token, as a backend would return it. */
static struct judge_given give(const struct literal *l, int replica)
{
    const struct shape *s = l->shape;
    struct judge_given g = {.got = {.dtype = "token"}, .replica = replica};
    if (s->kind == SHAPE_ARRAY)
        g.got = (struct verdict_got){.dtype = dtype_table[s->dtype].name,
                                     .rank = s->rank,
                                     .dims = s->dims,
                                     .sizes = l->sizes ? l->sizes : s->dims,
                                     .bytes = (uint64_t)shape_bytes(s),
                                     .held = (uint64_t)shape_bytes(s),
                                     .data = l->data};
    return g;
}

struct judge_given *judge_value_returned(struct arena *a,
                                         const struct judge_reference *r,
                                         int *count)
{
    int n = 0;
    for (int i = 0; i < r->replicas; i++)
        n += shape_leaves(r->outcomes[i].value->shape);
    struct judge_given *all = arena_new(a, struct judge_given, (size_t)n + 1);
    *count = 0;
    for (int i = 0; i < r->replicas; i++) {
        const struct literal *value = r->outcomes[i].value;
        for (int k = 0; k < shape_leaves(value->shape); k++)
            all[(*count)++] = give(literal_leaf(value, k), i);
    }
    return all;
}

struct judge_given *judge_value_fed(struct arena *a,
                                    const struct judge_reference *r, int *count)
{
    int n = 0;
    for (int i = 0; i < r->replicas; i++)
        n += r->fed_count[i];
    struct judge_given *all = arena_new(a, struct judge_given, (size_t)n + 1);
    *count = 0;
    for (int i = 0; i < r->replicas; i++)
        for (int k = 0; k < r->fed_count[i]; k++)
            all[(*count)++] = give(r->fed[i][k].value, i);
    return all;
}

/* ---- Results ------------------------------------------------------------- */

/* The leaves of all replicas, laid out; false if a layout is wrong. */
static bool lay_out(const struct judge_value *j,
                    const struct judge_given *given, int given_count,
                    struct verdict_leaf **leaves, int *count, char *why,
                    size_t size)
{
    const struct judge_reference *ref = j->plain;
    int n = 0, total = 0;
    for (int r = 0; r < ref->replicas; r++)
        total += ref->outcomes[r].count;
    *leaves = arena_new(j->arena, struct verdict_leaf, (size_t)total + 1);
    *count = 0;
    if (total != given_count) {
        snprintf(why, size, "%d outputs, expected %d", given_count, total);
        return false;
    }
    for (int r = 0; r < ref->replicas; r++)
        for (int i = 0; i < ref->outcomes[r].count; i++, n++) {
            const struct literal *want =
                literal_leaf(ref->outcomes[r].value, i);
            struct literal *got;
            char text[160];
            if (!verdict_layout(j->arena, want, &given[n].got, &got, text,
                                sizeof text)) {
                snprintf(why, size, "output %d of replica %d: %s", i, r, text);
                return false;
            }
            if (want->shape->kind != SHAPE_ARRAY)
                continue;
            struct verdict_leaf *leaf = &(*leaves)[(*count)++];
            leaf->replica = r;
            leaf->leaf = i;
            leaf->goal = judge_ways_goal(j->arena, ref, r, i);
            leaf->got = got;
        }
    return true;
}

/* Results that are bits have no error but none: all in bin 0. */
static bool are_bits(const struct verdict_leaf *leaves, int count)
{
    bool bits = !slow();
    for (int i = 0; i < count; i++)
        bits = bits
               && (leaves[i].goal->rule == GOAL_BITS
                   || (leaves[i].goal->rule == GOAL_MOVED
                       && !leaves[i].goal->sources))
               && !shape_has_dynamic(leaves[i].goal->value->shape);
    return bits;
}

static bool all_same(struct verdict *v, const struct verdict_leaf *leaves,
                     int count)
{
    for (int i = 0; i < count; i++)
        if (!verdict_same(v, &leaves[i]))
            return false;
    return true;
}

/* The unjudged leaf that is that result of the same instruction as like; NULL
 * if there is none. */
static struct verdict_leaf *find_result(struct verdict_leaf *leaves, int count,
                                        const struct verdict_leaf *like,
                                        int place)
{
    for (int i = 0; i < count; i++) {
        const struct goal *g = leaves[i].goal;
        if (!leaves[i].state && leaves[i].replica == like->replica
            && goal_same_check(g, like->goal) && g->check.place == place)
            return &leaves[i];
    }
    return NULL;
}

/* Judge results of one instruction together, in its order.  A program may pass
 * them on in another order, or one of them several times, or only some. */
static void judge_check(const struct judge_value *j, struct verdict *v,
                        struct verdict_leaf *leaves, int count,
                        const struct verdict_leaf *like)
{
    struct verdict_leaf *next,
        *together = arena_new(j->arena, struct verdict_leaf, (size_t)count);
    int first = 0, n = 0;
    while (!find_result(leaves, count, like, first))
        first++; /* at most to that of like itself */
    while ((next = find_result(leaves, count, like, first + n))) {
        next->state =
            arena_alloc(j->arena, (size_t)literal_units(next->got) + 1);
        together[n++] = *next;
    }
    verdict_check(v, j->arena, together, n);
}

static void judge_leaves(const struct judge_value *j, struct verdict *v,
                         struct verdict_leaf *leaves, int count)
{
    for (int i = 0; i < count; i++) {
        while (!leaves[i].state && leaves[i].goal->rule == GOAL_CHECK)
            judge_check(j, v, leaves, count, &leaves[i]);
        if (leaves[i].goal->rule == GOAL_CHECK)
            continue;
        leaves[i].state =
            arena_alloc(j->arena, (size_t)literal_units(leaves[i].got) + 1);
        if (v->bins || !verdict_same(v, &leaves[i]))
            verdict_units(v, j->mode.profile, &leaves[i]);
    }
}

static bool is_enough(const struct judge_value *j,
                      const struct verdict_leaf *leaves, int count, bool ended)
{
    return j->enough && j->enough(j->context, leaves, count, ended);
}

static bool evaluate_exact(const struct judge_value *j,
                           struct judge_reference *exact, char *text,
                           size_t size)
{
    struct status st = {0};
    struct judge_mode mode = j->mode;
    mode.want_exact = true;
    if (j->exact) {
        *exact = *j->plain;
        return true;
    }
    struct judge_reference *kept = j->kept ? &j->kept[JUDGE_VALUE_PLAIN] : NULL;
    if (judge_reference_kept(j->arena, j->made, &mode, kept, exact, &st))
        return true;
    snprintf(text, size, "the reference: %.200s", st.text);
    return false;
}

bool judge_value(const struct judge_value *j, const struct judge_given *given,
                 int given_count, struct verdict *v,
                 enum verdict_status *status, char *text, size_t size)
{
    struct verdict_leaf *leaves;
    struct judge_reference exact;
    int count;
    *status = VERDICT_FAIL;
    if (!lay_out(j, given, given_count, &leaves, &count, text, size))
        return true;
    if ((!j->bins || are_bits(leaves, count)) && all_same(v, leaves, count)) {
        if (j->bins) {
            v->bins = arena_new(j->arena, int64_t, VERDICT_BINS);
            v->bins[0 - VERDICT_BIN_FIRST] = v->units;
        }
        *status = verdict_end(v, j->mode.profile, text, size);
        return true;
    }
    memset(v, 0, sizeof *v);
    v->unmeasured = j->enough != NULL;
    v->bins = arena_new(j->arena, int64_t, VERDICT_BINS);
    if (!evaluate_exact(j, &exact, text, size))
        return false;
    for (int i = 0; i < count; i++) {
        leaves[i].goal = judge_ways_goal(j->arena, &exact, leaves[i].replica,
                                         leaves[i].leaf);
        leaves[i].moved = judge_moved(j->arena, j->made->program,
                                      leaves[i].replica, leaves[i].leaf);
    }
    judge_leaves(j, v, leaves, count);
    if (is_enough(j, leaves, count, false))
        return true;
    bool decided = judge_ways(j, v, leaves, count, text, size);
    if (is_enough(j, leaves, count, true))
        return true;
    if (!decided)
        return false;
    for (int i = 0; i < count; i++)
        verdict_pending(v, j->arena, j->mode.profile, &leaves[i]);
    v->leaves = leaves;
    v->leaf_count = count;
    *status = verdict_end(v, j->mode.profile, text, size);
    return true;
}

/* ---- Outfeed ------------------------------------------------------------- */

/* The returned values, and the leaves made of them. */
struct feed {
    const struct judge_value *j;
    const struct judge_given *given;
    int given_count;
    struct verdict_leaf *leaves;
    int count;
};

/* The arrays that one replica wrote: leaves for them, or why they cannot be the
 * expected ones. */
static bool lay_out_replica(struct feed *f, int replica, char *why, size_t size)
{
    const struct judge_reference *ref = f->j->plain;
    int due = ref->fed_count[replica], seen = 0;
    for (int i = 0; i < f->given_count; i++) {
        struct literal *got;
        char text[160];
        if (f->given[i].replica != replica)
            continue;
        if (seen == due) {
            snprintf(why, size,
                     "replica %d wrote more outfeed items than the %d expected",
                     replica, due);
            return false;
        }
        if (!verdict_layout(f->j->arena, ref->fed[replica][seen].value,
                            &f->given[i].got, &got, text, sizeof text)) {
            snprintf(why, size, "outfeed %d of replica %d: %s", seen, replica,
                     text);
            return false;
        }
        struct verdict_leaf *leaf = &f->leaves[f->count++];
        leaf->replica = replica;
        leaf->leaf = ref->outcomes[replica].count + seen++;
        leaf->fed = true;
        leaf->got = got;
        leaf->goal = judge_ways_goal(f->j->arena, ref, replica, leaf->leaf);
    }
    if (seen < due)
        snprintf(why, size, "replica %d wrote %d outfeed items; expected %d",
                 replica, seen, due);
    return seen == due;
}

/* Is what an Outfeed writes moved there from the inputs? */
static bool is_moved(const struct judge_value *j, const struct judge_fed *fed)
{
    const struct program *p = j->made->program;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (p->computations[i]->instructions[k] == fed->from)
                return judge_moved_operand(j->arena, p, p->computations[i],
                                           fed->from, 0, fed->leaf);
    return false;
}

static void say_wrong(const struct judge_value *j,
                      const struct verdict_leaf *leaf, char *text, size_t size)
{
    int64_t i = 0;
    while (leaf->state[i] != VERDICT_PENDING)
        i++;
    enum dtype unit = dtype_unit(leaf->got->shape->dtype);
    int digits = (dtype_table[unit].bits + 3) / 4;
    snprintf(text, size,
             "outfeed %d of replica %d differs: unit %" PRId64 " is %0*" PRIx64
             ", expected %0*" PRIx64,
             leaf->leaf - j->plain->outcomes[leaf->replica].count,
             leaf->replica, i, digits, literal_get(leaf->got, i), digits,
             literal_get(leaf->goal->value, i));
}

/* Explain leaves that are not the reference's, as judge_value does. */
static bool judge_fed(const struct judge_value *j, struct verdict_leaf *leaves,
                      int count, struct verdict *v, enum verdict_status *status,
                      char *text, size_t size)
{
    struct judge_reference exact;
    struct verdict *own = arena_new(j->arena, struct verdict, 1);
    if (!evaluate_exact(j, &exact, text, size))
        return false;
    for (int i = 0; i < count; i++) {
        struct verdict_leaf *leaf = &leaves[i];
        int n = leaf->leaf - exact.outcomes[leaf->replica].count;
        leaf->goal =
            judge_ways_goal(j->arena, &exact, leaf->replica, leaf->leaf);
        leaf->moved = is_moved(j, &exact.fed[leaf->replica][n]);
    }
    judge_leaves(j, own, leaves, count);
    if (!judge_ways(j, own, leaves, count, text, size)) {
        *status = VERDICT_LIMIT;
        return false;
    }
    for (int i = 0; i < count; i++)
        if (memchr(leaves[i].state, VERDICT_PENDING,
                   (size_t)literal_units(leaves[i].got))) {
            say_wrong(j, &leaves[i], text, size);
            return false;
        }
    v->branch[VERDICT_RESULTS] += own->branch[VERDICT_RESULTS];
    v->branch[VERDICT_OPERANDS] += own->branch[VERDICT_OPERANDS];
    for (int i = 0; i < own->remark_count; i++)
        verdict_remark(v, own->remarks[i].name, own->remarks[i].units);
    return true;
}

bool judge_value_outfeed(const struct judge_value *j,
                         const struct judge_given *given, int given_count,
                         struct verdict *v, enum verdict_status *status,
                         char *text, size_t size)
{
    const struct judge_reference *ref = j->plain;
    struct feed f = {.j = j, .given = given, .given_count = given_count};
    struct verdict *same = arena_new(j->arena, struct verdict, 1);
    f.leaves =
        arena_new(j->arena, struct verdict_leaf, (size_t)given_count + 1);
    *status = VERDICT_FAIL;
    for (int i = 0; i < given_count; i++)
        if (given[i].replica < 0 || given[i].replica >= ref->replicas) {
            snprintf(text, size, "outfeed of a nonexistent replica");
            return false;
        }
    for (int r = 0; r < ref->replicas; r++)
        if (!lay_out_replica(&f, r, text, size))
            return false;
    if (!all_same(same, f.leaves, f.count)
        && !judge_fed(j, f.leaves, f.count, v, status, text, size))
        return false;
    *status = verdict_end(v, j->mode.profile, text, size);
    return true;
}
