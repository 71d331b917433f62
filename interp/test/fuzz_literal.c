/* fuzz_literal.c - any JSON as a literal: data, or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An accepted array's elements print as text that the reader takes back.
 */
#include <assert.h>

#include "interp/data/data.h"
#include "interp/data/number.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_unit(struct arena *a, enum dtype unit, uint64_t bits)
{
    assert((bits & ~dtype_mask(unit)) == 0);
    if (dtype_class(unit) != DTYPE_FLOAT || !real_is_finite(unit, bits))
        return;
    struct status st = {STATUS_OK};
    uint64_t back;
    bool exact;
    assert(number_read(show_decimal(a, unit, bits), unit, &back, &exact, &st));
    assert(back == bits);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct limits limits = LIMITS_DEFAULT;
    limits.literal_bytes = 1 << 16;
    const struct json *root;
    struct literal *l;
    if (json_parse(&arena, "fuzz", (const char *)data, size, &root, &st)) {
        if (data_literal(&arena, root, &limits, &l, &st)) {
            for (int i = 0; i < shape_leaves(l->shape); i++) {
                const struct literal *leaf = literal_leaf(l, i);
                if (leaf->shape->kind == SHAPE_ARRAY && literal_units(leaf) > 0)
                    check_unit(&arena, dtype_unit(leaf->shape->dtype),
                               literal_get(leaf, literal_units(leaf) / 2));
            }
        } else {
            assert((st.code == STATUS_INPUT || st.code == STATUS_SYSTEM)
                   && st.text[0] != '\0');
        }
    }
    arena_free(&arena);
    return 0;
}
