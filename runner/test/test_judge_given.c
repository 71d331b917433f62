/* test_judge_given.c - what a backend gave: records that a worker wrote, and
 * what one gives that is right, or nearly so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/judge.h"
#include "runner/test/slow_judge.h"

/* A record of one output, f32[2]. */
struct sample {
    struct job_record head;
    struct job_output output;
    int64_t dims[1], sizes[1];
    unsigned char data[8];
};

static struct arena arena = ARENA_INIT;

static struct sample sample(void)
{
    struct sample s;
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){
        .dtype = "f32", .bytes = 8, .data_bytes = 8, .rank = 1, .dims = 1};
    s.dims[0] = s.sizes[0] = 2;
    memset(s.data, 0x11, sizeof s.data);
    return s;
}

static bool is_read(const struct sample *s, size_t length)
{
    struct judge_given_record r = {0};
    return judge_given_read(&arena, s, length, &r);
}

/* Makes one change to a whole record. */
#define REFUSED(change, what) \
    do { \
        struct sample changed = sample(); \
        changed.change; \
        OK(!is_read(&changed, sizeof changed), what); \
    } while (0)

/* A number without sizes. */
static void scalars(void)
{
    struct {
        struct job_record head;
        struct job_output output;
        unsigned char data[8];
    } s;
    struct judge_given_record r = {0};
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){.dtype = "f32", .bytes = 4, .data_bytes = 4};
    s.data[3] = 0x3f;
    OK(judge_given_read(&arena, &s, sizeof s, &r)
           && r.outputs[0].got.data[3] == 0x3f && r.outputs[0].got.rank == 0,
       "a scalar is read");
    s.output.rank = 1;
    OK(!judge_given_read(&arena, &s, sizeof s, &r), "a rank without sizes");
}

/* Reads as many sizes as there can be. */
static void all_dims(void)
{
    struct {
        struct job_record head;
        struct job_output output;
        int64_t dims[SHAPE_RANK_MAX], sizes[SHAPE_RANK_MAX + 1];
    } s;
    struct judge_given_record r = {0};
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){
        .dtype = "u8", .rank = SHAPE_RANK_MAX, .dims = SHAPE_RANK_MAX};
    s.dims[SHAPE_RANK_MAX - 1] = 5;
    s.sizes[SHAPE_RANK_MAX - 1] = 4;
    OK(judge_given_read(&arena, &s, sizeof s, &r)
           && r.outputs[0].got.dims[SHAPE_RANK_MAX - 1] == 5
           && r.outputs[0].got.sizes[SHAPE_RANK_MAX - 1] == 4,
       "the largest rank");
    s.output.rank = s.output.dims = 0;
    s.output.rank = SHAPE_RANK_MAX;
    OK(!judge_given_read(&arena, &s, sizeof s, &r), "needs all its sizes");
}

/* A type's name is of any length that ends. */
static void names(void)
{
    struct sample s = sample();
    struct judge_given_record r = {0};
    memset(s.output.dtype, 'f', sizeof s.output.dtype - 1);
    OK(judge_given_read(&arena, &s, sizeof s, &r)
           && strlen(r.outputs[0].got.dtype) == sizeof s.output.dtype - 1,
       "the longest name of a type is read whole");
}

/* ---- A case, and what is right for it ------------------------------------ */

static struct slow_judge slow;
static struct judge_reference plain;
static struct judge_value by;
static char said[80]; /* of the last judgement */

static void make(const char *name)
{
    int64_t at = slow.context.pending[slow_judge_position(&slow, name)];
    const struct plan_case *p = &slow.plan.cases[at];
    struct test_case *c;
    struct status st = {0};
    const struct judge_mode mode = {.profile = slow.spec,
                                    .limits = slow.context.limits};
    OK(case_make(&slow.arena, p->stub, p->form, mode.limits, &c, &st)
           && judge_reference(&slow.arena, c, &mode, &plain, &st),
       "%s: %s", name, st.text);
    by = (struct judge_value){
        .arena = &slow.arena, .mode = mode, .made = c, .plain = &plain};
}

/* The results as they would be given, of which the last one could be this. */
static struct judge_given *returned(int *count, const void *last)
{
    make("Outfeed/judge/mixed");
    struct judge_given *g = judge_value_returned(&slow.arena, &plain, count);
    if (last)
        g[*count - 1].got.data = last;
    return g;
}

/* What is made of them; NULL if nothing can be. */
static struct verdict *judge(const struct judge_given *g, int count,
                             enum verdict_status *status)
{
    struct verdict *v = arena_new(&slow.arena, struct verdict, 1);
    said[0] = '\0';
    return judge_value(&by, g, count, v, status, said, sizeof said) ? v : NULL;
}

static bool is_given(const struct judge_given *g, int replica,
                     const char *dtype, const void *data, uint64_t bytes)
{
    return g->replica == replica && strcmp(g->got.dtype, dtype) == 0
           && g->got.bytes == bytes && g->got.held == bytes
           && g->got.rank == (bytes > 0)
           && (bytes == 0 || memcmp(g->got.data, data, bytes) == 0);
}

