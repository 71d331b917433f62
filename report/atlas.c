/* atlas.c - see atlas.h: reading.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/atlas.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/exact/real.h"
#include "interp/judge/monotone.h"
#include "report/format.h"
#include "report/report.h"
#include "runner/store/store_sweep.h"

enum {
    BINS = 256,
    ERROR_MAX_BITS = 62
};

/* One sweep or hunt. */
struct reading {
    struct arena *arena;
    struct atlas_row row;
    bool packed, damaged; /* packed: pairs, as one number */
    struct monotone monotone;
    struct monotone_sum order;
};

/* The options that make it another function, out of "to=f16 stride=1
 * length=128". */
static const char *function_of(struct arena *a, const char *variant)
{
    static const char *const words[] = {"to=", "second=", "pairs"};
    const char *of = "";
    for (const char *p = variant; *p;) {
        size_t n = strcspn(p, " ");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strncmp(p, words[i], strlen(words[i])) == 0)
                of = arena_printf(a, "%s%s%.*s", of, *of ? " " : "", (int)n, p);
        p += n;
        p += strspn(p, " ");
    }
    return of;
}

static void add_point(struct reading *x, const struct store_sweep_part *p)
{
    struct atlas_row *r = &x->row;
    int bits = dtype_table[r->type].bits;
    uint64_t left = x->packed ? p->worst_input >> bits : p->worst_input;
    uint64_t right =
        x->packed ? p->worst_input & dtype_mask(r->type) : p->worst_second;
    if (p->has_worst_second)
        r->of = "pairs";
    if (left & ~dtype_mask(r->type) || right & ~dtype_mask(r->type)) {
        x->damaged = true;
        return;
    }
    int64_t size = llabs(p->error), most = llabs(r->error);
    if (!r->has_error || size > most || (size == most && left < r->worst)) {
        r->has_error = true;
        r->error = p->error;
        r->worst = left;
        r->second = right;
    }
    if (dtype_class(r->type) == DTYPE_FLOAT && real_is_nan(r->type, left))
        return;
    ARENA_GROW(x->arena, r->points, r->point_count, r->point_room);
    r->points[r->point_count++] =
        (struct atlas_point){real_key(r->type, left), size, p->bad};
}

static void add_part(void *self, const struct store_sweep_part *p)
{
    struct reading *x = self;
    struct atlas_row *r = &x->row;
    int64_t most = INT64_C(1) << ERROR_MAX_BITS;
    x->damaged |= p->count < 0 || p->correct < 0 || p->correct > p->count
                  || p->bad < 0 || p->bad > p->count || p->special < 0
                  || p->special > p->count || p->count > most - r->inputs
                  || p->error < -most || p->error > most;
    x->damaged |= p->breaks < 0 || p->breaks > p->count
                  || p->break_input & ~dtype_mask(r->type);
    if (x->damaged)
        return;
    const struct monotone_part order = store_sweep_order(p);
    if (x->monotone.count > 0)
        monotone_add(&x->order, &x->monotone, p->first, p->count, &order);
    r->inputs += p->count;
    r->sampled += r->hunted ? 0 : p->count;
    r->correct += r->hunted ? 0 : p->correct;
    r->special += p->special;
    r->bad += p->bad;
    if (p->has_error)
        add_point(x, p);
}

/* Every pattern, or every pair, once: a step or a range would leave some out.
 */
static bool is_whole(const struct reading *x)
{
    int bits = dtype_table[x->row.type].bits * (x->packed ? 2 : 1);
    return !x->row.hunted && bits < ERROR_MAX_BITS
           && x->row.inputs == INT64_C(1) << bits;
}

static struct atlas_row *row_of(struct atlas *t, const struct atlas_row *like)
{
    for (int i = 0; i < t->count; i++) {
        struct atlas_row *r = &t->rows[i];
        if (r->type == like->type && strcmp(r->op, like->op) == 0
            && strcmp(r->of, like->of) == 0
            && strcmp(r->backend, like->backend) == 0
            && strcmp(r->version, like->version) == 0)
            return r;
    }
    return NULL;
}

