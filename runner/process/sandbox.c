/* sandbox.c - see sandbox.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "runner/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/process/sandbox_mounts.h"

/* ---- Landlock: files, TCP, signals --------------------------------------- */

/* The numbers are the kernel's interface (linux/landlock.h), written out
 * because headers are often older than the kernel that runs. */

enum {
    LANDLOCK_WRITE_FILE = 1 << 1,
    LANDLOCK_CHANGES = 0xff << 4 | 1 << 12, /* remove and make anything */
    LANDLOCK_REFER = 1 << 13,               /* version 2 */
    LANDLOCK_TRUNCATE = 1 << 14,            /* version 3 */
    LANDLOCK_TCP = 3,                       /* version 4: bind, connect */
    LANDLOCK_SCOPES = 3, /* version 6: abstract sockets, signals */
    LANDLOCK_PATH_BENEATH = 1,
};

struct landlock_ruleset {
    uint64_t files, network, scopes;
};

struct landlock_path {
    uint64_t files;
    int32_t folder;
} __attribute__((packed));

/* Tests try what happens without. */
static int landlock_version(void)
{
    if (getenv("ASSAY_TEST_NO_LANDLOCK"))
        return 0;
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return v > 0 ? (int)v : 0;
}

static uint64_t landlock_files(int version)
{
    return LANDLOCK_WRITE_FILE | LANDLOCK_CHANGES
           | (version >= 2 ? LANDLOCK_REFER : 0)
           | (version >= 3 ? LANDLOCK_TRUNCATE : 0);
}

static bool landlock_allow(int rules, const char *path, uint64_t files)
{
    int at = open(path, O_PATH | O_CLOEXEC);
    if (at < 0)
        return false;
    struct landlock_path below = {files, at};
    long code =
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_PATH_BENEATH, &below, 0);
    close(at);
    return code == 0;
}

static bool landlock_enter(const struct sandbox *s, int version)
{
    uint64_t files = landlock_files(version);
    struct landlock_ruleset set = {files, LANDLOCK_TCP, LANDLOCK_SCOPES};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0)
        return false;
    uint64_t of_a_file = files & (LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE);
    bool good = landlock_allow(rules, "/dev/null", of_a_file)
                && (!s->scratch[0] || landlock_allow(rules, s->scratch, files))
                && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}

/* ---- seccomp: the calls that Landlock does not know ---------------------- */

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Newer than libseccomp 2.5; the same numbers on every architecture. */
enum {
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
    REMOVEXATTRAT = 466,
    OPEN_TREE_ATTR = 467,
};

/* Refused whatever the arguments are. */
static const int refused[] = {
    /* the network, by any family of addresses */
    SCMP_SYS(socket),
    /* io_uring, which does what others are refused */
    SCMP_SYS(io_uring_setup),
    /* other processes */
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(kcmp),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(perf_event_open),
    /* a way out of the process group, which is ended as one */
    SCMP_SYS(setsid),
    SCMP_SYS(setpgid),
    /* what Landlock leaves open about files */
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(setxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(utimensat),
    SCMP_SYS(futimesat),
    FCHMODAT2,
    SETXATTRAT,
    REMOVEXATTRAT,
    /* the machine, for those who run as root */
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fspick),
    OPEN_TREE_ATTR,
    SCMP_SYS(mount_setattr),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(bpf),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(quotactl),
    SCMP_SYS(acct),
};

/* 0 is the caller. */
static const int for_oneself[] = {
    SCMP_SYS(prlimit64),          SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setattr),
};

/* By number: for kernels without Landlock's scopes.  A child that was forked
 * has another number, and can then not even send itself a signal. */
static const int signals[] = {
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(tgkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
};

/* Where the first argument is a process, only one value is allowed. */
static bool refuse_others(scmp_filter_ctx filter, const int *calls,
                          size_t count, scmp_datum_t allowed)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = good
               && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 1,
                                   SCMP_A0(SCMP_CMP_NE, allowed))
                      == 0;
    return good;
}

/* A call that this architecture lacks (chmod on arm64) needs no rule. */
static bool refuse(scmp_filter_ctx filter, int call)
{
    int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
    return code == 0 || code == -EDOM || code == -EINVAL;
}

/* A lower limit would end the process at another case. */
static bool refuse_limits(scmp_filter_ctx filter)
{
    return refuse(filter, SCMP_SYS(setrlimit))
           && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM),
                               SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_NE, 0))
                  == 0;
}

static bool seccomp_enter(bool signals_too)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return false;
    bool good = true;
    for (size_t i = 0; i < COUNT(refused); i++)
        good = good && refuse(filter, refused[i]);
    good = good && refuse_others(filter, for_oneself, COUNT(for_oneself), 0)
           && refuse_limits(filter)
           && (!signals_too
               || refuse_others(filter, signals, COUNT(signals),
                                (scmp_datum_t)getpid()));
    good = good && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return good;
}

/* ---- Both ---------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind,
                      struct FTW *f)
{
    (void)s;
    (void)kind;
    (void)f;
    remove(path);
    return 0;
}

bool sandbox_open(struct sandbox *s, struct status *st)
{
    const char *folder = getenv("TMPDIR");
    s->on = true;
    snprintf(s->scratch, sizeof s->scratch, "%s/assay.XXXXXX",
             folder && *folder ? folder : "/tmp");
    if (mkdtemp(s->scratch))
        return true;
    int error = errno;
    status_set(st, STATUS_SYSTEM, __FILE__,
               "cannot create the backend's scratch directory %s: %s",
               s->scratch, strerror(error));
    s->scratch[0] = '\0';
    return false;
}

void sandbox_close(struct sandbox *s)
{
    if (s->scratch[0])
        nftw(s->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    s->scratch[0] = '\0';
}

bool sandbox_enter(const struct sandbox *s, char *why, size_t size)
{
    int version = landlock_version();
    if (!s->on)
        return true;
    if (s->scratch[0])
        setenv("TMPDIR", s->scratch, 1);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || (version > 0 && !landlock_enter(s, version))) {
        snprintf(why, size, "cannot enter the sandbox (Landlock): %s",
                 strerror(errno));
        return false;
    }
    if (version == 0 && sandbox_mounts_offered()
        && !sandbox_mounts_enter(s->scratch)) {
        snprintf(why, size, "cannot enter the sandbox (namespaces): %s",
                 strerror(errno));
        return false;
    }
    if (!seccomp_enter(version < 6)) {
        snprintf(why, size, "cannot enter the sandbox (seccomp)");
        return false;
    }
    return true;
}

const char *sandbox_words(const struct sandbox *s)
{
    static char text[64];
    int version = landlock_version();
    if (!s->on)
        return "off";
    snprintf(text, sizeof text, "Landlock %d, seccomp", version);
    return version > 0                ? text
           : sandbox_mounts_offered() ? "namespaces, seccomp"
                                      : "seccomp";
}

const char *sandbox_missing(void)
{
    return landlock_version() > 0 || sandbox_mounts_offered()
               ? NULL
               : "this kernel offers neither Landlock nor user namespaces: the"
                 " backend can write files";
}
