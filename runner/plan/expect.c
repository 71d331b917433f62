/* expect.c - see expect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/file.h"
#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/exact/real.h"

enum {
    LINE_BYTES = 4096
};

static bool fail_at(struct status *st, const char *path, unsigned line,
                    const char *what, const char *word)
{
    st->path = path;
    st->line = line;
    st->column = 1;
    return FAIL(st, INPUT, "%s%.80s", what, word);
}

/* Cut the next word off *at. */
static char *word(char **at)
{
    char *start = *at + strspn(*at, " \t");
    size_t n = strcspn(start, " \t");
    *at = start + n;
    if (start[n] != '\0') {
        start[n] = '\0';
        *at = start + n + 1;
    }
    return start;
}

/* "fail<=2.5": cut the size off. */
static bool cut_size(const char *path, char *text, struct expect_line *to,
                     struct status *st)
{
    char *size = strstr(text, "<=");
    if (!size)
        return true;
    *size = '\0';
    size += 2;
    if (strcmp(text, "fail") != 0)
        return fail_at(st, path, to->line, "only 'fail' has a size: ", text);
    if (!expect_size_parse(size, strlen(size), &to->ulps))
        return fail_at(st, path, to->line,
                       "expected a number of ulps, got: ", size);
    if (to->ulps >= REAL_ERROR_MAX)
        return fail_at(st, path, to->line, EXPECT_UNMEASURED, "");
    to->natures = 1U << VERDICT_NATURE_ERROR;
    return true;
}

bool expect_statuses(const char *path, char *text, struct expect_line *to,
                     struct status *st)
{
    size_t n = strlen(text);
    to->ulps = to->bounds = -1;
    if (n > 0 && text[n - 1] == '?') {
        to->may = true;
        text[n - 1] = '\0';
    }
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        TRY(cut_size(path, text, to, st));
        enum verdict_status v = verdict_find(text);
        if (v == VERDICT_COUNT || !verdict_is_failure(v) || v == VERDICT_XPASS
            || v == VERDICT_MISSING)
            return fail_at(st, path, to->line,
                           "not a status that can be expected: ", text);
        to->statuses |= 1U << v;
    }
    return true;
}

static bool read_line(struct arena *a, const char *path, char *text,
                      unsigned number, struct expect *to, int *room,
                      struct status *st)
{
    text[strcspn(text, "\r\n")] = '\0';
    char *at = text;
    char *first = word(&at);
    if (first[0] == '\0' || first[0] == '#')
        return true;
    ARENA_GROW(a, to->lines, to->count, *room);
    struct expect_line *line = &to->lines[to->count];
    line->line = number;
    TRY(expect_statuses(path, first, line, st));
    line->glob = arena_text(a, word(&at));
    line->reason = arena_text(a, at + strspn(at, " \t"));
    if (line->glob[0] == '\0')
        return fail_at(st, path, number, "expected a glob after the status",
                       "");
    if (!glob_allowed(line->glob))
        return fail_at(st, path, number, GLOB_LIMITS, "");
    if (line->reason[0] == '\0')
        return fail_at(st, path, number, "expected a reason after the glob",
                       "");
    to->count++;
    return true;
}

/* No line of the text form begins with a brace. */
static bool is_json(const char *path, const char *text, size_t length)
{
    size_t n = strlen(path), i = 0;
    if (n > 5 && strcmp(path + n - 5, ".json") == 0)
        return true;
    while (i < length && strchr(" \t\r\n", text[i]) && text[i])
        i++;
    return i < length && text[i] == '{';
}

bool expect_is_text(const char *path)
{
    struct status st = {STATUS_OK};
    char *text;
    size_t length;
    if (!file_whole(path, &text, &length, &st))
        return false;
    bool is_text = !is_json(path, text, length);
    free(text);
    return is_text;
}

/* A line with one would end there. */
static bool check_text(const char *path, const char *text, size_t length,
                       struct status *st)
{
    const char *nul = memchr(text, '\0', length);
    unsigned line = 1;
    for (; nul && text < nul; text++)
        line += *text == '\n';
    return !nul || fail_at(st, path, line, "the line has a NUL byte", "");
}

