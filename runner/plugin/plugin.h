/* plugin.h - the host's side of the plugin ABI.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Called in worker processes only: nothing of a plugin is ever loaded into the
 * process that keeps the results or judges them.
 */
#ifndef RUNNER_PLUGIN_PLUGIN_H
#define RUNNER_PLUGIN_PLUGIN_H

#include <assay/backend.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"

struct plugin {
    void *handle;
    assay_backend *backend;
    struct arena memory; /* of the host, which can only be read */
    const assay_host *host;
    const char *dtypes, *ops; /* space separated; NULL: all */
    bool programs;            /* several at once */
    int64_t replicas;
    bool classless;   /* rejects without a class */
    const char *path; /* for messages */
};

/* The file of a backend and the options that its name implies, with the given
 * ones after them.  A name is
 *
 *   a path that ends in .so    that file
 *   a path of another file     the process adapter, with that program
 *   process:COMMAND            the same with a command of the shell
 *   pjrt:PATH                  the PJRT adapter, with the plugin PATH
 *   xla-cpu, xla-cpu@VERSION   the same with a plugin of `make xla-cpu`, looked
 *   up next to the executable any other                  looked up in backends/
 *   next to the executable,
 *                              then where it was installed
 *
 * Fails with INPUT. */
bool plugin_find(struct arena *a, const char *name, const char *options,
                 const char **path, const char **all_options,
                 struct status *st);

/* Load it and ask for its capabilities.  Fails with INPUT. */
bool plugin_open(const char *path, const char *options, struct plugin *plugin,
                 struct status *st);
void plugin_close(struct plugin *plugin);

/* The plugin's value for a capability, or NULL. */
const char *plugin_capability(const struct plugin *plugin, const char *name);

/* Does it declare that it does not support this program?  Then why. */
bool plugin_declines(const struct plugin *plugin, const assay_program *program,
                     char *why, size_t size);

/* Properties end when key is NULL. */
bool plugin_property(const struct plugin *plugin, int i, const char **key,
                     const char **value);

/* ---- plugin_subject.c: which files a backend is made of ------------------ */

struct plugin_subject {
    int count, room;
    const char **files; /* paths, in the order of the command */
};

/* The subject of a run, from the path and options that plugin_find() gave: the
 * plugin itself; behind the PJRT adapter its plugin; behind the process adapter
 * its program, or the words of its command that are files, of which the first
 * may be found in PATH.  What these load in turn is not known. */
struct plugin_subject plugin_subject(struct arena *a, const char *path,
                                     const char *options);

#endif
