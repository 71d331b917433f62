/* test_window.c - operations with windows against their definitions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The models make what the text speaks of (004:512-550, 004:1364-1415): the
 * base with its holes and its padding as an array of its own, and walk windows
 * over it, entry by entry.  All data are small integers, so every order gives
 * the same.  ASSAY_SAMPLES sets how many random windows are tried.
 */
#include <stdio.h>
#include <stdlib.h>

#include "interp/base/random.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

enum {
    RANK = 4
};

/* One window, drawn at random; by dimension. */
struct sample {
    int rank;
    int64_t size[RANK], window[RANK], stride[RANK], pad[2 * RANK];
    int64_t base[RANK], hole[RANK], reversed[RANK];
    int64_t padded[RANK], positions[RANK];
};

static struct arena arena;
static struct random dice;

static int64_t draw(int64_t low, int64_t high)
{
    return random_between(&dice, low, high);
}

/* Sizes of what is made, and of the result. */
static void measure(struct sample *s)
{
    for (int d = 0; d < s->rank; d++) {
        int64_t n = 0, at = 0;
        for (int64_t i = 0; i < s->size[d]; i++)
            n = i == 0 ? 1 : n + s->base[d];
        n += s->pad[2 * d] + s->pad[2 * d + 1];
        s->padded[d] = n > 0 ? n : 0;
        s->positions[d] = 0;
        while (n > 0 && at + (s->window[d] - 1) * s->hole[d] < n) {
            s->positions[d]++;
            at += s->stride[d];
        }
    }
}

static void draw_sample(struct sample *s, int rank, int64_t smallest)
{
    s->rank = rank;
    for (int d = 0; d < rank; d++) {
        s->size[d] = draw(smallest, 5);
        s->window[d] = draw(1, draw(0, 3) ? 3 : 6);
        s->stride[d] = draw(1, 3);
        s->base[d] = draw(0, 1) ? 1 : draw(1, 3);
        s->hole[d] = draw(0, 1) ? 1 : draw(1, 3);
        s->reversed[d] = draw(0, 1);
        for (int side = 0; side < 2; side++)
            s->pad[2 * d + side] = draw(0, 1) ? 0 : draw(-2, 4);
    }
    measure(s);
}

/* Element of the base at an index of the padded array; -1: padding, hole. */
static int64_t base_at(const struct sample *s, int d, int64_t i)
{
    i -= s->pad[2 * d];
    if (i < 0 || i % s->base[d] != 0 || i / s->base[d] >= s->size[d])
        return -1;
    return i / s->base[d];
}

static const char *sizes_text(const char *type, int rank, const int64_t *dims)
{
    const char *text = arena_printf(&arena, "%s[", type);
    for (int d = 0; d < rank; d++)
        text = arena_printf(&arena, "%s%s%d", text, d ? "," : "", (int)dims[d]);
    return arena_printf(&arena, "%s]", text);
}

static const char *sample_text(const struct sample *s)
{
    const char *text = "";
    for (int d = 0; d < s->rank; d++)
        text = arena_printf(&arena,
                            "%s [%d: window %d/%d stride %d base/%d pad %d,%d]",
                            text, (int)s->size[d], (int)s->window[d],
                            (int)s->hole[d], (int)s->stride[d], (int)s->base[d],
                            (int)s->pad[2 * d], (int)s->pad[2 * d + 1]);
    return text;
}

static int64_t fit(enum dtype t, int64_t x)
{
    return dtype_is_integer(t)
               ? dtype_sign_extend(t, (uint64_t)x & dtype_mask(t))
               : x;
}

/* ---- ReduceWindow -------------------------------------------------------- */

static const char *const folds[] = {"add", "max", "min", "second"};

static int64_t fold(int which, int64_t a, int64_t b)
{
    switch (which) {
    case 0:
        return a + b;
    case 1:
        return a > b ? a : b;
    case 2:
        return a < b ? a : b;
    default:
        return b;
    }
}

/* The window at an index of the result, over the array that was padded with
 * the initial value. */
