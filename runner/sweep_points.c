/* sweep_points.c - see sweep_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/data/number.h"
#include "interp/exact/real.h"
#include "runner/sweep_private.h"

enum {
    LENGTH_MAX = 1 << 16,
    LENGTH_MIN = 1024,
    PARTS_WANTED = 512, /* that a picture is made of */
    RANGES_MAX = 2,
    PAIR_BITS_MAX = 16,
    ALL_BITS_MAX = 32,
    COUNT_BITS = 60, /* more are too many anyway, and sums of them have room */
};

struct range {
    uint64_t first, last;
    int64_t count; /* blocks: a point each */
};

/* ---- Points -------------------------------------------------------------- */

/* Blocks of that many patterns, the last of which may be shorter. */
static struct range range_of(uint64_t first, uint64_t last, uint64_t stride)
{
    uint64_t steps = (last - first) / stride;
    if (steps > UINT64_C(1) << COUNT_BITS)
        steps = UINT64_C(1) << COUNT_BITS;
    return (struct range){first, last, (int64_t)steps + 1};
}

static bool read_bound(const char *text, enum dtype type, uint64_t *bits,
                       struct status *st)
{
    bool exact;
    if (!text)
        return true;
    TRY(number_read(text, type, bits, &exact, st));
    if (dtype_class(type) != DTYPE_FLOAT || !real_is_nan(type, *bits))
        return true;
    if (text[0] == '-' && real_formats[type].sign == 0)
        return FAIL(st, INPUT, "%.40s is negative, and %s has no sign", text,
                    dtype_table[type].name);
    return FAIL(st, INPUT, "expected a number of %s, got %.40s",
                dtype_table[type].name, text);
}

/* The least and the greatest number, or infinity.  Patterns of a type without a
 * sign are in the order of their numbers. */
static void widest(enum dtype t, uint64_t *low, uint64_t *high)
{
    uint64_t mask = dtype_mask(t), top = mask ^ (mask >> 1);
    bool is_signed = dtype_class(t) == DTYPE_SINT;
    *low = is_signed ? top : 0;
    *high = is_signed ? mask >> 1 : mask;
    if (dtype_class(t) != DTYPE_FLOAT)
        return;
    *high = real_has_inf(t) ? real_inf(t, false) : real_max(t, false);
    if (real_formats[t].sign != 0)
        *low = real_has_inf(t) ? real_inf(t, true) : real_max(t, true);
}

/* The patterns between two bounds: as magnitudes grow, positive and negative
 * ones apart. */
static bool bounded(const struct sweep_options *o, struct range *r, int *n,
                    struct status *st)
{
    enum dtype t = o->type;
    bool real = dtype_class(t) == DTYPE_FLOAT;
    uint64_t sign = real ? real_formats[t].sign : 0, low, high;
    uint64_t mask = dtype_mask(t), top = mask ^ (mask >> 1);
    bool is_signed = real ? sign != 0 : dtype_class(t) == DTYPE_SINT;
    widest(t, &low, &high);
    TRY(read_bound(o->low, t, &low, st) && read_bound(o->high, t, &high, st));
    if (real_key(t, low) > real_key(t, high))
        return FAIL(st, INPUT, "the lower bound is above the upper one");
    bool low_negative = is_signed && (low & top),
         high_negative = is_signed && (high & top);
    if (low_negative == high_negative) {
        bool down = real && low_negative;
        r[(*n)++] = range_of(down ? high : low, down ? low : high, o->stride);
        return true;
    }
    r[(*n)++] = range_of(0, high, o->stride);
    /* Where there is no -0, its pattern is the NaN. */
    if (real && real_is_nan(t, sign))
        sign++;
    r[(*n)++] =
        real ? range_of(sign, low, o->stride) : range_of(low, mask, o->stride);
    return true;
}

static bool ranges(const struct sweep_options *o, struct range *r, int *n,
                   struct status *st)
{
    *n = 0;
    if (o->low || o->high)
        return bounded(o, r, n, st);
    r[(*n)++] = range_of(0, dtype_mask(o->type), o->stride);
    return true;
}

