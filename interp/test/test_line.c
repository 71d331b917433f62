/* test_line.c - instructions and formulas as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What each line stands for was written by hand from spec/case-format.md.
 */
#include <string.h>

#include "interp/data/line.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

/* The text as the third element of a list of a file. */
static const struct json *file_of(const char *line)
{
    const struct json *root;
    struct status st = {STATUS_OK};
    const char *text =
        arena_printf(&arena, "[0,\n0,\n  %s]", json_quote(&arena, line));
    if (!json_parse(&arena, "f.json", text, strlen(text), &root, &st))
        return NULL;
    return json_at(root, 2);
}

/* Compact JSON of a tree, for comparison. */
static const char *render(const struct json *n)
{
    const char *list = "";
    if (n->kind == JSON_STRING)
        return json_quote(&arena, n->text);
    if (n->kind == JSON_BOOL)
        return n->boolean ? "true" : "false";
    if (n->kind == JSON_NUMBER)
        return n->text;
    for (const struct json *c = n->child; c; c = c->next)
        list = arena_printf(&arena, "%s%s%s%s%s", list, *list ? "," : "",
                            c->key ? json_quote(&arena, c->key) : "",
                            c->key ? ":" : "", render(c));
    return arena_printf(&arena, n->kind == JSON_ARRAY ? "[%s]" : "{%s}", list);
}

static void reads(const char *line, const char *json)
{
    const struct json *node = file_of(line), *to = NULL;
    struct status st = {STATUS_OK};
    bool good = node && line_instruction(&arena, node, &to, &st);
    OK(good, "%s (%s)", line, st.text);
    EQ_STR(good ? render(to) : "", json, "stands for %s", json);
}

static void refuses(const char *line, const char *part)
{
    const struct json *node = file_of(line), *to;
    struct status st = {STATUS_OK};
    OK(node && !line_instruction(&arena, node, &to, &st), "refused: %s", line);
    OK(strstr(st.text, part) != NULL, "'%s' has '%s'", st.text, part);
    OK(st.code == STATUS_INPUT && st.line == 3 && st.column == 3
           && strcmp(st.member, "/2") == 0,
       "at the line's place");
}

static void test_forms(void)
{
    reads("a = Add(x, p1)",
          "{\"name\":\"a\",\"op\":\"Add\",\"operands\":[\"x\",\"p1\"]}");
    reads("  %a=Iota ( ){shape=s32[4],iota_dimension=0} ",
          "{\"name\":\"a\",\"op\":\"Iota\",\"operands\":[],\"attributes\":{"
          "\"shape\":\"s32[4]\",\"iota_dimension\":0}}");
    reads("c = Constant() {literal = f32[2,1] [[-0.5], [-inf]]}",
          "{\"name\":\"c\",\"op\":\"Constant\",\"operands\":[],"
          "\"attributes\":{\"literal\":{\"shape\":\"f32[2,1]\","
          "\"data\":[[-0.5],[\"-inf\"]]}}}");
    reads("c = Constant() {literal = s32[] 7}",
          "{\"name\":\"c\",\"op\":\"Constant\",\"operands\":[],"
          "\"attributes\":{\"literal\":{\"shape\":\"s32[]\",\"data\":7}}}");
    reads("g = Gather(t, %i) {dimension_numbers = {offset_dims = [], "
          "index_vector_dim = 1}, indices_are_sorted = true}",
          "{\"name\":\"g\",\"op\":\"Gather\",\"operands\":[\"t\",\"i\"],"
          "\"attributes\":{\"dimension_numbers\":{\"offset_dims\":[],"
          "\"index_vector_dim\":1},\"indices_are_sorted\":true}}");
    reads("r = Recv(t) {shape = '(f32[], s32[])', x = {}, n = 0x1p-3}",
          "{\"name\":\"r\",\"op\":\"Recv\",\"operands\":[\"t\"],"
          "\"attributes\":{\"shape\":\"(f32[], s32[])\",\"x\":{},"
          "\"n\":\"0x1p-3\"}}");
    reads("v = $OP(p0) {n = $N, shape = f32[$N]}",
          "{\"name\":\"v\",\"op\":\"$OP\",\"operands\":[\"p0\"],"
          "\"attributes\":{\"n\":\"$N\",\"shape\":\"f32[$N]\"}}");
}

static void test_refused(void)
{
    refuses("", "expected a name");
    refuses("a", "'='");
    refuses("a = ", "a name");
    refuses("a = Add", "'('");
    refuses("a = Add(x", "',' or a closing bracket");
    refuses("a = Add(x,)", "a name");
    refuses("a = Add(x) y", "end of the line");
    refuses("a = Add(x) {b}", "'='");
    refuses("a = Add(x) {b = }", "a name");
    refuses("a = Add(x) {b = 'c}", "closing quote");
    refuses("a = Add(x) {b = f32[2}", "a shape");
    refuses("a = Add(x) {b = [1 2]}", "',' or a closing bracket");
    refuses("a = Add(x) {b = 1, b = 2}", "b");
    refuses("a = Add(x) {b = 01}", "number");
    char deep[400] = "a = Add(x) {b = ";
    memset(deep + strlen(deep), '[', 200);
    refuses(deep, "nested");
}

