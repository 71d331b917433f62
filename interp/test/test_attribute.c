/* test_attribute.c - attributes from JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The operation is made up here, with an attribute of each form.
 */
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static const struct limits limits = LIMITS_DEFAULT;

static const char *const letters[] = {"A", "B", "C", NULL};
static const struct spec_attribute members[] = {
    {.name = "dims", .id = ATTRIBUTE_OFFSET_DIMS, .form = SPEC_INTS},
    {.name = "vector",
     .id = ATTRIBUTE_INDEX_VECTOR_DIM,
     .form = SPEC_INT,
     .optional = true},
};
/* The name that what is read goes by: there is one attribute at a time. */
#define ONE ATTRIBUTE_STRIDES

static struct spec_attribute all[] = {
    {.name = "int", .id = ONE, .form = SPEC_INT},
    {.name = "ints", .id = ONE, .form = SPEC_INTS},
    {.name = "pairs", .id = ONE, .form = SPEC_PAIRS},
    {.name = "groups", .id = ONE, .form = SPEC_GROUPS},
    {.name = "bool", .id = ONE, .form = SPEC_BOOL},
    {.name = "bools", .id = ONE, .form = SPEC_BOOLS},
    {.name = "type", .id = ONE, .form = SPEC_TYPE},
    {.name = "shape", .id = ONE, .form = SPEC_SHAPE},
    {.name = "name", .id = ONE, .form = SPEC_NAME, .names = letters},
    {.name = "names", .id = ONE, .form = SPEC_NAMES, .names = letters},
    {.name = "string", .id = ONE, .form = SPEC_STRING},
    {.name = "number", .id = ONE, .form = SPEC_NUMBER},
    {.name = "literal", .id = ONE, .form = SPEC_LITERAL},
    {.name = "one", .id = ONE, .form = SPEC_COMPUTATION},
    {.name = "some", .id = ONE, .form = SPEC_COMPUTATIONS},
    {.name = "window", .id = ONE, .form = SPEC_WINDOW_PADDING},
    {.name = "padding", .id = ONE, .form = SPEC_PADDING_CONFIG},
    {.name = "accuracy", .id = ONE, .form = SPEC_ACCURACY},
    {.name = "numbers",
     .id = ONE,
     .form = SPEC_DIMENSION_NUMBERS,
     .member_count = 2,
     .members = members},
    {.name = "object", .id = ONE, .form = SPEC_OBJECT},
};
enum {
    COUNT = sizeof all / sizeof *all
};

static const struct computation known = {.name = "known"};

static const struct computation *find(void *context, const char *name)
{
    ++*(int *)context;
    return strcmp(name, "known") == 0 ? &known : NULL;
}

/* Read text as the attributes of an operation that has only the one. */
static bool read_one(const char *text, struct instruction *in,
                     struct status *st)
{
    static struct spec_op op = {.name = "Test", .attribute_count = 1};
    const struct json *root;
    int calls = 0;
    *st = (struct status){STATUS_OK};
    memset(in, 0, sizeof *in);
    if (!json_parse(&arena, "t.json", text, strlen(text), &root, st))
        return false;
    op.attributes = NULL;
    for (int i = 0; i < COUNT; i++)
        if (json_member(root, all[i].name))
            op.attributes = &all[i];
    if (!op.attributes)
        op.attributes = &all[0];
    return attribute_read(&arena, &op, root, &limits, find, &calls,
                          &in->attribute_count, &in->attributes, st);
}

static struct instruction good(const char *text)
{
    struct status st;
    struct instruction in;
    OK(read_one(text, &in, &st), "%s: %s", text, st.text);
    return in;
}

static void bad(const char *text, enum code code, const char *member,
                const char *part)
{
    struct status st;
    struct instruction in;
    OK(!read_one(text, &in, &st), "%s is refused", text);
    EQ_INT(st.code, code, "as %s", status_name(code));
    EQ_STR(st.member ? st.member : "", member, "at its place");
    OK(strstr(st.text, part) != NULL, "'%s' has '%s'", st.text, part);
}

static bool ints_are(const struct attribute *a, int count, ...)
{
    va_list args;
    va_start(args, count);
    bool same = a && a->count == count;
    for (int i = 0; i < count; i++) {
        int want = va_arg(args, int);
        same = same && a->ints[i] == want;
    }
    va_end(args);
    return same;
}

