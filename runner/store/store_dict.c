/* store_dict.c - see store_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

/* FNV-1a. */
static uint64_t hash(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return h;
}

/* The entry of that text, or the free one where it belongs. */
static struct store_dict_entry *entry_of(const struct store_dict *dict,
                                         const char *text)
{
    size_t i = hash(text) & (dict->room - 1);
    while (dict->entries[i].text && strcmp(dict->entries[i].text, text) != 0)
        i = (i + 1) & (dict->room - 1);
    return &dict->entries[i];
}

static bool grow(struct store_dict *dict, struct status *st)
{
    struct store_dict old = *dict;
    dict->room = old.room ? 2 * old.room : 64;
    dict->entries = calloc(dict->room, sizeof *dict->entries);
    dict->last = NULL;
    if (!dict->entries) {
        *dict = old;
        return FAIL(st, SYSTEM, "out of memory");
    }
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].text)
            *entry_of(dict, old.entries[i].text) = old.entries[i];
    free(old.entries);
    return true;
}

/* Run "head TABLE tail" with the text bound; sets *id if it gives a row. */
static bool query(sqlite3 *db, const char *head, const char *table,
                  const char *tail, const char *text, int64_t *id,
                  struct status *st)
{
    char sql[96];
    snprintf(sql, sizeof sql, "%s %s %s", head, table, tail);
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return store_schema_fail(db, sql, st);
    sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *id = sqlite3_column_int64(stmt, 0);
    bool good =
        rc == SQLITE_ROW || rc == SQLITE_DONE || store_schema_fail(db, sql, st);
    sqlite3_finalize(stmt);
    return good;
}

static bool look_up(struct store_dict *dict, sqlite3 *db, const char *text,
                    int64_t *id, struct status *st)
{
    *id = 0;
    TRY(query(db, "SELECT id FROM", dict->table, "WHERE name = ?", text, id,
              st));
    if (*id)
        return true;
    TRY(query(db, "INSERT INTO", dict->table, "(name) VALUES (?)", text, id,
              st));
    *id = sqlite3_last_insert_rowid(db);
    return true;
}

bool store_dict_id(struct store_dict *dict, sqlite3 *db, const char *text,
                   int64_t *id, struct status *st)
{
    if (dict->last && strcmp(dict->last->text, text) == 0) {
        *id = dict->last->id;
        return true;
    }
    if (4 * (dict->count + 1) > 3 * dict->room)
        TRY(grow(dict, st));
    struct store_dict_entry *entry = entry_of(dict, text);
    if (!entry->text) {
        TRY(look_up(dict, db, text, &entry->id, st));
        size_t size = strlen(text) + 1;
        entry->text = malloc(size);
        if (!entry->text)
            return FAIL(st, SYSTEM, "out of memory");
        memcpy(entry->text, text, size);
        dict->count++;
    }
    dict->last = entry;
    *id = entry->id;
    return true;
}

void store_dict_free(struct store_dict *dict)
{
    for (size_t i = 0; i < dict->room; i++)
        free(dict->entries[i].text);
    free(dict->entries);
    dict->entries = NULL;
    dict->last = NULL;
    dict->count = dict->room = 0;
}
