/* line.c - see line.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The line is translated to JSON, which is then read as if it had been in the
 * file, so a line can express exactly what an object can:
 *
 *     a name, a type, a shape    f32[2,3]          "f32[2,3]"
 *     a literal                  f32[2] [1, inf]   {"shape": ..., "data": ...}
 *     an object                  {a = 1, b = []}   {"a": 1, "b": []}
 *
 * and numbers, lists, true, false and strings in single quotes as in JSON.  A
 * formula is an instruction without a name, whose operands are formulas.
 */
#include "interp/data/line.h"

#include <ctype.h>
#include <string.h>

enum {
    DEPTH_MAX = 64,
};

struct reader {
    struct arena *arena;
    const struct json *line;
    struct status *st;
    const char *at;
    int depth;
    char *json; /* what was translated so far */
    size_t length, room;
};

static bool expected(struct reader *r, const char *what)
{
    return json_fail(r->arena, r->line, r->st,
                     "expected %s at '%.20s' (character %d of the line)", what,
                     r->at, (int)(r->at - r->line->text) + 1);
}

static void append(struct reader *r, const char *text)
{
    size_t n = strlen(text);
    if (r->length + n >= r->room) {
        r->room = 2 * (r->length + n) + 64;
        char *more = arena_alloc(r->arena, r->room);
        if (r->length > 0)
            memcpy(more, r->json, r->length);
        r->json = more;
    }
    memcpy(r->json + r->length, text, n + 1);
    r->length += n;
}

static void put_quoted(struct reader *r, const char *text)
{
    append(r, json_quote(r->arena, text));
}

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t\n");
}

static bool accept(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c != '\0' && strchr("_.-+$", c));
}

/* A name; compilers write a % before it. */
static bool read_name(struct reader *r, const char **name)
{
    skip_blanks(r);
    r->at += *r->at == '%';
    size_t n = 0;
    while (is_word(r->at[n]))
        n++;
    if (n == 0)
        return expected(r, "a name");
    *name = arena_printf(r->arena, "%.*s", (int)n, r->at);
    r->at += n;
    return true;
}

static bool read_value(struct reader *r);

static bool read_operand(struct reader *r)
{
    const char *name;
    TRY(read_name(r, &name));
    put_quoted(r, name);
    return true;
}

static bool read_member(struct reader *r)
{
    TRY(read_operand(r));
    if (!accept(r, '='))
        return expected(r, "'='");
    append(r, ": ");
    return read_value(r);
}

/* Items in brackets, each read by one function. */
static bool read_items(struct reader *r, const char *brackets, const char *json,
                       bool (*read)(struct reader *))
{
    const char open[] = {json[0], '\0'}, close[] = {json[1], '\0'};
    if (!accept(r, brackets[0]))
        return expected(r, brackets[0] == '(' ? "'('" : "'{'");
    append(r, open);
    if (!accept(r, brackets[1])) {
        do {
            TRY(read(r));
            skip_blanks(r);
            append(r, *r->at == ',' ? ", " : "");
        } while (accept(r, ','));
        if (!accept(r, brackets[1]))
            return expected(r, "',' or a closing bracket");
    }
    append(r, close);
    return true;
}

static bool read_quoted(struct reader *r)
{
    const char *end = strchr(++r->at, '\'');
    if (!end)
        return expected(r, "a closing quote");
    put_quoted(r, arena_printf(r->arena, "%.*s", (int)(end - r->at), r->at));
    r->at = end + 1;
    return true;
}

/* A shape, and after it the data of a literal, or nothing. */
static bool read_shape(struct reader *r, const char *type)
{
    size_t n = strcspn(r->at, "]");
    if (r->at[n] == '\0')
        return expected(r, "a shape");
    const char *shape =
        arena_printf(r->arena, "%s%.*s", type, (int)n + 1, r->at);
    r->at += n + 1;
    skip_blanks(r);
    if (*r->at == '\0' || strchr(",]})", *r->at)) {
        put_quoted(r, shape);
        return true;
    }
    append(r, "{\"shape\": ");
    put_quoted(r, shape);
    append(r, ", \"data\": ");
    TRY(read_value(r));
    append(r, "}");
    return true;
}

