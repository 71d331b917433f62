/* vectors.c - see vectors.h and spec/vectors.md.  Tests: vectors.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/vectors.h"

#include <inttypes.h>
#include <string.h>

#include "interp/goal/rule.h"
#include "interp/judge/accept_text.h"
#include "interp/program/attribute.h"
#include "interp/program/evaluate.h"
#include "runner/plugin/custom_call.h"

const char *const vectors_left_texts[VECTORS_LEFT_COUNT] = {
#define LEFT(name, text) text,
    VECTORS_LEFT(LEFT)
#undef LEFT
};

/* ---- Units --------------------------------------------------------------- */

/* The sets of the units of one array. */
struct sets {
    const struct goal *goal;
    struct literal *low, *high; /* patterns */
    unsigned char *flags;
    bool whole, plain; /* judged as a whole; only its value, no flag */
};

/* Is an exact number halfway between its neighbours? */
static bool is_tie(enum dtype unit, const struct real *y)
{
    mpfr_t value, below, above;
    if (y->kind != REAL_FINITE || y->inexact)
        return false;
    uint64_t down = real_round_down(y, unit), up = real_round_up(y, unit);
    if (down == up || !real_is_finite(unit, down) || !real_is_finite(unit, up))
        return false;
    mpfr_inits2(512, value, below, above, (mpfr_ptr)0);
    real_to_mpfr(value, y);
    real_bits_to_mpfr(below, unit, down);
    real_bits_to_mpfr(above, unit, up);
    mpfr_add(below, below, above, MPFR_RNDN);
    mpfr_mul_2ui(value, value, 1, MPFR_RNDN);
    bool tie = mpfr_equal_p(value, below) != 0;
    mpfr_clears(value, below, above, (mpfr_ptr)0);
    return tie;
}

static unsigned flags_of(const struct goal *g, enum dtype unit, int64_t i,
                         uint64_t value)
{
    unsigned flags = 0;
    if (dtype_class(unit) != DTYPE_FLOAT)
        return 0;
    if (real_is_zero(unit, value) && real_has_negative_zero(unit))
        flags |= VECTORS_ZERO;
    if (real_is_subnormal(unit, value))
        flags |= VECTORS_SUBNORMAL;
    if (g->rule == GOAL_REAL && g->real.y) {
        const struct real *y = &g->real.y[i];
        if (y->kind == REAL_FINITE && !real_is_finite(unit, value))
            flags |= VECTORS_OVERFLOW;
        if (is_tie(unit, y))
            flags |= VECTORS_TIE;
    }
    return flags;
}

/* The ranges of a set as one interval around the value, and flags for zeros
 * beside it.  Other parts cannot be said: then anything is accepted. */
static unsigned reduce(const struct accept_set *set, enum dtype unit,
                       uint64_t value, uint64_t *low, uint64_t *high)
{
    bool is_float = dtype_class(unit) == DTYPE_FLOAT;
    bool is_nan = is_float && real_is_nan(unit, value);
    int64_t own = is_nan ? 0 : real_key(unit, value);
    int64_t plus = is_float ? real_key(unit, real_zero(unit, false)) : 0;
    int64_t minus = is_float ? real_key(unit, real_zero(unit, true)) : 0;
    unsigned flags = 0;
    *low = *high = value;
    if (set->any)
        return VECTORS_ANY;
    if (set->nan && set->nan_rule != ACCEPT_NAN_PAYLOAD)
        flags |= VECTORS_NAN;
    for (int i = 0; i < set->count; i++) {
        int64_t from = set->range[i].low, to = set->range[i].high;
        if (!is_nan && from <= own && own <= to) {
            *low = real_from_key(unit, from);
            *high = real_from_key(unit, to);
        } else if (is_float && from >= minus && to <= plus) {
            flags |= to == plus ? VECTORS_PLUS : 0;
            flags |= from == minus && minus != plus ? VECTORS_MINUS : 0;
        } else {
            flags |= VECTORS_ANY;
        }
    }
    return flags;
}