static int64_t slow_reduce(const struct sample *s, const struct literal *l,
                           int64_t init, int which, const int64_t *index)
{
    int64_t entry[RANK] = {0}, acc = init;
    do {
        int64_t at = 0, value;
        for (int d = 0; d < s->rank && at >= 0; d++) {
            int64_t i =
                base_at(s, d, index[d] * s->stride[d] + entry[d] * s->hole[d]);
            at = i < 0 ? -1 : at * s->size[d] + i;
        }
        value = at < 0 ? init : slow_program_int_at(l, at);
        acc = fold(which, acc, value);
    } while (shape_next_index(s->rank, s->window, entry));
    return acc;
}

static void check_reduce(int turn)
{
    static const char *const types[] = {"s32", "f32", "s8", "f64"};
    struct sample s;
    int which = (int)draw(0, 3);
    const char *type = types[draw(0, 3)];
    int64_t init = draw(0, 1) ? 0 : draw(-3, 3), index[RANK] = {0}, wrong = 0;
    draw_sample(&s, (int)draw(0, RANK - 1), 0);
    struct slow_program *p = slow_program_new(&arena, "ReduceWindow");
    struct literal *l = slow_program_random(
        &arena, sizes_text(type, s.rank, s.size), (uint64_t)turn, -4, 4);
    slow_program_operand(p, l);
    slow_program_values(p, sizes_text(type, 0, NULL), 1, &init);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, folds[which]);
    slow_program_ints(p, ATTRIBUTE_WINDOW_DIMENSIONS, s.rank, s.window);
    slow_program_ints(p, ATTRIBUTE_WINDOW_STRIDES, s.rank, s.stride);
    slow_program_ints(p, ATTRIBUTE_PADDING, 2 * s.rank, s.pad);
    slow_program_ints(p, ATTRIBUTE_BASE_DILATIONS, s.rank, s.base);
    slow_program_ints(p, ATTRIBUTE_WINDOW_DILATIONS, s.rank, s.hole);
    p->want_exact = turn & 1;
    if (!slow_program_run(p)) {
        OK(false, "%s:%s: %s", folds[which], sample_text(&s), p->status.text);
        return;
    }
    const struct literal *got = slow_program_value(p);
    for (int d = 0; d < s.rank; d++)
        wrong += got->shape->dims[d] != s.positions[d];
    for (int64_t i = 0, n = wrong ? 0 : shape_elements(got->shape); i < n;
         i++) {
        wrong +=
            slow_program_int_at(got, i)
            != fit(l->shape->dtype, slow_reduce(&s, l, init, which, index));
        shape_next_index(s.rank, s.positions, index);
    }
    if (wrong)
        OK(false, "%s init %d:%s: %d wrong", folds[which], (int)init,
           sample_text(&s), (int)wrong);
}

/* ---- SelectAndScatter ---------------------------------------------------- */

/* The element of l that the window at an index selects, or -1: of equal ones
 * the first (ge), or the last (gt). */
static int64_t slow_select(const struct sample *s, const struct literal *l,
                           bool last, const int64_t *index)
{
    int64_t entry[RANK] = {0}, best = -1;
    do {
        int64_t at = 0;
        for (int d = 0; d < s->rank && at >= 0; d++) {
            int64_t i = base_at(s, d, index[d] * s->stride[d] + entry[d]);
            at = i < 0 ? -1 : at * s->size[d] + i;
        }
        if (at < 0)
            continue;
        int64_t x = slow_program_int_at(l, at);
        int64_t y = best < 0 ? INT64_MIN : slow_program_int_at(l, best);
        if (best < 0 || x > y || (x == y && last))
            best = at;
    } while (shape_next_index(s->rank, s->window, entry));
    return best;
}

static struct slow_program *select_program(const struct sample *s, bool last,
                                           int which)
{
    struct slow_program *p = slow_program_new(&arena, "SelectAndScatter");
    slow_program_builtin(p, ATTRIBUTE_SELECT, last ? "gt" : "ge");
    slow_program_builtin(p, ATTRIBUTE_SCATTER, folds[which]);
    slow_program_ints(p, ATTRIBUTE_WINDOW_DIMENSIONS, s->rank, s->window);
    slow_program_ints(p, ATTRIBUTE_WINDOW_STRIDES, s->rank, s->stride);
    slow_program_ints(p, ATTRIBUTE_PADDING, 2 * s->rank, s->pad);
    return p;
}

