/* verdict_nature.h - in which way a unit is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A name for the way in which a result is wrong, by its bits only; it
 * distinguishes one defect of a backend from another in the same case.
 */
#ifndef INTERP_JUDGE_VERDICT_NATURE_H
#define INTERP_JUDGE_VERDICT_NATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/dtype.h"

enum verdict_nature {
    VERDICT_NATURE_ERROR,   /* a finite result with an error in ulps */
    VERDICT_NATURE_SUM,     /* an accumulation beyond its bound */
    VERDICT_NATURE_SPECIAL, /* NaN or infinity that is unexpected, or missing */
    VERDICT_NATURE_ZERO,    /* the sign of a zero */
    VERDICT_NATURE_NAN,     /* the bits of a NaN that is moved */
    VERDICT_NATURE_VALUE,   /* another value where no error is measured */
    VERDICT_NATURE_PROPERTY, /* a whole result: order, statistics, layout */
    VERDICT_NATURES
};

/* "error", "sum", ... */
const char *verdict_nature_name(enum verdict_nature n);
/* VERDICT_NATURES if none has this name. */
enum verdict_nature verdict_nature_find(const char *name);

/* The nature of a wrong unit; has_error and has_share are as in struct
 * verdict_wrong. */
enum verdict_nature verdict_nature(enum dtype unit, uint64_t got, uint64_t want,
                                   bool has_error, bool has_share);

#endif
