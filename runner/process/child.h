/* child.h - one forked process and its output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_CHILD_H
#define RUNNER_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "runner/process/words.h"

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
/* What stands before them in a message. */
#define CHILD_LAST_WORDS "; last words: "

/* Has it ended?  Then c is free again. */
bool child_ended(struct child *c, int *status);
/* Wait for its end, if there is one. */
void child_wait(struct child *c, int *status);

#endif
