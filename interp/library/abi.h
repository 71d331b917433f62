/* abi.h - values and error classes as the ABI's structs, and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/assay/backend.h defines the structs.  The library gives them to its
 * host, the runner to a plugin (runner/plugin/abi_case.h makes whole programs
 * of them).  Everything lives in the arena; a tensor's data are the literal's
 * own.
 */
#ifndef INTERP_LIBRARY_ABI_H
#define INTERP_LIBRARY_ABI_H

#include <assay/backend.h>

#include "interp/base/literal.h"
#include "interp/base/status.h"

const assay_shape *abi_shape(struct arena *a, const struct shape *s);
const assay_tensor *abi_tensor(struct arena *a, const struct literal *leaf);
/* A literal of a tensor, with a copy of its data; NULL if not a tensor. */
struct literal *abi_literal(struct arena *a, const assay_tensor *t);

/* The error class of a code; STATUS_SYSTEM for one without a class. */
enum code abi_code(assay_code code);

#endif
