/* child_use.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend may compile in a child process, or compute in threads, so neither
 * the processor time nor the state of its main thread shows whether it is busy.
 * Reading all of /proc costs about a millisecond: it is only done for a process
 * that has been busy with one thing for long.  test_supervise_watch.c tests
 * this.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "runner/process/child.h"

enum {
    PATH_BYTES = 96,
    STAT_BYTES = 1024,
    STATE = 0,  /* fields of /proc/PID/stat after the name (proc(5)) */
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

struct threads {
    char folder[PATH_BYTES / 2];
    bool computing;
};

static bool look_at_thread(void *context, const char *name)
{
    struct threads *t = context;
    char path[PATH_BYTES], text[STAT_BYTES];
    snprintf(path, sizeof path, "%s/%.20s/stat", t->folder, name);
    const char *fields = stat_fields(path, text, sizeof text);
    t->computing = fields && fields[STATE] == 'R';
    return !t->computing;
}

static bool thread_computes(pid_t pid)
{
    struct threads t = {.computing = false};
    snprintf(t.folder, sizeof t.folder, "/proc/%ld/task", (long)pid);
    return folder_each(t.folder, look_at_thread, &t) && t.computing;
}

static int64_t field(const char *fields, int n)
{
    for (; fields && n > 0; n--)
        if ((fields = strchr(fields, ' ')))
            fields++;
    return fields ? strtoll(fields, NULL, 10) : 0;
}

static void add_process(pid_t pid, struct child_use *use)
{
    char path[PATH_BYTES], text[STAT_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    const char *fields = stat_fields(path, text, sizeof text);
    if (!fields)
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
    struct child_memory_list list = {0};
    *use = (struct child_use){0};
    child_memory_list(&list);
    for (int i = 0; i < list.count; i++)
        if (list.of[i].group == group)
            add_process(list.of[i].pid, use);
    child_memory_free(&list);
    return use->processes > 0;
}
