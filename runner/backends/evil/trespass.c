/* trespass.c - tries to reach beyond its own process and its own files, one way
 * in each execution, and says what became of it in the error that it returns.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * tools/checks/check-sandbox has what each row must come to.  ASSAY_EVIL_VICTIM
 * is a folder with what may be harmed, ASSAY_EVIL_PID a process that is none of
 * its own, ASSAY_EVIL_TTY a terminal.  Nothing is harmed but that.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "evil.h"

/* Each way returns -1 where it fails, with errno. */

static const char *in(const char *folder, const char *name)
{
    static char path[2][600];
    static int turn;
    const char *from = getenv(folder);
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", from ? from : "/nowhere",
             name);
    return path[turn];
}

static const char *victim(const char *name)
{
    return in("ASSAY_EVIL_VICTIM", name);
}

static pid_t other(void)
{
    const char *pid = getenv("ASSAY_EVIL_PID");
    return pid ? (pid_t)strtol(pid, NULL, 10) : 1;
}

static int terminal(int flags)
{
    const char *path = getenv("ASSAY_EVIL_TTY");
    return open(path ? path : "/dev/tty", flags | O_NOCTTY);
}

/* ---- Files --------------------------------------------------------------- */

/* A way that is one expression. */
#define WAY(name, expression) \
    static int name(void) \
    { \
        return expression; \
    }

WAY(write_file, open(victim("file"), O_WRONLY))
WAY(make_file, open(victim("made"), O_WRONLY | O_CREAT, 0600))
WAY(make_folder, mkdir(victim("made-folder"), 0700))
WAY(remove_file, unlink(victim("remove")))
WAY(rename_file, rename(victim("rename"), victim("renamed")))
WAY(truncate_file, truncate(victim("file"), 0))
WAY(cut_reading, open(victim("file"), O_RDONLY | O_TRUNC))

static int map_file(void)
{
    int fd = open(victim("file"), O_RDWR);
    return fd >= 0 && mmap(NULL, 1, PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED
               ? 0
               : -1;
}

WAY(change_mode, chmod(victim("file"), 0644))
WAY(change_times, utimensat(AT_FDCWD, victim("file"), NULL, 0))
WAY(change_attribute,
    (int)syscall(SYS_setxattr, victim("file"), "user.evil", "x", 1UL, 0))

static int change_flags(void)
{
    unsigned long flags = 0, no_dump = 0x40;
    int fd = open(victim("file"), O_RDONLY);
    if (fd < 0 || ioctl(fd, 0x80086601, &flags) != 0)
        return -1;
    flags |= no_dump;
    return ioctl(fd, 0x40086602, &flags);
}

static int change_flags_anew(void)
{
    struct {
        uint64_t flags;
        uint32_t extent, extents, project, copy;
    } a = {0x80, 0, 0, 0, 0}; /* no dump */
    return (int)syscall(469, AT_FDCWD, victim("file"), &a, sizeof a, 0);
}

WAY(lease, fcntl(open(victim("lease"), O_RDONLY), F_SETLEASE, F_RDLCK))
WAY(lock_file, flock(open(victim("file"), O_RDONLY), LOCK_EX | LOCK_NB))

static int by_handle(void)
{
    struct {
        struct file_handle head;
        unsigned char room[128];
    } h = {.head = {.handle_bytes = sizeof h.room}};
    int mount = 0;
    int at = open(victim("."), O_RDONLY);
    if (name_to_handle_at(AT_FDCWD, victim("file"), &h.head, &mount, 0) != 0)
        return -1;
    return open_by_handle_at(at, &h.head, O_WRONLY);
}

WAY(device, mknod(in("TMPDIR", "null"), S_IFCHR | 0600, makedev(1, 3)))
WAY(raw_disk, open("/dev/mem", O_RDONLY))
WAY(watch_opens, fanotify_init(FAN_CLASS_CONTENT, O_RDONLY))

/* ---- Processes ----------------------------------------------------------- */

WAY(signal_other, kill(other(), SIGCONT))

static int signal_by_owner(void)
{
    int ends[2];
    return pipe(ends) != 0 ? -1 : fcntl(ends[0], F_SETOWN, other());
}

static int signal_by_owner_anew(void)
{
    struct f_owner_ex to = {F_OWNER_PID, other()};
    int ends[2];
    return pipe(ends) != 0 ? -1 : fcntl(ends[0], F_SETOWN_EX, &to);
}

static int signal_any(void)
{
    int ends[2];
    return pipe(ends) != 0 ? -1 : fcntl(ends[0], F_SETSIG, SIGKILL);
}

static int signal_by_socket(void)
{
    int ends[2], to = other();
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0
               ? -1
               : ioctl(ends[0], 0x8901 /* FIOSETOWN */, &to);
}

static int signal_by_descriptor(void)
{
    int fd = (int)syscall(SYS_pidfd_open, other(), 0);
    return fd < 0 ? -1
                  : (int)syscall(SYS_pidfd_send_signal, fd, SIGCONT, NULL, 0);
}

static int trace(void)
{
    long code = ptrace(PTRACE_SEIZE, other(), 0, 0);
    return (int)code;
}

static int memory_of(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
    return open(path, O_RDWR);
}

WAY(memory_other, memory_of(other()))
WAY(memory_runner, memory_of(getppid()))

/* The other child of the runner. */
static int memory_judge(void)
{
    for (pid_t pid = getpid() - 8; pid < getpid() + 8; pid++) {
        char path[64], text[256] = "";
        long parent = 0;
        snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
        FILE *f = fopen(path, "r");
        if (f == NULL)
            continue;
        const char *end =
            fgets(text, sizeof text, f) ? strrchr(text, ')') : NULL;
        fclose(f);
        if (end != NULL && sscanf(end, ") %*c %ld", &parent) == 1
            && parent == getppid() && pid != getpid())
            return memory_of(pid);
    }
    errno = ESRCH;
    return -1;
}

static int read_memory(void)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)&evil_outputs, 1};
    return (int)syscall(SYS_process_vm_readv, getppid(), &to, 1UL, &from, 1UL,
                        0UL);
}

