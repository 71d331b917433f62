/* store_record.h - the rows of record.def as structures and tables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_RECORD_H
#define RUNNER_STORE_STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "runner/store/record.def"

enum record_kind {
    RECORD_INT,     /* int64_t */
    RECORD_NATURAL, /* int64_t; NULL if it is negative */
    RECORD_SIZE,    /* int64_t with bool has_COLUMN; NULL if it has none */
    RECORD_BITS,    /* uint64_t: a bit pattern */
    RECORD_MAYBE,   /* uint64_t with bool has_COLUMN, as SIZE */
    RECORD_FLAG,    /* bool */
    RECORD_TEXT,    /* const char *; NULL stays NULL */
    RECORD_WORD,    /* const char *; "" for NULL */
};

/* The members of a structure. */
#define RECORD_MEMBER(of, kind, column, key) RECORD_MEMBER_##kind(column)
#define RECORD_MEMBER_INT(column)            int64_t column;
#define RECORD_MEMBER_NATURAL(column)        int64_t column;
#define RECORD_MEMBER_SIZE(column) \
    bool has_##column; \
    int64_t column;
#define RECORD_MEMBER_BITS(column) uint64_t column;
#define RECORD_MEMBER_MAYBE(column) \
    bool has_##column; \
    uint64_t column;
#define RECORD_MEMBER_FLAG(column) bool column;
#define RECORD_MEMBER_TEXT(column) const char *column;
#define RECORD_MEMBER_WORD(column) const char *column;

enum store_table {
#define RECORD_ENUM(table, TABLE) STORE_##TABLE,
    RECORD_TABLES(RECORD_ENUM)
#undef RECORD_ENUM
    STORE_TABLES
};

struct store_column {
    enum record_kind kind;
    const char *name;
    const char *key; /* in JSON, or NULL */
    size_t at, has;  /* in the structure, as SIZE and MAYBE have it */
};

struct store_record {
    const char *name;
    int count; /* of columns; the first is plan, or sweep */
    const struct store_column *columns;
    /* Statements, by the first column; NULL for what is only read. */
    const char *insert, *select, *remove;
};

#define RECORD_HAS_INT(of, column)     0
#define RECORD_HAS_NATURAL(of, column) 0
#define RECORD_HAS_SIZE(of, column)    offsetof(of, has_##column)
#define RECORD_HAS_BITS(of, column)    0
#define RECORD_HAS_MAYBE(of, column)   offsetof(of, has_##column)
#define RECORD_HAS_FLAG(of, column)    0
#define RECORD_HAS_TEXT(of, column)    0
#define RECORD_HAS_WORD(of, column)    0
/* A row as a struct store_column. */
#define RECORD_COLUMN(of, kind, column, key) \
    {RECORD_##kind, #column, key, offsetof(of, column), \
     RECORD_HAS_##kind(of, column)},

#define RECORD_NAME(of, kind, column, key) "," #column
#define RECORD_MARK(of, kind, column, key) ",?"
/* Statements for the rows of a table, by its first column. */
#define RECORD_INSERT(table, first) \
    "INSERT INTO " #table " (" #first RECORD_##table( \
        RECORD_NAME, ) ") VALUES (?" RECORD_##table(RECORD_MARK, ) ")"
#define RECORD_SELECT(table, first) \
    "SELECT " #first RECORD_##table(RECORD_NAME, ) " FROM " #table \
                                                   " WHERE " #first " = ?"

/* By enum store_table. */
extern const struct store_record store_record_tables[STORE_TABLES];

struct sqlite3_stmt;

/* Bind a structure to the statement that inserts it; its texts must live until
 * that was stepped. */
void store_record_bind(const struct store_record *r, struct sqlite3_stmt *q,
                       const void *record);
/* Has the structure a value for the column? */
bool store_record_has(const struct store_column *c, const void *record);
/* Fill a structure from the columns of a query's row that have the names of its
 * own; the others keep their values.  Texts are copied. */
void store_record_read(const struct store_record *r, struct arena *a,
                       struct sqlite3_stmt *q, void *record);

#endif