static void check_select(int turn)
{
    static const char *const types[] = {"s32", "f32", "s8", "f64"};
    struct sample s;
    int which = (int)draw(0, 2);
    bool last = draw(0, 1);
    const char *type = types[draw(0, 3)];
    int64_t init = draw(-3, 3), index[RANK] = {0}, wrong = 0;
    draw_sample(&s, (int)draw(0, RANK - 1), 0);
    for (int d = 0; d < s.rank; d++)
        s.base[d] = s.hole[d] = 1;
    measure(&s);
    struct slow_program *p = select_program(&s, last, which);
    struct literal *l = slow_program_random(
        &arena, sizes_text(type, s.rank, s.size), (uint64_t)turn, -2, 2);
    struct literal *source =
        slow_program_random(&arena, sizes_text(type, s.rank, s.positions),
                            (uint64_t)turn + 9, -4, 4);
    slow_program_operand(p, l);
    slow_program_operand(p, source);
    slow_program_values(p, sizes_text(type, 0, NULL), 1, &init);
    p->want_exact = turn & 1;
    if (!slow_program_run(p)) {
        OK(false, "select:%s: %s", sample_text(&s), p->status.text);
        return;
    }
    int64_t n = shape_elements(l->shape);
    int64_t *want = arena_new(&arena, int64_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        want[i] = init;
    for (int64_t i = 0; i < shape_elements(source->shape); i++) {
        int64_t at = slow_select(&s, l, last, index);
        if (at >= 0)
            want[at] = fold(which, want[at], slow_program_int_at(source, i));
        shape_next_index(s.rank, s.positions, index);
    }
    const struct literal *got = slow_program_value(p);
    for (int64_t i = 0; i < n; i++)
        wrong += slow_program_int_at(got, i) != fit(l->shape->dtype, want[i]);
    if (wrong)
        OK(false, "select, %s:%s: %d wrong", folds[which], sample_text(&s),
           (int)wrong);
}

/* ---- Convolutions -------------------------------------------------------- */

struct conv {
    struct sample s;
    const char *type;
    int64_t batch, given, out, taken, features, batches; /* group counts */
    int64_t order[3][RANK + 2]; /* where batch, feature, spatial ... stand */
    int64_t dims[3][RANK + 2];
};

static void shuffle(int64_t *order, int n)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int64_t k = draw(0, i), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
}

static void draw_conv(struct conv *c)
{
    static const char *const types[] = {"s32", "f32", "s8", "f64", "bf16"};
    const struct sample *s = &c->s;
    draw_sample(&c->s, (int)draw(0, RANK - 1), 0);
    c->type = types[draw(0, 4)];
    c->features = draw(0, 2) ? 1 : draw(1, 3);
    c->batches = c->features > 1 || draw(0, 1) ? 1 : draw(1, 3);
    c->taken = draw(0, 9) ? draw(1, 3) : 0;
    c->given = c->taken * c->features;
    c->batch = c->batches * draw(0, 2);
    c->out = c->features * c->batches * draw(1, 2);
    for (int side = 0; side < 3; side++)
        shuffle(c->order[side], s->rank + 2);
    c->dims[0][c->order[0][0]] = c->batch;
    c->dims[0][c->order[0][1]] = c->given;
    c->dims[1][c->order[1][0]] = c->out;
    c->dims[1][c->order[1][1]] = c->taken;
    c->dims[2][c->order[2][0]] = c->batch / c->batches;
    c->dims[2][c->order[2][1]] = c->out;
    for (int d = 0; d < s->rank; d++) {
        c->dims[0][c->order[0][d + 2]] = s->size[d];
        c->dims[1][c->order[1][d + 2]] = s->window[d];
        c->dims[2][c->order[2][d + 2]] = s->positions[d];
    }
}

