/* fuzz_shape.c - any text as a shape: what is accepted prints and reads back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assert.h>
#include <string.h>

#include "interp/base/shape.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size > 2000)
        return 0;
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    char *text = arena_alloc(&arena, size + 1);
    memcpy(text, data, size);
    const struct shape *s, *again;
    if (shape_parse(&arena, text, &s, &st)) {
        assert(shape_parse(&arena, shape_text(&arena, s), &again, &st));
        assert(shape_equal(s, again));
    } else {
        assert(st.code == STATUS_INPUT && st.text[0] != '\0');
    }
    arena_free(&arena);
    return 0;
}