static void take_set(void *context, const struct verdict_wrong *w)
{
    struct sets *s = context;
    enum dtype unit = w->type;
    uint64_t value = literal_get(s->goal->value, w->unit), low, high;
    if (!w->has_set) {
        s->whole = true;
        return;
    }
    unsigned flags = reduce(&w->set, unit, value, &low, &high);
    for (const struct goal_other *o = goal_others(s->goal, w->unit); o;
         o = o->same)
        if (!accept_has(&w->set, unit, o->bits))
            flags |= VECTORS_ANY;
    if (s->goal->free_units && s->goal->free_units[w->unit])
        flags |= VECTORS_ANY;
    flags |= flags_of(s->goal, unit, w->unit, value);
    literal_set(s->low, w->unit, low);
    literal_set(s->high, w->unit, high);
    s->flags[w->unit] = (unsigned char)flags;
    s->plain = s->plain && flags == 0 && low == value && high == value;
}

/* False if it has none: it is judged as a whole. */
static bool find_sets(struct arena *a, const struct profile *p,
                      const struct goal *g, struct sets *s)
{
    int64_t units = literal_units(g->value);
    *s = (struct sets){.goal = g,
                       .low = literal_new(a, g->value->shape),
                       .high = literal_new(a, g->value->shape),
                       .flags = arena_alloc(a, (size_t)units + 1),
                       .whole = rule_basis(p, g).norm,
                       .plain = true};
    memset(s->flags, 0, (size_t)units + 1);
    if (!s->whole)
        accept_text_each(a, p, g, units, take_set, s);
    return !s->whole;
}

/* ---- Lines --------------------------------------------------------------- */

static int64_t bytes_of(const struct literal *l)
{
    return shape_elements(l->shape) * dtype_bytes(l->shape->dtype);
}

/* Append bytes to the arrays, at a multiple of 8; where they begin. */
static int64_t append(struct vectors *v, const void *bytes, int64_t n)
{
    static const char zeros[8];
    int64_t at = v->at, pad = (8 - n % 8) % 8;
    fwrite(bytes, 1, (size_t)n, v->arrays);
    fwrite(zeros, 1, (size_t)pad, v->arrays);
    v->at += n + pad;
    return at;
}

static const char *kind_of(enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT  ? "float"
           : dtype_class(unit) == DTYPE_SINT ? "signed"
                                             : "unsigned";
}

static void write_array(struct vectors *v, struct arena *a,
                        const struct literal *l, const struct sets *s)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    int64_t units = literal_units(l), n = bytes_of(l);
    const struct real_format *f = &real_formats[unit];
    bool is_float = dtype_class(unit) == DTYPE_FLOAT;
    fprintf(
        v->lines, "{\"shape\": %s, \"at\": %" PRId64 ", \"units\": %" PRId64,
        json_quote(a, shape_text(a, l->shape)), append(v, l->data, n), units);
    if (s) {
        /* The largest pattern without sign that is no NaN, and a NaN that is
         * below it: that of the types without -0. */
        uint64_t largest = !is_float            ? 0
                           : real_has_inf(unit) ? real_inf(unit, false)
                                                : f->max;
        bool odd = is_float && real_has_nan(unit)
                   && (real_nan(unit, false) & f->magnitude) <= largest;
        fprintf(v->lines,
                ", \"kind\": \"%s\", \"width\": %d, \"sign\": %d, \"largest\": "
                "%" PRIu64 ", \"nan\": %" PRId64,
                kind_of(unit), dtype_table[unit].bits,
                is_float ? f->sign != 0 : dtype_class(unit) == DTYPE_SINT,
                largest, odd ? (int64_t)real_nan(unit, false) : -1);
        if (s->plain)
            fprintf(v->lines, ", \"low\": -1, \"high\": -1, \"flags\": -1");
        else
            fprintf(v->lines,
                    ", \"low\": %" PRId64 ", \"high\": %" PRId64
                    ", \"flags\": %" PRId64,
                    append(v, s->low->data, n), append(v, s->high->data, n),
                    append(v, s->flags, units));
        v->units += units;
        for (int64_t i = 0; i < units; i++)
            v->open += (s->flags[i] & VECTORS_ANY) != 0;
    }
    fputs("}", v->lines);
}

/* Writes the members of a case that say what is computed: all but data and
 * comments. */
