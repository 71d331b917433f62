/* digest.h - SHA-256 (FIPS 180-4) of files and texts, as sha256sum prints it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLAN_DIGEST_H
#define RUNNER_PLAN_DIGEST_H

#include <stddef.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"

enum {
    DIGEST_TEXT = 65 /* 64 hexadecimal digits and a NUL */
};

void digest_bytes(const void *data, size_t length, char hex[DIGEST_TEXT]);
/* The digest of a regular file.  Fails with INPUT. */
bool digest_file(const char *path, char hex[DIGEST_TEXT], struct status *st);

/* The digest of a suite, which is that of the lines "DIGEST  NAME" that
 * sha256sum prints for the case files below a folder ("cases/Add/rules.json",
 * wherever the folder is) and the specification that this program carries
 * ("spec/ops/Add.json"), sorted by the bytes of their names.  A case file that
 * cannot be read has the digest "-": a run that needs it fails when it reads
 * it.  Fails with INPUT or SYSTEM. */
bool digest_suite(struct arena *a, const char *folder, char hex[DIGEST_TEXT],
                  struct status *st);
/* The digest of the suite that this program was built with. */
const char *digest_shipped(void);

#endif
