/* store_lock.c - see store_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

enum {
    WAIT_MS = 100
};

/* Is the open file still the one of that name?  Its last owner may have
 * removed it between our open and our lock. */
static bool is_current(int fd, const char *path)
{
    struct stat ours, named;
    return fstat(fd, &ours) == 0 && stat(path, &named) == 0
           && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

/* False if another process has it, whose number is 0 if it is unknown; errno is
 * 0 then. */
static bool try_lock(int fd, pid_t *owner)
{
    for (;;) {
        struct flock want = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        struct flock who = want;
        if (fcntl(fd, F_SETLK, &want) == 0)
            return true;
        if (errno != EACCES && errno != EAGAIN)
            return false;
        if (fcntl(fd, F_GETLK, &who) != 0)
            return false;
        errno = 0;
        *owner = who.l_pid;
        if (who.l_type != F_UNLCK)
            return false;
        /* It was released in between. */
    }
}

/* Sleep a little; false if there is no more time, or a signal came. */
static bool wait_for(pid_t owner, const char *database, int *waited_ms,
                     int most_ms)
{
    struct timespec t = {0, WAIT_MS * 1000000L};
    if (*waited_ms >= most_ms)
        return false;
    if (*waited_ms == 0)
        fprintf(stderr,
                "assay: %s: waiting for process %ld, which writes to it\n",
                database, (long)owner);
    *waited_ms += WAIT_MS;
    return nanosleep(&t, NULL) == 0;
}

bool store_lock_take(struct store_lock *lock, const char *database, int most_ms,
                     struct status *st)
{
    int waited_ms = 0;
    size_t size = strlen(database) + sizeof "-lock";
    char *path = malloc(size);
    if (!path)
        return FAIL(st, SYSTEM, "out of memory");
    snprintf(path, size, "%s-lock", database);
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) {
            enum code code =
                store_schema_bad_path(errno) ? STATUS_INPUT : STATUS_SYSTEM;
            FAIL(st, SYSTEM, "cannot create the lock file %s: %s", path,
                 strerror(errno));
            st->code = code;
            break;
        }
        pid_t owner = 0;
        if (!try_lock(fd, &owner)) {
            if (errno) {
                FAIL(st, SYSTEM, "cannot lock %s: %s", path, strerror(errno));
                close(fd);
                break;
            }
            if (wait_for(owner, database, &waited_ms, most_ms)) {
                close(fd);
                continue;
            }
            FAIL(st, SYSTEM, "process %ld is writing to this database",
                 (long)owner);
            close(fd);
            break;
        }
        if (is_current(fd, path)) {
            lock->fd = fd;
            lock->path = path;
            return true;
        }
        close(fd);
    }
    free(path);
    return false;
}

void store_lock_drop(struct store_lock *lock)
{
    if (lock->fd < 0)
        return;
    unlink(lock->path);
    close(lock->fd);
    free(lock->path);
    lock->fd = -1;
    lock->path = NULL;
}
