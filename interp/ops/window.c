/* window.c - see window.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/window.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "interp/ops/dimnums.h"
#include "interp/program/attribute.h"
#include "interp/program/spatial.h"

/* Sizes up to this can be added and subtracted without overflow checks. */
static const int64_t most = INT64_C(1) << 60;

/* (size - 1) * dilation + 1; 0 of 0. */
static bool dilate(int64_t size, int64_t dilation, int64_t *to)
{
    *to = 0;
    if (size <= 0)
        return true;
    if (__builtin_mul_overflow(size - 1, dilation, to) || *to >= most)
        return false;
    ++*to;
    return true;
}

/* Everything but strides and dilations, which are there; false: too large. */
static bool measure(struct window_dim *d, const char *padding,
                    const int64_t *pair)
{
    int64_t size, window, padded;
    if (!dilate(d->size, d->base_dilation, &size)
        || !dilate(d->window, d->window_dilation, &window))
        return false;
    if (pair) {
        d->low = pair[0];
        d->high = pair[1];
    } else if (padding && strcmp(padding, "SAME") == 0) {
        if (d->stride > most)
            return false;
        spatial_same(size, window, d->stride, &d->low, &d->high);
    }
    if (d->low > most || d->low < -most || d->high > most || d->high < -most)
        return false;
    padded = size + d->low + d->high;
    /* As for an operand that came with its padding: nothing fits into
     * nothing. */
    d->positions =
        padded <= 0 || padded < window ? 0 : (padded - window) / d->stride + 1;
    return true;
}

static int64_t entry(const struct attribute *a, int i, int64_t fallback)
{
    return a && i < a->count ? a->ints[i] : fallback;
}

/* False: dimension *wrong is too large. */
static bool read_all(const struct instruction *in,
                     const struct window_names *names, int rank,
                     const int64_t *sizes, const int64_t *windows,
                     struct window *w, int *wrong)
{
    const struct attribute *strides =
        attribute_find(in, ATTRIBUTE_WINDOW_STRIDES);
    const struct attribute *padding = attribute_find(in, ATTRIBUTE_PADDING);
    const struct attribute *base = attribute_find(in, names->base_dilation);
    const struct attribute *window = attribute_find(in, names->window_dilation);
    *w = (struct window){.rank = rank};
    for (int i = 0; i < rank; i++) {
        struct window_dim *d = &w->dims[i];
        bool pairs = padding && !padding->string && 2 * i + 1 < padding->count;
        d->size = sizes[i];
        d->window = windows[i];
        d->stride = entry(strides, i, 1);
        d->base_dilation = entry(base, i, 1);
        d->window_dilation = entry(window, i, 1);
        *wrong = i;
        TRY(measure(d, padding ? padding->string : NULL,
                    pairs ? padding->ints + 2 * i : NULL));
    }
    return true;
}

/* One positive entry a dimension, if the attribute is there. */
static bool check_list(const struct infer *in, enum attribute_name name,
                       int rank, struct status *st)
{
    struct dimnums d = {0};
    if (!attribute_find(in->in, name))
        return true;
    d = dimnums_get(in->in, name);
    TRY(dimnums_count(in, &d, rank, st));
    for (int i = 0; i < rank; i++)
        if (d.at[i] <= 0)
            return FAIL(st, ATTRIBUTE,
                        "%s: %s has the entry %" PRId64 ", which is not "
                        "positive",
                        in->op->name, d.name, d.at[i]);
    return true;
}