/* A suitable length of a part; where all inputs are swept, a part is of one
 * binade. */
static int64_t choose_length(const struct sweep_options *o, int64_t points)
{
    int64_t length = o->length > 0 ? o->length : points / PARTS_WANTED;
    if (o->length > 0)
        return length;
    length = length < LENGTH_MIN   ? LENGTH_MIN
             : length > LENGTH_MAX ? LENGTH_MAX
                                   : length;
    int p = dtype_table[o->type].precision;
    bool real = dtype_class(o->type) == DTYPE_FLOAT && p > 1;
    if (o->exhaustive && real && length > INT64_C(1) << (p - 1))
        length = INT64_C(1) << (p - 1);
    return length;
}

/* Each left operand with all right ones. */
static bool cut_pairs(struct arena *a, struct sweep *s, struct status *st)
{
    int bits = dtype_table[s->options->type].bits;
    if (bits > PAIR_BITS_MAX)
        return FAIL(st, INPUT, "%s has more than %d bits: too many pairs",
                    dtype_table[s->options->type].name, PAIR_BITS_MAX);
    s->part_count = s->length = INT64_C(1) << bits;
    s->points = s->length * s->length;
    s->parts = arena_new(a, struct sweep_part, (size_t)s->part_count);
    for (int64_t i = 0; i < s->part_count; i++)
        s->parts[i] =
            (struct sweep_part){.first = (uint64_t)i, .count = s->length};
    return true;
}

static bool too_many(struct arena *a, const struct sweep *s, int64_t points,
                     struct status *st)
{
    const char *count = points > INT64_C(1) << COUNT_BITS
                            ? arena_printf(a, "more than 2^%d", COUNT_BITS)
                            : arena_printf(a, "%" PRId64, points);
    return FAIL(st, INPUT,
                "%s points in arrays of %" PRId64
                " are too many parts; use a larger stride",
                count, s->length);
}

/* Whole parts first, then what is left of each range. */
bool sweep_points_cut(struct arena *a, struct sweep *s, struct status *st)
{
    const struct sweep_options *o = s->options;
    struct range r[RANGES_MAX];
    int n;
    int64_t points = 0, parts = 0;
    if (o->pairs)
        return cut_pairs(a, s, st);
    if (o->exhaustive && dtype_table[o->type].bits > ALL_BITS_MAX)
        return FAIL(st, INPUT, "%s has more than %d bits: too many inputs",
                    dtype_table[o->type].name, ALL_BITS_MAX);
    TRY(ranges(o, r, &n, st));
    for (int i = 0; i < n; i++)
        points += r[i].count;
    s->length = choose_length(o, points);
    for (int i = 0; i < n; i++)
        parts += r[i].count / s->length + 1;
    if (parts > SWEEP_POINTS_PARTS)
        return too_many(a, s, points, st);
    s->points = points;
    s->parts = arena_new(a, struct sweep_part, (size_t)parts);
    for (int rest = 0; rest < 2; rest++)
        for (int i = 0; i < n; i++) {
            int64_t whole = r[i].count / s->length;
            int64_t from = rest ? whole * s->length : 0;
            int64_t to = rest ? r[i].count : whole * s->length;
            for (int64_t k = from; k < to; k += s->length)
                s->parts[s->part_count++] = (struct sweep_part){
                    .first = (r[i].first + (uint64_t)k * o->stride)
                             & dtype_mask(o->type),
                    .last = r[i].last,
                    .count = rest ? to - from : s->length};
        }
    return true;
}

/* ---- Cases --------------------------------------------------------------- */

const struct spec_attribute *sweep_points_type(const struct spec_op *op)
{
    for (int i = 0; i < op->attribute_count; i++)
        if (op->attributes[i].form == SPEC_TYPE)
            return &op->attributes[i];
    return NULL;
}