/* The inputs of Outfeed/judge/mixed, of each replica. */
static const int32_t pairs[2][2] = {{1, 2}, {3, 4}}, wrong[] = {3, 5};
static const unsigned char threes[2][3] = {{5, 6, 7}, {8, 9, 10}};

static void right(void)
{
    int count, fed_count;
    const struct judge_given *g = returned(&count, NULL);
    const struct judge_given *fed =
        judge_value_fed(&slow.arena, &plain, &fed_count);
    EQ_INT(count, 6, "three results of each replica");
    EQ_INT(fed_count, 6, "and three arrays that each writes");
    for (int r = 0; r < 2 && count == 6 && fed_count == 6; r++) {
        OK(is_given(&g[3 * r], r, "u8", threes[r], 3)
               && is_given(&g[3 * r + 1], r, "token", NULL, 0)
               && is_given(&g[3 * r + 2], r, "s32", pairs[r], 8),
           "the results of replica %d", r);
        OK(is_given(&fed[3 * r], r, "s32", pairs[r], 8)
               && is_given(&fed[3 * r + 1], r, "u8", threes[r], 3)
               && is_given(&fed[3 * r + 2], r, "s32", pairs[r], 8),
           "what replica %d writes", r);
    }
}

/* A listener that asks less than the verdict: what it was told, and the
 * question at which it has enough. */
struct asker {
    int count, enough_at;
    bool ended[3];
};

static bool ask(void *context, const struct verdict_leaf *leaves, int count,
                bool ended)
{
    struct asker *a = context;
    OK(count == 4 && leaves[3].replica == 1 && leaves[3].leaf == 2,
       "it sees all arrays");
    if (a->count < 3)
        a->ended[a->count] = ended;
    return ++a->count == a->enough_at;
}

static void asked(void)
{
    int count;
    struct judge_given *g = returned(&count, NULL);
    by.enough = ask;
    for (int i = 0; i < 4; i++) {
        struct asker a = {.enough_at = i};
        enum verdict_status status;
        by.context = &a;
        g[5].got.data = (const void *)(i < 3 ? wrong : pairs[1]);
        const struct verdict *v = judge(g, count, &status);
        if (!OK(v && status == (i < 3 ? VERDICT_FAIL : VERDICT_PASS),
                "judged, with enough at question %d", i))
            return;
        EQ_INT(a.count, i == 0 ? 2 : i == 3 ? 0 : i, "so often was it asked");
        OK(!a.ended[0] && a.ended[1] == (a.count == 2),
           "first by the plain goals, then when all ways have ended");
        OK(i == 0 ? v->leaf_count == 4 && v->leaves && v->bad == 1
                  : !v->leaves && v->leaf_count == 0,
           "leaves, if nobody had enough");
        EQ_STR(said, i == 0 ? "1 of 10 units are wrong" : "", "and a text");
    }
    by.enough = NULL;
}

/* Bits that are the expected ones have the error 0. */
static void bins(void)
{
    int count, in_others = 0;
    enum verdict_status status;
    const struct judge_given *g = returned(&count, NULL);
    by.bins = true;
    const struct verdict *v = judge(g, count, &status);
    if (!OK(v && v->bins && v->units == 10, "all units are counted"))
        return;
    for (int i = 0; i < VERDICT_BINS; i++)
        in_others += i != 0 - VERDICT_BIN_FIRST && v->bins[i] != 0;
    OK(v->bins[0 - VERDICT_BIN_FIRST] == 10 && in_others == 0,
       "in the bin of no error");
}

static bool count_calls(void *context, struct arena *a, struct machine *m,
                        struct literal *const *const *inputs,
                        struct outcome *outcomes, struct status *st)
{
    ++*(int *)context;
    return evaluate_program(a, m, inputs, outcomes, st);
}

/* What one call evaluates, the next ones need not, but for remarks. */
static void kept(void)
{
    struct judge_reference all[JUDGE_VALUE_KEPT] = {{.outcomes = NULL}};
    int calls = 0, first = 0, count;
    enum verdict_status status;
    struct judge_given *g = returned(&count, NULL);
    by.mode.evaluate = count_calls;
    by.mode.context = &calls;
    by.kept = all;
    by.unremarked = true;
    for (int i = 0; i < 3; i++) {
        g[5].got.data = (const void *)(i < 2 ? wrong : pairs[1]);
        const struct verdict *v = judge(g, count, &status);
        OK(v && status == (i < 2 ? VERDICT_FAIL : VERDICT_PASS)
               && v->bad == (i < 2),
           "judged again: %s", said);
        first = i ? first : calls;
        OK(calls > 0 && calls == first, "evaluated once: %d of %d", first,
           calls);
    }
    by.kept = NULL;
    g[5].got.data = (const void *)wrong;
    OK(judge(g, count, &status) && calls == 2 * first,
       "without a place each call evaluates: %d", calls);
}

/* The reference that judges what is not the same at once has a limit. */
static bool fail(void *context, struct arena *a, struct machine *m,
                 struct literal *const *const *inputs, struct outcome *outcomes,
                 struct status *st)
{
    return FAIL(st, SYSTEM, "too little of %s", (const char *)context);
}

