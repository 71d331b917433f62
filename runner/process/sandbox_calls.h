/* sandbox_calls.h - system calls by seccomp.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What Landlock does not know: other processes, terminals, the network, System
 * V objects, attributes of files, the machine.
 */
#ifndef RUNNER_PROCESS_SANDBOX_CALLS_H
#define RUNNER_PROCESS_SANDBOX_CALLS_H

#include <stdbool.h>

struct sandbox_calls {
    bool signals;  /* refuse signals to others, and */
    bool truncate; /* truncate(2): Landlock does neither */
    bool notices;  /* ask about calls that are refused, or may be because of
                      the files that they change (sandbox_notice.h) */
};

/* Permanently, for the calling process and all that it starts.  It must not be
 * able to gain privileges.  *listener is where the calls are asked about, or
 * -1.  False if the kernel refuses a filter. */
bool sandbox_calls_enter(const struct sandbox_calls *how, int *listener);

#endif
