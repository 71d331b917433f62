/* window.h - windows that move over a base area.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The base is dilated first, then padded (negative padding removes), and the
 * dilated window is placed at every multiple of the stride where it fits.
 * ReduceWindow, SelectAndScatter and the convolutions share this arithmetic.
 */
#ifndef INTERP_OPS_WINDOW_H
#define INTERP_OPS_WINDOW_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

struct window_dim {
    int64_t size, window; /* of the base and of the window, not dilated */
    int64_t stride, low, high;
    int64_t base_dilation, window_dilation;
    int64_t positions;
};

struct window {
    int rank;
    struct window_dim dims[SHAPE_RANK_MAX];
};

/* Names of the attributes that dilate; NULL: nothing does. */
struct window_names {
    enum attribute_name base_dilation, window_dilation;
};

/* Read strides, padding and dilations, and count positions.  Fails with
 * ATTRIBUTE for lists of the wrong length and entries that are not positive,
 * with SHAPE for sizes that overflow. */
bool window_infer(const struct infer *in, const struct window_names *names,
                  int rank, const int64_t *sizes, const int64_t *windows,
                  struct window *w, struct status *st);
/* The same in eval, after all checks. */
void window_get(const struct instruction *in, const struct window_names *names,
                int rank, const int64_t *sizes, const int64_t *windows,
                struct window *w);

/* ReduceWindow and SelectAndScatter: every dimension of s is a spatial one, and
 * window_dimensions tells the window's sizes. */
bool window_infer_reduction(const struct infer *in, const struct shape *s,
                            struct window *w, struct status *st);
void window_get_reduction(const struct instruction *in, const struct shape *s,
                          struct window *w);

/* Fail with SYSTEM "limit: ..." if elements windows of terms entries each are
 * more work than a program may request. */
bool window_limit(const struct eval *ev, int64_t elements, int64_t terms,
                  struct status *st);
/* Entries of one window. */
int64_t window_volume(const struct window *w);

/* Which entries of the window at one position lie on elements of the base, in
 * increasing order; entry at[i].window on element at[i].base. */
struct window_hit {
    int64_t window, base;
};
struct window_hits {
    int64_t position; /* -1: none yet */
    int64_t count;
    struct window_hit *at;
};

/* Room for the hits of each dimension. */
struct window_hits *window_hits_new(struct arena *a, const struct window *w);
void window_find(const struct window_dim *d, int64_t position,
                 struct window_hits *hits);

#endif
