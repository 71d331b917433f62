/* import.h - programs and data of the plugin ABI as the interpreter's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REFERENCE_IMPORT_H
#define REFERENCE_IMPORT_H

#include <assay/backend.h>

#include "interp/program/program.h"

/* Copy a program; program_infer is the caller's.  Fails with a class. */
bool import_program(struct arena *a, const assay_program *from,
                    const struct limits *limits, struct program **program,
                    struct status *st);
bool import_shape(struct arena *a, const assay_shape *from,
                  const struct shape **shape, struct status *st);
/* Copy the leaves of one value, list[*next] on. */
bool import_literal(struct arena *a, const struct shape *shape,
                    const assay_tensor *const *list, int *next,
                    struct literal **literal, struct status *st);

#endif