static void check_plain(void)
{
    struct instruction in = good("{\"int\": -9223372036854775808}");
    OK(attribute_int(&in, ONE, 0) == INT64_MIN, "the least integer");
    EQ_INT(attribute_int(&in, ATTRIBUTE_BODY, 7), 7, "absent: the fallback");
    OK(!attribute_string(&in, ATTRIBUTE_BODY), "no string");
    in = good("{\"ints\": [3, -1, 0]}");
    OK(ints_are(attribute_find(&in, ONE), 3, 3, -1, 0), "integers");
    in = good("{\"ints\": []}");
    OK(ints_are(attribute_find(&in, ONE), 0), "no integers");
    in = good("{\"pairs\": [[1, 2], [3, 4]]}");
    OK(ints_are(attribute_find(&in, ONE), 4, 1, 2, 3, 4), "pairs");
    in = good("{\"groups\": [[0, 2], [], [1]]}");
    const struct attribute *a = attribute_find(&in, ONE);
    OK(ints_are(a, 3, 0, 2, 1), "groups");
    OK(a->part_count == 3 && a->parts[0] == 2 && a->parts[1] == 0
           && a->parts[2] == 1,
       "with their lengths");
    in = good("{\"bool\": true}");
    OK(attribute_bool(&in, ONE, false), "true");
    in = good("{\"bools\": [true, false]}");
    OK(ints_are(attribute_find(&in, ONE), 2, 1, 0), "true, false");
    in = good("{\"type\": \"bf16\"}");
    EQ_INT(attribute_find(&in, ONE)->dtype, DT_bf16, "a type");
    in = good("{\"shape\": \"(f32[2], token[])\"}");
    EQ_STR(shape_text(&arena, attribute_find(&in, ONE)->shape),
           "(f32[2], token[])", "a shape");
    in = good("{\"name\": \"B\"}");
    EQ_STR(attribute_string(&in, ONE), "B", "a name");
    in = good("{\"names\": [\"C\", \"A\", \"C\"]}");
    OK(ints_are(attribute_find(&in, ONE), 3, 2, 0, 2), "names by number");
    EQ_STR(attribute_string(&in, ONE), "C,A,C", "and as text");
    in = good("{\"string\": \"\"}");
    EQ_STR(attribute_string(&in, ONE), "", "an empty string");
}

static void check_values(void)
{
    struct instruction in = good("{\"number\": \"0.1\"}");
    EQ_INT(literal_get(attribute_find(&in, ONE)->literal, 0), 0x3dcccccd,
           "0.1 rounded to f32 (IEEE 754)");
    in = good("{\"number\": 0.5}");
    EQ_INT(literal_get(attribute_find(&in, ONE)->literal, 0), 0x3f000000,
           "0.5");
    in = good("{\"literal\": {\"shape\": \"s8[2]\", \"data\": [1, -1]}}");
    EQ_INT(literal_get(attribute_find(&in, ONE)->literal, 1), 0xff,
           "a literal");
    in = good("{\"one\": \"known\"}");
    const struct attribute *a = attribute_find(&in, ONE);
    OK(a->computation_count == 1 && a->computations[0] == &known, "found");
    in = good("{\"some\": [\"add\", \"known\"]}");
    a = attribute_find(&in, ONE);
    OK(a->computation_count == 2 && !a->computations[0]
           && a->computations[1] == &known && !a->builtins[1],
       "one is found,");
    EQ_STR(a->builtins[0], "add", "the other taken for a built-in one");
    in = good("{\"window\": \"SAME\"}");
    EQ_STR(attribute_string(&in, ONE), "SAME", "padding by name");
    in = good("{\"window\": [[1, -1]]}");
    OK(ints_are(attribute_find(&in, ONE), 2, 1, -1), "padding by pairs");
    in = good("{\"padding\": [{\"edge_padding_high\": 2}, "
              "{\"interior_padding\": 1, \"edge_padding_low\": -3}]}");
    OK(ints_are(attribute_find(&in, ONE), 6, 0, 2, 0, -3, 0, 1),
       "three numbers a dimension");
    in = good("{\"object\": {\"a\": [1, null, \"x\\\"\"], \"b\": {}}}");
    EQ_STR(attribute_string(&in, ONE), "{\"a\":[1,null,\"x\\\"\"],\"b\":{}}",
           "as text");
    in = good("{\"accuracy\": \"HIGHEST\"}");
    EQ_STR(attribute_string(&in, ONE), "HIGHEST", "a mode");
    in = good("{\"accuracy\": {\"atol\": \"0x1p-10\", \"ulps\": 3}}");
    a = attribute_find(&in, ONE);
    EQ_STR(a->string, "TOLERANCE", "tolerances");
    OK(literal_get(a->literal->elements[0], 0) == UINT64_C(0x3f50000000000000),
       "atol, as f64");
    EQ_INT(literal_get(a->literal->elements[1], 0), 0, "no rtol");
    OK(literal_get(a->literal->elements[2], 0) == UINT64_C(0x4008000000000000),
       "ulps 3");
    in = good("{\"numbers\": {\"dims\": [1, 0]}}");
    OK(ints_are(attribute_find(&in, ATTRIBUTE_OFFSET_DIMS), 2, 1, 0),
       "a member");
    OK(!attribute_find(&in, ATTRIBUTE_INDEX_VECTOR_DIM), "an optional one");
    EQ_INT(in.attribute_count, 1, "and no more");
}

