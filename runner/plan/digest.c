/* digest.c - see digest.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/digest.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/base/embed.h"
#include "interp/base/folder.h"

enum {
    CHUNK = 1 << 16
};

static void finish(struct sha256_ctx *c, char hex[DIGEST_TEXT])
{
    uint8_t raw[SHA256_DIGEST_SIZE];
    sha256_digest(c, sizeof raw, raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(hex + 2 * i, 3, "%02x", raw[i]);
}

void digest_bytes(const void *data, size_t length, char hex[DIGEST_TEXT])
{
    struct sha256_ctx c;
    sha256_init(&c);
    sha256_update(&c, length, data);
    finish(&c, hex);
}

bool digest_file(const char *path, char hex[DIGEST_TEXT], struct status *st)
{
    uint8_t chunk[CHUNK];
    struct sha256_ctx c;
    struct stat about = {0};
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
    bool good = fstat(fileno(f), &about) == 0 && S_ISREG(about.st_mode);
    sha256_init(&c);
    while (good && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        sha256_update(&c, n, chunk);
    good = good && !ferror(f);
    fclose(f);
    finish(&c, hex);
    return good
           || FAIL(st, INPUT, "%.200s: %s", path,
                   S_ISREG(about.st_mode) ? "cannot be read"
                                          : "not a regular file");
}

/* ---- A suite ------------------------------------------------------------- */

struct line {
    const char *name;
    char hex[DIGEST_TEXT];
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->name,
                  ((const struct line *)b)->name);
}

static bool is_judged_by(const struct embed_file *f)
{
    return strncmp(f->path, "spec/", 5) == 0 && folder_ends(f->path, ".json");
}

bool digest_suite(struct arena *a, const char *folder, char hex[DIGEST_TEXT],
                  struct status *st)
{
    struct folder_walk walk = {.tolerant = true};
    struct status none = {STATUS_OK};
    TRY(folder_walk(a, &walk, folder, st));
    size_t room = (size_t)walk.count, n = 0;
    for (const struct embed_file *f = embed_files; f->path; f++)
        room++;
    struct line *lines = arena_new(a, struct line, room + 1);
    for (int i = 0; i < walk.count; i++) {
        struct line *to = &lines[n++];
        to->name = arena_printf(a, "cases/%s.json", walk.files[i].name);
        if (!digest_file(walk.files[i].path, to->hex, &none))
            snprintf(to->hex, sizeof to->hex, "-");
    }
    for (const struct embed_file *f = embed_files; f->path; f++)
        if (is_judged_by(f)) {
            lines[n].name = f->path;
            digest_bytes(f->text, f->length, lines[n++].hex);
        }
    qsort(lines, n, sizeof *lines, by_name);
    struct sha256_ctx c;
    sha256_init(&c);
    for (size_t i = 0; i < n; i++) {
        const char *text =
            arena_printf(a, "%s  %s\n", lines[i].hex, lines[i].name);
        sha256_update(&c, strlen(text), (const uint8_t *)text);
    }
    finish(&c, hex);
    return true;
}

const char *digest_shipped(void)
{
    static const char text[] =
#include "gen/suite.def"
        ;
    return text;
}