/* The element of a side at batch (or output feature), feature, places. */
static int64_t element(const struct conv *c, int side, const struct literal *l,
                       int64_t first, int64_t second, const int64_t *places)
{
    int64_t index[RANK + 2];
    int rank = c->s.rank + 2;
    index[c->order[side][0]] = first;
    index[c->order[side][1]] = second;
    for (int d = 0; d < c->s.rank; d++)
        index[c->order[side][d + 2]] = places[d];
    return slow_program_int_at(l, shape_linear(rank, c->dims[side], index));
}

/* 004:538-550, with groups: run g of the output features reads run g of the
 * input features, or of the batch. */
static int64_t slow_conv(const struct conv *c, const struct literal *lhs,
                         const struct literal *rhs, const int64_t *out)
{
    const struct sample *s = &c->s;
    int64_t b = out[c->order[2][0]], oz = out[c->order[2][1]], sum = 0;
    int64_t k[RANK] = {0}, at[RANK], from[RANK];
    int64_t run = oz / (c->out / (c->features * c->batches));
    do {
        bool inside = true;
        for (int d = 0; d < s->rank; d++) {
            int64_t o = out[c->order[2][d + 2]];
            at[d] = base_at(s, d, o * s->stride[d] + k[d] * s->hole[d]);
            inside = inside && at[d] >= 0;
            from[d] = s->reversed[d] ? s->window[d] - 1 - k[d] : k[d];
        }
        for (int64_t z = 0; inside && z < c->taken; z++) {
            int64_t iz = c->features > 1 ? run * c->taken + z : z;
            int64_t ib = c->batches > 1 ? run * (c->batch / c->batches) + b : b;
            sum += element(c, 0, lhs, ib, iz, at)
                   * element(c, 1, rhs, oz, z, from);
        }
    } while (shape_next_index(s->rank, s->window, k));
    return sum;
}

static void set_numbers(struct slow_program *p, const struct conv *c)
{
    static const enum attribute_name names[3][3] = {
        {ATTRIBUTE_INPUT_BATCH_DIMENSION, ATTRIBUTE_INPUT_FEATURE_DIMENSION,
         ATTRIBUTE_INPUT_SPATIAL_DIMENSIONS},
        {ATTRIBUTE_KERNEL_OUTPUT_FEATURE_DIMENSION,
         ATTRIBUTE_KERNEL_INPUT_FEATURE_DIMENSION,
         ATTRIBUTE_KERNEL_SPATIAL_DIMENSIONS},
        {ATTRIBUTE_OUTPUT_BATCH_DIMENSION, ATTRIBUTE_OUTPUT_FEATURE_DIMENSION,
         ATTRIBUTE_OUTPUT_SPATIAL_DIMENSIONS}};
    for (int side = 0; side < 3; side++)
        for (int k = 0; k < 3; k++) {
            enum attribute_name name = names[side][k];
            if (k == 2)
                slow_program_ints(p, name, c->s.rank, c->order[side] + 2);
            else
                slow_program_int(p, name, c->order[side][k]);
        }
}

static struct slow_program *conv_program(const struct conv *c)
{
    const struct sample *s = &c->s;
    struct slow_program *p = slow_program_new(&arena, "ConvGeneralDilated");
    slow_program_ints(p, ATTRIBUTE_WINDOW_STRIDES, s->rank, s->stride);
    slow_program_ints(p, ATTRIBUTE_PADDING, 2 * s->rank, s->pad);
    slow_program_ints(p, ATTRIBUTE_LHS_DILATION, s->rank, s->base);
    slow_program_ints(p, ATTRIBUTE_RHS_DILATION, s->rank, s->hole);
    slow_program_ints(p, ATTRIBUTE_WINDOW_REVERSAL, s->rank, s->reversed);
    slow_program_int(p, ATTRIBUTE_FEATURE_GROUP_COUNT, c->features);
    slow_program_int(p, ATTRIBUTE_BATCH_GROUP_COUNT, c->batches);
    set_numbers(p, c);
    return p;
}

