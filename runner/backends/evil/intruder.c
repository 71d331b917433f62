/* intruder.c - does to the file that ASSAY_EVIL_VICTIM names what
 * ASSAY_EVIL_HOW says: remove, replace or overwrite.  Its results are right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <unistd.h>

#include "evil.h"

static void intrude(void)
{
    const char *how = getenv("ASSAY_EVIL_HOW");
    const char *victim = getenv("ASSAY_EVIL_VICTIM");
    if (how == NULL || victim == NULL)
        return;
    if (strcmp(how, "overwrite") != 0)
        unlink(victim);
    if (strcmp(how, "remove") == 0)
        return;
    FILE *f = fopen(victim, strcmp(how, "replace") == 0 ? "w" : "r+");
    if (f == NULL)
        return;
    for (int i = 0; i < 8192; i++)
        fputc('!', f);
    fclose(f);
}

EVIL_EXECUTE(intruder, b, x, e, error)
{
    if (evil_first_time())
        intrude();
    return evil_execute(b, x, e, error);
}
