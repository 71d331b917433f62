/* archive.c - see pack.h.  Tests: pack.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "tools/verbs/pack.h"

enum {
    BLOCK = 512,
    NAME = 100,    /* of the header's fields, by offset */
    SIZE_AT = 124, /* 12 bytes, octal */
    CHECKSUM_AT = 148
};

static uint64_t padding(uint64_t length)
{
    return (BLOCK - length % BLOCK) % BLOCK;
}

static void header(unsigned char h[BLOCK], const char *name, uint64_t length)
{
    unsigned sum = 0;
    memset(h, 0, BLOCK);
    memcpy(h, name, strlen(name));
    memcpy(h + NAME, "0000644\0000000000\0000000000\000", 24);
    snprintf((char *)h + SIZE_AT, 12, "%011" PRIo64, length);
    memcpy(h + SIZE_AT + 12, "00000000000", 12); /* the time */
    memset(h + CHECKSUM_AT, ' ', 8);
    memcpy(h + CHECKSUM_AT + 8, "0", 1); /* a file */
    memcpy(h + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + CHECKSUM_AT, 8, "%06o", sum);
}

bool archive_write(FILE *to, const struct archive_member *list, int count)
{
    static const unsigned char zeros[2 * BLOCK];
    unsigned char h[BLOCK];
    for (int i = 0; i < count; i++) {
        header(h, list[i].name, list[i].length);
        fwrite(h, 1, BLOCK, to);
        fwrite(list[i].bytes, 1, list[i].length, to);
        fwrite(zeros, 1, padding(list[i].length), to);
    }
    fwrite(zeros, 1, sizeof zeros, to);
    return !ferror(to);
}

static bool is_zero(const unsigned char *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i] != 0)
            return false;
    return true;
}

/* The member that a header is of; false if no such header is written. */
static bool read_header(const unsigned char *h, char name[100],
                        uint64_t *length)
{
    unsigned char own[BLOCK];
    char size[13] = {0};
    memcpy(name, h, 100);
    memcpy(size, h + SIZE_AT, 12);
    if (!memchr(name, 0, 100) || !*name || strchr(name, '/')
        || strspn(size, "01234567") != 11
        || sscanf(size, "%" SCNo64, length) != 1)
        return false;
    header(own, name, *length);
    return memcmp(h, own, BLOCK) == 0;
}

bool archive_read(const void *bytes, uint64_t length, char (*names)[100],
                  struct archive_member *list, int room, int *count,
                  struct status *st)
{
    const unsigned char *from = bytes;
    uint64_t at = 0, own = 0;
    *count = 0;
    while (length - at >= BLOCK && !is_zero(from + at, BLOCK)) {
        if (*count == room || !read_header(from + at, names[*count], &own)
            || own > length - at - BLOCK
            || padding(own) > length - at - BLOCK - own
            || !is_zero(from + at + BLOCK + own, padding(own)))
            return FAIL(st, INPUT,
                        "byte %" PRIu64 ": not as `assay pack` writes it", at);
        list[*count] =
            (struct archive_member){names[*count], from + at + BLOCK, own};
        ++*count;
        at += BLOCK + own + padding(own);
    }
    return (length - at == 2 * BLOCK && is_zero(from + at, 2 * BLOCK))
           || FAIL(st, INPUT, "byte %" PRIu64 ": not the end of a pack", at);
}
