/* bits.h - what a backend returned, kept as it came to the judge.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file of bits has a line that names its form, then the records of job.h,
 * each behind the full name of its case, in the order in which they were
 * judged.  Several processes append to it.  assay verify judges them again.
 */
#ifndef RUNNER_PROCESS_BITS_H
#define RUNNER_PROCESS_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/status.h"

/* Begin a file, or with append go on with one.  Fails with INPUT. */
bool bits_begin(const char *path, bool append, struct status *st);
/* For appending; -1 if it cannot be opened. */
int bits_open(const char *path);
/* One record, with one write.  False if not all of it was written: what follows
 * is not readable. */
bool bits_append(int fd, const char *name, const void *record, uint64_t length);

/* A file's bytes, which must stay as long as what is read of them. */
struct bits_reader {
    const unsigned char *at, *end;
};

struct bits_record {
    const char *name; /* ends with NUL */
    const void *record;
    uint64_t length;
};

/* Read the first line.  Fails with INPUT, also for records of another version
 * of Assay or another machine. */
bool bits_read(struct bits_reader *r, const void *bytes, uint64_t length,
               struct status *st);
/* The next record: 1; at the end 0; where the bytes are no record -1. */
int bits_next(struct bits_reader *r, struct bits_record *record);
/* Is the file whole?  Fails with SYSTEM, or INPUT if it is no such file. */
bool bits_check(const char *path, struct status *st);

#endif
