/* conv.c - see conv.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each element is a sum of products over the entries of the window that lie on
 * elements of lhs, and over the input features of its group.  Nothing is
 * copied: the window's entries are recomputed at each position.
 */
#include "interp/ops/conv.h"

#include <inttypes.h>

#include "gen/policy/conv_int_overflow.h"
#include "gen/policy/conv_padding.h"
#include "interp/ops/dot.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/window.h"
#include "interp/program/attribute.h"
#include "interp/program/spatial.h"

/* The operands, and the sides that they and the result are. */
enum {
    LHS = SPATIAL_LHS,
    RHS = SPATIAL_RHS,
    OUT = SPATIAL_OUT,
    SIDES = SPATIAL_SIDES
};

static bool check_numbers(const struct infer *in,
                          const struct spatial_numbers *n, struct status *st)
{
    for (int side = 0; side < SIDES; side++) {
        int64_t all[SHAPE_RANK_MAX];
        struct dimnums list = dimnums_get(in->in, spatial_names[side]);
        if (attribute_find(in->in, spatial_names[side]))
            TRY(dimnums_count(in, &list, n->spatial, st));
        all[0] = n->first[side];
        all[1] = n->second[side];
        for (int i = 0; i < n->spatial; i++)
            all[i + 2] = n->at[side][i];
        list.at = all;
        list.count = n->spatial + 2;
        TRY(dimnums_check(in, &list, n->spatial + 2, false, st));
    }
    return true;
}

static const struct window_names dilations = {ATTRIBUTE_LHS_DILATION,
                                              ATTRIBUTE_RHS_DILATION};

static void get_sizes(const struct spatial_numbers *n, const struct shape *lhs,
                      const struct shape *rhs, int64_t *sizes, int64_t *windows)
{
    for (int i = 0; i < n->spatial; i++) {
        sizes[i] = lhs->dims[n->at[LHS][i]];
        windows[i] = rhs->dims[n->at[RHS][i]];
    }
}

/* ---- Shapes -------------------------------------------------------------- */

