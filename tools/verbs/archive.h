/* archive.h - a tar archive of which every byte is known.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ustar format of POSIX.1-2008, pax, that any tar reads.  A library would
 * read what it can; here each byte must be the one that the writer writes: no
 * owner, no time, no other order.
 */
#ifndef TOOLS_ARCHIVE_H
#define TOOLS_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interp/base/status.h"

struct archive_member {
    const char *name; /* at most 99 bytes, no slash */
    const void *bytes;
    uint64_t length;
};

/* False if a write failed. */
bool archive_write(FILE *to, const struct archive_member *list, int count);

/* Read at most room members out of the bytes of an archive, in which they stay;
 * names go to names.  Fails with INPUT at the first byte that archive_write
 * would not have written. */
bool archive_read(const void *bytes, uint64_t length, char (*names)[100],
                  struct archive_member *list, int room, int *count,
                  struct status *st);

#endif
