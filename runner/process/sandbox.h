/* sandbox.h - what a backend's process may access.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend runs as the user who started the run, so without a sandbox it can
 * overwrite the results, end the judge, or leave processes behind.  Inside, it
 * may read every file, but write only below a scratch directory, which TMPDIR
 * names and which is removed with the run.  It has no network, cannot look into
 * other processes or signal them, change modes or owners of files, mount, or
 * leave its process group.  Neither privileges nor a helper are needed:
 * Landlock restricts files, TCP and signals, seccomp the rest.  Where there is
 * no Landlock a user namespace restricts files (sandbox_mounts.h), and seccomp
 * what remains.  Memory and processor time have limits of their own
 * (worker_memory.h, supervise.h).
 */
#ifndef RUNNER_PROCESS_SANDBOX_H
#define RUNNER_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "interp/base/status.h"

struct sandbox {
    bool on;
    char scratch[256]; /* the directory; "": none */
};

/* Make the scratch directory, in TMPDIR or /tmp.  Fails with SYSTEM. */
bool sandbox_open(struct sandbox *s, struct status *st);
/* Remove it and what is in it. */
void sandbox_close(struct sandbox *s);

/* Confine the calling process, and all that it starts, permanently.  It must
 * have one thread.  False, and why, if the kernel refuses a feature that it
 * reports. */
bool sandbox_enter(const struct sandbox *s, char *why, size_t size);

/* For the record of a run: what restricts it ("Landlock 7, seccomp"), or
 * "off". */
const char *sandbox_words(const struct sandbox *s);
/* What is missing, as a sentence; NULL if nothing is. */
const char *sandbox_missing(void);

#endif
