/* child_cgroup.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A group in which there are processes cannot give its controllers to groups
 * below it, and the runner does not move away from where it was put.  So there
 * are two places: below its own group, if that already delegates memory, and
 * otherwise next to it, if the group above is the user's (systemd's
 * "Delegate="). test_child_cgroup.c tests the choice on folders that look like
 * these.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/base/file.h"
#include "runner/process/child.h"

enum {
    TEXT_BYTES = 4096,
    LOOKS = 100, /* until all processes of a group are gone */
    LOOK_NS = 2000000,
    WORKS_S = 60, /* the trial is long over by then */
};

static const char mount_point[] = "/sys/fs/cgroup";

/* The whole of a small file as text; false if it cannot be read. */
static bool get(const char *folder, const char *name, char text[TEXT_BYTES])
{
    char path[2 * CHILD_CGROUP_PATH];
    snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, TEXT_BYTES - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[2 * CHILD_CGROUP_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_put(path, text);
}

/* ---- Where? -------------------------------------------------------------- */

/* Is the word among those of a file? */
static bool lists(const char *folder, const char *name, const char *word)
{
    char text[TEXT_BYTES];
    if (!get(folder, name, text))
        return false;
    char *rest = NULL;
    for (char *w = strtok_r(text, " \n", &rest); w;
         w = strtok_r(NULL, " \n", &rest))
        if (strcmp(w, word) == 0)
            return true;
    return false;
}

static bool may_write(const char *folder)
{
    char path[2 * CHILD_CGROUP_PATH];
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    return access(folder, W_OK) == 0 && access(path, W_OK) == 0;
}

/* The group of version 2: "0::/user.slice". */
static const char *own_group(const char *own, size_t *length)
{
    for (const char *line = own; line && *line;) {
        if (strncmp(line, "0::/", 4) == 0) {
            *length = strcspn(line + 3, "\n");
            return line + 3;
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return NULL;
}

const char *child_cgroup_find(const char *root, const char *own, char *folder)
{
    size_t length = 0;
    const char *group = own_group(own, &length);
    char text[TEXT_BYTES], top[CHILD_CGROUP_PATH];
    *folder = '\0';
    if (!group)
        return "no cgroup v2";
    int n = snprintf(top, sizeof top, "%s%s", root,
                     get(root, "cgroup.controllers", text) ? "" : "/unified");
    if (n < 0 || (size_t)n + length + 1 > CHILD_CGROUP_PATH)
        return "a path that is too long";
    /* Seen from a namespace that it is not in. */
    if (strncmp(group, "/..", 3) == 0)
        return "a group outside this namespace";
    if (length == 1) /* the top itself */
        length = 0;
    memcpy(folder, top, (size_t)n);
    memcpy(folder + n, group, length);
    folder[(size_t)n + length] = '\0';
    const char *why = NULL;
    if (!lists(folder, "cgroup.controllers", "memory"))
        why = "no memory controller";
    else if (!lists(folder, "cgroup.subtree_control", "memory")) {
        /* Above it memory is given, or it would not be here. */
        if (length == 0)
            why = "the memory controller is not delegated to child groups";
        else
            *strrchr(folder, '/') = '\0';
    }
    if (!why && !may_write(folder))
        why = "its folder is not writable";
    if (why)
        *folder = '\0';
    return why;
}

/* ---- Groups -------------------------------------------------------------- */

static bool make(const char *path, pid_t pid, int64_t bytes)
{
    char most[32], who[32];
    snprintf(most, sizeof most, "%" PRId64, bytes);
    snprintf(who, sizeof who, "%ld", (long)pid);
    if (mkdir(path, 0755) != 0)
        return false;
    /* Not every machine has swap. */
    write_file(path, "memory.swap.max", "0");
    if (write_file(path, "memory.max", most)
        && write_file(path, "memory.oom.group", "1")
        && write_file(path, "cgroup.procs", who))
        return true;
    rmdir(path);
    return false;
}

void child_cgroup_leave(char *path)
{
    if (!*path)
        return;
    write_file(path, "cgroup.kill", "1");
    for (int i = 0; i < LOOKS && rmdir(path) != 0 && errno == EBUSY; i++)
        nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
    *path = '\0';
}

static bool works(const char *folder)
{
    char path[2 * CHILD_CGROUP_PATH];
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return false;
    if (pid == 0) {
        alarm(WORKS_S);
        pause();
        _exit(0);
    }
    snprintf(path, sizeof path, "%s/assay-%ld", folder, (long)pid);
    bool good = strlen(path) < CHILD_CGROUP_PATH && make(path, pid, 1 << 30);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (good)
        child_cgroup_leave(path);
    return good;
}

const char *child_cgroup_folder(void)
{
    static char folder[CHILD_CGROUP_PATH];
    static bool known;
    char own[TEXT_BYTES];
    if (!known) {
        known = true;
        if (!get("/proc/self/cgroup", "", own)
            || child_cgroup_find(mount_point, own, folder) || !works(folder))
            folder[0] = '\0';
    }
    return folder[0] ? folder : NULL;
}

void child_cgroup_enter(char *path, pid_t pid, int64_t bytes)
{
    const char *folder = child_cgroup_folder();
    *path = '\0';
    if (!folder)
        return;
    int n =
        snprintf(path, CHILD_CGROUP_PATH, "%s/assay-%ld", folder, (long)pid);
    if (n >= CHILD_CGROUP_PATH || !make(path, pid, bytes))
        *path = '\0';
}

bool child_cgroup_exceeded(const char *path)
{
    char text[TEXT_BYTES];
    if (!*path || !get(path, "memory.events", text))
        return false;
    const char *at = strstr(text, "oom_kill ");
    return at && strtol(at + sizeof "oom_kill", NULL, 10) > 0;
}
