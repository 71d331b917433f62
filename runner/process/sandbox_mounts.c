/* sandbox_mounts.c - see sandbox_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_sandbox.c tests this.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/file.h"
#include "runner/process/sandbox_private.h"

/* The kernel's interface (linux/mount.h), written out because headers are often
 * older than the kernel that runs. */
enum {
    SETATTR = 442, /* on every architecture */
    RECURSIVE = 0x8000,
    READ_ONLY = 1,
};

struct attributes {
    uint64_t set, clear, propagation, user_namespace;
};

static bool set_attributes(const char *path, int flags, uint64_t set,
                           uint64_t clear)
{
    struct attributes a = {.set = set, .clear = clear};
    return syscall(SETATTR, AT_FDCWD, path, flags, &a, sizeof a) == 0;
}

/* User and group keep their numbers; no others are mapped. */
static bool map_oneself(uid_t user, gid_t group)
{
    char users[48], groups[48];
    snprintf(users, sizeof users, "%lu %lu 1", (unsigned long)user,
             (unsigned long)user);
    snprintf(groups, sizeof groups, "%lu %lu 1", (unsigned long)group,
             (unsigned long)group);
    return file_put("/proc/self/setgroups", "deny")
           && file_put("/proc/self/uid_map", users)
           && file_put("/proc/self/gid_map", groups);
}

/* The namespace came with all of them. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    return syscall(SYS_capset, &head, none) == 0;
}

bool sandbox_mounts_enter(const char *scratch)
{
    uid_t user = geteuid();
    gid_t group = getegid();
    /* Else the maps below belong to root (sandbox_hide). */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && map_oneself(user, group)
           && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
           /* A mount of its own, which can be written again. */
           && (!scratch[0]
               || mount(scratch, scratch, NULL, MS_BIND | MS_REC, NULL) == 0)
           && set_attributes("/", RECURSIVE, READ_ONLY, 0)
           && (!scratch[0] || set_attributes(scratch, 0, 0, READ_ONLY))
           && drop_capabilities()
           /* The runner looks at its memory. */
           && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

bool sandbox_mounts_offered(void)
{
    static int offered = -1;
    if (offered >= 0)
        return offered;
    fflush(NULL);
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(sandbox_mounts_enter("") ? EXIT_SUCCESS : EXIT_FAILURE);
    if (pid > 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    offered = pid > 0 && status == 0;
    return offered;
}
