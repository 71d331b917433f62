/* fuzz_json.c - any bytes as JSON: a tree or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the scanner accepts, printed numbers and strings and all, must keep
 * its places: every value's line and column lie inside the text.
 */
#include <assert.h>

#include "interp/base/json.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(const struct json *node, unsigned lines)
{
    assert(node->line >= 1 && node->line <= lines && node->column >= 1);
    int n = 0;
    for (const struct json *c = node->child; c; c = c->next, n++)
        check(c, lines);
    assert(n == node->count);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    const struct json *root;
    unsigned lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (json_parse(&arena, "fuzz", (const char *)data, size, &root, &st))
        check(root, lines);
    else
        assert(st.code == STATUS_INPUT && st.text[0] != '\0');
    arena_free(&arena);
    return 0;
}
