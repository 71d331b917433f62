/* sweep_svg.h - a sweep as a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SWEEP_SVG_H
#define TOOLS_SWEEP_SVG_H

#include <stdio.h>

#include "runner/sweep.h"

/* The error in ulps over the input: the worst of each part, where it is.  The
 * inputs lie in the order of their patterns, which is logarithmic in their
 * value; the errors have a logarithmic scale. */
void sweep_svg(FILE *f, const struct sweep *s);

#endif
