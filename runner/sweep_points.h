/* sweep_points.h - which inputs a sweep has, and the cases that they make.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_SWEEP_POINTS_H
#define RUNNER_SWEEP_POINTS_H

#include <stdio.h>

#include "interp/base/arena.h"
#include "interp/specification/spec.h"
#include "runner/sweep.h"

/* The most parts that a sweep may have. */
#define SWEEP_POINTS_PARTS INT64_C(4000000)

/* Fill in length, points and parts by the options.  Fails with INPUT: invalid
 * bounds, too many parts, a type too wide for all of its inputs. */
bool sweep_points_cut(struct arena *a, struct sweep *sweep, struct status *st);
/* The attribute that is the result's element type, of a conversion; NULL for
 * any other operation. */
const struct spec_attribute *sweep_points_type(const struct spec_op *op);
/* A case file: one case a part, in order. */
void sweep_points_write(FILE *f, const struct sweep *sweep);
/* The same of the parts of a hunt from one on: a line each. */
void sweep_points_write_lines(FILE *f, const struct sweep *sweep,
                              const struct sweep_line *lines, int64_t first);

#endif
