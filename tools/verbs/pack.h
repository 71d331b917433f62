/* pack.h - what a pack of a run has in it, for assay pack and assay verify.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PACK_H
#define TOOLS_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interp/base/status.h"
#include "report/report.h"
#include "runner/plan/expect.h"
#include "runner/plan/plan.h"

/* ---- archive.c: a tar archive of which every byte is known --------------- */
/* The ustar format of POSIX.1-2008, pax, that any tar reads.  A library would
 * read what it can; here each byte must be the one that the writer writes: no
 * owner, no time, no other order. */

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

/* ---- verify.c ------------------------------------------------------------ */
/* The verdicts of a run, derived again from the recorded bits. */

struct verify {
    struct arena *arena;
    struct report *report; /* of one run */
    const struct plan *plan;
    const struct limits *limits;
    const struct profile *profile;
    struct expect *expect; /* no lines: there was no file */
    const struct archive_member *bits;
    int bits_count;
    int64_t shown; /* differences that are printed, at most */
    /* The outcome, in cases. */
    int64_t derived;                /* as recorded */
    int64_t ended[REPORT_STATUSES]; /* no result to judge: how they ended */
    int64_t differs;                /* another verdict, or other figures */
};

/* Judge all that was recorded, and compare.  Differences are printed.  Fails
 * with INPUT if the files are not what they should be. */
bool verify_run(struct verify *v, struct status *st);

/* ---- pack.c -------------------------------------------------------------- */

enum {
    PACK_MEMBERS = 1024 /* of them all but five are files of bits */
};

#define PACK_MANIFEST     "manifest.json"
#define PACK_STATEMENT    "conformance.txt"
#define PACK_EXPECTATIONS "expectations"
#define PACK_PROFILE      "profile.json"
#define PACK_DATABASE     "results.db"
#define PACK_BITS         "bits-" /* and a number, from 1 */

/* A file's bytes, mapped; they stay until the program ends.  Fails with INPUT.
 */
bool pack_map(const char *path, struct archive_member *to, struct status *st);

/* The statement of conformance of a run. */
const char *pack_statement(struct arena *a, struct report *r,
                           const struct report_run *run, struct status *st);
/* The manifest: it follows from the members after it. */
const char *pack_manifest(struct arena *a, const struct report_run *run,
                          const struct archive_member *list, int count);

#endif
