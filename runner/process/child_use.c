/* child_use.c - see child_use.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend may compile in a child process, or compute in threads, so neither
 * the processor time nor the state of its main thread shows whether it is busy.
 * Reading all of /proc costs about a millisecond: it is only done for a process
 * that has been busy with one thing for long.  test_supervise_watch.c tests
 * this.
 */
#include "runner/process/child_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES = 96,
    STAT_BYTES = 1024,
    STATE = 0, /* fields of /proc/PID/stat after the name (proc(5)) */
    GROUP = 2,
    UTIME = 11, /* utime, stime, cutime, cstime */
    CSTIME = 14,
};

static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

/* The fields after the name, which may hold anything, parentheses too. */
static const char *stat_fields(const char *path, char *text, size_t size)
{
    if (!read_text(path, text, size))
        return NULL;
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' ? end + 2 : NULL;
}

static bool thread_computes(pid_t pid)
{
    char folder[PATH_BYTES / 2], path[PATH_BYTES], text[STAT_BYTES];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%ld/task", (long)pid);
    DIR *d = opendir(folder);
    if (!d)
        return false;
    for (const struct dirent *e; !found && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%.20s/stat", folder, e->d_name);
        const char *fields =
            e->d_name[0] == '.' ? NULL : stat_fields(path, text, sizeof text);
        found = fields && fields[STATE] == 'R';
    }
    closedir(d);
    return found;
}

static int64_t field(const char *fields, int n)
{
    for (; fields && n > 0; n--)
        if ((fields = strchr(fields, ' ')))
            fields++;
    return fields ? strtoll(fields, NULL, 10) : 0;
}

static void add_process(pid_t pid, pid_t group, struct child_use *use)
{
    char path[PATH_BYTES], text[STAT_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const char *fields = stat_fields(path, text, sizeof text);
    if (!fields || field(fields, GROUP) != group)
        return;
    int64_t ticks = 0, second = sysconf(_SC_CLK_TCK);
    for (int i = UTIME; i <= CSTIME; i++)
        ticks += field(fields, i);
    use->cpu_ms += second > 0 ? ticks * 1000 / second : 0;
    use->processes++;
    use->computing = use->computing || thread_computes(pid);
}

bool child_use(pid_t group, struct child_use *use)
{
    *use = (struct child_use){0};
    DIR *d = opendir("/proc");
    if (!d)
        return false;
    for (const struct dirent *e; (e = readdir(d));) {
        long pid = strtol(e->d_name, NULL, 10);
        if (pid > 0)
            add_process((pid_t)pid, group, use);
    }
    closedir(d);
    return use->processes > 0;
}
