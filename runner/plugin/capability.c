/* capability.c - see plugin_private.h.  Tests: abi.t, process.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/base/text.h"
#include "interp/specification/spec.h"
#include "runner/plugin/plugin.h"
#include "runner/plugin/plugin_private.h"

enum {
    WORDS = 8,
    WORD_BYTES = 64
};

enum kind {
    TYPES,
    OPERATIONS,
    COUNT,
    WORD
};

static const struct row {
    const char *name;
    enum kind kind;
    const char *words;
} rows[] = {
#define CAPABILITY(name, kind, words) {name, kind, words},
#include "runner/plugin/capability.def"
#undef CAPABILITY
};

enum {
    ROWS = sizeof rows / sizeof rows[0]
};

static bool refuse(const struct row *row, const char *what, const char *word,
                   const char *hint, struct status *st)
{
    char shown[WORD_BYTES];
    text_clean(shown, sizeof shown, word);
    return FAIL(st, INPUT, "capability '%s': %s '%s'%s", row->name, what, shown,
                hint);
}

/* The type for another library's name of it: "float32" is f32, "int8" is s8. */
static const char *own_name(const char *word, char to[WORD_BYTES])
{
    static const struct {
        const char *other, *own;
    } stems[] = {{"float", "f"},  {"int", "s"},     {"i", "s"},
                 {"uint", "u"},   {"complex", "c"}, {"bfloat", "bf"},
                 {"bool", "pred"}};
    enum dtype type;
    size_t n = strcspn(word, "0123456789");
    for (size_t k = 0; k < sizeof stems / sizeof stems[0]; k++) {
        if (strlen(stems[k].other) != n
            || strncmp(stems[k].other, word, n) != 0)
            continue;
        snprintf(to, WORD_BYTES, "%s%.16s", stems[k].own, word + n);
        return dtype_parse(to, strlen(to), &type) ? to : NULL;
    }
    return NULL;
}

static bool check_type(const struct row *row, const char *word,
                       struct status *st)
{
    const char *names[DT_COUNT];
    char hint[TEXT_HINT + WORD_BYTES], own[WORD_BYTES];
    enum dtype type;
    if (dtype_parse(word, strlen(word), &type) || strcmp(word, "token") == 0)
        return true;
    for (int i = 0; i < DT_COUNT; i++)
        names[i] = dtype_table[i].name;
    if (own_name(word, own))
        snprintf(hint, sizeof hint, " (nearest: '%s')", own);
    else
        text_hint(hint, word, names, DT_COUNT);
    return refuse(row, "unknown type", word, hint, st);
}

static bool check_operation(const struct row *row, const char *word,
                            struct status *st)
{
    char hint[TEXT_HINT];
    return spec_op_find(word)
           || refuse(row, "unknown operation", word, spec_op_hint(hint, word),
                     st);
}

/* The words of a list, or of a value; each is passed on as a text. */
static int split(const char *list, char words[][WORD_BYTES], int room)
{
    int n = 0;
    for (size_t own; n < room && *(list += strspn(list, " ")); list += own) {
        own = strcspn(list, " ");
        size_t kept = own < WORD_BYTES ? own : WORD_BYTES - 1;
        memcpy(words[n], list, kept);
        words[n++][kept] = '\0';
    }
    return n;
}

static bool check_word(const struct row *row, const char *value,
                       struct status *st)
{
    char words[WORDS][WORD_BYTES], hint[TEXT_HINT];
    const char *names[WORDS];
    int n = split(row->words, words, WORDS);
    for (int i = 0; i < n; i++) {
        names[i] = words[i];
        if (strcmp(value, words[i]) == 0)
            return true;
    }
    char all[TEXT_HINT + WORD_BYTES];
    snprintf(all, sizeof all, "%s; expected one of: %s",
             text_hint(hint, value, names, n), row->words);
    return refuse(row, "unknown word", value, all, st);
}

static bool check_count(const struct row *row, const char *value,
                        struct status *st)
{
    char *end;
    long long n = strtoll(value, &end, 10);
    return (end != value && !*end && n >= 1)
           || refuse(row, "expected a whole number, 1 or more, got", value, "",
                     st);
}

static bool check_list(const struct row *row, const char *value,
                       struct status *st)
{
    char word[1][WORD_BYTES];
    for (; *(value += strspn(value, " ")); value += strcspn(value, " ")) {
        split(value, word, 1);
        TRY(row->kind == TYPES ? check_type(row, word[0], st)
                               : check_operation(row, word[0], st));
    }
    return true;
}

static bool check(const struct row *row, const char *value, struct status *st)
{
    switch (row->kind) {
    case TYPES:
    case OPERATIONS:
        return check_list(row, value, st);
    case COUNT:
        return check_count(row, value, st);
    case WORD:
        return check_word(row, value, st);
    }
    return true;
}

bool capability_check(const struct plugin *plugin, struct status *st)
{
    for (int i = 0; i < ROWS; i++) {
        const char *value = plugin_capability(plugin, rows[i].name);
        struct status own = {STATUS_OK};
        if (value && !check(&rows[i], value, &own))
            return FAIL(st, INPUT, "backend %.60s: %.400s",
                        plugin->backend->name ? plugin->backend->name
                                              : plugin->path,
                        own.text);
    }
    return true;
}
