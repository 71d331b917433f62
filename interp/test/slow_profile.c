/* slow_profile.c - see slow_profile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const struct profile *slow_profile(struct arena *a, const char *text,
                                   struct status *st)
{
    char path[] = "/tmp/slow_profile_XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    fputs(text, f);
    fclose(f);
    const struct profile *p = NULL;
    *st = (struct status){STATUS_OK};
    bool good = profile_load(a, path, &p, st);
    unlink(path);
    return good ? p : NULL;
}
