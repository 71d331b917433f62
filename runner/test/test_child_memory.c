/* test_child_memory.c - each way to take memory counts, and counts once.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Processes that take as much as is written here; what else they need is far
 * less than the slack.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/child.h"

enum {
    MIB = 1 << 20,
    TAKEN = 64 * MIB,
#ifdef __SANITIZE_ADDRESS__
    SLACK = 48 * MIB /* up to four processes, each with its own bookkeeping */
#else
    SLACK = 24 * MIB
#endif
};

static void touch(void *p, size_t n)
{
    for (size_t i = 0; i < n; i += 4096)
        ((volatile char *)p)[i] = 1;
}

static void *map(int flags, int fd)
{
    void *p = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE, flags, fd, 0);
    touch(p, TAKEN);
    return p;
}

static void of_its_own(void)
{
    map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void shared(void)
{
    map(MAP_SHARED | MAP_ANONYMOUS, -1);
}

static void child(void)
{
    if (fork() == 0)
        of_its_own();
}

/* Its pages are its children's, too. */
static void forked_after(void)
{
    of_its_own();
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            return;
}

static int file(void)
{
    static char chunk[MIB];
    int fd = memfd_create("test", 0);
    memset(chunk, 1, sizeof chunk);
    for (int i = 0; i < TAKEN / MIB; i++)
        if (write(fd, chunk, sizeof chunk) != sizeof chunk)
            _exit(1);
    return fd;
}

static void file_not_mapped(void)
{
    file();
}

static void file_mapped_twice(void)
{
    int fd = file();
    map(MAP_SHARED, fd);
    map(MAP_SHARED, dup(fd));
    fork();
}

static int64_t measure_child(void (*body)(void), uint64_t except)
{
    int ready[2];
    char c;
    struct child_memory_list list = {0};
    if (pipe(ready) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        close(ready[0]);
        body();
        close(ready[1]);
        for (;;)
            pause();
    }
    setpgid(pid, pid);
    close(ready[1]);
    /* Its end, when the last of them is through. */
    while (read(ready[0], &c, 1) > 0)
        ;
    close(ready[0]);
    child_memory_list(&list);
    int64_t bytes = child_memory(&list, pid, 0, except);
    OK(child_memory(&list, pid, INT64_MAX, except) >= bytes,
       "the quick sum is no less");
    child_memory_free(&list);
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return bytes;
}

static bool is_about(int64_t bytes, int64_t want)
{
    printf("# %lld KiB\n", (long long)bytes >> 10);
    return bytes >= want && bytes < want + SLACK;
}

static void *ours;

static void fill_ours(void)
{
    touch(ours, TAKEN);
}

int main(void)
{
    printf("# %s\n", child_memory_words());
    OK(is_about(measure_child(of_its_own, 0), TAKEN), "pages of its own");
    OK(is_about(measure_child(shared, 0), TAKEN), "a shared mapping");
    OK(is_about(measure_child(child, 0), TAKEN), "a child's pages");
    OK(is_about(measure_child(forked_after, 0), TAKEN),
       "pages that four processes share count once");
    OK(is_about(measure_child(file_not_mapped, 0), TAKEN),
       "a file in memory that is not mapped");
    OK(is_about(measure_child(file_mapped_twice, 0), TAKEN),
       "one that is mapped twice, by two processes, counts once");
    ours = mmap(NULL, TAKEN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
    uint64_t number = child_memory_file(ours);
    OK(number != 0, "a shared mapping has a file's number");
    OK(is_about(measure_child(fill_ours, number), 0),
       "what is excepted does not count");
    OK(child_memory_file(NULL) == 0, "nothing is mapped at 0");
    return tap_done();
}
