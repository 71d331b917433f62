/* sandbox_notice.h - what the sandbox refused, and to which case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend that cannot write a cache fails with a message of its own, which
 * rarely says why.  So the kernel asks the runner before a call that changes
 * files, and before each call that is refused by name (seccomp_unotify(2)); the
 * caller waits.  The runner answers with the error itself, and takes a note,
 * only where it is the sandbox alone that is in the way: the file lies outside
 * of the scratch directory, exists or could be made, and this user may write
 * it.  Otherwise the call goes on, to whatever the kernel makes of it.  So what
 * a note says has happened; but that a call is not noted proves nothing.
 */
#ifndef RUNNER_PROCESS_SANDBOX_NOTICE_H
#define RUNNER_PROCESS_SANDBOX_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SANDBOX_NOTICE_KEPT =
        1024, /* a worker is no more cases ahead of its judge */
    SANDBOX_NOTICE_TEXT = 160,
    SANDBOX_NOTICE_WRITES = 3
};

/* The notices of one process and its children: the first one of each case, as
 * what follows may be due to it. */
struct sandbox_notices {
    int64_t count; /* of all that were refused */
    int64_t cases; /* at which something was; the latest are kept */
    struct sandbox_notice {
        int64_t position; /* of the case; -1: none */
        char text[SANDBOX_NOTICE_TEXT];
    } kept[SANDBOX_NOTICE_KEPT];
};

/* Can this kernel do it?  The last that it takes is openat2, Linux 5.6; before
 * 5.5 a call that was asked about could not go on. */
bool sandbox_notice_offered(void);

/* A call that changes files; flags: the argument that says whether it does, -1
 * if it always does. */
struct sandbox_notice_call {
    int number, flags;
};
/* False behind the last. */
bool sandbox_notice_call(int i, struct sandbox_notice_call *c);
/* Flags of open that write, make or cut a file, each with its mask. */
extern const struct sandbox_notice_writes {
    uint32_t mask, value;
} sandbox_notice_writes[SANDBOX_NOTICE_WRITES];

struct job_place;

/* Answer all calls that wait at a listener (-1: none).  scratch: where they may
 * write; "": nowhere; NULL: everywhere.  place: where the process is while it
 * waits; NULL: at no case. */
void sandbox_notice_answer(struct sandbox_notices *n, int listener,
                           const char *scratch, const struct job_place *place);

/* "the sandbox refused write to /home/me/cache" at that case; NULL if it
 * refused nothing there. */
const char *sandbox_notice_at(struct sandbox_notices *n, int64_t position);

#endif
