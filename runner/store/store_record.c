/* store_record.c - see store_record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_record.h"

#include <string.h>

#include "interp/base/text.h"
#include "runner/store/store_private.h"

enum {
    TEXT_MAX = 64 << 20
};

#define COLUMNS(table, TABLE) \
    static const struct store_column table##_columns[] = { \
        {RECORD_INT, "plan", NULL, offsetof(struct store_##table, plan), 0}, \
        RECORD_##table(RECORD_COLUMN, struct store_##table)};
RECORD_TABLES(COLUMNS)

#define RECORD(table, TABLE) \
    [STORE_##TABLE] = {#table, \
                       sizeof table##_columns / sizeof table##_columns[0], \
                       table##_columns, \
                       RECORD_INSERT(table, plan), \
                       RECORD_SELECT(table, plan), \
                       "DELETE FROM " #table " WHERE plan = ?"},
const struct store_record store_record_tables[STORE_TABLES] = {
    RECORD_TABLES(RECORD)};

/* A text too long for any reader is truncated, between characters: SQLite has a
 * limit, and refuses the row beyond it. */
static int length_of(const char *text)
{
    size_t n = strnlen(text, TEXT_MAX);
    if (n == TEXT_MAX)
        while (n > TEXT_MAX - 4 && text_inside(text[n]))
            n--;
    return (int)n;
}

void store_record_text(sqlite3_stmt *q, int i, const char *text)
{
    if (text)
        sqlite3_bind_text(q, i, text, length_of(text), SQLITE_STATIC);
    else
        sqlite3_bind_null(q, i);
}

bool store_record_has(const struct store_column *c, const void *record)
{
    const char *r = record;
    if (c->has)
        return *(const bool *)(const void *)(r + c->has);
    return c->kind != RECORD_NATURAL
           || *(const int64_t *)(const void *)(r + c->at) >= 0;
}

static void bind(sqlite3_stmt *q, int i, const struct store_column *c,
                 const char *record)
{
    const void *member = record + c->at;
    const char *text;
    int64_t n;
    switch (c->kind) {
    case RECORD_FLAG:
        sqlite3_bind_int(q, i, *(const bool *)member);
        return;
    case RECORD_TEXT:
    case RECORD_WORD:
        text = *(const char *const *)member;
        store_record_text(q, i, text || c->kind == RECORD_TEXT ? text : "");
        return;
    case RECORD_INT:
    case RECORD_NATURAL:
    case RECORD_SIZE:
    case RECORD_BITS:
    case RECORD_MAYBE:
        break;
    }
    n = *(const int64_t *)member;
    if (!store_record_has(c, record))
        sqlite3_bind_null(q, i);
    else
        /* abs() of SQLite fails for the least integer. */
        sqlite3_bind_int64(
            q, i, c->kind == RECORD_SIZE && n < -INT64_MAX ? -INT64_MAX : n);
}

void store_record_bind(const struct store_record *r, sqlite3_stmt *q,
                       const void *record)
{
    for (int i = 0; i < r->count; i++)
        bind(q, i + 1, &r->columns[i], record);
}

static void read_column(const struct store_column *c, struct arena *a,
                        sqlite3_stmt *q, int i, char *record)
{
    void *member = record + c->at;
    bool null = sqlite3_column_type(q, i) == SQLITE_NULL;
    const char *text;
    switch (c->kind) {
    case RECORD_FLAG:
        *(bool *)member = sqlite3_column_int(q, i) != 0;
        return;
    case RECORD_TEXT:
    case RECORD_WORD:
        text = (const char *)sqlite3_column_text(q, i);
        *(const char **)member = text ? arena_text(a, text) : NULL;
        return;
    case RECORD_INT:
    case RECORD_NATURAL:
    case RECORD_SIZE:
    case RECORD_BITS:
    case RECORD_MAYBE:
        break;
    }
    *(int64_t *)member =
        null && c->kind == RECORD_NATURAL ? -1 : sqlite3_column_int64(q, i);
    if (c->has)
        *(bool *)(void *)(record + c->has) = !null;
}

void store_record_read(const struct store_record *r, struct arena *a,
                       sqlite3_stmt *q, void *record)
{
    for (int i = sqlite3_column_count(q) - 1; i >= 0; i--) {
        const char *name = sqlite3_column_name(q, i);
        for (int k = 0; k < r->count; k++)
            if (strcmp(r->columns[k].name, name) == 0)
                read_column(&r->columns[k], a, q, i, record);
    }
}
