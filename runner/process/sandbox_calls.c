/* sandbox_calls.c - see sandbox_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two filters: one of libseccomp with what is refused by name, and one of our
 * own with what is allowed by name, which libseccomp cannot say beside it.
 * test_sandbox.c tests this.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/process/sandbox_notice.h"
#include "runner/process/sandbox_private.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Newer than libseccomp 2.5; the same numbers on every architecture. */
enum {
    QUOTACTL_FD = 443,
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
    REMOVEXATTRAT = 466,
    OPEN_TREE_ATTR = 467,
    FILE_SETATTR = 469,
    /* The last of the calls that this file knows, where numbers are common. */
    LAST_CALL = SYS_openat2 == 437 ? 470 : INT32_MAX,
};

/* Refused whatever the arguments are. */
static const int refused[] = {
    /* the network, by any family of addresses */
    SCMP_SYS(socket),
    SCMP_SYS(bind),
    SCMP_SYS(connect),
    SCMP_SYS(listen),
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
    SCMP_SYS(fanotify_init),
    /* a way out of the process group, which is ended as one */
    SCMP_SYS(setsid),
    SCMP_SYS(setpgid),
    /* what outlives all processes, and counts as nobody's memory */
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
    SCMP_SYS(semget),
    SCMP_SYS(semctl),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(msgget),
    SCMP_SYS(msgctl),
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
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
    FILE_SETATTR,
    SCMP_SYS(open_by_handle_at),
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
    QUOTACTL_FD,
    SCMP_SYS(acct),
    SCMP_SYS(vhangup),
    SCMP_SYS(syslog),
    /* A lower limit would end the process at another case. */
    SCMP_SYS(setrlimit),
};

/* Refused for one argument: where the bits of the mask are the value's, or,
 * with differs, where they are not. */
struct argument {
    int call;
    unsigned number;
    uint32_t mask, value;
    bool differs;
};

enum {
    WHOLE = -1,
    CLONE_PARENTS = 0x8000, /* a child of the runner; others: namespaces */
    SOCKET_TYPE = 0xf,
    /* signals to anyone when a file is ready or a lease is broken; a lease
     * makes others wait to open the file */
    SETOWN = 8,
    SETSIG = 10,
    SETOWN_EX = 15,
    SETLEASE = 1024,
    NOTIFY = 1026,
};

static const struct argument arguments[] = {
    {SCMP_SYS(prlimit64), 0, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(prlimit64), 2, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(sched_setaffinity), 0, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(sched_setscheduler), 0, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(sched_setparam), 0, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(sched_setattr), 0, (uint32_t)WHOLE, 0, true},
    {SCMP_SYS(move_pages), 0, (uint32_t)WHOLE, 0, true},
    /* A pair of datagram sockets reaches all others of the machine; raw ones
     * are such, too. */
    {SCMP_SYS(socketpair), 0, (uint32_t)WHOLE, AF_UNIX, true},
    {SCMP_SYS(socketpair), 1, SOCKET_TYPE, SOCK_DGRAM, false},
    {SCMP_SYS(socketpair), 1, SOCKET_TYPE, SOCK_RAW, false},
    {SCMP_SYS(fcntl), 1, (uint32_t)WHOLE, SETOWN, false},
    {SCMP_SYS(fcntl), 1, (uint32_t)WHOLE, SETSIG, false},
    {SCMP_SYS(fcntl), 1, (uint32_t)WHOLE, SETOWN_EX, false},
    {SCMP_SYS(fcntl), 1, (uint32_t)WHOLE, SETLEASE, false},
    {SCMP_SYS(fcntl), 1, (uint32_t)WHOLE, NOTIFY, false},
    /* It must not outlive the runner. */
    {SCMP_SYS(prctl), 0, (uint32_t)WHOLE, PR_SET_PDEATHSIG, false},
    {SCMP_SYS(clone), 0, CLONE_PARENTS, CLONE_PARENTS, false},
    {SCMP_SYS(clone), 0, 1u << 17, 1u << 17, false}, /* NEWNS */
    {SCMP_SYS(clone), 0, 1u << 25, 1u << 25, false}, /* NEWCGROUP */
    {SCMP_SYS(clone), 0, 1u << 26, 1u << 26, false}, /* NEWUTS */
    {SCMP_SYS(clone), 0, 1u << 27, 1u << 27, false}, /* NEWIPC */
    {SCMP_SYS(clone), 0, 1u << 28, 1u << 28, false}, /* NEWUSER */
    {SCMP_SYS(clone), 0, 1u << 29, 1u << 29, false}, /* NEWPID */
    {SCMP_SYS(clone), 0, 1u << 30, 1u << 30, false}, /* NEWNET */
    /* Truncates what is open for reading only. */
    {SCMP_SYS(open), 1, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY, false},
    {SCMP_SYS(openat), 2, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY, false},
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

/* ---- By name ------------------------------------------------------------- */

/* A call that this architecture lacks (chmod on arm64) needs no rule. */
static bool is_added(int code)
{
    return code == 0 || code == -EDOM || code == -EINVAL;
}

static bool add_refused(scmp_filter_ctx filter, uint32_t action)
{
    bool good = true;
    for (size_t i = 0; i < COUNT(refused); i++)
        good =
            good && is_added(seccomp_rule_add(filter, action, refused[i], 0));
    return good;
}

/* The kernel reads the low half of these arguments, whatever the other is. */
static bool add_arguments(scmp_filter_ctx filter)
{
    bool good = true;
    for (size_t i = 0; i < COUNT(arguments); i++) {
        const struct argument *a = &arguments[i];
        struct scmp_arg_cmp is =
            SCMP_CMP(a->number, SCMP_CMP_MASKED_EQ, a->mask, a->value);
        if (a->differs)
            is = SCMP_CMP(a->number, SCMP_CMP_NE, a->value);
        good = good
               && is_added(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM),
                                                  a->call, 1, &is));
    }
    return good;
}

