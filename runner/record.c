/* record.c - see record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"
#include "interp/judge/power.h"
#include "runner/tap.h"

enum {
    SHOWN_MAX = 50,    /* failures printed in full, unless --verbose */
    REASONS_MAX = 200, /* kinds of them that are counted */
};

/* ---- Sums ---------------------------------------------------------------- */

void record_begin(struct record *r)
{
    struct run_summary *s = r->summary;
    const struct plan *p = r->plan;
    size_t n = (size_t)p->count;
    r->status = arena_alloc(r->arena, n + 1);
    memset(r->status, VERDICT_COUNT, n + 1);
    r->early = arena_alloc(r->arena, n + 1);
    memset(r->early, VERDICT_COUNT, n + 1);
    r->held = arena_new(r->arena, struct job_result *, n + 1);
    r->early_text = arena_new(r->arena, const char *, n + 1);
    r->text = arena_new(r->arena, const char *, n + 1);
    r->command = arena_new(r->arena, const char *, n + 1);
    s->all.planned = p->count;
}

static void count(struct record *r, int64_t number, enum verdict_status status)
{
    r->status[number] = (unsigned char)status;
    r->summary->all.count[status]++;
    r->summary->failed += verdict_is_failure(status);
}

void record_earlier(struct record *r, int64_t number,
                    enum verdict_status status, const char *held)
{
    if (held) {
        r->early[number] = (unsigned char)status;
        r->early_text[number] = arena_text(r->arena, held);
    } else {
        count(r, number, status);
    }
}

/* ---- Streams ------------------------------------------------------------- */

static bool plain_word(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                             "WXYZ0123456789_-./=,@:+%")]
           == '\0';
}

const char *record_word(struct arena *a, const char *text)
{
    if (*text && plain_word(text))
        return text;
    char *to = arena_alloc(a, 4 * strlen(text) + 3);
    size_t n = 0;
    to[n++] = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            memcpy(to + n, "'\\'", 3);
            n += 3;
        }
        to[n++] = *text;
    }
    to[n++] = '\'';
    to[n] = '\0';
    return to;
}

/* The command that runs one case alone. */
static const char *write_command(struct arena *a,
                                 const struct run_options *options,
                                 const char *name)
{
    return arena_printf(a, "%s --filter %s", options->rerun,
                        record_word(a, name));
}

/* A case that is wrong only beside others fails only beside them: the filters
 * choose exactly the cases of the batch. */
static const char *command_of(struct record *r, const char *name,
                              const struct job_result *result)
{
    struct arena *a = &r->scratch;
    if (result->beside_count == 0)
        return write_command(a, r->options, name);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return write_command(a, r->options, name);
    fprintf(f, "%s --batch %" PRId64, r->options->rerun, result->beside_count);
    for (int64_t i = 0; i < result->beside_count; i++) {
        int64_t number = r->pending[result->beside[i]];
        const char *one = plan_name(a, &r->plan->cases[number]);
        fprintf(f, " --filter %s", record_word(a, one));
    }
    const char *all = fclose(f) == 0 ? arena_text(a, text)
                                     : write_command(a, r->options, name);
    free(text);
    return all;
}

static void put_tap(struct record *r)
{
    const struct plan *p = r->plan;
    while (r->options->tap && r->tapped < p->count
           && r->status[r->tapped] != VERDICT_COUNT) {
        int64_t i = r->tapped++;
        const char *name = plan_name(&r->scratch, &p->cases[i]);
        const char *text = r->text[i] ? r->text[i] : "";
        tap_result(r->outlet.file, i + 1, name,
                   (enum verdict_status)r->status[i], text,
                   r->command[i]
                       ? r->command[i]
                       : write_command(&r->scratch, r->options, name));
        arena_reset(&r->scratch);
    }
}

/* null, and words, where it was not measured further: errors alone have as
 * many digits. */
static void put_number(FILE *out, const char *key, int64_t n)
{
    if (n < REAL_ERROR_MAX && n > -REAL_ERROR_MAX)
        fprintf(out, ", \"%s\": %" PRId64, key, n);
    else
        fprintf(out, ", \"%s\": null, \"%s_beyond\": \"%s10^18\"", key, key,
                n < 0 ? "at most -" : "at least ");
}

/* The columns of record.def that have a key, where they have a value. */
static void put_numbers(FILE *out, const struct job_result *result)
{
    const struct store_record *table = &store_record_tables[STORE_RESULT];
    const struct store_result row =
        record_detail_row(0, (enum verdict_status)result->status, result);
    for (int i = 0; i < table->count; i++) {
        const struct store_column *c = &table->columns[i];
        const void *at = (const char *)&row + c->at;
        if (c->key && store_record_has(c, &row))
            put_number(out, c->key, *(const int64_t *)at);
    }
}

