/* extension.h - the optional interfaces that the host offers a plugin.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_EXTENSION_H
#define RUNNER_PLUGIN_EXTENSION_H

#include <assay/backend.h>

#include "interp/program/program.h"

/* The extension of that id, or NULL. */
const void *extension_find(const char *id);

/* The program that the next compile is about, as the interpreter has it, and
 * an arena for texts that live until compile returns.  [one] */
void extension_program(struct arena *a, const struct program *program);

/* Sets the function for a plugin that cannot go on because of an earlier case
 * (assay/ext/earlier.h).  [one] */
void extension_leave(void (*leave)(void));

#endif