static void limited(void)
{
    struct verdict v = {0};
    enum verdict_status status;
    int count;
    struct judge_given *g = returned(&count, wrong);
    by.mode.evaluate = fail;
    by.mode.context = (char[]){"time"};
    OK(!judge(g, count, &status), "without the reference nothing is judged");
    EQ_STR(said, "the reference: too little of time", "why not");
    g = judge_value_fed(&slow.arena, &plain, &count);
    g[5].got.data = (const void *)wrong;
    OK(!judge_value_outfeed(&by, g, count, &v, &status, said, sizeof said),
       "nor what was written");
    EQ_STR(said, "the reference: too little of time", "and why");
}

/* ---- What was written ---------------------------------------------------- */

static void feed(const struct judge_given *g, int count, const char *due)
{
    struct verdict *v = arena_new(&slow.arena, struct verdict, 1);
    enum verdict_status status;
    char text[120] = "";
    OK(judge_value_outfeed(&by, g, count, v, &status, text, sizeof text)
               == !due[0]
           && status == (due[0] ? VERDICT_FAIL : VERDICT_PASS) && v->units == 0,
       "%d arrays are %s", count, due[0] ? "wrong" : "right");
    EQ_STR(text, due, "for this reason");
}

static void written(void)
{
    static const unsigned char other[] = {8, 9, 11};
    struct judge_given g[7];
    int count;
    make("Outfeed/judge/mixed");
    const struct judge_given *fed =
        judge_value_fed(&slow.arena, &plain, &count);
    feed(fed, count, "");
    for (int i = 0; i < 6; i++)
        g[i] = fed[i % 2 ? i / 2 : 3 + i / 2];
    feed(g, count, "");
    memcpy(g, fed, 6 * sizeof *g);
    g[6] = fed[2];
    feed(g, 7, "replica 0 wrote more outfeed items than the 3 expected");
    feed(g, 5, "replica 1 wrote 2 outfeed items; expected 3");
    feed(g, 0, "replica 0 wrote 0 outfeed items; expected 3");
    feed(&g[3], 3, "replica 0 wrote 0 outfeed items; expected 3");
    for (int i = 0; i < 2; i++) {
        g[6].replica = i ? 2 : -1;
        feed(g, 7, "outfeed of a nonexistent replica");
    }
    g[4].got.data = other;
    feed(g, 6, "outfeed 1 of replica 1 differs: unit 2 is 0b, expected 0a");
    g[4].got.dtype = "s8";
    feed(g, 6, "outfeed 1 of replica 1: element type s8, expected u8");
}

static void ranks(void)
{
    struct sample s = sample();
    s.output.rank = SHAPE_RANK_MAX + 1;
    s.output.dims = 0;
    OK(is_read(&s, sizeof s), "a rank that cannot be is left to the verdict");
    s.output.rank = -1;
    OK(is_read(&s, sizeof s), "so is one less than none");
    REFUSED(output.rank = changed.output.dims = INT32_MAX,
            "but no such number of sizes is read");
    REFUSED(head.output_count = INT32_MAX, "nor as many outputs");
}

int main(void)
{
    struct sample s = sample();
    struct judge_given_record r = {0};
    _Static_assert(sizeof s % 8 == 0 && sizeof s.head % 8 == 0
                       && sizeof s.output % 8 == 0,
                   "the parts follow each other as in the ring");
    OK(judge_given_read(&arena, &s, sizeof s, &r), "a whole record is read");
    OK(r.outputs[0].got.rank == 1 && r.outputs[0].got.dims[0] == 2
           && r.outputs[0].got.sizes[0] == 2 && r.outputs[0].got.data[7] == 0x11
           && r.outputs[0].got.held == 8,
       "with its parts");
    int taken = 0;
    for (size_t n = 0; n < sizeof s; n++)
        taken += is_read(&s, n);
    EQ_INT(taken, 0, "none that is cut off is");
    REFUSED(head.output_count = 2, "nor one with an output too many");
    REFUSED(head.output_count = -1, "nor with less than none");
    REFUSED(head.outfeed_count = 1, "nor with an outfeed that is not there");
    REFUSED(head.flags = JOB_TWICE, "nor without the second execution");
    REFUSED(output.data_bytes = UINT64_MAX, "nor with data beyond all memory");
    REFUSED(output.rank = 2, "nor of a rank that has no sizes");
    REFUSED(output.dims = -1, "nor with fewer sizes than none");
    memset(s.output.dtype, 'f', sizeof s.output.dtype);
    OK(!is_read(&s, sizeof s), "nor of a type without end");
    s = sample();
    memset(s.head.text, 't', sizeof s.head.text);
    OK(!is_read(&s, sizeof s), "nor with a text without end");
    ranks();
    scalars();
    all_dims();
    names();
    slow_judge_open(&slow);
    right();
    asked();
    bins();
    kept();
    limited();
    written();
    slow_judge_close(&slow);
    arena_free(&arena);
    return tap_done();
}
