/* store_schema.c - see store_schema.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_schema.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/embed.h"

/* The file header of SQLite's format: https://sqlite.org/fileformat2.html */
enum {
    HEADER_BYTES = 100,
    USER_VERSION_AT = 60,
    APPLICATION_AT = 68,
    APPLICATION = 0x41737361 /* "Assa", as in results.sql */
};

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8
           | p[3];
}

bool store_schema_bad_path(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES
           || error == EPERM || error == EISDIR || error == ELOOP
           || error == ENAMETOOLONG || error == EROFS;
}

/* Read up to HEADER_BYTES; -1 on failure. */
static int read_header(const char *path, unsigned char *header,
                       struct status *st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) {
        enum code code =
            store_schema_bad_path(errno) ? STATUS_INPUT : STATUS_SYSTEM;
        FAIL(st, SYSTEM, "cannot be read: %s", strerror(errno));
        st->code = code;
        if (fd >= 0)
            close(fd);
        return -1;
    }
    int got = -1;
    if (!S_ISREG(about.st_mode))
        FAIL(st, INPUT, "not a regular file");
    else if ((got = (int)read(fd, header, HEADER_BYTES)) < 0)
        FAIL(st, SYSTEM, "cannot be read: %s", strerror(errno));
    close(fd);
    return got;
}

bool store_schema_probe(const char *path, bool *empty, struct status *st)
{
    struct stat about;
    *empty = stat(path, &about) != 0 && errno == ENOENT;
    if (*empty)
        return true;
    unsigned char header[HEADER_BYTES] = {0};
    int got = read_header(path, header, st);
    if (got < 0)
        return false;
    *empty = got == 0;
    if (*empty)
        return true;
    if (got < HEADER_BYTES || memcmp(header, "SQLite format 3", 16) != 0)
        return FAIL(st, INPUT, "not a results database");
    if (big_endian(header + APPLICATION_AT) != APPLICATION)
        return FAIL(st, INPUT,
                    "a database, but not of results (application id %08x)",
                    (unsigned)big_endian(header + APPLICATION_AT));
    uint32_t version = big_endian(header + USER_VERSION_AT);
    if (version > STORE_SCHEMA_VERSION)
        return FAIL(st, INPUT,
                    "was written by a newer assay: schema version %u, this "
                    "assay supports up to %d",
                    (unsigned)version, STORE_SCHEMA_VERSION);
    return true;
}

/* The system's error at a failed write; 0 if it is not known.  SQLite keeps it,
 * but not where a COMMIT fails: then it is the latest error, if that is one of
 * writing. */
static int system_error(sqlite3 *db, int latest)
{
    int why = sqlite3_system_errno(db);
    bool writing = latest == EFBIG || latest == ENOSPC || latest == EDQUOT;
    return why ? why : writing ? latest : 0;
}

bool store_schema_fail(sqlite3 *db, const char *doing, struct status *st)
{
    int latest = errno;
    int rc = sqlite3_errcode(db) & 0xff;
    if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB || rc == SQLITE_ERROR
        || rc == SQLITE_TOOBIG || rc == SQLITE_CONSTRAINT)
        return FAIL(st, INPUT, "is damaged: %s (%s)", sqlite3_errmsg(db),
                    doing);
    int why = rc == SQLITE_IOERR ? system_error(db, latest) : 0;
    return FAIL(st, SYSTEM, "%s: %s%s%s", doing, sqlite3_errmsg(db),
                why ? ": " : "", why ? strerror(why) : "");
}

bool store_schema_blank(sqlite3 *db)
{
    sqlite3_stmt *query;
    bool blank = false;
    if (sqlite3_prepare_v2(db,
                           "SELECT page_count < 2 AND NOT EXISTS"
                           " (SELECT 1 FROM sqlite_master)"
                           " FROM pragma_page_count()",
                           -1, &query, NULL)
        != SQLITE_OK)
        return false;
    if (sqlite3_step(query) == SQLITE_ROW)
        blank = sqlite3_column_int(query, 0) != 0;
    sqlite3_finalize(query);
    return blank;
}

bool store_schema_create(sqlite3 *db, struct status *st)
{
    const struct embed_file *sql = embed_find("spec/results.sql");
    if (!sql)
        return FAIL(st, SYSTEM, "this build of assay lacks spec/results.sql");
    if (sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK
        || sqlite3_exec(db, sql->text, NULL, NULL, NULL) != SQLITE_OK
        || sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
        store_schema_fail(db, "creating the tables", st);
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    return true;
}

const char *store_schema_sql(int version)
{
    char path[64];
    snprintf(path, sizeof path, "spec/results-%d.sql", version);
    const struct embed_file *sql = embed_find(path);
    return sql ? sql->text : NULL;
}

int store_schema_version(sqlite3 *db)
{
    sqlite3_stmt *query;
    int version = -1;
    if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &query, NULL)
        != SQLITE_OK)
        return -1;
    if (sqlite3_step(query) == SQLITE_ROW)
        version = sqlite3_column_int(query, 0);
    sqlite3_finalize(query);
    return version;
}

static bool run_steps(sqlite3 *db, int from, int version,
                      store_schema_step *step, struct status *st)
{
    for (int v = from; v < version; v++) {
        const char *sql = step(v);
        if (!sql)
            return FAIL(st, INPUT, "schema version %d cannot be upgraded to %d",
                        v, version);
        char set[64];
        snprintf(set, sizeof set, "PRAGMA user_version = %d", v + 1);
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK
            || sqlite3_exec(db, set, NULL, NULL, NULL) != SQLITE_OK)
            return store_schema_fail(db, "upgrading it", st);
    }
    return true;
}

bool store_schema_upgrade(sqlite3 *db, int version, store_schema_step *step,
                          struct status *st)
{
    int from = store_schema_version(db);
    if (from < 0)
        return store_schema_fail(db, "reading its version", st);
    if (from >= version)
        return true;
    if (sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK)
        return store_schema_fail(db, "upgrading it", st);
    bool good = run_steps(db, from, version, step, st);
    if (good && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        good = store_schema_fail(db, "upgrading it", st);
    if (!good)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return good;
}
