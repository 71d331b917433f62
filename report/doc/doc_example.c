/* doc_example.c - worked examples: small cases of the suite.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <unistd.h>

#include "interp/case/case.h"
#include "interp/case/case_subst.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo.h"
#include "report/doc/doc.h"

enum {
    RIGHT_MAX = 3,       /* examples with a result */
    ERROR_MAX = 1,       /* and with an error */
    LINE_BYTES = 120,    /* of a line of one; it has few lines */
    WIDE_BYTES = 400,    /* the same where there are no small ones */
    MEMBER_BYTES = 300,  /* of a member, where nothing else is there */
    PROGRAM_BYTES = 6000 /* of a program as text */
};

static const char *literal_text(struct arena *a, const struct json *node)
{
    const struct json *shape = json_member(node, "shape"), *tuple;
    if (node->kind == JSON_OBJECT && (tuple = json_member(node, "tuple"))) {
        const char *text = "(";
        for (const struct json *m = tuple->child; m; m = m->next)
            text =
                arena_printf(a, "%s%s%s", text, m == tuple->child ? "" : ", ",
                             literal_text(a, m));
        return arena_printf(a, "%s)", text);
    }
    if (node->kind == JSON_ARRAY) { /* the row of a replica */
        const char *text = "";
        for (const struct json *m = node->child; m; m = m->next)
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "",
                                literal_text(a, m));
        return text;
    }
    if (node->kind != JSON_OBJECT || !shape || node->count != 2)
        return attribute_json_text(a, node);
    for (const struct json *m = node->child; m; m = m->next) {
        if (m == shape)
            continue;
        const char *value = attribute_json_text(a, m);
        return strcmp(m->key, "data") == 0
                   ? arena_printf(a, "%s %s", shape->text, value)
                   : arena_printf(a, "%s %s %s", shape->text, m->key, value);
    }
    return attribute_json_text(a, node);
}

/* A line each: "operand    f32[2] [1,2]", "iota_dimension = 0". */
static const char *member_lines(struct arena *a, const char *what,
                                const struct json *list)
{
    const char *text = "";
    for (const struct json *m = list ? list->child : NULL; m; m = m->next)
        text = m->key ? arena_printf(a, "%s%s = %s\n", text, m->key,
                                     attribute_json_text(a, m))
                      : arena_printf(a, "%s%-10s %s\n", text, what,
                                     literal_text(a, m));
    return text;
}

static bool is_small(const char *text, size_t line_bytes)
{
    if (strlen(text) > 4 * line_bytes)
        return false;
    for (const char *c = text; *c; c += strcspn(c, "\n") + 1)
        if (strcspn(c, "\n") > line_bytes)
            return false;
    return true;
}

/* NULL if the case needs more than its operands and attributes to be
 * understood. */
static const char *case_text(struct arena *a, const struct json *node,
                             size_t line_bytes)
{
    static const char *const odd[] = {"module",  "programs", "computations",
                                      "infeed",  "outfeed",  "profile",
                                      "policies"};
    static const char *const counts[] = {"replicas", "partitions"};
    const char *text = "";
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (json_member(node, odd[i]))
            return NULL;
    const struct json *expect = json_member(node, "expect");
    if (!expect)
        return NULL;
    const char *result =
        expect->kind == JSON_ARRAY
            ? member_lines(a, "result", expect)
            : arena_printf(
                a, "%-10s %s\n", "error",
                json_member(expect, "error")
                    ? attribute_json_text(a, json_member(expect, "error"))
                    : attribute_json_text(a, expect));
    for (int i = 0; i < 2; i++)
        if (json_member(node, counts[i]))
            text = arena_printf(a, "%s%-10s %s\n", text, counts[i],
                                json_member(node, counts[i])->text);
    text = arena_printf(a, "%s%s%s%s", text,
                        member_lines(a, "operand", json_member(node, "inputs")),
                        member_lines(a, "", json_member(node, "attributes")),
                        result);
    return is_small(text, line_bytes) ? text : NULL;
}

/* Any case: its members as its file has them, cut where they are long. */
static const char *member_text(struct arena *a, const struct json *node)
{
    static const char *const other[] = {"id", "why", "covers"};
    const char *text = "";
    for (const struct json *m = node->child; m; m = m->next) {
        bool shown = true;
        for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
            shown = shown && strcmp(m->key, other[i]) != 0;
        const char *value = shown ? attribute_json_text(a, m) : "";
        if (shown)
            text =
                arena_printf(a, "%s%-10s %.*s%s\n", text, m->key, MEMBER_BYTES,
                             value, strlen(value) > MEMBER_BYTES ? " ..." : "");
    }
    return text;
}