static void write_case(FILE *f, const struct sweep *s, int64_t from, int64_t to,
                       int number)
{
    const struct sweep_options *o = s->options;
    const char *type = dtype_table[o->type].name;
    int digits = (dtype_table[o->type].bits + 3) / 4;
    fprintf(f,
            "%s{\"id\": \"part-%d\", \"why\": \"a sweep\", \"each\": {\"F\": [",
            number ? "," : "", number);
    for (int64_t i = from; i < to; i++)
        fprintf(f, "%s\"%0*" PRIx64 "\"", i > from ? "," : "", digits,
                s->parts[i].first);
    fprintf(f,
            "]}, \"inputs\": [{\"shape\": \"%s[%" PRId64
            "]\", \"sweep\": {\"first\": \"$F\", ",
            type, s->parts[from].count);
    if (o->pairs)
        fputs("\"stride\": 0}}", f);
    else
        fprintf(f, "\"block\": %" PRIu64 ", \"last\": \"%0*" PRIx64 "\"}}",
                o->stride, digits, s->parts[from].last);
    if (o->second)
        fprintf(f, ", {\"shape\": \"%s[%" PRId64 "]\", \"splat\": \"%s\"}",
                type, s->parts[from].count, o->second);
    if (o->pairs)
        fprintf(f,
                ", {\"shape\": \"%s[%" PRId64
                "]\", \"sweep\": {\"first\": \"%0*d\", \"stride\": 1}}",
                type, s->parts[from].count, digits, 0);
    fputs("]", f);
    if (o->converts)
        fprintf(f, ", \"attributes\": {\"%s\": \"%s\"}",
                sweep_points_type(spec_op_find(o->op))->name,
                dtype_table[o->to].name);
    fputs("}\n", f);
}

/* Parts of one length, in one range, are cases of one program. */
void sweep_points_write(FILE *f, const struct sweep *s)
{
    int number = 0;
    fprintf(f, "{\"format\": \"assay-case/1\", \"op\": \"%s\", \"cases\": [\n",
            s->options->op);
    for (int64_t from = 0, to; from < s->part_count; from = to) {
        for (to = from + 1; to < s->part_count
                            && s->parts[to].count == s->parts[from].count
                            && s->parts[to].last == s->parts[from].last;)
            to++;
        write_case(f, s, from, to, number++);
    }
    fputs("]}\n", f);
}

static void write_offsets(FILE *f, const int64_t *offsets)
{
    for (int i = 0; i < SWEEP_OFFSETS; i++)
        fprintf(f, "%s%" PRId64, i > 0 ? "," : "", offsets[i]);
}

static void write_line(FILE *f, const struct sweep_line *l, int operand,
                       int digits)
{
    fprintf(f, ", \"W%d\": {\"first\": \"%0*" PRIx64 "\", ", operand, digits,
            l->first[operand]);
    if (!l->offsets) {
        fprintf(f, "\"stride\": %" PRId64 "}", l->stride[operand]);
        return;
    }
    fputs("\"offsets\": [[", f);
    write_offsets(f, l->offsets->row);
    fputs("], [", f);
    write_offsets(f, l->offsets->column);
    fputs("]]}", f);
}

void sweep_points_write_lines(FILE *f, const struct sweep *s,
                              const struct sweep_line *lines, int64_t first)
{
    const char *type = dtype_table[s->options->type].name;
    int digits = (dtype_table[s->options->type].bits + 3) / 4;
    fprintf(f,
            "{\"format\": \"assay-case/1\", \"op\": \"%s\", \"cases\": [\n"
            "{\"id\": \"part\", \"why\": \"a hunt\", \"each\": [\n",
            s->options->op);
    for (int64_t i = 0; i < s->part_count - first; i++) {
        fprintf(f, "%s{\"N\": %" PRId64, i > 0 ? ",\n" : "", first + i);
        for (int k = 0; k < s->operands; k++)
            write_line(f, &lines[i], k, digits);
        fputs("}", f);
    }
    fputs("],\n\"inputs\": [", f);
    for (int k = 0; k < s->operands; k++)
        fprintf(f, "%s{\"shape\": \"%s[%" PRId64 "]\", \"sweep\": \"$W%d\"}",
                k > 0 ? ", " : "", type, s->length, k);
    fputs("]}]}\n", f);
}
