/* deviation_rewrite.h - a program becomes another one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_REWRITE_H
#define INTERP_DEVIATION_DEVIATION_REWRITE_H

#include "interp/deviation/deviation.h"

/* The program under a rewrite, inferred, in the arena: instructions of the
 * entry are replaced, everything else is shared with p.  Fails with UNSUPPORTED
 * if the rewrite does not apply, and like program_infer if the rewritten
 * program is invalid or its result has another shape. */
bool deviation_rewrite(struct arena *a, const struct deviation_use *use,
                       const struct program *p, const struct program **made,
                       struct status *st);

#endif
