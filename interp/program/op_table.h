/* op_table.h - all operations, by number and by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers change when operations come and go: store names.
 */
#ifndef INTERP_PROGRAM_OP_TABLE_H
#define INTERP_PROGRAM_OP_TABLE_H

#include "interp/program/op.h"

enum op_id {
#define OP(NAME) OP_##NAME,
#include "gen/ops.def"
#undef OP
    OP_COUNT
};

#define OP(NAME) extern const struct op op_##NAME;
#include "gen/ops.def"
#undef OP

/* In strcmp order; NULL after the last. */
extern const struct op *const op_table[OP_COUNT + 1];

/* Find the operation of that name, or return NULL. */
const struct op *op_table_find(const char *name);

#endif