static void put_json(struct record *r, const char *name,
                     enum verdict_status status,
                     const struct job_result *result,
                     const struct violations *v)
{
    struct arena *a = &r->scratch;
    fprintf(r->outlet.file, "{\"name\": %s, \"status\": \"%s\"",
            json_quote(a, name), verdict_name(status));
    if (result->text[0])
        fprintf(r->outlet.file, ", \"text\": %s", json_quote(a, result->text));
    put_numbers(r->outlet.file, result);
    const struct job_cause *c = job_causes(result);
    for (int i = 0; i < result->cause_count; i++)
        fprintf(r->outlet.file,
                "%s{\"deviation\": %s, \"exact\": %s, \"held\": %" PRId64 "}%s",
                i ? ", " : ", \"causes\": [", json_quote(a, c[i].name),
                c[i].exact ? "true" : "false", c[i].held < 0 ? 0 : c[i].held,
                i + 1 < result->cause_count ? "" : "]");
    if (result->flags & VERDICT_SEARCH_ENDED)
        fputs(", \"search_ended\": true", r->outlet.file);
    for (int i = 0; i < v->count; i++)
        fprintf(r->outlet.file, "%s%s%s", i ? ", " : ", \"violates\": [",
                json_quote(a, v->list[i].id), i + 1 < v->count ? "" : "]");
    if (verdict_is_failure(status))
        fprintf(r->outlet.file, ", \"command\": %s",
                json_quote(a, command_of(r, name, result)));
    fputs("}\n", r->outlet.file);
}

/* A case that never ran has no more than that. */
static void put_missing(struct record *r, int64_t number)
{
    struct arena *a = &r->scratch;
    if (!r->options->json)
        return;
    fprintf(r->outlet.file, "{\"name\": %s, \"status\": \"%s\"}\n",
            json_quote(a, plan_name(a, &r->plan->cases[number])),
            verdict_name(VERDICT_MISSING));
    arena_reset(a);
}

static void put_micro(FILE *to, int64_t micro, const char *of)
{
    uint64_t size = (uint64_t)(micro < 0 ? -micro : micro);
    if (size >= REAL_ERROR_MAX) {
        fprintf(to, ", %s %s", micro < 0 ? "at most -10^12" : "at least 10^12",
                of);
        return;
    }
    fprintf(to, ", %s%" PRIu64 ".%06" PRIu64 " %s", micro < 0 ? "-" : "",
            size / 1000000, size % 1000000, of);
}

static void put_wrong(struct record *r, const struct job_wrong *w)
{
    struct arena *a = &r->scratch;
    enum dtype t = (enum dtype)w->type;
    fprintf(r->outlet.file, "      %s", w->place);
    if (w->leaf > 0 || w->replica > 0 || w->value[0])
        fprintf(r->outlet.file, " of output %d%s%s%s, replica %d", w->leaf,
                w->value[0] ? " (" : "", w->value, w->value[0] ? ")" : "",
                w->replica);
    fprintf(r->outlet.file, ": got %s (%s), want %s (%s)",
            show_decimal(a, t, w->got), show_bits(a, t, w->got),
            show_decimal(a, t, w->want), show_bits(a, t, w->want));
    if (w->several)
        fprintf(r->outlet.file, ", %s", w->accept);
    else if (w->has_set && w->low != w->high)
        fprintf(r->outlet.file, ", within %s to %s", show_decimal(a, t, w->low),
                show_decimal(a, t, w->high));
    if (w->has_error)
        put_micro(r->outlet.file, w->error, "ulp");
    if (w->has_share)
        put_micro(r->outlet.file, w->share, "of its bound");
    for (int i = 0; i < w->operand_count && i < JOB_OPERANDS; i++) {
        enum dtype of = dtype_unit((enum dtype)w->operands[i].type);
        fprintf(r->outlet.file, "%s%s", i ? ", " : "; inputs ",
                show_decimal(a, of, w->operands[i].bits));
        if (w->operands[i].complex)
            fprintf(r->outlet.file, ":%s",
                    show_decimal(a, of, w->operands[i].imaginary));
    }
    putc('\n', r->outlet.file);
}

/* The deviation that explains the result, in one line. */
static void put_cause(struct record *r, const struct job_result *result)
{
    const struct job_cause *c = job_causes(result);
    bool ended = result->flags & VERDICT_SEARCH_ENDED;
    if (result->cause_count == 0) {
        fprintf(r->outlet.file, "      unexplained%s\n",
                ended ? "; not all deviations were tried" : "");
        return;
    }
    fprintf(r->outlet.file,
            "      explained (%" PRId64 " of %" PRId64
            " units, %s) by %s: %s%s%s\n",
            c->units, result->bad, c->exact ? "bit for bit" : "within its set",
            c->name, c->text,
            c->held < 0 ? " Not held against passing cases yet." : "",
            ended ? " Not all deviations were tried." : "");
}