static bool read_lines(struct arena *a, const char *path, FILE *f,
                       struct expect *expect, struct status *st)
{
    char text[LINE_BYTES];
    int room = 0;
    unsigned number = 0;
    bool ok = true;
    while (ok && fgets(text, sizeof text, f)) {
        number++;
        if (!strchr(text, '\n') && !feof(f))
            ok = fail_at(st, path, number, "the line is too long", "");
        else
            ok = read_line(a, path, text, number, expect, &room, st);
    }
    return ok;
}

bool expect_read(struct arena *a, const char *path, struct expect *expect,
                 struct status *st)
{
    char *text = NULL;
    size_t length = 0;
    memset(expect, 0, sizeof *expect);
    expect->path = path;
    TRY(file_whole(path, &text, &length, st));
    digest_bytes(text, length, expect->digest);
    bool ok = true;
    if (is_json(path, text, length)) {
        ok = expect_json(a, path, text, length, expect, st);
    } else if (length > 0) {
        FILE *f = fmemopen(text, length, "r");
        ok = f ? check_text(path, text, length, st)
                     && read_lines(a, path, f, expect, st)
               : FAIL(st, SYSTEM, "%.200s: %s", path, strerror(errno));
        if (f)
            fclose(f);
    }
    free(text);
    return ok;
}

void expect_found_unit(struct expect_found *to, enum verdict_nature nature,
                       int64_t error, int64_t share)
{
    to->natures |= 1U << nature;
    error = error < 0 ? -error : error;
    share = share < 0 ? -share : share;
    if (nature == VERDICT_NATURE_ERROR && error > to->error)
        to->error = error;
    if (nature == VERDICT_NATURE_SUM && share > to->share)
        to->share = share;
}

void expect_found_end(struct expect_found *to, bool more, int64_t error,
                      int64_t share)
{
    if (!to->natures)
        to->natures = 1U << VERDICT_NATURE_PROPERTY;
    if (more && to->natures & 1U << VERDICT_NATURE_ERROR)
        expect_found_unit(to, VERDICT_NATURE_ERROR, error, 0);
    if (more && to->natures & 1U << VERDICT_NATURE_SUM)
        expect_found_unit(to, VERDICT_NATURE_SUM, 0, share);
}

bool expect_by_units(const char *message)
{
    return strstr(message, " units are wrong") != NULL;
}

size_t expect_own(const char *message)
{
    const char *end = strstr(message, EXPECT_NOT);
    if (!end)
        end = strstr(message, EXPECT_EXCEEDS);
    return end ? (size_t)(end - message) : strlen(message);
}

void expect_close(char *reason)
{
    for (char *p = reason; (p = strstr(p, "): "));)
        p[1] = ';';
}

bool expect_explains(const struct expect_line *e, const struct expect_found *f)
{
    if (!e->cause || !f->searched)
        return true;
    for (int i = 0; i < f->cause_count; i++)
        if (strcmp(f->causes[i], e->cause) == 0)
            return true;
    return false;
}

/* The part of a flake's message about its wrong try: the first one, if both
 * were wrong (job.h, judge.c). */
static const char *wrong_try(const char *message)
{
    static const char *const before[] = {
        " at first (",
        "right at first, then wrong: ", "right at first, then refused: "};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(message, before[i]);
        if (found)
            return found + strlen(before[i]);
    }
    return message;
}

static bool says(const struct expect_line *e, const struct expect_found *f)
{
    char class[TEXT_CLASS + 1];
    const char *message = f->message;
    if (!e->message || !message)
        return true;
    if (f->status == VERDICT_FLAKE)
        message = wrong_try(message);
    return strncmp(text_class(class, message), e->message, strlen(e->message))
           == 0;
}

