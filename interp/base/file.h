/* file.h - the whole of a file, which may be a pipe.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_FILE_H
#define INTERP_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is left to read of f; the caller frees it.  NULL if memory is out.  A
 * *length above limit tells of a file that is larger, and reading stopped;
 * ferror tells of an error. */
char *file_read(FILE *f, size_t limit, size_t *length);
/* Write a text into a file that is there, at once: what files of the kernel
 * (/proc, cgroups) want.  False if any of it was refused. */
bool file_put(const char *path, const char *text);

#endif
