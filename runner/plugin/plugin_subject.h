/* plugin_subject.h - which files a backend is made of.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_PLUGIN_SUBJECT_H
#define RUNNER_PLUGIN_PLUGIN_SUBJECT_H

#include "interp/base/arena.h"

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
