/* plugin_private.h - what the files of the host share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_PLUGIN_PRIVATE_H
#define RUNNER_PLUGIN_PLUGIN_PRIVATE_H

#include <stdbool.h>

#include "interp/base/status.h"

/* ---- capability.c: are a backend's capabilities what they may be? -------- */

struct plugin;

/* Ask a plugin for all of them; a value that is none of its kind would
 * otherwise count as another one, silently.  Fails with INPUT, naming the
 * nearest valid word. */
bool capability_check(const struct plugin *plugin, struct status *st);

/* ---- plugin_file.c ------------------------------------------------------- */
/* Is a file a shared object that this process can load? */

/* Looks at its ELF headers, because the dynamic loader reports little: SIGBUS
 * for a truncated file, "No such file or directory" for one of another
 * architecture.  Fails with INPUT, and says what the file is. */
bool plugin_file_check(const char *path, struct status *st);

#endif
