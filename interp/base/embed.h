/* embed.h - files that the program carries: specification, SQL, style sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_EMBED_H
#define INTERP_BASE_EMBED_H

#include <stddef.h>

struct embed_file {
    const char *path; /* "spec/ops/Add.json"; NULL ends the list */
    const char *text; /* NUL-terminated */
    size_t length;
};

/* Made by tools/makers/embed.c at build time. */
extern const struct embed_file embed_files[];

/* The file of that path, or NULL. */
const struct embed_file *embed_find(const char *path);

#endif