static void check_conv(int turn)
{
    struct conv c;
    int64_t index[RANK + 2] = {0}, wrong = 0;
    draw_conv(&c);
    int rank = c.s.rank + 2;
    /* bf16 holds integers up to 256 exactly: small ones for small sums. */
    int64_t most = c.type[0] == 'b' ? 1 : 4;
    struct slow_program *p = conv_program(&c);
    struct literal *lhs =
        slow_program_random(&arena, sizes_text(c.type, rank, c.dims[0]),
                            (uint64_t)turn, -most, most);
    struct literal *rhs =
        slow_program_random(&arena, sizes_text(c.type, rank, c.dims[1]),
                            (uint64_t)turn + 1, -most, most);
    slow_program_operand(p, lhs);
    slow_program_operand(p, rhs);
    p->want_exact = turn & 1;
    if (!slow_program_run(p)) {
        OK(false, "conv:%s: %s", sample_text(&c.s), p->status.text);
        return;
    }
    const struct literal *got = slow_program_value(p);
    for (int d = 0; d < rank; d++)
        wrong += got->shape->dims[d] != c.dims[2][d];
    for (int64_t i = 0, n = wrong ? 0 : shape_elements(got->shape); i < n;
         i++) {
        wrong += slow_program_int_at(got, i)
                 != fit(lhs->shape->dtype, slow_conv(&c, lhs, rhs, index));
        shape_next_index(rank, c.dims[2], index);
    }
    if (wrong)
        OK(false, "conv %s groups %d, %d:%s: %d wrong", c.type, (int)c.features,
           (int)c.batches, sample_text(&c.s), (int)wrong);
}

/* ---- By hand ------------------------------------------------------------- */

/* The initial value is in padding and holes, or (policy) does not: 1 2
 * with a hole between and padding on both sides, windows of 5, init 10. */
static void test_padding(void)
{
    static const int64_t values[] = {1, 2}, ten[] = {10};
    struct slow_program *p = slow_program_new(&arena, "ReduceWindow");
    slow_program_values(p, "s32[2]", 2, values);
    slow_program_values(p, "s32[]", 1, ten);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
    slow_program_int(p, ATTRIBUTE_WINDOW_DIMENSIONS, 5);
    slow_program_int(p, ATTRIBUTE_WINDOW_STRIDES, 1);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_PADDING, 1, 1);
    slow_program_int(p, ATTRIBUTE_BASE_DILATIONS, 2);
    OK(slow_program_run(p), "%s", p->status.text);
    EQ_INT(slow_program_int_at(slow_program_value(p), 0), 10 + 30 + 3,
           "once, and in two padding elements and one hole");
}

/* Sizes beyond every bound are refused, and work beyond the limit is too. */
static void test_limits(void)
{
    static const int64_t one[] = {1};
    static const struct {
        int64_t window, pad;
        enum code code;
    } rows[] = {
        {INT64_MAX, 0, STATUS_SHAPE},
        {1, INT64_MAX, STATUS_SHAPE},
        {1, INT64_MIN, STATUS_SHAPE},
        {INT64_C(1) << 40, INT64_C(1) << 40, STATUS_SYSTEM},
        {0, 0, STATUS_ATTRIBUTE},
        {-1, 0, STATUS_ATTRIBUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slow_program *p = slow_program_new(&arena, "ReduceWindow");
        slow_program_values(p, "f32[4]", 1, one);
        slow_program_values(p, "f32[]", 0, NULL);
        slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
        slow_program_int(p, ATTRIBUTE_WINDOW_DIMENSIONS, rows[i].window);
        slow_program_int(p, ATTRIBUTE_WINDOW_STRIDES, 1);
        SLOW_PROGRAM_INTS(p, ATTRIBUTE_PADDING, rows[i].pad, 0);
        OK(!slow_program_run(p), "row %d", (int)i);
        EQ_STR(status_name(p->status.code), status_name(rows[i].code), "%s",
               p->status.text);
    }
}

int main(void)
{
    const char *text = getenv("ASSAY_SAMPLES");
    int samples = text ? (int)strtol(text, NULL, 10) : 1500;
    dice.state = tap_seed(20);
    test_padding();
    test_limits();
    for (int turn = 0; turn < samples; turn++) {
        check_reduce(turn);
        check_conv(turn);
        check_select(turn);
        if (turn % 64 == 63)
            arena_reset(&arena);
    }
    OK(samples > 0, "%d windows of each kind", samples);
    arena_free(&arena);
    return tap_done();
}
