/* test_threads.c - the library in several threads at once: every result is
 * what one thread alone gets.  `make check-threads` runs it under the thread
 * sanitizer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assay/reference.h>
#include <mpfr.h>
#include <pthread.h>

#include "interp/base/hash.h"
#include "interp/test/tap.h"

enum {
    THREADS = 8,
    FILES = 8,
    CASES_MAX = 24 /* of a file */
};

static const char *const files[FILES] = {
    "cases/Div/rules.json",  "cases/Exp/rules.json", "cases/Log/rules.json",
    "cases/Sort/rules.json", "cases/Dot/rules.json", "cases/While/rules.json",
    "cases/Add/rules.json",  "cases/Pow/rules.json",
};

static assay_reference *shared; /* open in all threads */
static uint64_t alone[FILES + 1];

/* The judgement of a result with all its bits turned over. */
static void mix_wrong(struct hash *h, assay_reference_result *x,
                      const assay_tensor *due)
{
    unsigned char data[4096];
    assay_tensor mine = *due;
    const assay_tensor *outputs[] = {&mine};
    assay_reference_judgement j = {.size = sizeof j};
    if (due->bytes > sizeof data || due->shape->kind != ASSAY_ARRAY)
        return;
    for (uint64_t i = 0; i < due->bytes; i++)
        data[i] = (unsigned char)~((const unsigned char *)due->data)[i];
    mine.data = data;
    hash_int(h,
             (uint64_t)assay_reference_judge_all(x, outputs, 1, 4, &j, NULL));
    for (int64_t i = 0; i < j.wrong_count; i++) {
        hash_text(h, j.wrong[i]->found);
        hash_text(h, j.wrong[i]->accepts);
        hash_int(h, (uint64_t)j.wrong[i]->ulps);
    }
}

static void mix_result(struct hash *h, assay_reference_result *x)
{
    const char *why, *differs = assay_reference_differs(x);
    int n = assay_reference_outputs(x), replicas = assay_reference_replicas(x);
    const assay_tensor *all[64];
    hash_int(h, (uint64_t)assay_reference_verdict(x, &why));
    hash_text(h, why);
    hash_text(h, differs ? differs : "");
    for (int r = 0; r < replicas; r++)
        for (int i = 0; i < n; i++) {
            const assay_tensor *t = assay_reference_output(x, r, i);
            const char *accepts = assay_reference_accepts(x, r, i, 0);
            const char *value = assay_reference_value(x, r, i, 0);
            hash_bytes(h, t->data, t->bytes);
            hash_text(h, accepts ? accepts : "");
            hash_text(h, value ? value : "");
            if (r * n + i < 64)
                all[r * n + i] = t;
        }
    int32_t right = -1;
    if (replicas * n > 0 && replicas * n <= 64)
        assay_reference_judge(x, all, replicas * n, &right, NULL);
    hash_int(h, (uint64_t)right);
    if (n == 1 && replicas == 1)
        mix_wrong(h, x, all[0]);
}

static uint64_t hash_cases(assay_reference *r)
{
    struct hash h = {0};
    int64_t n = assay_reference_count(r);
    for (int64_t i = 0; i < n && i < CASES_MAX; i++) {
        assay_reference_result *x;
        assay_error error = {.size = sizeof error};
        hash_text(&h, assay_reference_name(r, i));
        if (assay_reference_evaluate(r, i, &x, &error)) {
            hash_text(&h, error.text);
            continue;
        }
        mix_result(&h, x);
        assay_reference_release(x);
    }
    return h.h[0] ^ h.h[1];
}

static uint64_t hash_file(const char *path)
{
    assay_reference *r;
    if (assay_reference_open(path, NULL, &r, NULL))
        return 0;
    uint64_t h = hash_cases(r);
    assay_reference_close(r);
    return h;
}

struct worker {
    pthread_t thread;
    int number;
    uint64_t own[2], of_all;
};

/* Two files of its own, of which a neighbour has one too, and the shared. */
static void *work(void *context)
{
    struct worker *w = context;
    w->own[0] = hash_file(files[w->number % FILES]);
    w->of_all = hash_cases(shared);
    w->own[1] = hash_file(files[(w->number + 1) % FILES]);
    return NULL;
}

int main(void)
{
    struct worker workers[THREADS];
    if (!OK(mpfr_buildopt_tls_p(), "MPFR's state is per thread"))
        return tap_done();
    OK(!assay_reference_open("cases/Cbrt/rules.json", NULL, &shared, NULL),
       "a file for all");
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    /* Afterwards, so that the threads share whatever is read only once. */
    for (int i = 0; i < FILES; i++)
        OK((alone[i] = hash_file(files[i])) != 0, "%s in one thread", files[i]);
    alone[FILES] = hash_cases(shared);
    for (int i = 0; i < THREADS; i++) {
        OK(workers[i].own[0] == alone[i % FILES]
               && workers[i].own[1] == alone[(i + 1) % FILES],
           "thread %d: the same of its files", i);
        OK(workers[i].of_all == alone[FILES], "and of the shared one");
    }
    assay_reference_close(shared);
    mpfr_free_cache();
    return tap_done();
}
