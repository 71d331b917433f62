/* test_spec_family.c - what a file takes from its families.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected objects are written down here, by the rules of spec_family.h.
 */
#include <string.h>

#include "interp/specification/spec_family.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

static const char *const files[][2] = {
    {"base", "{'operands': [{'name': 'x', 'types': ['f32'], 'text': 'X.'},"
             " {'name': 'y', 'text': 'Y.'}], 'accuracy': 'exact',"
             " 'policies': ['p'], 'result': {'shape': 'S', 'value': 'V'},"
             " 'requirements': [{'id': '$OP.a', 'text': 'A.'}]}"},
    {"middle", "{'family': 'middle', 'extends': ['base'], 'policies': ['q'],"
               " 'requirements': [{'id': '$OP.b', 'text': 'B.'}],"
               " 'attributes': [{'name': 'd', 'members': [{'name': 'm'}]}]}"},
    {"other", "{'attributes': [{'name': 'e', 'form': 'int'}]}"},
    {"circle", "{'extends': ['circle']}"},
    {"lost", "{'extends': ['nothing']}"},
    {"wrong", "{'extends': 'base'}"},
};

/* JSON is written here with single quotes. */
static const struct json *parse(const char *text)
{
    struct status st = {STATUS_OK};
    const struct json *root = NULL;
    char *json = arena_text(&arena, text);
    for (char *c = json; *c; c++)
        if (*c == '\'')
            *c = '"';
    OK(json_parse(&arena, "text", json, strlen(json), &root, &st), "%s", text);
    return root;
}

static const struct json *find(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i][0], name) == 0)
            return parse(files[i][1]);
    return NULL;
}

static const char *write_json(const struct json *node)
{
    const char *text = node->kind == JSON_ARRAY ? "[" : "{";
    if (node->kind == JSON_STRING)
        return arena_printf(&arena, "'%s'", node->text);
    int n = 0;
    for (const struct json *c = node->child; c; c = c->next, n++)
        text =
            arena_printf(&arena, "%s%s%s%s%s", text, n ? ", " : "",
                         node->kind == JSON_OBJECT ? c->key : "",
                         node->kind == JSON_OBJECT ? ": " : "", write_json(c));
    EQ_INT(n, node->count, "as many children as it counts");
    return arena_printf(&arena, "%s%s", text,
                        node->kind == JSON_ARRAY ? "]" : "}");
}

static void check_merged(const char *own, const char *expected,
                         const char *name)
{
    struct status st = {STATUS_OK};
    const struct json *whole;
    if (OK(spec_family_merge(&arena, parse(own), find, &whole, &st), "%s: %s",
           name, st.text))
        EQ_STR(write_json(whole), expected, "%s", name);
}

static void check_fails(const char *own, const char *why, const char *place)
{
    struct status st = {STATUS_OK};
    const struct json *whole;
    OK(!spec_family_merge(&arena, parse(own), find, &whole, &st), "%s", why);
    EQ_STR(st.text, why, "the reason");
    EQ_STR(st.member, place, "the place");
    EQ_INT(st.code, STATUS_INPUT, "an input error");
}

int main(void)
{
    check_merged("{'op': 'Z', 'operands': []}", "{op: 'Z', operands: []}",
                 "no family");
    check_merged("{'op': 'Z', 'family': 'base', 'accuracy': 'set'}",
                 "{op: 'Z', family: 'base', accuracy: 'set', operands: [{name:"
                 " 'x', types: ['f32'], text: 'X.'}, {name: 'y', text: 'Y.'}],"
                 " policies: ['p'], result: {shape: 'S', value: 'V'},"
                 " requirements: [{id: '$OP.a', text: 'A.'}]}",
                 "the file's own member replaces the family's");
    check_merged("{'family': 'base', 'operands': [{'name': 'y', 'types': []},"
                 " {'name': 'x', 'text': 'Own.'}, {'name': 'w'}], 'accuracy':"
                 " '', 'policies': [], 'result': {'value': 'W'},"
                 " 'requirements': [{'id': 'Z.a', 'source': 's'}]}",
                 "{family: 'base', operands: [{name: 'y', types: [], text:"
                 " 'Y.'}, {name: 'x', text: 'Own.', types: ['f32']}, {name:"
                 " 'w'}], accuracy: '', policies: ['p'], result: {value: 'W',"
                 " shape: 'S'}, requirements: [{id: 'Z.a', source: 's', text:"
                 " 'A.'}]}",
                 "a row takes what it does not say");
    check_merged("{'family': 'middle', 'operands': [], 'accuracy': '',"
                 " 'result': '', 'attributes': [{'name': 'd', 'members':"
                 " [{'name': 'n'}]}], 'extends': ['other']}",
                 "{family: 'middle', operands: [], accuracy: '', result: '',"
                 " attributes: [{name: 'd', members: [{name: 'n'}, {name:"
                 " 'm'}]}, {name: 'e', form: 'int'}], extends: ['other'],"
                 " policies: ['q', 'p'], requirements: [{id: '$OP.b', text:"
                 " 'B.'}, {id: '$OP.a', text: 'A.'}]}",
                 "a family extends another, and so does an operation");
    check_fails("{'family': 'nothing'}", "no family \"nothing\"", "/family");
    check_fails("{'family': 'lost'}", "no family \"nothing\"", "/extends/0");
    check_fails("{'extends': ['circle']}",
                "families extend one another in a circle", "/extends/0");
    check_fails("{'family': 'wrong'}", "expected an array", "/extends");
    arena_free(&arena);
    return tap_done();
}
