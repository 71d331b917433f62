/* child_memory.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The resident pages of all processes, and the files in memory that they have
 * open, are quickly read.  They count a page that is shared once for each
 * process, and programs in the page cache too, so they are an upper bound, and
 * mostly a small one.  Only where it exceeds the limit are the mappings read,
 * which takes a millisecond for some 100 MiB.  There a page is divided by the
 * number of those that share it (Pss, proc_pid_smaps(5)).  A file in memory
 * counts as a whole and not as mapped: pages need not be mapped to take memory.
 * test_child_memory.c tests this.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "interp/base/memory.h"
#include "runner/process/child.h"

enum {
    PATH_BYTES = 96,
    LINE_BYTES = 512,
    FILES_MAX = 256, /* in memory, of a group */
    TMPFS = 0x01021994,
    BLOCK = 512, /* of st_blocks */
};

/* Files whose mappings do not count: the runner's, and those that count as a
 * whole. */
struct files {
    uint64_t number[FILES_MAX];
    int count;
    int64_t bytes;
};

/* ---- Processes ----------------------------------------------------------- */

static bool add_process(void *context, const char *name)
{
    struct child_memory_list *list = context;
    pid_t pid = (pid_t)strtol(name, NULL, 10);
    pid_t group = pid > 0 ? getpgid(pid) : 0;
    if (group <= 0)
        return true;
    if (!MEMORY_GROW(list->of, list->count, list->room))
        return false;
    list->of[list->count].pid = pid;
    list->of[list->count++].group = group;
    return true;
}

void child_memory_list(struct child_memory_list *list)
{
    list->count = 0;
    list->children = false;
    folder_each("/proc", add_process, list);
}

void child_memory_free(struct child_memory_list *list)
{
    free(list->of);
    *list = (struct child_memory_list){0};
}

/* ---- Files in memory ----------------------------------------------------- */

static bool add_file(struct files *files, uint64_t number)
{
    for (int i = 0; i < files->count; i++)
        if (files->number[i] == number)
            return false;
    if (files->count < FILES_MAX)
        files->number[files->count++] = number;
    return true;
}

/* One that has no name: with its last descriptor it is gone. */
static bool in_memory(const char *path, const struct stat *about)
{
    struct statfs system;
    return S_ISREG(about->st_mode) && about->st_nlink == 0
           && about->st_blocks > 0 && statfs(path, &system) == 0
           && system.f_type == TMPFS;
}

struct open_files {
    char folder[PATH_BYTES / 2];
    struct files *files;
};

static bool add_open_file(void *context, const char *name)
{
    const struct open_files *o = context;
    char path[PATH_BYTES];
    struct stat about;
    snprintf(path, sizeof path, "%s/%.20s", o->folder, name);
    if (stat(path, &about) == 0 && in_memory(path, &about)
        && add_file(o->files, about.st_ino))
        o->files->bytes += (int64_t)about.st_blocks * BLOCK;
    return true;
}

static void add_open_files(pid_t pid, struct files *files)
{
    struct open_files o = {.files = files};
    snprintf(o.folder, sizeof o.folder, "/proc/%ld/fd", (long)pid);
    folder_each(o.folder, add_open_file, &o);
}

/* ---- Pages --------------------------------------------------------------- */

static int64_t resident(pid_t pid)
{
    char path[PATH_BYTES], text[LINE_BYTES] = "";
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    char *at = text;
    strtoll(at, &at, 10); /* size */
    return n > 0 ? strtoll(at, NULL, 10) * (int64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* "START-END PERMS OFFSET DEVICE INODE PATH" begins a mapping; then there are
 * lines "KEY:  N kB". */
static bool is_mapping(const char *line, uint64_t *from, uint64_t *to,
                       char perms[5], uint64_t *number)
{
    return sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64, from,
                  to, perms, number)
           == 4;
}

static int64_t kib(const char *line, const char *key)
{
    size_t n = strlen(key);
    return strncmp(line, key, n) == 0 ? strtoll(line + n, NULL, 10) : 0;
}

/* Only the changed pages of a file that is mapped for reading count: the others
 * are the page cache's. */
static bool add_mappings(pid_t pid, const struct files *files, int64_t *bytes)
{
    char path[PATH_BYTES], line[LINE_BYTES], perms[5] = "";
    snprintf(path, sizeof path, "/proc/%ld/smaps", (long)pid);
    FILE *f = fopen(path, "re");
    uint64_t from, to, number = 0;
    const char *key = "Pss:";
    int64_t sum = 0;
    bool any = false;
    while (f && fgets(line, sizeof line, f)) {
        if (!is_mapping(line, &from, &to, perms, &number)) {
            sum += key ? kib(line, key) : 0;
            continue;
        }
        any = true;
        bool shared = perms[1] == 'w' && perms[3] == 's';
        key = number == 0 || shared ? "Pss:" : "Anonymous:";
        for (int i = 0; i < files->count; i++)
            if (number != 0 && files->number[i] == number)
                key = NULL;
    }
    if (f)
        fclose(f);
    *bytes += sum << 10;
    return any;
}

/* Where the mappings are hidden (PR_SET_DUMPABLE). */
static int64_t of_status(pid_t pid)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *f = fopen(path, "re");
    int64_t sum = 0;
    while (f && fgets(line, sizeof line, f))
        sum += kib(line, "RssAnon:") + kib(line, "RssShmem:");
    if (f)
        fclose(f);
    return sum << 10;
}

/* The next member of a group from *at on; its leader comes first.  0: none. */
static pid_t member(const struct child_memory_list *list, pid_t group, int *at)
{
    if (*at == 0) {
        *at = 1;
        return group;
    }
    while (*at <= list->count) {
        int i = (*at)++ - 1;
        if (list->of[i].group == group && list->of[i].pid != group)
            return list->of[i].pid;
    }
    return 0;
}

int64_t child_memory(struct child_memory_list *list, pid_t group, int64_t limit,
                     uint64_t except)
{
    struct files files = {.number = {except}, .count = except != 0};
    int64_t most = 0, sum = 0;
    int at = 0;
    for (pid_t pid; (pid = member(list, group, &at)) > 0;) {
        most += resident(pid);
        add_open_files(pid, &files);
        list->children = list->children || pid != group;
    }
    if (most + files.bytes <= limit)
        return most + files.bytes;
    at = 0;
    for (pid_t pid; (pid = member(list, group, &at)) > 0;)
        if (!add_mappings(pid, &files, &sum))
            sum += of_status(pid);
    return sum + files.bytes;
}

uint64_t child_memory_file(const void *at)
{
    char line[LINE_BYTES], perms[5];
    uint64_t from, to, number, place = (uintptr_t)at, found = 0;
    FILE *f = fopen("/proc/self/maps", "re");
    while (f && !found && fgets(line, sizeof line, f))
        if (is_mapping(line, &from, &to, perms, &number) && place >= from
            && place < to)
            found = number;
    if (f)
        fclose(f);
    return found;
}

const char *child_memory_words(void)
{
    bool kept = child_cgroup_folder() != NULL;
    if (access("/proc/self/smaps", R_OK) == 0)
        return kept ? "process group, proportional set size; cgroup"
                    : "process group, proportional set size";
    return access("/proc/self/statm", R_OK) == 0
               ? "process group, resident set size"
               : "one process, peak resident set size";
}
