/* uses.c - see uses.h.  Tests: granted.t, enumerated.t, combinations.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/uses.h"

#include "interp/program/interval_goal.h"
#include "interp/specification/flush.h"

bool uses_next(struct uses *u)
{
    int n = u->found;
    while (n > 0 && u->one[n - 1].way == u->one[n - 1].last)
        n--;
    if (n > 0)
        u->one[n - 1].way++;
    /* Uses behind it may be others now: they are found again. */
    u->decided = n;
    u->found = u->site_count = 0;
    return n > 0;
}

/* The last way that makes a difference to a number of l. */
static enum machine_flush last_way(const struct profile *p,
                                   const struct literal *l)
{
    enum machine_flush last = MACHINE_KEEP;
    if (!flush_allowed(p, l->shape, true))
        return last;
    bool either = flush_allowed(p, l->shape, false);
    enum dtype unit = dtype_unit(l->shape->dtype);
    for (int64_t i = 0, n = literal_units(l); i < n; i++) {
        uint64_t bits = literal_get(l, i);
        if (!real_is_subnormal(unit, bits))
            continue;
        if (either && real_is_negative(unit, bits))
            return MACHINE_FLUSH_POSITIVE;
        last = MACHINE_FLUSH;
    }
    return last;
}

/* The number of the site that is being run; USES_SITES if there are too many.
 */
static int site_of(struct uses *u, const struct machine_call *call)
{
    int i = 0;
    int caller = call->caller ? site_of(u, call->caller) : -1;
    while (i < u->site_count
           && (u->sites[i].in != call->in || u->sites[i].caller != caller))
        i++;
    if (caller == USES_SITES || i == USES_SITES)
        return USES_SITES;
    if (i == u->site_count)
        u->sites[u->site_count++] = (struct uses_site){call->in, caller};
    return i;
}

/* Returns what is decided for a use, or a choice, of the instruction that is
 * being run. */
static int decide(const struct machine *m, int number, int last)
{
    struct uses *u = m->uses;
    int i = 0, site = site_of(u, m->call);
    while (i < u->found
           && (u->one[i].site != site || u->one[i].number != number))
        i++;
    if (i == USES_MAX || site == USES_SITES) {
        u->over = true;
        return 0;
    }
    struct uses_one *one = &u->one[i];
    if (i == u->found) {
        if (i >= u->decided)
            one->way = one->last = 0;
        one->site = site;
        one->number = number;
        u->found++;
    }
    if (one->last < last)
        one->last = last;
    return one->way;
}

static enum machine_flush way_of(const struct eval *ev, int k,
                                 const struct literal *l)
{
    struct uses *u = ev->machine->uses;
    if (!u)
        return ev->machine->flush;
    if (u->spread)
        return MACHINE_KEEP;
    enum machine_flush last = last_way(ev->machine->profile, l);
    return last == MACHINE_KEEP
               ? last
               : (enum machine_flush)decide(ev->machine, k, (int)last);
}

enum machine_flush uses_way(const struct eval *ev, int k)
{
    return way_of(ev, k, ev->operands[k]);
}

int uses_choice(const struct eval *ev, int last)
{
    return decide(ev->machine, ev->count, last);
}

enum machine_flush uses_way_all(const struct eval *ev)
{
    enum machine_flush all = ev->machine->flush;
    for (int k = 0; k < ev->count; k++) {
        enum machine_flush way = uses_way(ev, k);
        all = way > all ? way : all;
    }
    return all;
}

struct literal *uses_flushed(const struct eval *ev, int k,
                             const struct literal *l)
{
    enum machine_flush way = way_of(ev, k, l);
    return way == MACHINE_KEEP ? NULL
                               : flush_operand(ev->arena, ev->machine->profile,
                                               l, way == MACHINE_FLUSH);
}

const struct literal *uses_taken(const struct eval *ev, int k)
{
    const struct literal *zeros = uses_flushed(ev, k, ev->operands[k]);
    return zeros ? zeros : ev->operands[k];
}

/* Flush what lies between two ends that differ. */
static void flush_open(struct literal *value, const struct literal *low,
                       const struct literal *high, bool other_sign)
{
    enum dtype unit = dtype_unit(value->shape->dtype);
    for (int64_t i = 0, n = literal_units(value); i < n; i++) {
        bool negative = real_is_negative(unit, literal_get(value, i));
        if (literal_get(low, i) != literal_get(high, i))
            literal_set(value, i, real_zero(unit, negative != other_sign));
    }
}

static bool has_nan(const struct literal *l)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (real_is_nan(unit, literal_get(l, i)))
            return true;
    return false;
}

void uses_settle(struct eval *ev)
{
    struct uses *u = ev->machine->uses;
    const struct profile *p = ev->machine->profile;
    struct literal *value = ev->out.value;
    struct literal *low = NULL, *high = NULL, *least = NULL, *most = NULL;
    const struct goal *g = ev->out.goals ? ev->out.goals[0] : NULL;
    const char *why;
    if (!u || !u->keeping || !g || value->shape->kind != SHAPE_ARRAY
        || dtype_class(dtype_unit(value->shape->dtype)) != DTYPE_FLOAT
        || has_nan(value)
        || !interval_goal_ends(ev->arena, u->flushing, g, &low, &high, &why)
        || !low
        || !interval_goal_ends(ev->arena, u->keeping, g, &least, &most, &why)
        || least)
        return;
    bool either = profile_rules(p, dtype_unit(value->shape->dtype)).subnormal
                  & ACCEPT_FLUSH_ANY_SIGN;
    int way = decide(ev->machine, ev->count + 1, either ? 2 : 1);
    value = literal_copy(ev->arena, value);
    if (way > 0)
        flush_open(value, low, high, way == 2);
    ev->out = (struct outcome){.value = value};
}

bool uses_any(const struct machine *m)
{
    return m->flush != MACHINE_KEEP || m->uses;
}

bool uses_spread(const struct machine *m)
{
    return m->uses && m->uses->spread;
}

/* Uses of element-wise operations spread; parameters and constants have none.
 */
static bool is_spread(const struct op *op)
{
    return op->spreads || op->elementwise || op->role != OP_ROLE_NONE;
}

/* A Reduce spreads where what it applies is one operation. */
bool uses_all_spread(const struct program *p)
{
    for (int c = 0; c < p->computation_count; c++) {
        const struct computation *own = p->computations[c];
        if (own != p->entry && own->count > own->parameter_count + 1)
            return false;
        for (int i = 0; i < own->count; i++)
            if (!is_spread(own->instructions[i]->op))
                return false;
    }
    return true;
}
