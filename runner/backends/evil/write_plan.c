/* write_plan.c - writes into the text of other cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plan lies in the worker's memory, and later cases are made of it: two of
 * evil.t's have the bits "00012345" in their inputs.  Every place that this
 * process can read and that no file is behind is searched.
 */
#include "evil.h"

static void change(char *first, const char *end)
{
    static const char bits[] = "0001234"; /* and a 5: this is not found */
    for (char *p = first; end - p > 8; p++) {
        p = memchr(p, '0', (size_t)(end - p - 8));
        if (p == NULL)
            return;
        if (p[7] == '5' && memcmp(p, bits, 7) == 0)
            p[7] = '6';
    }
}

EVIL_AFTER(write_plan, b, e, error)
{
    char line[512], mode[8], path[256];
    unsigned long first, end;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) {
        path[0] = '\0';
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &first, &end, mode,
                   path)
                >= 3
            && mode[0] == 'r' && mode[3] == 'p'
            && (path[0] == '\0' || strcmp(path, "[heap]") == 0))
            change((char *)first, (char *)end);
    }
    if (f)
        fclose(f);
}
