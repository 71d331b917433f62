/* whole_file.h - a file that is written as a whole or not at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REPORT_WHOLE_FILE_H
#define REPORT_WHOLE_FILE_H

#include <limits.h>
#include <stdio.h>

#include "interp/base/status.h"

/* Written to a file beside it, which takes its place when it is whole: a full
 * disk leaves no half page.  A device or a pipe is written to. */
struct whole_file {
    FILE *to;
    const char *path;
    char part[PATH_MAX]; /* "": there is none */
};

/* Can it be written?  Said before the work, and changes nothing.  The option
 * that names it begins the message.  Fails with INPUT. */
bool whole_file_check(const char *option, const char *path, struct status *st);
/* path must live until it is closed.  Fails with INPUT. */
bool whole_file_open(struct whole_file *w, const char *path, struct status *st);
/* Put it in its place if what was to be written is good; else it is gone, and
 * st stays.  Fails with SYSTEM. */
bool whole_file_close(struct whole_file *w, bool good, struct status *st);

#endif