/* The worse one of two sweeps of every input counts.  Others add up, unless
 * there is such a sweep, whichever is read first. */
static void join_counts(struct atlas_row *r, const struct atlas_row *more)
{
    r->most_special = more->most_special > r->most_special ? more->most_special
                                                           : r->most_special;
    r->most_bad = more->most_bad > r->most_bad ? more->most_bad : r->most_bad;
    if (!r->certified && !more->certified) {
        r->inputs += more->inputs;
        r->sampled += more->sampled;
        r->correct += more->correct;
        r->special += more->special;
        r->bad += more->bad;
        return;
    }
    if (!r->certified || (more->certified && more->correct < r->correct)) {
        r->inputs = more->inputs;
        r->sampled = more->sampled;
        r->correct = more->correct;
    }
    r->certified = true;
    r->special = r->most_special;
    r->bad = r->most_bad;
}

/* Is the largest error that of more?  Of equal ones that of the least input. */
static bool is_worse(const struct atlas_row *r, const struct atlas_row *more)
{
    int64_t size = llabs(more->error), most = llabs(r->error);
    if (!more->has_error || !r->has_error)
        return more->has_error;
    if (size != most)
        return size > most;
    return more->worst != r->worst ? more->worst < r->worst
                                   : more->second < r->second;
}

static void join(struct arena *a, struct atlas_row *r,
                 const struct atlas_row *more)
{
    join_counts(r, more);
    r->hunted |= more->hunted;
    if (more->ordered
        && (!r->ordered || more->breaks > r->breaks
            || (more->breaks == r->breaks
                && more->break_input < r->break_input))) {
        r->ordered = true;
        r->breaks = more->breaks;
        r->break_input = more->break_input;
    }
    if (is_worse(r, more)) {
        r->has_error = true;
        r->error = more->error;
        r->worst = more->worst;
        r->second = more->second;
    }
    for (int64_t i = 0; i < more->point_count; i++) {
        ARENA_GROW(a, r->points, r->point_count, r->point_room);
        r->points[r->point_count++] = more->points[i];
    }
}

/* Only of a sweep of consecutive inputs. */
static bool find_monotone(struct reading *x, const char *variant,
                          struct status *st)
{
    const struct atlas_row *r = &x->row;
    const char *stride = strstr(variant, "stride=1 ");
    enum dtype result = r->type;
    if (!stride || r->hunted || strstr(r->of, "second="))
        return true;
    if (strncmp(r->of, "to=", 3) == 0
        && !dtype_parse(r->of + 3, strlen(r->of + 3), &result))
        return FAIL(st, INPUT, "is damaged: a sweep to type '%.40s'",
                    r->of + 3);
    return monotone_of(&x->monotone, r->op, r->type, result, st);
}

static bool add_sweep(struct atlas *t, struct store *s, sqlite3_stmt *q,
                      struct status *st)
{
    struct arena *a = t->arena;
    int64_t bins[BINS] = {0};
    const char *type = arena_text(a, report_column_text(q, 2)),
               *variant = arena_text(a, report_column_text(q, 3));
    struct reading x = {.arena = a};
    x.row =
        (struct atlas_row){.op = arena_text(a, report_column_text(q, 1)),
                           .backend = arena_text(a, report_column_text(q, 5)),
                           .version = arena_text(a, report_column_text(q, 6)),
                           .of = function_of(a, variant),
                           .hunted = sqlite3_column_int(q, 4) != 0};
    x.packed = strcmp(x.row.of, "pairs") == 0 && !x.row.hunted;
    if (!dtype_parse(type, strlen(type), &x.row.type)
        || dtype_units(x.row.type) != 1)
        return FAIL(st, INPUT, "is damaged: a sweep of type '%.40s'", type);
    TRY(find_monotone(&x, variant, st));
    TRY(store_sweep_read(s, sqlite3_column_int64(q, 0), add_part, &x, bins,
                         st));
    if (x.damaged)
        return FAIL(st, INPUT, "is damaged: a part of sweep %lld",
                    (long long)sqlite3_column_int64(q, 0));
    if (x.row.inputs == 0)
        return true;
    x.row.certified = is_whole(&x);
    x.row.ordered = x.order.parts > 0 && !x.order.partial;
    x.row.breaks = x.order.breaks;
    x.row.break_input = x.order.input;
    x.row.most_special = x.row.special;
    x.row.most_bad = x.row.bad;
    struct atlas_row *r = row_of(t, &x.row);
    if (r) {
        join(a, r, &x.row);
        return true;
    }
    ARENA_GROW(a, t->rows, t->count, t->room);
    t->rows[t->count++] = x.row;
    return true;
}

