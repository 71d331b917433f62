/* file.h - the whole of a file, which may be a pipe.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_FILE_H
#define INTERP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "interp/base/status.h"

/* Reads the rest of f; the caller frees it.  NULL if out of memory.  A *length
 * above limit means that the file is larger, and reading stopped; ferror
 * reports an error. */
char *file_read(FILE *f, size_t limit, size_t *length);
/* The whole file of at most 64 MiB, with a NUL after it, which length does not
 * count; the caller frees it.  A device without an end is too large. */
bool file_whole(const char *path, char **text, size_t *length,
                struct status *st);
/* Write a text into an existing file with one write, as files of the kernel
 * (/proc, cgroups) require.  False if not all of it was accepted. */
bool file_put(const char *path, const char *text);

#endif
