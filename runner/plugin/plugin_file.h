/* plugin_file.h - is a file a shared object that this process can load?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_PLUGIN_FILE_H
#define RUNNER_PLUGIN_PLUGIN_FILE_H

#include "interp/base/status.h"

/* Looks at its ELF headers, because the dynamic loader reports little: SIGBUS
 * for a truncated file, "No such file or directory" for one of another
 * architecture.  Fails with INPUT, and says what the file is. */
bool plugin_file_check(const char *path, struct status *st);

#endif
