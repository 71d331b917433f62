/* sandbox.h - what a backend's process may access.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend runs as the user who started the run, so without a sandbox it can
 * overwrite the results, end the judge, type into the terminal, or leave
 * processes behind.  Inside, it may read every file that is no device, but
 * write only below a scratch directory, which TMPDIR names and which is removed
 * with the run.  It has no network and no privileges, cannot look into other
 * processes or signal them, change modes or owners of files, or leave its
 * process group.  Neither privileges nor a helper are needed:
 *
 *     sandbox_files.c    Landlock: files, TCP, signals
 *     sandbox_mounts.c   where there is no Landlock: files, by a user namespace
 *     sandbox_calls.c    seccomp: the rest
 *     sandbox_scratch.c  the directory
 *     sandbox_notice.c   what was refused
 *
 * Memory and processor time have limits of their own (worker_memory.c,
 * supervise.h).  spec/abi.md says what is kept out, and what is not.
 */
#ifndef RUNNER_PROCESS_SANDBOX_H
#define RUNNER_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "interp/base/status.h"
#include "runner/process/sandbox_scratch.h"

struct sandbox {
    bool on;
    int lock;                           /* of the directory */
    char scratch[SANDBOX_SCRATCH_PATH]; /* the directory; "": none */
};

/* Make the scratch directory, and hide this process (sandbox_hide).  Fails with
 * SYSTEM. */
bool sandbox_open(struct sandbox *s, struct status *st);
/* Remove it and what is in it. */
void sandbox_close(struct sandbox *s);

/* The part of the directory in which processes of one number, one after the
 * other, may write; made if it is not there.  "" without a sandbox. */
void sandbox_folder(const struct sandbox *s, int number,
                    char folder[SANDBOX_SCRATCH_PATH]);

/* Other processes of this user cannot look into this one, or write to it: what
 * a sandbox without files leaves open (/proc/PID/mem). */
void sandbox_hide(void);

/* Confine the calling process, and all that it starts, permanently.  It must
 * have one thread.  It may write in that folder.  *listener: where the runner
 * gets to know what is refused (sandbox_notice.h), -1 if it cannot; NULL: it is
 * not asked.  False, and why, if the kernel refuses a feature that it reports.
 */
bool sandbox_enter(const struct sandbox *s, const char *folder, int *listener,
                   char *why, size_t size);

/* For the record of a run: what restricts it ("Landlock 7, seccomp"), or
 * "off". */
const char *sandbox_words(const struct sandbox *s);

/* How much that is (spec/abi.md, "Levels"):
 *     full     everything
 *     partial  all but files: by writing some, a backend can forge verdicts
 *     none     nothing */
const char *sandbox_level(const struct sandbox *s);
/* A sentence on what is missing from "full"; NULL if nothing is. */
const char *sandbox_missing(const struct sandbox *s);

#endif
