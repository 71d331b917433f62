/* scribble.c - writes into all memory that it shares with another process.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One byte, over and over, into each shared mapping, even one that can only be
 * read: ASSAY_EVIL_BYTE says which (255).
 */
#include "evil.h"

enum {
    BYTES_MAX = 1 << 20 /* of one mapping */
};

EVIL_AFTER(scribble, b, e, error)
{
    const char *byte = getenv("ASSAY_EVIL_BYTE");
    char line[512], mode[8];
    unsigned long first, end;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s", &first, &end, mode) == 3
            && mode[0] == 'r' && mode[3] == 's' && strstr(line, "/dev/zero"))
            memset((void *)first, byte ? (int)strtol(byte, NULL, 10) : 255,
                   end - first > BYTES_MAX ? BYTES_MAX : end - first);
    if (f)
        fclose(f);
}