/* Is it in a form, and the same case as it stands known to be right? */
static bool is_right_plain(const struct record *r, int64_t number)
{
    const struct plan_case *c = &r->plan->cases[number], *p;
    int64_t i = number;
    if (!c->form)
        return false;
    do
        p = i-- > 0 ? &r->plan->cases[i] : NULL;
    while (p && (p->stub != c->stub || p->form));
    return p && (r->status[i] == VERDICT_PASS || r->status[i] == VERDICT_WARN);
}

/* Writes what a verdict on a sum does not see on these data. */
static void put_power(struct record *r, int64_t number,
                      const struct job_wrong *w)
{
    struct power p;
    if (w->has_share
        && power_of_stub(&r->scratch, r->plan->cases[number].stub, r->profile,
                         &p)
        && p.count > 0)
        fprintf(r->outlet.file, "      would also accept: %s\n",
                power_text(&r->scratch, &p));
}

/* Three wrong units are usually enough; --verbose shows all that were kept. */
static void put_text(struct record *r, int64_t number, const char *name,
                     enum verdict_status status,
                     const struct job_result *result,
                     const struct violations *v)
{
    const struct job_wrong *w = (const struct job_wrong *)(result + 1);
    const struct run_options *o = r->options;
    bool bad = verdict_is_failure(status) || result->reference_wrong;
    /* The owner of a program that was not judged wants to know why. */
    if (!bad && !o->verbose && (!o->program || status == VERDICT_PASS))
        return;
    if (bad && !o->verbose && r->shown++ >= SHOWN_MAX)
        return;
    progress_clear(&r->progress);
    if (o->colour)
        fprintf(r->outlet.file, "\033[%dm%s\033[0m %s", verdict_colour(status),
                verdict_name(status), name);
    else
        fprintf(r->outlet.file, "%s %s", verdict_name(status), name);
    fprintf(r->outlet.file, "%s%s\n", result->text[0] ? ": " : "",
            result->text);
    if (bad && is_right_plain(r, number))
        fprintf(r->outlet.file, "      right plain, wrong in this form\n");
    for (int i = 0; i < v->count; i++)
        fprintf(r->outlet.file, "      violates %s\n",
                violation_text(&r->scratch, &v->list[i]));
    if (bad && result->wrong_count > 0) {
        put_cause(r, result);
        put_power(r, number, w);
    }
    for (int i = 0; bad && i < result->wrong_count && (i < 3 || o->verbose);
         i++)
        put_wrong(r, &w[i]);
    if (bad)
        fprintf(r->outlet.file, "      %s\n", command_of(r, name, result));
}

/* ---- Results ------------------------------------------------------------- */

/* The text of an expectation: its reason, its expiry date, its references. */
static const char *reason_text(struct arena *a, const struct expect_line *e)
{
    char *text = arena_printf(
        a, "%s%s%s%s%s%s%s", e->reason, e->until ? "; until " : "",
        e->until ? e->until : "", e->owner ? "; owner " : "",
        e->owner ? e->owner : "", e->url ? "; " : "", e->url ? e->url : "");
    expect_close(text);
    return text;
}

/* A long reason is truncated, never the case's own message after it: reports
 * and `assay expect` read that. */
enum {
    REASON_MAX = JOB_TEXT - RECORD_OWN - 32 /* the status, parentheses */
};

/* A copy as it will be reported: with the expectation that it matches, if any.
 * */
static struct job_result *as_told(struct record *r, const char *name,
                                  const struct job_result *result,
                                  enum verdict_status *status)
{
    const struct expect_line *line;
    char text[RECORD_OWN + 1], reason[REASON_MAX + 1];
    size_t bytes = job_result_bytes(result);
    enum verdict_status own = (enum verdict_status)result->status;
    struct job_result *said = arena_alloc(&r->scratch, bytes);
    memcpy(said, result, bytes);
    text_clean(text, sizeof text, result->text);
    const struct expect_found found = record_detail_found(result);
    *status = expect_apply(&r->expect, name, &found, &line);
    if (line && line->may)
        said->flags |= STORE_UNSTEADY;
    if (*status != own) {
        text_clean(reason, sizeof reason, reason_text(&r->scratch, line));
        snprintf(said->text, sizeof said->text, "%s (%s)%s%s",
                 verdict_name(own), reason, text[0] ? ": " : "", text);
    } else if (line && line->statuses & 1U << own) {
        const char *why = expect_why(&r->scratch, line, &found);
        snprintf(said->text, sizeof said->text, "%s%s%.100s:%u%s%s", text,
                 why ? EXPECT_NOT : EXPECT_EXCEEDS, r->expect.path, line->line,
                 why ? ": " : "", why ? why : "");
    }
    /* Texts are put together with a limit on each, which may have cut a
     * character in two. */
    text_clean(said->text, sizeof said->text, said->text);
    return said;
}