static bool check_groups(const struct infer *in,
                         const struct spatial_numbers *n, struct status *st)
{
    const struct shape *lhs = in->operands[LHS], *rhs = in->operands[RHS];
    int64_t features = attribute_int(in->in, ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
    int64_t batches = attribute_int(in->in, ATTRIBUTE_BATCH_GROUP_COUNT, 1);
    int64_t batch = lhs->dims[n->first[LHS]], given = lhs->dims[n->second[LHS]];
    int64_t out = rhs->dims[n->first[RHS]], taken = rhs->dims[n->second[RHS]];
    if (features < 1 || batches < 1)
        return FAIL(st, ATTRIBUTE,
                    "%s: feature_group_count is %" PRId64
                    ", batch_group_count %" PRId64 "; expected at least 1",
                    in->op->name, features, batches);
    if (features > 1 && batches > 1)
        return FAIL(st, ATTRIBUTE, "%s: both group counts are greater than 1",
                    in->op->name);
    if (given % features != 0 || given / features != taken)
        return FAIL(st, SHAPE,
                    "%s: lhs has %" PRId64 " features for %" PRId64
                    " groups; rhs takes %" PRId64 " a group",
                    in->op->name, given, features, taken);
    if (out % features != 0)
        return FAIL(st, SHAPE,
                    "%s: %" PRId64 " feature groups do not divide %" PRId64
                    " output features",
                    in->op->name, features, out);
    if (batch % batches != 0 || out % batches != 0)
        return FAIL(st, SHAPE,
                    "%s: %" PRId64 " batch groups do not divide a batch of "
                    "%" PRId64 " and %" PRId64 " output features",
                    in->op->name, batches, batch, out);
    return true;
}

static bool check_window(const struct infer *in,
                         const struct spatial_numbers *n, struct window *w,
                         struct status *st)
{
    const struct attribute *reversal =
        attribute_find(in->in, ATTRIBUTE_WINDOW_REVERSAL);
    int64_t sizes[SHAPE_RANK_MAX], windows[SHAPE_RANK_MAX];
    get_sizes(n, in->operands[LHS], in->operands[RHS], sizes, windows);
    for (int i = 0; i < n->spatial; i++)
        if (windows[i] == 0)
            return FAIL(st, SHAPE, "%s: spatial dimension %d of rhs is empty",
                        in->op->name, i);
    if (reversal && reversal->count != n->spatial)
        return FAIL(st, ATTRIBUTE,
                    "%s: window_reversal has %d entries; expected %d",
                    in->op->name, reversal->count, n->spatial);
    return window_infer(in, &dilations, n->spatial, sizes, windows, w, st);
}

/* Batches and input features may be dynamic, as in XLA. */
static bool check_dynamic(const struct infer *in,
                          const struct spatial_numbers *n, struct status *st)
{
    const struct shape *rhs = in->operands[RHS];
    bool lhs_may[SHAPE_RANK_MAX] = {false}, rhs_may[SHAPE_RANK_MAX] = {false};
    bool batches = attribute_int(in->in, ATTRIBUTE_BATCH_GROUP_COUNT, 1) > 1;
    bool features = attribute_int(in->in, ATTRIBUTE_FEATURE_GROUP_COUNT, 1) > 1;
    if (dynamic_is(rhs, n->first[RHS]))
        return FAIL(st, SHAPE,
                    "%s: rhs is %s: the number of output features cannot be "
                    "dynamic",
                    in->op->name, shape_text(in->arena, rhs));
    lhs_may[n->first[LHS]] = !batches;
    lhs_may[n->second[LHS]] = rhs_may[n->second[RHS]] = !features;
    const char *why = "only batch and input features may be dynamic, and "
                      "only with one group";
    return dynamic_refuse(in, LHS, lhs_may, why, st)
           && dynamic_refuse(in, RHS, rhs_may, why, st);
}

bool conv_infer(struct infer *in, struct status *st)
{
    const struct shape *lhs = in->operands[LHS], *rhs = in->operands[RHS];
    enum dtype type;
    struct window w;
    int64_t dims[SHAPE_RANK_MAX];
    bool flags[SHAPE_RANK_MAX] = {false};
    TRY(dot_infer_type(in, &type, st));
    if (lhs->rank != rhs->rank || lhs->rank < 2)
        return FAIL(st, SHAPE,
                    "%s: lhs is %s, rhs %s; expected equal ranks, at least 2",
                    in->op->name, shape_text(in->arena, lhs),
                    shape_text(in->arena, rhs));
    struct spatial_numbers n = spatial_get(in->in, lhs->rank - 2);
    TRY(check_numbers(in, &n, st));
    TRY(check_groups(in, &n, st));
    TRY(check_window(in, &n, &w, st));
    TRY(check_dynamic(in, &n, st));
    dims[n.first[OUT]] =
        lhs->dims[n.first[LHS]]
        / attribute_int(in->in, ATTRIBUTE_BATCH_GROUP_COUNT, 1);
    dims[n.second[OUT]] = rhs->dims[n.first[RHS]];
    for (int i = 0; i < n.spatial; i++)
        dims[n.at[OUT][i]] = w.dims[i].positions;
    flags[n.first[OUT]] = dynamic_is(lhs, n.first[LHS]);
    TRY(infer_array(in, type, lhs->rank, dims, st));
    dynamic_mark(in, flags);
    return true;
}

/* ---- Values -------------------------------------------------------------- */

struct conv {
    struct eval *ev;
    const struct literal *lhs, *rhs;
    struct spatial_numbers n;
    struct window w;
    struct window_hits *hits;
    struct dot_sum *sum;
    struct goal *goal;
    int64_t strides[2][SHAPE_RANK_MAX];
    bool reversed[SHAPE_RANK_MAX];
    int64_t batch_size;    /* of the result */
    int64_t batch_run;     /* output features of one batch group */
    int64_t feature_run;   /* output features of one feature group */
    int64_t taken;         /* input features of one group */
    bool is_float;         /* or complex */
    bool must_be_nan;      /* policy conv.padding is zero */
    bool special;          /* rhs has infinite elements or NaN */
    bool saturate, either; /* integers beyond the result's type */
    real_u128 exact;       /* sum of small integers, modulo 2^128 */
};

/* The entries of the window that are hit, one after the other. */
struct entry {
    int64_t digits[SHAPE_RANK_MAX];
};

static int64_t kernel_at(const struct conv *c, int d, int64_t k)
{
    if (c->reversed[d])
        k = c->w.dims[d].window - 1 - k;
    return k * c->strides[RHS][c->n.at[RHS][d]];
}

static void add_pair(struct conv *c, int64_t i, int64_t j)
{
    dot_sum_add(c->sum, c->lhs, i, c->rhs, j);
    if (c->saturate) {
        enum dtype t = c->lhs->shape->dtype;
        int64_t x = dtype_sign_extend(t, literal_get(c->lhs, i));
        int64_t y = dtype_sign_extend(t, literal_get(c->rhs, j));
        c->exact += (real_u128)x * (real_u128)y;
    }
}

/* All input features of one entry. */
static void add_features(struct conv *c, int64_t i, int64_t j)
{
    int64_t left = c->strides[LHS][c->n.second[LHS]];
    int64_t right = c->strides[RHS][c->n.second[RHS]];
    for (int64_t f = 0; f < c->taken; f++)
        add_pair(c, i + f * left, j + f * right);
}

static void add_window(struct conv *c, int64_t i, int64_t j)
{
    struct entry e = {{0}};
    for (int d = 0; d < c->n.spatial; d++)
        if (c->hits[d].count == 0)
            return;
    for (;;) {
        int64_t x = i, y = j;
        int d = 0;
        for (; d < c->n.spatial; d++) {
            struct window_hit h = c->hits[d].at[e.digits[d]];
            x += h.base * c->strides[LHS][c->n.at[LHS][d]];
            y += kernel_at(c, d, h.window);
        }
        add_features(c, x, y);
        for (d = c->n.spatial - 1; d >= 0; d--) {
            if (++e.digits[d] < c->hits[d].count)
                break;
            e.digits[d] = 0;
        }
        if (d < 0)
            return;
    }
}

static bool is_hit(const struct window_hits *hits, int64_t k)
{
    for (int64_t i = 0; i < hits->count; i++)
        if (hits->at[i].window == k)
            return true;
    return false;
}

/* Is an infinite element or a NaN of rhs, in the window that begins at j, on
 * padding or a hole? */
static bool special_unhit(const struct conv *c, int64_t j)
{
    int64_t index[SHAPE_RANK_MAX] = {0}, dims[SHAPE_RANK_MAX];
    enum dtype type = c->rhs->shape->dtype, unit = dtype_unit(type);
    int units = dtype_units(type);
    for (int d = 0; d < c->n.spatial; d++)
        dims[d] = c->w.dims[d].window;
    do {
        bool hit = true;
        int64_t y = j;
        for (int d = 0; d < c->n.spatial; d++) {
            hit = hit && is_hit(&c->hits[d], index[d]);
            y += kernel_at(c, d, index[d]);
        }
        for (int64_t f = 0; !hit && f < c->taken; f++) {
            int64_t at = y + f * c->strides[RHS][c->n.second[RHS]];
            for (int u = 0; u < units; u++)
                if (!real_is_finite(unit, literal_get(c->rhs, at * units + u)))
                    return true;
        }
    } while (shape_next_index(c->n.spatial, dims, index));
    return false;
}

/* Policy conv.int.overflow. */
static void finish_integer(struct conv *c, int64_t element)
{
    enum dtype type = c->goal->value->shape->dtype;
    uint64_t high = dtype_mask(type), low = 0;
    bool negative = c->exact >> 127 != 0;
    if (dtype_class(type) == DTYPE_SINT) {
        high >>= 1;
        low = high + 1; /* without its sign */
    }
    if (negative ? -c->exact <= low : c->exact <= high)
        return;
    uint64_t bits = negative ? low : high;
    if (!c->either)
        literal_set(c->goal->value, element, bits);
    else if (c->ev->want_exact)
        goal_or(c->goal, element, bits);
}

/* The sign of zero; and policy conv.padding: zeros times the kernel were added,
 * or may have been. */
static void finish_float(struct conv *c, int64_t element, int64_t j)
{
    enum dtype type = c->goal->value->shape->dtype, unit = dtype_unit(type);
    bool nan = c->special && special_unhit(c, j);
    for (int u = 0; u < dtype_units(type); u++) {
        int64_t at = element * dtype_units(type) + u;
        uint64_t bits = literal_get(c->goal->value, at);
        if (real_is_zero(unit, bits) && real_is_negative(unit, bits)) {
            /* The pseudocode begins with 0, the sum of the terms is -0. */
            literal_set(c->goal->value, at, real_zero(unit, false));
            if (c->ev->want_exact)
                goal_or(c->goal, at, bits);
        }
        if (nan && c->must_be_nan)
            goal_bits(c->goal, at, real_nan(unit, false));
        else if (nan && c->ev->want_exact && unit == type)
            goal_nan_unit(c->goal, at);
        else if (nan && c->ev->want_exact)
            goal_free_unit(c->goal, at);
    }
}

static void one_element(struct conv *c, int64_t element, const int64_t *index)
{
    const struct spatial_numbers *n = &c->n;
    int64_t feature = index[n->second[OUT]];
    int64_t batch = index[n->first[OUT]];
    int64_t i = 0, j = feature * c->strides[RHS][n->first[RHS]];
    for (int d = 0; d < n->spatial; d++)
        if (c->hits[d].position != index[n->at[OUT][d]])
            window_find(&c->w.dims[d], index[n->at[OUT][d]], &c->hits[d]);
    batch += feature / c->batch_run * c->batch_size;
    i += batch * c->strides[LHS][n->first[LHS]];
    i += feature / c->feature_run * c->taken * c->strides[LHS][n->second[LHS]];
    c->exact = 0;
    dot_sum_start(c->sum);
    add_window(c, i, j);
    dot_sum_finish(c->sum, element);
    if (c->saturate)
        finish_integer(c, element);
    if (c->is_float)
        finish_float(c, element, j);
}

static bool has_special(const struct literal *l)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return false;
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (!real_is_finite(unit, literal_get(l, i)))
            return true;
    return false;
}

