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

#include "runner/store/store_schema.h"

enum {
    PATH_BYTES = 4096,
    CHUNK = 1 << 16
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
        sqlite3_open_v2(name, db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
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