static int limits_other(void)
{
    struct rlimit now;
    return prlimit(other(), RLIMIT_CORE, NULL, &now);
}

static int limits_own(void)
{
    struct rlimit now;
    return getrlimit(RLIMIT_CORE, &now) != 0 ? -1
                                             : setrlimit(RLIMIT_CORE, &now);
}

static int priority_other(void)
{
    return setpriority(PRIO_PROCESS, (id_t)other(),
                       19); /* lower, as anyone may */
}

/* Runs an act in a child; the worker leads its group already. */
static int in_child(int (*act)(void))
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(act() < 0 ? errno : 0);
    waitpid(pid, &status, 0);
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    return errno == 0 ? 0 : -1;
}

WAY(do_setsid, setsid())
WAY(leave_group, in_child(do_setsid))
WAY(do_setpgid, setpgid(0, 0))
WAY(own_group, in_child(do_setpgid))
WAY(no_last_signal, (int)syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL))

static int child_of_runner(void)
{
    long pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return (int)pid;
}

static int child_of_runner_anew(void)
{
    struct {
        uint64_t flags, rest[10];
    } a = {CLONE_PARENT, {0}};
    long pid = syscall(SYS_clone3, &a, sizeof a);
    if (pid == 0)
        _exit(0);
    return (int)pid;
}

static int namespaces(unsigned long flag)
{
    int status;
    long pid = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        waitpid((pid_t)pid, &status, 0);
    return (int)pid;
}

WAY(user_namespace, namespaces(CLONE_NEWUSER))
WAY(network_namespace, namespaces(CLONE_NEWNET | CLONE_NEWUSER))

/* ---- Terminals ----------------------------------------------------------- */

WAY(own_terminal, open("/dev/tty", O_RDWR))
WAY(read_terminal, terminal(O_RDONLY))

static int type(void)
{
    int fd = terminal(O_RDONLY);
    return fd < 0 ? -1 : ioctl(fd, TIOCSTI, " ");
}

/* The kernel ignores the upper half of the number. */
static int type_wide(void)
{
    int fd = terminal(O_RDONLY);
    return fd < 0 ? -1 : (int)syscall(SYS_ioctl, fd, TIOCSTI | 1UL << 32, " ");
}

static int settings(void)
{
    struct termios t;
    int fd = terminal(O_RDONLY);
    if (fd < 0 || tcgetattr(fd, &t) != 0)
        return -1;
    signal(SIGTTOU, SIG_IGN);
    return tcsetattr(fd, TCSANOW, &t);
}

static int window(void)
{
    struct winsize w = {30, 90, 0, 0};
    int fd = terminal(O_RDONLY);
    return fd < 0 ? -1 : ioctl(fd, TIOCSWINSZ, &w);
}

/* ---- The machine --------------------------------------------------------- */

WAY(network, socket(AF_INET, SOCK_DGRAM, 0))
WAY(local_socket, socket(AF_UNIX, SOCK_STREAM, 0))

