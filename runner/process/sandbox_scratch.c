/* sandbox_scratch.c - see sandbox_scratch.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_sandbox.c and sandbox.t test this.
 */
#define _GNU_SOURCE
#include "runner/process/sandbox_scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "assay-scratch."

enum {
    UNIQUE = 6, /* characters of mkdtemp */
    DEPTH_MAX = 64,
    BLOCK = 512, /* of st_blocks */
};

static const char *base(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* ---- Trees --------------------------------------------------------------- */

/* The bytes of a folder's contents, which are removed if asked for.  Other
 * processes may still write there, so nothing is followed out of it.  Takes the
 * descriptor. */
static int64_t walk(int folder, bool clear, int depth)
{
    int64_t bytes = 0;
    DIR *d = folder >= 0 ? fdopendir(folder) : NULL;
    if (!d) {
        if (folder >= 0)
            close(folder);
        return 0;
    }
    for (const struct dirent *e; (e = readdir(d));) {
        struct stat about;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0
            || fstatat(dirfd(d), e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bytes += (int64_t)about.st_blocks * BLOCK;
        bool inner = S_ISDIR(about.st_mode);
        if (inner && depth < DEPTH_MAX)
            bytes +=
                walk(openat(dirfd(d), e->d_name,
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                     clear, depth + 1);
        if (clear)
            unlinkat(dirfd(d), e->d_name, inner ? AT_REMOVEDIR : 0);
    }
    closedir(d);
    return bytes;
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int64_t sandbox_scratch_bytes(const char *path)
{
    return walk(open_folder(path), false, 0);
}

void sandbox_scratch_clear(const char *path)
{
    walk(open_folder(path), true, 0);
}

/* ---- Of a run ------------------------------------------------------------ */

/* Removes a folder of this user, and of a run that is gone. */
static void remove_dead(const char *name)
{
    char path[SANDBOX_SCRATCH_PATH];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", base(), name);
    int lock = open_folder(path);
    if (lock >= 0 && fstat(lock, &about) == 0 && about.st_uid == geteuid()
        && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        sandbox_scratch_clear(path);
        rmdir(path);
    }
    if (lock >= 0)
        close(lock);
}

static void remove_all_dead(void)
{
    const size_t length = strlen(NAME) + UNIQUE;
    DIR *d = opendir(base());
    if (!d)
        return;
    for (const struct dirent *e; (e = readdir(d));)
        if (strncmp(e->d_name, NAME, strlen(NAME)) == 0
            && strlen(e->d_name) == length)
            remove_dead(e->d_name);
    closedir(d);
}

/* Locked, and still the folder of that name: another run may have found it
 * before it was locked. */
static int lock_new(const char *path)
{
    struct stat opened, named;
    int lock = open_folder(path);
    if (lock < 0)
        return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &opened) == 0
        && stat(path, &named) == 0 && opened.st_ino == named.st_ino)
        return lock;
    close(lock);
    return -1;
}

int sandbox_scratch_open(char path[SANDBOX_SCRATCH_PATH], struct status *st)
{
    enum {
        TRIES = 8
    };
    int error = 0;
    remove_all_dead();
    for (int i = 0; i < TRIES; i++) {
        int n =
            snprintf(path, SANDBOX_SCRATCH_PATH, "%s/" NAME "XXXXXX", base());
        if (n >= SANDBOX_SCRATCH_PATH)
            errno = ENAMETOOLONG;
        if (n >= SANDBOX_SCRATCH_PATH || !mkdtemp(path)) {
            error = errno;
            break;
        }
        int lock = lock_new(path);
        if (lock >= 0)
            return lock;
        error = EBUSY;
        rmdir(path);
    }
    status_set(st, STATUS_SYSTEM, __FILE__,
               "cannot create the backend's scratch directory %.200s: %s", path,
               strerror(error));
    path[0] = '\0';
    return -1;
}

void sandbox_scratch_close(const char *path, int lock)
{
    sandbox_scratch_clear(path);
    rmdir(path);
    close(lock);
}
