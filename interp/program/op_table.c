/* op_table.c - see op_table.h.  Tests: test_program.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/op_table.h"

#include <string.h>

const struct op *const op_table[OP_COUNT + 1] = {
#define OP(NAME) [OP_##NAME] = &op_##NAME,
#include "gen/ops.def"
#undef OP
    NULL};

/* The table is in strcmp order, because make's sort is. */
const struct op *op_table_find(const char *name)
{
    int low = 0, high = OP_COUNT;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(name, op_table[middle]->name);
        if (order == 0)
            return op_table[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
