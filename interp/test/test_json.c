/* test_json.c - strict JSON: what is accepted, what is refused, and where.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The texts that must fail are those of RFC 8259's grammar turned around, and
 * what cJSON by itself lets through.
 */
#include <string.h>

#include "interp/base/json.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

static const struct json *parse(const char *text, size_t n, struct status *st)
{
    const struct json *root = NULL;
    *st = (struct status){STATUS_OK};
    return json_parse(&arena, "t.json", text, n, &root, st) ? root : NULL;
}

static void refuses(const char *text, size_t n, unsigned line, unsigned column)
{
    struct status st;
    OK(!parse(text, n, &st), "refused: %s", text);
    EQ_INT(st.code, STATUS_INPUT, "as bad input");
    EQ_INT(st.line, line, "line");
    EQ_INT(st.column, column, "column");
}
#define REFUSES(text, line, column) \
    refuses((text), sizeof(text) - 1, (line), (column))

static void test_refused(void)
{
    REFUSES("", 1, 1);
    REFUSES("01", 1, 1);
    REFUSES("[1.]", 1, 2);
    REFUSES("1e", 1, 1);
    REFUSES("-", 1, 1);
    REFUSES("+1", 1, 1);
    REFUSES("[1,]", 1, 4);
    REFUSES("{\"a\":1,}", 1, 8);
    REFUSES("[1] x", 1, 5);
    REFUSES("\"a\tb\"", 1, 3);
    REFUSES("\"a\\u0000b\"", 1, 3);
    REFUSES("\"\\ud800\"", 1, 2);
    REFUSES("\"\\udc00\\ud800\"", 1, 2);
    REFUSES("\"\xff\"", 1, 2);
    REFUSES("\"\xc0\xaf\"", 1, 2);
    REFUSES("\"\xed\xa0\x80\"", 1, 2);
    REFUSES("\xef\xbb\xbf{}", 1, 1);
    REFUSES("nul", 1, 1);
    REFUSES("[1 2]", 1, 4);
    REFUSES("{\"a\" 1}", 1, 6);
    REFUSES("{a:1}", 1, 2);
    REFUSES("\"abc", 1, 1);
    REFUSES("[\"\xc3\xa4\", 1.]", 1, 7);
    REFUSES("{\n  \"a\": 1,\n  \"a\": 2\n}", 3, 8);
    REFUSES("[1]\0", 1, 4);
}

static void test_depth(void)
{
    char deep[2 * JSON_DEPTH_MAX + 3];
    struct status st;
    memset(deep, '[', JSON_DEPTH_MAX);
    memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    OK(parse(deep, 2 * (size_t)JSON_DEPTH_MAX, &st) != NULL,
       "as deep as may be");
    memset(deep, '[', JSON_DEPTH_MAX + 1);
    memset(deep + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    OK(!parse(deep, 2 * (size_t)JSON_DEPTH_MAX + 2, &st), "one level deeper");
}

static void test_values(void)
{
    static const char text[] =
        "{\"n\": 9007199254740993, \"s\": \"\\u00e4\\ud83d\\ude00\",\n"
        " \"l\": [1, -0.5e-3, true, null],\n"
        " \"N\": 1, \"a/b~\": {\"x\": [0]}}";
    struct status st;
    const struct json *root = parse(text, sizeof text - 1, &st);
    OK(root != NULL, "parses");
    if (!root)
        return;
    EQ_INT(root->count, 5, "members");
    EQ_STR(json_member(root, "n")->text, "9007199254740993",
           "a number keeps its text");
    int64_t n = 0;
    OK(json_int(&arena, json_member(root, "n"), &n, &st)
           && n == INT64_C(9007199254740993),
       "beyond 2^53, exactly");
    EQ_STR(json_member(root, "s")->text, "\xc3\xa4\xf0\x9f\x98\x80",
           "escapes become UTF-8");
    EQ_STR(json_member(root, "N")->text, "1", "members by case");
    const struct json *l = json_member(root, "l");
    EQ_INT(l->line, 2, "line");
    EQ_INT(json_at(l, 2)->column, 20, "column");
    EQ_STR(json_at(l, 1)->text, "-0.5e-3", "a fraction keeps its text");
    OK(!json_int(&arena, json_at(l, 1), &n, &st),
       "a fraction is not an integer");
    EQ_STR(st.member, "/l/1", "the failure points at it");
    const struct json *x = json_member(json_member(root, "a/b~"), "x");
    EQ_STR(json_pointer(&arena, json_at(x, 0)), "/a~1b~0/x/0",
           "a pointer escapes ~ and /");
}

int main(void)
{
    test_refused();
    test_depth();
    test_values();
    EQ_STR(json_quote(&arena, "a\"\\\n\x7f"), "\"a\\\"\\\\\\u000a\\u007f\"",
           "quoting");
    struct status st = {STATUS_OK};
    const struct json *root;
    OK(!json_read(&arena, "/nonexistent/x.json", 100, &root, &st)
           && st.code == STATUS_SYSTEM,
       "a file that is not there");
    arena_free(&arena);
    return tap_done();
}
