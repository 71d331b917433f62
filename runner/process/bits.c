/* bits.c - see bits.h.  Tests: pack.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/bits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runner/process/job.h"

enum {
    NAME_MAX_BYTES = 4096,
    LINE = 64
};

/* Records are structs of C, so their size and the order of their bytes are part
 * of the form. */
static void first_line(char line[LINE])
{
    const uint32_t order = 0x01020304;
    memset(line, ' ', LINE);
    int n = snprintf(line, LINE, "assay-bits/1 %s %zu %zu %02x", ASSAY_VERSION,
                     sizeof(struct job_record), sizeof(struct job_output),
                     *(const unsigned char *)&order);
    line[n] = ' ';
    line[LINE - 1] = '\n';
}

bool bits_begin(const char *path, bool append, struct status *st)
{
    char line[LINE];
    struct stat about;
    first_line(line);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? 0 : O_TRUNC),
                  0666);
    if (fd < 0)
        return FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
    bool begun = append && fstat(fd, &about) == 0 && about.st_size > 0;
    bool ok = begun || write(fd, line, LINE) == LINE;
    int error = errno;
    if (close(fd) != 0 || !ok)
        return FAIL(st, INPUT, "%.200s: %s", path, strerror(error));
    return !begun || bits_check(path, st);
}

int bits_open(const char *path)
{
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* Both lengths; the name is padded to eight bytes, as the record is. */
struct head {
    uint64_t name_bytes, length;
};

static uint64_t padded(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

bool bits_append(int fd, const char *name, const void *record, uint64_t length)
{
    static const char zeros[8];
    struct head h = {strlen(name) + 1, length};
    /* iovec has no const. */
    union {
        const void *from;
        void *base;
    } parts[] = {{&h}, {name}, {zeros}, {record}, {zeros}};
    size_t bytes[] = {sizeof h, h.name_bytes,
                      padded(h.name_bytes) - h.name_bytes, length,
                      padded(length) - length};
    struct iovec list[5];
    ssize_t all = 0;
    for (int i = 0; i < 5; i++) {
        list[i] = (struct iovec){parts[i].base, bytes[i]};
        all += (ssize_t)bytes[i];
    }
    return writev(fd, list, 5) == all;
}

bool bits_read(struct bits_reader *r, const void *bytes, uint64_t length,
               struct status *st)
{
    char line[LINE];
    first_line(line);
    if (length < LINE || memcmp(bytes, "assay-bits/1 ", 13) != 0)
        return FAIL(st, INPUT, "not a file of bits (assay run --bits)");
    if (memcmp(bytes, line, LINE) != 0)
        return FAIL(
            st, INPUT,
            "bits of '%.40s', which only that version of Assay reads on "
            "such a machine; this is " ASSAY_VERSION,
            (const char *)bytes + 13);
    r->at = (const unsigned char *)bytes + LINE;
    r->end = (const unsigned char *)bytes + length;
    return true;
}

int bits_next(struct bits_reader *r, struct bits_record *record)
{
    struct head h;
    uint64_t left = (uint64_t)(r->end - r->at);
    if (left == 0)
        return 0;
    if (left < sizeof h)
        return -1;
    memcpy(&h, r->at, sizeof h);
    left -= sizeof h;
    if (h.name_bytes == 0 || h.name_bytes > NAME_MAX_BYTES
        || padded(h.name_bytes) > left || h.length > left - padded(h.name_bytes)
        || padded(h.length) > left - padded(h.name_bytes))
        return -1;
    record->name = (const char *)r->at + sizeof h;
    if (record->name[h.name_bytes - 1] != '\0')
        return -1;
    record->record = r->at + sizeof h + padded(h.name_bytes);
    record->length = h.length;
    r->at = (const unsigned char *)record->record + padded(h.length);
    return 1;
}

bool bits_check(const char *path, struct status *st)
{
    struct bits_reader r;
    struct bits_record record;
    struct stat about;
    int more = 1, fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0 || about.st_size == 0) {
        const char *why = fd < 0 ? strerror(errno) : "is empty";
        if (fd >= 0)
            close(fd);
        return FAIL(st, SYSTEM, "%.200s: %s", path, why);
    }
    size_t length = (size_t)about.st_size;
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return FAIL(st, SYSTEM, "%.200s: %s", path, strerror(errno));
    bool ok = bits_read(&r, bytes, length, st);
    while (ok && more == 1)
        more = bits_next(&r, &record);
    munmap(bytes, length);
    if (!ok)
        st->path = path;
    return ok
           && (more == 0
               || FAIL(st, SYSTEM,
                       "%.200s: ends within a record: it could not be written "
                       "completely",
                       path));
}
