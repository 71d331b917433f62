/* sandbox_notice.c - see sandbox_notice.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_sandbox.c and sandbox.t test this.
 */
#define _GNU_SOURCE
#include "runner/process/sandbox_notice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "runner/process/job.h"

/* ---- Calls --------------------------------------------------------------- */

enum {
    NONE = -1
};

enum change {
    WRITE,  /* to a file that is there, or is made if the flags say so */
    MAKE,   /* what is not there yet */
    REMOVE, /* what is there */
};

/* The arguments that are the path and the folder that it is relative to (NONE:
 * the working directory). */
static const struct call {
    int number;
    enum change change;
    int folder, path;
    int flags; /* of open; NONE: it always writes */
} calls[] = {
    {SCMP_SYS(open), WRITE, NONE, 0, 1},
    {SCMP_SYS(openat), WRITE, 0, 1, 2},
    {SCMP_SYS(creat), WRITE, NONE, 0, NONE},
    {SCMP_SYS(truncate), WRITE, NONE, 0, NONE},
    {SCMP_SYS(mkdir), MAKE, NONE, 0, NONE},
    {SCMP_SYS(mkdirat), MAKE, 0, 1, NONE},
    {SCMP_SYS(mknod), MAKE, NONE, 0, NONE},
    {SCMP_SYS(mknodat), MAKE, 0, 1, NONE},
    {SCMP_SYS(symlink), MAKE, NONE, 1, NONE},
    {SCMP_SYS(symlinkat), MAKE, 1, 2, NONE},
    {SCMP_SYS(link), MAKE, NONE, 1, NONE},
    {SCMP_SYS(linkat), MAKE, 2, 3, NONE},
    {SCMP_SYS(unlink), REMOVE, NONE, 0, NONE},
    {SCMP_SYS(unlinkat), REMOVE, 0, 1, NONE},
    {SCMP_SYS(rmdir), REMOVE, NONE, 0, NONE},
    {SCMP_SYS(rename), REMOVE, NONE, 0, NONE},
    {SCMP_SYS(renameat), REMOVE, 0, 1, NONE},
    {SCMP_SYS(renameat2), REMOVE, 0, 1, NONE},
};

static const char *const words[] = {"write to", "creation of", "removal of"};

const struct sandbox_notice_writes
    sandbox_notice_writes[SANDBOX_NOTICE_WRITES] = {
        {O_ACCMODE, O_WRONLY}, {O_ACCMODE, O_RDWR}, {O_CREAT, O_CREAT}};

bool sandbox_notice_call(int i, struct sandbox_notice_call *c)
{
    if ((size_t)i >= sizeof calls / sizeof *calls)
        return false;
    *c = (struct sandbox_notice_call){calls[i].number, calls[i].flags};
    return true;
}

static const struct call *find_call(int number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

/* ---- Paths --------------------------------------------------------------- */

/* Reads a path of the caller; false if it cannot be read. */
static bool read_path(pid_t pid, uint64_t address, char path[PATH_MAX])
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    while (n < PATH_MAX) {
        /* No further than the page: the next one may not be there. */
        size_t step = page - (size_t)((address + n) % page);
        step = step < PATH_MAX - n ? step : PATH_MAX - n;
        struct iovec to = {path + n, step};
        struct iovec from = {(void *)(uintptr_t)(address + n), step};
        ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);
        if (got <= 0)
            return false;
        if (memchr(path + n, '\0', (size_t)got))
            return true;
        n += (size_t)got;
    }
    return false;
}

/* Open for nothing but its name.  Links of /proc/self would be our own, not the
 * caller's: one that leads to an open file is not followed. */
static int open_path(int folder, const char *path, uint64_t flags)
{
    const struct {
        uint64_t flags, mode, resolve;
    } how = {flags | O_PATH | O_CLOEXEC, 0, 2 /* RESOLVE_NO_MAGICLINKS */};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

bool sandbox_notice_offered(void)
{
    int file = open_path(AT_FDCWD, "/", O_DIRECTORY);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static bool name_of(int file, char path[PATH_MAX])
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    return path[0] == '/';
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return n > 0 && strncmp(path, folder, n) == 0
           && (path[n] == '/' || path[n] == '\0');
}

/* May this process do it, whatever the sandbox says? */
static bool may(int file, int mode)
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return faccessat(AT_FDCWD, link, mode, AT_EACCESS) == 0;
}

/* The terminal of a process: a worker has none. */
static bool is_terminal(const struct stat *about)
{
    return S_ISCHR(about->st_mode) && about->st_rdev == makedev(5, 0);
}

/* Does only the sandbox refuse to write that file? */
static bool refuses_write(int file, const char *scratch, char name[PATH_MAX])
{
    struct stat about;
    return name_of(file, name) && !is_below(name, scratch)
           && strcmp(name, "/dev/null") != 0 && fstat(file, &about) == 0
           && !S_ISDIR(about.st_mode) && !is_terminal(&about)
           && may(file, W_OK);
}

/* And to make or to remove a name in that folder?  In one like /tmp only the
 * owner of a file may remove it. */