static bool add_signals(scmp_filter_ctx filter)
{
    bool good = true;
    for (size_t i = 0; i < COUNT(signals); i++)
        good = good
               && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), signals[i], 1,
                                   SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()))
                      == 0;
    return good;
}

/* Calls that change files: whether one is refused depends on the path. */
static bool add_notices(scmp_filter_ctx filter)
{
    struct sandbox_notice_call c;
    bool good = true;
    for (int i = 0; sandbox_notice_call(i, &c); i++)
        if (c.flags < 0)
            good = good
                   && is_added(
                       seccomp_rule_add(filter, SCMP_ACT_NOTIFY, c.number, 0));
        else
            for (int k = 0; k < SANDBOX_NOTICE_WRITES; k++)
                good = good
                       && is_added(seccomp_rule_add(
                           filter, SCMP_ACT_NOTIFY, c.number, 1,
                           SCMP_CMP((unsigned)c.flags, SCMP_CMP_MASKED_EQ,
                                    sandbox_notice_writes[k].mask,
                                    sandbox_notice_writes[k].value)));
    return good;
}

static bool enter_named(const struct sandbox_calls *how, bool notices,
                        int *listener)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    *listener = -1;
    if (!filter)
        return false;
    bool good =
        add_refused(filter, notices ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM))
        && add_arguments(filter) && (!how->signals || add_signals(filter))
        && (!how->truncate
            || seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM),
                                SCMP_SYS(truncate), 0)
                   == 0)
        && (!notices || add_notices(filter)) && seccomp_load(filter) == 0;
    if (good && notices)
        *listener = fcntl(seccomp_notify_fd(filter), F_DUPFD_CLOEXEC, 0);
    seccomp_release(filter);
    return good;
}

/* ---- By what is allowed -------------------------------------------------- */

/* The requests of ioctl that describe a file, and those that change only the
 * descriptor.  Others type into a terminal, stop its programs, change a file's
 * flags. */
static const uint32_t ioctls[] = {
    TCGETS,     TIOCGWINSZ, TIOCGPGRP, FIONREAD,   FIONBIO,
    FIOCLEX,    FIONCLEX,   FIOQSIZE,  0x80086601, /* FS_IOC_GETFLAGS */
    0x80046601,                                    /* the same, 32 bits */
    0x801c581f,                                    /* FS_IOC_FSGETXATTR */
    0xc020660b,                                    /* FS_IOC_FIEMAP */
    0x40049409, 0x4020940d, /* FICLONE, FICLONERANGE: to what can be written */
};

enum {
    LOW = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0,
    IOCTL_COUNT = COUNT(ioctls),
    PROGRAM = 12 + 2 * IOCTL_COUNT
};

#define LOAD(member) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ERRNO(number) SECCOMP_RET_ERRNO | (number)

/* ioctl by the list; clone3, whose flags are in memory, and openat2, likewise,
 * as if the kernel lacked them, and so do calls that are newer than this file.
 * Programs then use the older ones.  The architecture was checked before. */
static bool enter_listed(void)
{
    struct sock_filter code[PROGRAM];
    unsigned short n = 0;
    code[n++] = (struct sock_filter)LOAD(nr);
#define STEP(...) code[n++] = (struct sock_filter)__VA_ARGS__
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 3, 0));
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 2, 0));
    STEP(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_CALL, 1, 0));
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 2, 1));
    STEP(BPF_STMT(BPF_RET | BPF_K, ERRNO(ENOSYS)));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                  offsetof(struct seccomp_data, args) + 8 + LOW));
    for (size_t i = 0; i < IOCTL_COUNT; i++) {
        STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ioctls[i], 0, 1));
        STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    STEP(BPF_STMT(BPF_RET | BPF_K, ERRNO(EPERM)));
#undef STEP
    const struct sock_fprog program = {n, code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool sandbox_calls_enter(const struct sandbox_calls *how, int *listener)
{
    /* A process has one listener at most: there may be one already. */
    return ((how->notices && enter_named(how, true, listener))
            || enter_named(how, false, listener))
           && enter_listed();
}
