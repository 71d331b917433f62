/* child.h - one forked process and its output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_CHILD_H
#define RUNNER_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- words.c ------------------------------------------------------------- */
/* The last output of a process that died, reduced to what explains its
 * death.
 *
 * A check that fails prints one line and then, often, a stack trace of many,
 * so the end of the output is the least useful part.  Lines are sorted as they
 * come: fatal ones (the first and the last are kept), frames of a stack trace
 * (dropped), and others (the last are kept).  A process that comes to something
 * else says so by one byte in its output, so that what an earlier case printed
 * is not taken for the reason of a later one's crash. */

enum {
    WORDS_BEGIN = 0x1e, /* ASCII's record separator: forget what came before */
    WORDS_LINE = 240,   /* bytes kept of a line */
    WORDS_SHOWN = 200,
};

struct words {
    char line[WORDS_LINE + 1]; /* that is not complete yet */
    int length;
    char first[WORDS_LINE + 1], last[WORDS_LINE + 1]; /* fatal ones */
    char other[WORDS_SHOWN + 1];                      /* the end of the rest */
    char text[WORDS_SHOWN + 1];                       /* words_text */
};

/* Take n more bytes of output. */
void words_add(struct words *w, const char *bytes, size_t n);

/* One line, harmless (text_clean), "" if there is nothing: the first and the
 * last fatal line, or else the last lines that belong to no stack trace, with
 * " | " between lines. */
const char *words_text(struct words *w);

/* ---- child.c ------------------------------------------------------------- */

struct child {
    pid_t pid;    /* 0: none */
    int pipe;     /* its output; -1: none */
    int control;  /* where it sends a descriptor; -1: no longer */
    int listener; /* that descriptor (child_give); -1: none */
    struct words words;
};

/* Fork.  In the child, which never outlives its parent: standard output and
 * error go to the parent (if quiet; else only errors), input is empty, other
 * files are closed but for one (child_give), and there is no terminal.  Returns
 * as fork. */
pid_t child_fork(struct child *c, bool quiet);

/* In the child: its last words begin here. */
void child_begin_words(void);

/* In the child, once, before it runs anyone else's code: give the parent a
 * descriptor, which is closed here; -1: none. */
void child_give(int descriptor);

/* Read its output so far, and the descriptor. */
void child_listen(struct child *c);
/* Its last words as one line: words_text. */
const char *child_last_words(struct child *c);
/* The words before them in a message. */
#define CHILD_LAST_WORDS "; last words: "

/* Has it ended?  Then c is free again. */
bool child_ended(struct child *c, int *status);
/* Wait for its end, if there is one. */
void child_wait(struct child *c, int *status);

/* ---- child_cgroup.c: a memory limit that the kernel enforces ------------- */
/* The runner checks the memory of a worker periodically (child_memory.c); where
 * it may create control groups (cgroup v2, cgroups(7)) the kernel enforces the
 * limit in between: a group that exceeds its limit is ended as a whole. */

enum {
    CHILD_CGROUP_PATH = 512
};

/* Where, below root ("/sys/fs/cgroup"), may a process make groups of which the
 * memory is limited?  own is the text of its /proc/self/cgroup.  Only reads
 * files.  NULL if folder (of CHILD_CGROUP_PATH bytes) is set, else why there is
 * no such place. */
const char *child_cgroup_find(const char *root, const char *own, char *folder);

/* The same for this process, and tried once: the folder, or NULL. */
const char *child_cgroup_folder(void);

/* Make a group for a process that was just forked, and put it there; all that
 * it forks later is there, too.  path has CHILD_CGROUP_PATH bytes, and is "" if
 * there is none. */
void child_cgroup_enter(char *path, pid_t pid, int64_t bytes);
/* Did the kernel kill a process of the group because it ran out of memory? */
bool child_cgroup_exceeded(const char *path);
/* End what is in the group, and remove it. */
void child_cgroup_leave(char *path);

/* ---- child_memory.c: how much memory a process group uses ---------------- */

/* Every process and its group, as they were at one moment.  Reading it takes a
 * millisecond where there are many. */
struct child_memory_list {
    struct {
        pid_t pid, group;
    } * of;
    int count;
    size_t room;
    bool children; /* a group that was asked for has more than its leader */
};

/* Read the list again; empty where there is no /proc. */
void child_memory_list(struct child_memory_list *list);
void child_memory_free(struct child_memory_list *list);

/* Bytes of memory that the leader of a group and those of the list that belong
 * to it take together: their own pages, shared mappings, and files that are in
 * memory only (memfd_create), each counted once.  A value up to limit may be
 * too high, as the exact sum takes longer.  A mapping of the file numbered
 * except is the runner's and does not count. */
int64_t child_memory(struct child_memory_list *list, pid_t group, int64_t limit,
                     uint64_t except);
/* The number of the file that is mapped at a place of this process; 0: none. */
uint64_t child_memory_file(const void *at);

/* In which way memory is measured on this machine. */
const char *child_memory_words(void);

/* ---- child_use.c: what a process group uses of the machine --------------- */

struct child_use {
    int64_t cpu_ms; /* processor time, also of children that were waited for */
    bool computing; /* a thread of theirs runs, or waits for a processor */
    int processes;
};

/* Reads /proc.  False if there is no such group, or no /proc. */
bool child_use(pid_t group, struct child_use *use);

#endif