static void tell(struct record *r, int64_t number, const char *name,
                 enum verdict_status status, const struct job_result *result)
{
    const struct plan_case *c = &r->plan->cases[number];
    struct violations v = {0};
    if (verdict_is_failure(status) && !r->options->tap)
        record_violation(c, r->profile, result, status,
                         record_detail_covers(&r->scratch, c->stub->node), &v);
    if (result->text[0] && r->options->tap)
        r->text[number] = arena_text(r->arena, result->text);
    if (result->beside_count > 0 && r->options->tap)
        r->command[number] = arena_text(r->arena, command_of(r, name, result));
    if (r->options->json)
        put_json(r, name, status, result, &v);
    else if (!r->options->tap && !r->options->quiet)
        put_text(r, number, name, status, result, &v);
}

static bool write_row(struct record *r, int64_t number, const char *name,
                      enum verdict_status status,
                      const struct job_result *result)
{
    const struct record_origin origin = {.command = command_of(r, name, result),
                                         .program = r->options->program};
    return !r->store
           || record_detail(&r->scratch, r->store, r->first + number,
                            &r->plan->cases[number], status, result, &origin,
                            &r->st);
}

/* Counts the reason of a case that was not judged. */
static void count_reason(struct record *r, const char *message)
{
    struct run_summary *s = r->summary;
    char class[TEXT_CLASS + 1];
    text_class(class, message);
    for (int i = 0; i < s->reason_count; i++)
        if (strcmp(s->reasons[i].class, class) == 0) {
            s->reasons[i].count++;
            return;
        }
    if (s->reason_count == REASONS_MAX)
        return;
    ARENA_GROW(r->arena, s->reasons, s->reason_count, r->reason_room);
    s->reasons[s->reason_count++] = (struct run_reason){
        arena_text(r->arena, class), arena_text(r->arena, message), 1};
}

bool record_keep(struct record *r, int64_t number,
                 const struct job_result *result)
{
    enum verdict_status status;
    const char *name = plan_name(&r->scratch, &r->plan->cases[number]);
    const struct job_result *said = as_told(r, name, result, &status);
    count(r, number, status);
    if (status == VERDICT_UNSUPPORTED || status == VERDICT_LIMIT)
        count_reason(r, said->text);
    r->done++;
    r->summary->reference_wrong += said->reference_wrong;
    TRY(write_row(r, number, name, status, said));
    tell(r, number, name, status, said);
    bool stop = r->options->fail_fast
                && (verdict_is_failure(status) || said->reference_wrong);
    r->summary->failed_fast = r->summary->failed_fast || stop;
    arena_reset(&r->scratch);
    put_tap(r);
    return !stop;
}

bool record_mark(struct record *r, int64_t number,
                 const struct job_result *result)
{
    enum verdict_status status;
    size_t bytes = job_result_bytes(result);
    const char *name = plan_name(&r->scratch, &r->plan->cases[number]);
    struct job_result *said = as_told(r, name, result, &status);
    r->held[number] = arena_alloc(r->arena, bytes);
    memcpy(r->held[number], result, bytes);
    said->flags |= STORE_HELD;
    bool ok = write_row(r, number, name, status, said);
    arena_reset(&r->scratch);
    return ok;
}

/* It counts as it is, but its row stays marked. */
static void leave_marked(struct record *r, int64_t number)
{
    enum verdict_status status = (enum verdict_status)r->early[number];
    const struct job_result *held = r->held[number], *said = NULL;
    const char *name = plan_name(&r->scratch, &r->plan->cases[number]);
    if (held)
        said = as_told(r, name, held, &status);
    count(r, number, status);
    if (said)
        tell(r, number, name, status, said);
    arena_reset(&r->scratch);
}

void record_tick(void *self)
{
    struct record *r = self;
    if (r->store)
        store_tick(r->store, &r->st);
    if (outlet_waits(&r->outlet)) {
        progress_clear(&r->progress);
        outlet_pass(&r->outlet);
    }
    progress_show(&r->progress, r->done, r->summary->failed);
}

void record_end(struct record *r, const char *missing)
{
    progress_clear(&r->progress);
    for (int64_t i = 0; i < r->plan->count; i++) {
        if (r->status[i] != VERDICT_COUNT)
            continue;
        if (r->held[i] || r->early[i] != VERDICT_COUNT) {
            leave_marked(r, i);
        } else {
            r->text[i] = missing;
            count(r, i, VERDICT_MISSING);
            put_missing(r, i);
        }
        put_tap(r);
    }
    if (r->shown > SHOWN_MAX)
        fprintf(r->outlet.file, "... and %" PRId64 " more failures\n",
                r->shown - SHOWN_MAX);
    put_tap(r);
    arena_free(&r->scratch);
}
