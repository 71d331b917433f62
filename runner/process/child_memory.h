/* child_memory.h - how much memory a process group uses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_CHILD_MEMORY_H
#define RUNNER_PROCESS_CHILD_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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

#endif