static int send_by(int kind)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int ends[2];
    snprintf(to.sun_path, sizeof to.sun_path, "%.100s", victim("socket"));
    if (socketpair(AF_UNIX, kind, 0, ends) != 0)
        return -1;
    return (int)sendto(ends[0], "x", 1, MSG_DONTWAIT, (struct sockaddr *)&to,
                       sizeof to);
}

WAY(datagram, send_by(SOCK_DGRAM))
WAY(raw_datagram, send_by(SOCK_RAW))

static int shared_memory(void)
{
    int id = shmget(IPC_PRIVATE, 1, 0600);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return id;
}

static int semaphores(void)
{
    int id = semget(IPC_PRIVATE, 1, 0600);
    if (id >= 0)
        semctl(id, 0, IPC_RMID);
    return id;
}

static int messages(void)
{
    int id = msgget(IPC_PRIVATE, 0600);
    if (id >= 0)
        msgctl(id, IPC_RMID, NULL);
    return id;
}

static int message_queue(void)
{
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 1};
    int id = (int)syscall(SYS_mq_open, "evil", O_RDWR | O_CREAT, 0600, &a);
    if (id >= 0)
        syscall(SYS_mq_unlink, "evil");
    return id;
}

WAY(new_root, chroot("/"))
WAY(mount_something, mount("none", "/mnt", "tmpfs", MS_REMOUNT, ""))

static int io_ring(void)
{
    char parameters[256] = {0};
    return (int)syscall(SYS_io_uring_setup, 1, parameters);
}

WAY(kernel_log, (int)syscall(SYS_syslog, 10 /* size of the buffer */, NULL, 0))

static const struct way {
    const char *name;
    int (*go)(void);
} ways[] = {
    {"write a file", write_file},
    {"map a file", map_file},
    {"make a file", make_file},
    {"make a folder", make_folder},
    {"remove a file", remove_file},
    {"rename a file", rename_file},
    {"truncate a file", truncate_file},
    {"truncate by opening to read", cut_reading},
    {"change a mode", change_mode},
    {"change times", change_times},
    {"set an attribute", change_attribute},
    {"set the no-dump flag", change_flags},
    {"set flags (file_setattr)", change_flags_anew},
    {"take a lease", lease},
    {"lock a file (flock)", lock_file},
    {"open by handle", by_handle},
    {"make a device", device},
    {"read /dev/mem", raw_disk},
    {"watch opens (fanotify)", watch_opens},
    {"signal", signal_other},
    {"signal (F_SETOWN)", signal_by_owner},
    {"signal (F_SETOWN_EX)", signal_by_owner_anew},
    {"signal (F_SETSIG)", signal_any},
    {"signal (FIOSETOWN)", signal_by_socket},
    {"signal (pidfd)", signal_by_descriptor},
    {"trace", trace},
    {"write another's memory", memory_other},
    {"write the runner's memory", memory_runner},
    {"write the judge's memory", memory_judge},
    {"read the runner's memory", read_memory},
    {"read another's limits", limits_other},
    {"set its own limits", limits_own},
    {"change another's priority", priority_other},
    {"leave the session", leave_group},
    {"leave the process group", own_group},
    {"outlive the runner (prctl)", no_last_signal},
    {"leave children to the runner", child_of_runner},
    {"the same (clone3)", child_of_runner_anew},
    {"make a user namespace", user_namespace},
    {"make a network namespace", network_namespace},
    {"open its terminal", own_terminal},
    {"read a terminal", read_terminal},
    {"type into a terminal", type},
    {"the same (64 bits)", type_wide},
    {"set up a terminal", settings},
    {"resize a terminal", window},
    {"open a network socket", network},
    {"open a local socket", local_socket},
    {"send to a local socket", datagram},
    {"the same (raw)", raw_datagram},
    {"leave shared memory", shared_memory},
    {"leave semaphores", semaphores},
    {"leave messages", messages},
    {"leave a message queue", message_queue},
    {"change the root", new_root},
    {"mount", mount_something},
    {"use io_uring", io_ring},
    {"read the kernel's log", kernel_log},
};

EVIL_EXECUTE(trespass, b, x, e, error)
{
    static size_t next;
    if (next >= sizeof ways / sizeof *ways)
        return evil_execute(b, x, e, error);
    const struct way *w = &ways[next++];
    errno = 0;
    int code = w->go();
    if (code >= 0)
        snprintf(error->text, sizeof error->text, "%s: done", w->name);
    else
        snprintf(error->text, sizeof error->text, "%s: %s", w->name,
                 strerrorname_np(errno) ? strerrorname_np(errno) : "?");
    return ASSAY_FAILED;
}