static bool refuses_change(int folder, int file, const char *scratch,
                           const char *last, char name[PATH_MAX])
{
    struct stat in, it;
    if (!name_of(folder, name) || is_below(name, scratch)
        || fstat(folder, &in) != 0 || !S_ISDIR(in.st_mode)
        || !may(folder, W_OK | X_OK))
        return false;
    if (file >= 0 && in.st_mode & S_ISVTX && geteuid() != 0
        && (fstat(file, &it) != 0
            || (it.st_uid != geteuid() && in.st_uid != geteuid())))
        return false;
    size_t n = strlen(name), more = strlen(last);
    if (n + more + 2 > PATH_MAX)
        return false;
    name[n] = '/';
    memcpy(name + (n > 1 ? n + 1 : n), last, more + 1);
    return true;
}

/* The folder that a path is relative to, as the caller has it. */
static int folder_of(const struct seccomp_notif *q, const struct call *c)
{
    char link[64];
    int number = c->folder == NONE ? AT_FDCWD : (int)q->data.args[c->folder];
    if (number == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/%u/cwd", q->pid);
    else
        snprintf(link, sizeof link, "/proc/%u/fd/%d", q->pid, number);
    return open(link, O_PATH | O_CLOEXEC);
}

/* Does only the sandbox refuse it, with that path?  Then also its full name. */
static bool refuses_path(int at, char *path, const struct call *c,
                         uint64_t flags, const char *scratch,
                         char name[PATH_MAX])
{
    bool write = c->change == WRITE;
    bool makes = write && (c->number == SCMP_SYS(creat) || flags & O_CREAT);
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = '\0';
    int file = open_path(
        at, path, !write || flags & O_NOFOLLOW ? O_NOFOLLOW : (uint64_t)0);
    int error = errno;
    bool refused = false;
    if (file >= 0 && write && !(flags & O_EXCL && makes)) {
        refused = refuses_write(file, scratch, name);
    } else if (file >= 0 ? c->change == REMOVE
                         : error == ENOENT && (makes || c->change == MAKE)) {
        char *slash = strrchr(path, '/');
        const char *last = slash ? slash + 1 : path;
        int folder = -1;
        if (!slash)
            folder = open_path(at, ".", O_DIRECTORY);
        else if (slash == path)
            folder = open_path(at, "/", O_DIRECTORY);
        else {
            *slash = '\0';
            folder = open_path(at, path, O_DIRECTORY);
        }
        refused =
            folder >= 0 && refuses_change(folder, file, scratch, last, name);
        if (folder >= 0)
            close(folder);
    }
    if (file >= 0)
        close(file);
    return refused;
}

static bool refuses(const struct seccomp_notif *q, const struct call *c,
                    const char *scratch, char name[PATH_MAX])
{
    char path[PATH_MAX];
    uint64_t flags = c->flags == NONE ? 0 : q->data.args[c->flags];
    if (!scratch || !read_path((pid_t)q->pid, q->data.args[c->path], path)
        || !path[0])
        return false;
    int at = folder_of(q, c);
    if (at < 0)
        return false;
    bool refused = refuses_path(at, path, c, flags, scratch, name);
    close(at);
    return refused;
}

/* ---- Notes --------------------------------------------------------------- */

static struct sandbox_notice *slot(struct sandbox_notices *n, int64_t i)
{
    return &n->kept[i % SANDBOX_NOTICE_KEPT];
}

static void note(struct sandbox_notices *n, int64_t position, const char *what,
                 const char *which)
{
    n->count++;
    if (n->cases > 0 && slot(n, n->cases - 1)->position == position)
        return;
    struct sandbox_notice *to = slot(n, n->cases++);
    to->position = position;
    snprintf(to->text, sizeof to->text, "the sandbox refused %s %.100s", what,
             which);
    text_clean(to->text, sizeof to->text, to->text);
}

const char *sandbox_notice_at(struct sandbox_notices *n, int64_t position)
{
    int64_t oldest = n->cases - SANDBOX_NOTICE_KEPT;
    for (int64_t i = n->cases; i-- > (oldest > 0 ? oldest : 0);)
        if (slot(n, i)->position == position)
            return slot(n, i)->text;
    return NULL;
}

/* A call that is refused by name; its number is one of the filter's. */
static void note_call(struct sandbox_notices *n, int64_t position, int number)
{
    char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    note(n, position, "the system call", name ? name : text);
    free(name);
}

static void answer(struct sandbox_notices *n, int listener,
                   const struct seccomp_notif *q, const char *scratch,
                   int64_t position)
{
    struct seccomp_notif_resp r = {.id = q->id};
    const struct call *c = find_call(q->data.nr);
    char name[PATH_MAX];
    if (!c) {
        r.error = -EPERM;
        note_call(n, position, q->data.nr);
    } else if (refuses(q, c, scratch, name)) {
        r.error = -EACCES;
        note(n, position, words[c->change], name);
    } else {
        r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    /* It fails if the caller has died. */
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

void sandbox_notice_answer(struct sandbox_notices *n, int listener,
                           const char *scratch, const struct job_place *place)
{
    struct pollfd ready = {.fd = listener, .events = POLLIN};
    while (listener >= 0 && poll(&ready, 1, 0) > 0 && ready.revents & POLLIN) {
        struct seccomp_notif q;
        memset(&q, 0, sizeof q); /* as the kernel demands */
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &q) == 0)
            answer(n, listener, &q, scratch, place ? job_position(place) : -1);
        else if (errno != ENOENT && errno != EINTR)
            break;
    }
}