static bool read_sweeps(struct atlas *t, struct store *s, int *found,
                        struct status *st)
{
    bool good = true;
    int rc;
    sqlite3_stmt *q = store_prepare(
        s,
        "SELECT sweep.id, op.name, type.name, sweep.variant, sweep.hunt,"
        " backend.name, backend.version FROM sweep"
        " JOIN op ON op.id = sweep.op JOIN type ON type.id = sweep.type"
        " LEFT JOIN backend ON backend.run = sweep.run ORDER BY sweep.id",
        st);
    if (!q)
        return false;
    while (good && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        ++*found;
        good = add_sweep(t, s, q, st);
    }
    if (good && rc != SQLITE_DONE)
        good = store_sql_fail(s, "reading sweeps", st);
    sqlite3_finalize(q);
    return good;
}

bool atlas_read(struct atlas *t, const char *path, struct status *st)
{
    struct store *s;
    struct status mine = {0};
    int found = 0;
    TRY(store_open(path, STORE_READ, &s, st));
    bool good = read_sweeps(t, s, &found, st);
    store_close(s, &mine);
    if (!good || found == 0)
        st->path = path;
    return good
           && (found > 0 || FAIL(st, INPUT, "has no sweep: see `assay sweep`"));
}

static int by_name(const void *a, const void *b)
{
    const struct atlas_row *x = a, *y = b;
    int d = strcmp(x->op, y->op);
    if (d == 0 && x->type != y->type)
        return x->type < y->type ? -1 : 1;
    d = d ? d : strcmp(x->of, y->of);
    d = d ? d : strcmp(x->backend, y->backend);
    return d ? d : strcmp(x->version, y->version);
}

void atlas_sort(struct atlas *t)
{
    if (t->count > 0)
        qsort(t->rows, (size_t)t->count, sizeof *t->rows, by_name);
}

/* Is that a row of pairs? */
static bool is_pair(const struct atlas_row *row)
{
    return strcmp(row->of, "pairs") == 0;
}

const char *atlas_input(struct arena *a, const struct atlas_row *r,
                        bool decimal)
{
    const char *type = dtype_table[r->type].name;
    const char *(*text)(struct arena *, const char *, uint64_t) =
        decimal ? format_decimal : format_bits;
    const char *left = text(a, type, r->worst);
    return is_pair(r) ? arena_printf(a, decimal ? "%s, %s" : "%s %s", left,
                                     text(a, type, r->second))
                      : left;
}

const char *atlas_break(struct arena *a, const struct atlas_row *r,
                        bool decimal)
{
    const char *type = dtype_table[r->type].name;
    const char *(*text)(struct arena *, const char *, uint64_t) =
        decimal ? format_decimal : format_bits;
    if (!r->ordered || r->breaks == 0)
        return "";
    return arena_printf(a, decimal ? "%s, %s" : "%s %s",
                        text(a, type, r->break_input - 1),
                        text(a, type, r->break_input));
}