/* The program as StableHLO, where that can express it and it is short. */
static void add_program(struct page *p, const struct case_stub *stub)
{
    static const struct limits limits = LIMITS_DEFAULT;
    struct status st = {STATUS_OK};
    struct test_case *made;
    const char *text;
    if (!case_make(p->arena, stub, NULL, &limits, &made, &st) || !made->program
        || !made->program->entry
        || !stablehlo_text(p->arena, made->program, &text, &st)
        || strlen(text) > PROGRAM_BYTES)
        return;
    page_paragraph(p, PAGE_PLAIN, "The program, as StableHLO:");
    page_open(p, PAGE_CODE);
    page_say(p, PAGE_PLAIN, "%s", text);
}

struct taker {
    const struct doc *doc;
    struct page *page;
    const struct spec_op *op;
    size_t line_bytes; /* of an example's longest line */
    enum {
        SMALL,   /* only what its operands and attributes explain */
        EXPECTS, /* any with an expectation */
        ANY
    } take;
    int rights, errors;
};

static bool covers(const struct taker *t, const struct json *node)
{
    const struct json *list = json_member(node, "covers");
    size_t n = strlen(t->op->name);
    for (const struct json *m = list ? list->child : NULL; m; m = m->next)
        if (strncmp(m->text, t->op->name, n) == 0 && m->text[n] == '.')
            return true;
    return false;
}

static bool add_stub(struct taker *t, const struct case_stub *stub, bool *added,
                     struct status *st)
{
    struct page *p = t->page;
    const struct json *node;
    TRY(case_subst(p->arena, stub, &node, st));
    const char *text = case_text(p->arena, node, t->line_bytes);
    bool takes =
        t->take == ANY || (t->take == EXPECTS && json_member(node, "expect"));
    if (!text && takes && covers(t, node))
        text = member_text(p->arena, node);
    *added = text != NULL;
    if (!text)
        return true;
    if (t->rights + t->errors == 0)
        page_heading(p, 2, "examples", "Examples");
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_LITERAL, "%s", stub->name);
    page_say(p, PAGE_PLAIN, ": %s", json_member(node, "why")->text);
    page_open(p, PAGE_CODE);
    page_say(p, PAGE_PLAIN, "%s", text);
    if (t->rights == 0)
        add_program(p, stub);
    return true;
}

/* Take the first small cases of a file, one of those that are expanded from
 * the same text. */
static bool add_file(struct taker *t, const char *op, const char *name,
                     struct status *st)
{
    static const struct limits limits = LIMITS_DEFAULT;
    struct arena *a = t->doc->arena;
    struct case_file *file;
    const char *path =
        arena_printf(a, "%s/%s/%s.json", t->doc->cases, op, name);
    const struct json *last = NULL;
    if (access(path, F_OK) != 0)
        return true;
    TRY(case_file_read(a, path, arena_printf(a, "%s/%s", op, name), &limits,
                       &file, st));
    for (int i = 0; i < file->stub_count; i++) {
        const struct case_stub *stub = &file->stubs[i];
        const struct json *expect = json_member(stub->node, "expect");
        bool fails = expect && expect->kind == JSON_OBJECT, added;
        if (stub->node == last
            || (fails ? t->take != SMALL || t->errors >= ERROR_MAX
                      : t->rights >= (t->take == SMALL ? RIGHT_MAX : 1)))
            continue;
        last = stub->node;
        TRY(add_stub(t, stub, &added, st));
        *(fails ? &t->errors : &t->rights) += added;
    }
    return true;
}

/* A case that needs more than its operands to be understood: of the operation,
 * or of another of its family, whose program has both. */
static bool add_any(struct taker *t, struct status *st)
{
    static const char *const files[] = {"rules", "properties"};
    for (int i = 0; i < 2 && t->rights == 0; i++)
        TRY(add_file(t, t->op->name, files[i], st));
    for (int i = 0; t->op->family && i < spec_op_count(); i++) {
        const struct spec_op *other = spec_op_at(i);
        if (t->rights == 0 && other->family
            && strcmp(other->family, t->op->family) == 0)
            TRY(add_file(t, other->name, "rules", st));
    }
    return true;
}

bool doc_example(const struct doc *d, struct page *p, const struct spec_op *op,
                 struct status *st)
{
    struct taker t = {.doc = d, .page = p, .op = op, .line_bytes = LINE_BYTES};
    if (!d->cases)
        return true;
    TRY(add_file(&t, op->name, "rules", st));
    if (t.rights == 0) {
        t.line_bytes = WIDE_BYTES;
        TRY(add_file(&t, op->name, "rules", st));
    }
    for (t.take = EXPECTS; t.rights == 0 && t.take <= ANY; t.take++)
        TRY(add_any(&t, st));
    t.take = SMALL;
    return add_file(&t, op->name, "errors", st);
}
