/* store_copy.c - see store_copy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

enum {
    PATH_BYTES = 4096,
    CHUNK = 1 << 16,
    NAMES_MAX = 99, /* copies of one file that are kept */
};

static const char *const suffixes[] = {"", "-wal", "-shm"};

static bool cannot_open(sqlite3 *db)
{
    sqlite3_exec(db, "SELECT 1 FROM sqlite_master LIMIT 1", NULL, NULL, NULL);
    int rc = sqlite3_errcode(db) & 0xff;
    return rc == SQLITE_CANTOPEN || rc == SQLITE_READONLY;
}

static bool copy_bytes(int from, int to)
{
    static unsigned char chunk[CHUNK];
    ssize_t n;
    while ((n = read(from, chunk, sizeof chunk)) > 0)
        for (ssize_t done = 0, m; done < n; done += m)
            if ((m = write(to, chunk + done, (size_t)(n - done))) < 0)
                return false;
    return n == 0;
}

/* One of the database's files; its log may be missing. */
static bool copy_file(const char *path, const char *folder, const char *suffix,
                      struct status *st)
{
    char name[PATH_BYTES];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    int from = open(name, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return (*suffix && errno == ENOENT)
               || FAIL(st, SYSTEM, "%.100s: %s", name, strerror(errno));
    snprintf(name, sizeof name, "%s/copy%s", folder, suffix);
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = to >= 0 && copy_bytes(from, to);
    if (!good)
        FAIL(st, SYSTEM,
             "its folder is not writable, and it cannot be copied to "
             "%.100s: %s",
             name, strerror(errno));
    if (to >= 0)
        close(to);
    close(from);
    return good;
}

static bool open_copy(const char *folder, sqlite3 **db, struct status *st)
{
    char name[PATH_BYTES];
    snprintf(name, sizeof name, "%s/copy", folder);
    sqlite3_close(*db);
    bool good =
        store_guard_open(name, SQLITE_OPEN_READWRITE, db)
        /* Then the log's own files may go. */
        && sqlite3_exec(*db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL)
               == SQLITE_OK;
    return good || store_schema_fail(*db, "opening a copy of it", st);
}

bool store_copy_open(const char *path, sqlite3 **db, struct status *st)
{
    if (!cannot_open(*db))
        return true;
    const char *place = getenv("TMPDIR");
    char folder[PATH_BYTES / 2], name[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/assay-XXXXXX",
             place && *place ? place : "/tmp");
    if (!mkdtemp(folder))
        return FAIL(st, SYSTEM,
                    "its folder is not writable, and it cannot be "
                    "copied to %.100s: %s",
                    folder, strerror(errno));
    bool good = copy_file(path, folder, "", st)
                && copy_file(path, folder, "-wal", st)
                && open_copy(folder, db, st);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        snprintf(name, sizeof name, "%s/copy%s", folder, suffixes[i]);
        unlink(name);
    }
    rmdir(folder);
    return good;
}

/* ---- A copy that stays --------------------------------------------------- */

/* To sqlite3_backup_finish, a lock is not an error: what is there then is a
 * part.
 */
bool store_copy_pages(sqlite3 *from, sqlite3 *to)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    if (!b)
        return false;
    int rc = sqlite3_backup_step(b, -1);
    return sqlite3_backup_finish(b) == SQLITE_OK && rc == SQLITE_DONE;
}

static bool copy_into(sqlite3 *from, const char *path, struct status *st)
{
    sqlite3 *to = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool good =
        store_guard_open(path, flags, &to) && store_copy_pages(from, to);
    if (!good) {
        char doing[PATH_BYTES + 32];
        snprintf(doing, sizeof doing, "keeping it as %.100s", path);
        store_schema_fail(to, doing, st);
        st->code = STATUS_SYSTEM;
    }
    return sqlite3_close(to) == SQLITE_OK && good;
}

/* Give it a name that nothing has yet. */
static bool name_copy(const char *part, const char *path, int version,
                      char *name, struct status *st)
{
    for (int n = 1; n <= NAMES_MAX; n++) {
        snprintf(name, PATH_BYTES, n > 1 ? "%s.v%d-%d" : "%s.v%d", path,
                 version, n);
        if (link(part, name) == 0)
            return true;
        /* Not every file system knows links. */
        if (errno != EEXIST && access(name, F_OK) != 0 && errno == ENOENT)
            return rename(part, name) == 0
                   || FAIL(st, SYSTEM, "cannot keep a copy as %.100s: %s", name,
                           strerror(errno));
    }
    return FAIL(st, SYSTEM, "cannot keep a copy: there are too many as %.100s",
                name);
}

bool store_copy_keep(sqlite3 *db, const char *path, int version,
                     struct status *st)
{
    char part[PATH_BYTES], name[PATH_BYTES];
    snprintf(part, sizeof part, "%s.v%d-part-%ld", path, version,
             (long)getpid());
    unlink(part);
    bool good =
        copy_into(db, part, st) && name_copy(part, path, version, name, st);
    unlink(part);
    if (good)
        fprintf(
            stderr,
            "assay: %s: upgraded from schema version %d to %d; a copy of the "
            "old file is kept as %s\n",
            path, version, STORE_SCHEMA_VERSION, name);
    return good;
}
