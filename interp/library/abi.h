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

/* Dimensions are those of s, which must live as long; dynamic flags and tuples
 * are copied. */
const assay_shape *abi_shape(struct arena *a, const struct shape *s);
/* An array or a token, never a tuple.  Data and actual sizes are the literal's
 * own. */
const assay_tensor *abi_tensor(struct arena *a, const struct literal *leaf);
/* A literal of a tensor that a plugin made, with a copy of its data; NULL if it
 * is neither a token nor an array of at most 1 GiB (2^30), or its size does not
 * match its shape.  Dimensions are taken as static. */
struct literal *abi_literal(struct arena *a, const assay_tensor *t);

/* The error class of a code; STATUS_SYSTEM for one without a class. */
enum code abi_code(assay_code code);
/* Is it one of this version of the ABI? */
bool abi_code_known(assay_code code);

#endif