/* ---- Formulas ------------------------------------------------------------ */

static void formula(const char *text, const char *json)
{
    const struct json *node = file_of(text), *to = NULL;
    struct status st = {STATUS_OK};
    bool good = node && line_formula(&arena, node, &to, &st);
    OK(good, "%s (%s)", text, st.text);
    EQ_STR(good ? render(to) : "", json, "stands for %s", json);
}

static void no_formula(const char *text, const char *part)
{
    const struct json *node = file_of(text), *to;
    struct status st = {STATUS_OK};
    OK(node && !line_formula(&arena, node, &to, &st), "refused: %s", text);
    OK(strstr(st.text, part) != NULL, "'%s' has '%s'", st.text, part);
    EQ_STR(st.member, "/2", "at the formula's place");
}

static void test_formulas(void)
{
    static const struct {
        const char *text, *json;
    } rows[] = {
        {"lhs.rhs", "\"lhs.rhs\""},
        {"-0.5", "-0.5"},
        {"true", "\"true\""},
        {"-0x1p-126", "\"-0x1p-126\""},
        {"'1'", "\"1\""},
        {"Floor(x)", "{\"op\":\"Floor\",\"operands\":[\"x\"]}"},
        {" Div ( 1 , rhs ) ", "{\"op\":\"Div\",\"operands\":[1,\"rhs\"]}"},
        {"Constant:u8(127)",
         "{\"op\":\"Constant\",\"type\":\"u8\",\"operands\":[127]}"},
        {"Abs(Neg(type.max))",
         "{\"op\":\"Abs\",\"operands\":[{\"op\":\"Neg\",\"operands\":"
         "[\"type.max\"]}]}"},
        {"self(each-dimension(Rev(x) {dimensions = [{each = '{d}'}]}), 1)",
         "{\"op\":\"self\",\"operands\":[{\"op\":\"each-dimension\","
         "\"operands\":[{\"op\":\"Rev\",\"operands\":[\"x\"],"
         "\"attributes\":{\"dimensions\":[{\"each\":\"{d}\"}]}}]},1]}"},
        {"Constant() {literal = s32[] 1}",
         "{\"op\":\"Constant\",\"operands\":[],\"attributes\":"
         "{\"literal\":{\"shape\":\"s32[]\",\"data\":1}}}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        formula(rows[i].text, rows[i].json);
}

static void test_formulas_refused(void)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"", "expected a name"},
        {"Add(x", "',' or a closing bracket"},
        {"Add(x,)", "a name"},
        {"Add(x) y", "end of the line"},
        {"a = Add(x)", "end of the line"},
        {"Add:(x)", "a name"},
        {"Add:f32", "'('"},
        {"'x", "closing quote"},
        {"01", "number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        no_formula(rows[i].text, rows[i].part);
    const char *deep = "x";
    for (int i = 0; i < 70; i++)
        deep = arena_printf(&arena, "Abs(%s)", deep);
    no_formula(deep, "nested");
    const struct json number = {.kind = JSON_NUMBER, .text = "1"},
                      *to = &number;
    struct status st = {STATUS_OK};
    OK(!line_formula(&arena, &number, &to, &st)
           && strstr(st.text, "a formula as text"),
       "JSON's numbers are none: %s", st.text);
    struct status none = {STATUS_OK};
    OK(line_formula(&arena, NULL, &to, &none) && !to, "no text, no formula");
}

/* A formula stands in its text's place: between its neighbours. */
static void test_formula_member(void)
{
    const struct json *root, *to;
    struct status st = {STATUS_OK};
    const char *text = "{\"a\": \"Abs(x)\", \"b\": 2}";
    OK(json_parse(&arena, "f.json", text, strlen(text), &root, &st)
           && line_formula(&arena, json_member(root, "a"), &to, &st),
       "a member is read");
    EQ_STR(to->key, "a", "it has the key");
    EQ_STR(to->next->key, "b", "and the neighbour");
    EQ_STR(json_pointer(&arena, json_at(json_member(to, "operands"), 0)),
           "/a/operands/0", "the pointer leads into the formula");
}

/* A value of the line is reported at the line. */
static void test_place(void)
{
    const struct json *to, *node = file_of("a = Add(x) {b = [1]}");
    struct status st = {STATUS_OK};
    int64_t number;
    OK(line_instruction(&arena, node, &to, &st), "a line is read");
    const struct json *b = json_member(json_member(to, "attributes"), "b");
    OK(!json_int(&arena, b, &number, &st), "a list is not an integer");
    EQ_STR(st.member, "/2/attributes/b", "the pointer leads into the line");
    EQ_INT(st.line, 3, "at the line's own line");
}

int main(void)
{
    test_forms();
    test_refused();
    test_place();
    test_formulas();
    test_formulas_refused();
    test_formula_member();
    arena_free(&arena);
    return tap_done();
}