bool window_infer(const struct infer *in, const struct window_names *names,
                  int rank, const int64_t *sizes, const int64_t *windows,
                  struct window *w, struct status *st)
{
    const struct attribute *padding = attribute_find(in->in, ATTRIBUTE_PADDING);
    int wrong;
    TRY(check_list(in, ATTRIBUTE_WINDOW_STRIDES, rank, st));
    TRY(check_list(in, names->base_dilation, rank, st));
    TRY(check_list(in, names->window_dilation, rank, st));
    if (padding && !padding->string && padding->count != 2 * rank)
        return FAIL(st, ATTRIBUTE, "%s: padding has %d pairs; expected %d",
                    in->op->name, padding->count / 2, rank);
    if (!read_all(in->in, names, rank, sizes, windows, w, &wrong))
        return FAIL(st, SHAPE,
                    "%s: the sizes of spatial dimension %d, dilated and "
                    "padded, exceed 2^60",
                    in->op->name, wrong);
    return true;
}

void window_get(const struct instruction *in, const struct window_names *names,
                int rank, const int64_t *sizes, const int64_t *windows,
                struct window *w)
{
    int wrong;
    bool fits = read_all(in, names, rank, sizes, windows, w, &wrong);
    assert(fits);
    (void)fits;
}

static const struct window_names reduction = {ATTRIBUTE_BASE_DILATIONS,
                                              ATTRIBUTE_WINDOW_DILATIONS};

bool window_infer_reduction(const struct infer *in, const struct shape *s,
                            struct window *w, struct status *st)
{
    TRY(check_list(in, ATTRIBUTE_WINDOW_DIMENSIONS, s->rank, st));
    return window_infer(in, &reduction, s->rank, s->dims,
                        dimnums_get(in->in, ATTRIBUTE_WINDOW_DIMENSIONS).at, w,
                        st);
}

void window_get_reduction(const struct instruction *in, const struct shape *s,
                          struct window *w)
{
    window_get(in, &reduction, s->rank, s->dims,
               dimnums_get(in, ATTRIBUTE_WINDOW_DIMENSIONS).at, w);
}

int64_t window_volume(const struct window *w)
{
    int64_t volume = 1;
    for (int i = 0; i < w->rank; i++)
        if (__builtin_mul_overflow(volume, w->dims[i].window, &volume))
            return INT64_MAX;
    return volume;
}

bool window_limit(const struct eval *ev, int64_t elements, int64_t terms,
                  struct status *st)
{
    int64_t work;
    if (__builtin_mul_overflow(elements, terms, &work)
        || work > ev->machine->limits->steps
        || terms > ev->machine->limits->evaluate_bytes / 64)
        return FAIL(st, SYSTEM,
                    "limit: %s: %" PRId64 " windows of %" PRId64
                    " elements are too many (--limit-steps, "
                    "--limit-evaluate-bytes)",
                    ev->in->op->name, elements, terms);
    return true;
}

struct window_hits *window_hits_new(struct arena *a, const struct window *w)
{
    struct window_hits *hits =
        arena_new(a, struct window_hits, (size_t)w->rank + 1);
    for (int i = 0; i < w->rank; i++) {
        const struct window_dim *d = &w->dims[i];
        int64_t room = d->size < d->window ? d->size : d->window;
        hits[i].position = -1;
        hits[i].at = arena_new(a, struct window_hit, (size_t)room + 1);
    }
    return hits;
}

void window_find(const struct window_dim *d, int64_t position,
                 struct window_hits *hits)
{
    /* Where the window begins in the dilated base. */
    int64_t start = position * d->stride - d->low;
    hits->position = position;
    hits->count = 0;
    if (d->size < d->window) {
        for (int64_t i = 0; i < d->size; i++) {
            int64_t at = i * d->base_dilation - start;
            if (at >= 0 && at % d->window_dilation == 0
                && at / d->window_dilation < d->window)
                hits->at[hits->count++] =
                    (struct window_hit){at / d->window_dilation, i};
        }
        return;
    }
    for (int64_t k = 0; k < d->window; k++) {
        int64_t at = start + k * d->window_dilation;
        if (at >= 0 && at % d->base_dilation == 0
            && at / d->base_dilation < d->size)
            hits->at[hits->count++] =
                (struct window_hit){k, at / d->base_dilation};
    }
}