static void read_policies(struct conv *c)
{
    enum dtype from = c->lhs->shape->dtype, to = c->goal->value->shape->dtype;
    const struct profile *p = c->ev->machine->profile;
    bool small = dtype_table[from].bits <= 32 && dtype_table[to].bits <= 32;
    c->is_float = dtype_class(to) >= DTYPE_FLOAT;
    c->saturate = dtype_is_integer(to) && small;
    switch (profile_conv_int_overflow(p)) {
    case CONV_INT_OVERFLOW_WRAP:
        c->saturate = false;
        break;
    case CONV_INT_OVERFLOW_EITHER:
        c->either = true;
        break;
    case CONV_INT_OVERFLOW_SATURATE:
        break;
    }
    c->special = true;
    switch (profile_conv_padding(p)) {
    case CONV_PADDING_SKIPPED:
        c->special = false;
        break;
    case CONV_PADDING_ZERO:
        c->must_be_nan = true;
        break;
    case CONV_PADDING_EITHER:
        break;
    }
    c->special = c->special && has_special(c->rhs);
}

static void open(struct conv *c)
{
    const struct shape *lhs = c->lhs->shape, *rhs = c->rhs->shape;
    const struct attribute *reversal =
        attribute_find(c->ev->in, ATTRIBUTE_WINDOW_REVERSAL);
    int64_t sizes[SHAPE_RANK_MAX], windows[SHAPE_RANK_MAX];
    int64_t out = rhs->dims[c->n.first[RHS]];
    get_sizes(&c->n, lhs, rhs, sizes, windows);
    window_get(c->ev->in, &dilations, c->n.spatial, sizes, windows, &c->w);
    c->hits = window_hits_new(c->ev->arena, &c->w);
    shape_strides(lhs->rank, lhs->dims, c->strides[LHS]);
    shape_strides(rhs->rank, rhs->dims, c->strides[RHS]);
    for (int d = 0; reversal && d < c->n.spatial; d++)
        c->reversed[d] = reversal->ints[d] != 0;
    c->taken = rhs->dims[c->n.second[RHS]];
    c->batch_size = c->ev->in->shape->dims[c->n.first[OUT]];
    c->batch_run =
        out / attribute_int(c->ev->in, ATTRIBUTE_BATCH_GROUP_COUNT, 1);
    c->feature_run =
        out / attribute_int(c->ev->in, ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
}

static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    struct spatial_numbers n = spatial_get(ev->in, ev->in->shape->rank - 2);
    if (attribute_int(ev->in, ATTRIBUTE_FEATURE_GROUP_COUNT, 1) == 1)
        TRY(dynamic_pair(&p, LHS, n.second[LHS], RHS, n.second[RHS], st));
    return dynamic_eval(&p, st);
}

bool conv_eval(struct eval *ev, struct status *st)
{
    bool done;
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    TRY(dot_open(ev, &done, st));
    if (done)
        return true;
    const struct shape *s = ev->in->shape;
    struct conv c = {.ev = ev, .lhs = ev->operands[LHS]};
    int64_t elements = shape_elements(s), index[SHAPE_RANK_MAX] = {0};
    c.rhs = ev->operands[RHS];
    c.n = spatial_get(ev->in, s->rank - 2);
    c.goal = dot_sum_goal(ev, s);
    c.sum = dot_sum_open(ev, c.goal);
    read_policies(&c);
    if (elements > 0) {
        open(&c);
        TRY(window_limit(ev, elements,
                         shape_elements(c.rhs->shape)
                             / c.rhs->shape->dims[c.n.first[RHS]],
                         st));
    }
    for (int64_t i = 0; i < elements; i++) {
        one_element(&c, i, index);
        shape_next_index(s->rank, s->dims, index);
    }
    return eval_return_one(ev, c.goal);
}

const struct stablehlo_form conv_form = {
    .attributes = stablehlo_attribute_convolution,
    .hides = stablehlo_hidden_features,
    .why = "convolution may have dynamic output features"};