/* JSON decides what a number is. */
static bool is_plain(const char *word)
{
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return true;
    word += *word == '-';
    return isdigit((unsigned char)*word)
           && word[strspn(word, "0123456789.eE+-")] == '\0';
}

static void put_word(struct reader *r, const char *word)
{
    append(r, is_plain(word) ? word : json_quote(r->arena, word));
}

static bool descend(struct reader *r)
{
    if (r->depth == DEPTH_MAX)
        return expected(r, "a value that is nested less deeply");
    r->depth++;
    return true;
}

static bool read_value(struct reader *r)
{
    const char *word;
    bool good = true;
    TRY(descend(r));
    skip_blanks(r);
    if (*r->at == '[')
        good = read_items(r, "[]", "[]", read_value);
    else if (*r->at == '{')
        good = read_items(r, "{}", "{}", read_member);
    else if (*r->at == '\'')
        good = read_quoted(r);
    else if (!read_name(r, &word))
        good = false;
    else if (*r->at == '[')
        good = read_shape(r, word);
    else
        put_word(r, word);
    r->depth--;
    return good;
}

/* Give a tree the line's place in the file. */
static void place(struct json *node, const struct json *line)
{
    node->line = line->line;
    node->column = line->column;
    node->path = line->path;
    for (const struct json *c = node->child; c; c = c->next)
        place((struct json *)c, line);
}

/* Reads an operation from its operands on. */
static bool read_call(struct reader *r, bool (*read)(struct reader *))
{
    append(r, ", \"operands\": ");
    TRY(read_items(r, "()", "[]", read));
    skip_blanks(r);
    if (*r->at == '{') {
        append(r, ", \"attributes\": ");
        TRY(read_items(r, "{}", "{}", read_member));
    }
    append(r, "}");
    return true;
}

static bool read_instruction(struct reader *r)
{
    append(r, "{\"name\": ");
    TRY(read_operand(r));
    if (!accept(r, '='))
        return expected(r, "'='");
    append(r, ", \"op\": ");
    TRY(read_operand(r));
    return read_call(r, read_operand);
}

static bool read_formula(struct reader *r);

/* A call or a word: the name is read. */
static bool read_term(struct reader *r, const char *name)
{
    skip_blanks(r);
    if (*r->at != '(' && *r->at != ':') {
        /* "true" is a word, too. */
        if (isalpha((unsigned char)*name))
            put_quoted(r, name);
        else
            put_word(r, name);
        return true;
    }
    append(r, "{\"op\": ");
    put_quoted(r, name);
    if (accept(r, ':')) {
        append(r, ", \"type\": ");
        TRY(read_operand(r));
    }
    return read_call(r, read_formula);
}

static bool read_formula(struct reader *r)
{
    const char *name;
    bool good;
    TRY(descend(r));
    skip_blanks(r);
    if (*r->at == '\'')
        good = read_quoted(r);
    else
        good = read_name(r, &name) && read_term(r, name);
    r->depth--;
    return good;
}

/* The tree that a text denotes, in the text's place. */
static bool translate(struct arena *a, const struct json *text,
                      bool (*read)(struct reader *), const struct json **tree,
                      struct status *st)
{
    struct reader r = {.arena = a, .line = text, .st = st, .at = text->text};
    struct status why = {STATUS_OK};
    TRY(read(&r));
    skip_blanks(&r);
    if (*r.at)
        return expected(&r, "the end of the line");
    if (!json_parse(a, text->path, r.json, r.length, tree, &why))
        return json_fail(a, text, st, "%s", why.text);
    struct json *root = (struct json *)*tree;
    place(root, text);
    root->key = text->key;
    root->next = text->next;
    root->parent = text->parent;
    return true;
}

bool line_instruction(struct arena *a, const struct json *line,
                      const struct json **instruction, struct status *st)
{
    return translate(a, line, read_instruction, instruction, st);
}

bool line_formula(struct arena *a, const struct json *text,
                  const struct json **formula, struct status *st)
{
    *formula = NULL;
    if (!text)
        return true;
    if (text->kind != JSON_STRING)
        return json_fail(a, text, st, "expected a formula as text");
    return translate(a, text, read_formula, formula, st);
}