static void check_bad(void)
{
    bad("{\"int\": 1.0}", STATUS_INPUT, "/int", "integer");
    bad("{\"int\": 1e3}", STATUS_INPUT, "/int", "integer");
    bad("{\"int\": 9223372036854775808}", STATUS_INPUT, "/int", "64-bit");
    bad("{\"int\": \"1\"}", STATUS_INPUT, "/int", "integer");
    bad("{\"int\": null}", STATUS_INPUT, "/int", "integer");
    bad("{\"ints\": 1}", STATUS_INPUT, "/ints", "list");
    bad("{\"ints\": [1, [2]]}", STATUS_INPUT, "/ints/1", "integer");
    bad("{\"pairs\": [[1, 2], [3]]}", STATUS_INPUT, "/pairs/1", "pair");
    bad("{\"pairs\": [1]}", STATUS_INPUT, "/pairs/0", "list");
    bad("{\"groups\": [0]}", STATUS_INPUT, "/groups/0", "list");
    bad("{\"bool\": 1}", STATUS_INPUT, "/bool", "true or false");
    bad("{\"bools\": true}", STATUS_INPUT, "/bools", "list");
    bad("{\"type\": \"f33\"}", STATUS_INPUT, "/type", "f33");
    bad("{\"type\": 3}", STATUS_INPUT, "/type", "string");
    bad("{\"shape\": \"f32[\"}", STATUS_INPUT, "/shape", "");
    bad("{\"name\": \"D\"}", STATUS_ATTRIBUTE, "/name", "'A', 'B', 'C'");
    bad("{\"name\": 1}", STATUS_INPUT, "/name", "string");
    bad("{\"names\": [\"A\", \"b\"]}", STATUS_ATTRIBUTE, "/names/1", "'b'");
    bad("{\"names\": \"A\"}", STATUS_INPUT, "/names", "list");
    bad("{\"number\": 0.1}", STATUS_INPUT, "/number", "");
    bad("{\"number\": [1]}", STATUS_INPUT, "/number", "");
    bad("{\"literal\": 1}", STATUS_INPUT, "/literal", "");
    bad("{\"one\": [\"known\"]}", STATUS_INPUT, "/one", "string");
    bad("{\"some\": \"known\"}", STATUS_INPUT, "/some", "list");
    bad("{\"window\": \"FULL\"}", STATUS_ATTRIBUTE, "/window", "SAME");
    bad("{\"window\": [[1]]}", STATUS_INPUT, "/window/0", "pair");
    bad("{\"padding\": [{\"low\": 1}]}", STATUS_INPUT, "/padding/0/low",
        "unknown");
    bad("{\"padding\": [[1, 2, 3]]}", STATUS_INPUT, "/padding/0", "object");
    bad("{\"accuracy\": \"LOW\"}", STATUS_ATTRIBUTE, "/accuracy", "HIGHEST");
    bad("{\"accuracy\": {\"atol\": -1}}", STATUS_ATTRIBUTE, "/accuracy/atol",
        "negative");
    bad("{\"accuracy\": {\"atol\": \"x\"}}", STATUS_INPUT, "/accuracy/atol",
        "");
    bad("{\"accuracy\": {\"tol\": 1}}", STATUS_INPUT, "/accuracy/tol",
        "unknown");
    bad("{\"numbers\": {}}", STATUS_ATTRIBUTE, "/numbers", "numbers.dims");
    bad("{\"numbers\": []}", STATUS_INPUT, "/numbers", "object");
    bad("{\"numbers\": {\"dims\": [], \"x\": 1}}", STATUS_INPUT, "/numbers/x",
        "unknown");
    bad("{\"object\": 1}", STATUS_INPUT, "/object", "object");
    bad("{}", STATUS_ATTRIBUTE, "", "'int' is missing");
    bad("{\"int\": 1, \"x\": 2}", STATUS_INPUT, "/x", "unknown");
    bad("[]", STATUS_INPUT, "", "object");
}

int main(void)
{
    check_plain();
    check_values();
    check_bad();
    arena_free(&arena);
    return tap_done();
}