static void write_program(struct vectors *v, struct arena *a,
                          const struct test_case *t)
{
    static const char *const others[] = {"id",     "why",     "covers",
                                         "inputs", "expect",  "each",
                                         "source", "profile", "policies"};
    const char *comma = "";
    fputs("{", v->lines);
    for (const struct json *m = t->node->child; m; m = m->next) {
        bool other = false;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            other = other || strcmp(m->key, others[i]) == 0;
        if (other)
            continue;
        fprintf(v->lines, "%s%s: %s", comma, json_quote(a, m->key),
                attribute_json_text(a, m));
        comma = ", ";
    }
    fputs("}", v->lines);
}

static void write_case(struct vectors *v, struct arena *a,
                       const struct test_case *t, const struct outcome *out,
                       const struct sets *sets, int leaves)
{
    fprintf(v->lines, "{\"name\": %s, \"op\": %s, \"inputs\": [",
            json_quote(a, t->name), json_quote(a, t->op));
    for (int i = 0; i < t->input_count; i++) {
        fputs(i ? ", " : "", v->lines);
        write_array(v, a, t->inputs[0][i], NULL);
    }
    fputs("], \"outputs\": [", v->lines);
    for (int i = 0; i < leaves; i++) {
        fputs(i ? ", " : "", v->lines);
        write_array(v, a, literal_leaf(out->value, i), &sets[i]);
    }
    fputs("], \"program\": ", v->lines);
    write_program(v, a, t);
    fputs("}\n", v->lines);
    v->cases++;
}

/* ---- Cases --------------------------------------------------------------- */

static bool is_array(const struct literal *l)
{
    return l->shape->kind == SHAPE_ARRAY && !l->sizes;
}

static bool is_simple(const struct test_case *t)
{
    return t->op && t->replicas == 1 && !t->infeed && !t->outfeed
           && !t->policies && !t->profile && !json_member(t->node, "module")
           && !json_member(t->node, "programs");
}

static bool left(struct vectors *v, enum vectors_left why)
{
    v->left[why]++;
    return true;
}

static bool evaluate(struct vectors *v, struct arena *a,
                     const struct test_case *t, struct outcome *out)
{
    struct status st = {STATUS_OK};
    struct machine *m = arena_new(a, struct machine, 1);
    *m = (struct machine){.program = t->program,
                          .profile = v->profile,
                          .limits = v->limits,
                          .want_exact = true,
                          .replicas = 1,
                          .custom_calls = custom_call_lookup()};
    return evaluate_program(a, m, (struct literal *const *const *)t->inputs,
                            out, &st);
}

/* The sets of all leaves; how many bytes the case takes. */
static enum vectors_left find_all(struct vectors *v, struct arena *a,
                                  const struct test_case *t,
                                  const struct outcome *out, struct sets *sets,
                                  int leaves)
{
    int64_t bytes = 0;
    for (int i = 0; i < t->input_count; i++) {
        if (!is_array(t->inputs[0][i]))
            return VECTORS_DYNAMIC;
        bytes += bytes_of(t->inputs[0][i]);
    }
    for (int i = 0; i < leaves; i++) {
        const struct literal *l = literal_leaf(out->value, i);
        if (!is_array(l) || !out->goals || !out->goals[i])
            return VECTORS_DYNAMIC;
        bytes += bytes_of(l);
    }
    if (bytes > v->case_bytes)
        return VECTORS_LARGE;
    for (int i = 0; i < leaves; i++)
        if (!find_sets(a, v->profile, out->goals[i], &sets[i]))
            return VECTORS_WHOLE;
    return VECTORS_LEFT_COUNT;
}

bool vectors_add(struct vectors *v, struct arena *a,
                 const struct case_stub *stub, struct status *st)
{
    struct test_case *t;
    struct outcome *out = arena_new(a, struct outcome, 1);
    TRY(case_make(a, stub, NULL, v->limits, &t, st));
    if (t->error_count > 0 || t->rejected)
        return left(v, VECTORS_REJECTED);
    if (!is_simple(t))
        return left(v, VECTORS_PROGRAM);
    if (!evaluate(v, a, t, out))
        return left(v, VECTORS_LIMIT);
    int leaves = shape_leaves(out->value->shape);
    struct sets *sets = arena_new(a, struct sets, (size_t)leaves + 1);
    enum vectors_left why = find_all(v, a, t, out, sets, leaves);
    if (why != VECTORS_LEFT_COUNT)
        return left(v, why);
    write_case(v, a, t, out, sets, leaves);
    return true;
}
