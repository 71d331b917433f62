/* inherited.h - what a process has from the one that started it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_INHERITED_H
#define INTERP_BASE_INHERITED_H

/* At the start of a program: no signal is blocked; none that the program relies
 * on is ignored (SIGCHLD, without which no child is waited for, SIGALRM, ...),
 * though nohup and a shell's `&` still protect it from SIGHUP and SIGINT; no
 * timer runs; and files 0 to 2 are open, so that no other file gets their
 * numbers. */
void inherited_restore(void);

#endif