bool expect_holds(const struct expect *expect, const struct expect_line *e)
{
    if (e->version_count == 0 || !expect->version)
        return true;
    for (int i = 0; i < e->version_count; i++)
        if (glob_match(e->versions[i], expect->version)
            || (expect->backend && glob_match(e->versions[i], expect->backend)))
            return true;
    return false;
}

const char *expect_why(struct arena *a, const struct expect_line *e,
                       const struct expect_found *f)
{
    if (e->expired)
        return arena_printf(a, "it expired after %s", e->until);
    if (!expect_explains(e, f))
        return arena_printf(a, "%.100s, which it names, does not explain it",
                            e->cause);
    return says(e, f) ? NULL : "the message differs from the one that it names";
}

static bool names_group(const char *glob)
{
    const char *slash = strchr(glob, '/');
    return slash && glob_plain(glob) > (size_t)(slash + 1 - glob);
}

/* All that its cases share is the operation, or less. */
static bool names_operation_only(const char *glob)
{
    const char *type = strchr(glob, '=');
    return !names_group(glob) && !(type && glob_plain(type) > 1);
}

/* Would any finite number do for its cases? */
static bool has_no_limit(const struct expect_line *e)
{
    return !e->cause
           && ((e->natures & 1U << VERDICT_NATURE_ERROR && e->ulps < 0)
               || (e->natures & 1U << VERDICT_NATURE_SUM && e->bounds < 0));
}

const char *expect_too_wide(const struct expect_line *e)
{
    if (e->glob[glob_plain(e->glob)] == '\0')
        return NULL;
    if (e->statuses & 1U << VERDICT_FAIL && !e->natures && !e->cause)
        return "a cause, a nature or a size";
    if (e->statuses & 1U << VERDICT_FAIL)
        return has_no_limit(e) && !names_group(e->glob)
                   ? "a cause, a size, or the group of its cases"
                   : NULL;
    if (!e->message)
        return "a message";
    /* Every crash of an operation may end with the same signal. */
    return names_operation_only(e->glob)
               ? "a narrower pattern, with the group or the type of the cases"
               : NULL;
}

/* Is it wrong in the way, and no further off, than the line says? */
static bool foresees(const struct expect_line *e, const struct expect_found *f)
{
    if (!(e->statuses & 1U << f->status) || e->expired || !says(e, f))
        return false;
    if (f->status != VERDICT_FAIL)
        return true;
    return (!e->natures || !(f->natures & ~e->natures))
           && (e->ulps < 0 || f->error <= e->ulps)
           && (e->bounds < 0 || f->share <= e->bounds) && expect_explains(e, f);
}

unsigned expect_statuses_of(const struct expect *expect, const char *name)
{
    unsigned all = 0;
    for (int i = 0; i < expect->count; i++)
        if (glob_match(expect->lines[i].glob, name))
            all |= expect->lines[i].statuses;
    return all;
}

/* The line that counts for such a result of the case: its place, or -1. */
static int deciding_line(const struct expect *expect, const char *name,
                         const struct expect_found *found)
{
    if (found->status == VERDICT_UNSUPPORTED || found->status == VERDICT_LIMIT)
        return -1;
    int i = expect->count - 1;
    while (i >= 0
           && (!glob_match(expect->lines[i].glob, name)
               || !expect_holds(expect, &expect->lines[i])))
        i--;
    return i;
}

bool expect_foresees(const struct expect *expect, const char *name,
                     const struct expect_found *found)
{
    int i = deciding_line(expect, name, found);
    return i >= 0 && foresees(&expect->lines[i], found);
}

enum verdict_status expect_apply(struct expect *expect, const char *name,
                                 const struct expect_found *found,
                                 const struct expect_line **line)
{
    enum verdict_status status = found->status;
    int i = deciding_line(expect, name, found);
    *line = NULL;
    if (i < 0)
        return status;
    struct expect_line *e = &expect->lines[i];
    *line = e;
    e->used++;
    if (foresees(e, found))
        return VERDICT_XFAIL;
    return verdict_is_failure(status) || e->may ? status : VERDICT_XPASS;
}
