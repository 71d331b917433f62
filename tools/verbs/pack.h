/* pack.h - what a pack of a run has in it, for assay pack and assay verify.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PACK_H
#define TOOLS_PACK_H

#include "report/report.h"
#include "tools/verbs/archive.h"

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
