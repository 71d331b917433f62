/* test_assay_reference.c - the library's face: files, values, verdicts, limits,
 * threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are by hand: sums of small integers, 1/3 in f32
 * (0x3eaaaaab).
 */
#include <assay/reference.h>
#include <mpfr.h>
#include <pthread.h>
#include <string.h>

#include "interp/test/tap.h"

static const char text[] =
    "{\"format\": \"assay-case/1\", \"op\": \"Div\", \"cases\": [\n"
    " {\"id\": \"third\", \"why\": \"rounds\", \"inputs\": [\n"
    "  {\"shape\": \"f32[2]\", \"data\": [1, 6]},\n"
    "  {\"shape\": \"f32[2]\", \"data\": [3, 2]}],\n"
    "  \"expect\": [{\"shape\": \"f32[2]\", \"data\": [\"0x1.555556p-2\", "
    "3]}]},\n"
    " {\"id\": \"odd\", \"why\": \"sizes differ\", \"inputs\": [\n"
    "  {\"shape\": \"f32[2]\", \"splat\": 1},\n"
    "  {\"shape\": \"f32[3]\", \"splat\": 1}],\n"
    "  \"expect\": {\"error\": \"shape\"}}]}";

static assay_error error = {.size = sizeof error};

static assay_reference *open_text(const assay_reference_options *options)
{
    assay_reference *r;
    OK(assay_reference_parse("text", text, sizeof text - 1, options, &r, &error)
           == ASSAY_OK,
       "a text is read (%s)", error.text);
    return r;
}

static void test_values(void)
{
    assay_reference *r = open_text(NULL);
    assay_reference_result *x;
    const char *why;
    EQ_INT(assay_reference_count(r), 2, "its cases");
    EQ_STR(assay_reference_name(r, 0), "text/third", "a name");
    OK(!assay_reference_name(r, 2) && !assay_reference_name(r, -1),
       "no name without a case");
    EQ_INT(assay_reference_evaluate(r, 0, &x, &error), ASSAY_OK, "evaluated");
    EQ_INT(assay_reference_verdict(x, &why), ASSAY_OK, "there are values");
    OK(!assay_reference_differs(x), "as the case expects");
    EQ_INT(assay_reference_replicas(x), 1, "processes");
    EQ_INT(assay_reference_inputs(x), 2, "inputs");
    EQ_INT(assay_reference_outputs(x), 1, "outputs");
    const assay_tensor *in = assay_reference_input(x, 0, 1);
    const assay_tensor *out = assay_reference_output(x, 0, 0);
    EQ_INT(in->bytes, 8, "bytes of an input");
    EQ_STR(out->shape->dtype, "f32", "type of the output");
    EQ_INT(out->shape->dims[0], 2, "its size");
    OK(memcmp(out->data, "\xab\xaa\xaa\x3e\x00\x00\x40\x40", 8) == 0,
       "its bits");
    EQ_STR(assay_reference_value(x, 0, 0, 0), "0.33333334", "in decimal");
    EQ_STR(assay_reference_accepts(x, 0, 0, 1), "3", "what is accepted");
    OK(!assay_reference_value(x, 0, 0, 2) && !assay_reference_value(x, 0, 1, 0)
           && !assay_reference_accepts(x, 1, 0, 0)
           && !assay_reference_accepts(x, 0, 0, -1)
           && !assay_reference_input(x, 0, 2)
           && !assay_reference_output(x, -1, 0),
       "nothing where nothing is");
    assay_reference_release(x);
    assay_reference_close(r);
}

static void test_invalid(void)
{
    assay_reference *r = open_text(NULL);
    assay_reference_result *x;
    const char *why;
    int32_t right;
    EQ_INT(assay_reference_evaluate(r, 1, &x, &error), ASSAY_OK,
           "an invalid program is not a failure");
    EQ_INT(assay_reference_verdict(x, &why), ASSAY_SHAPE, "but a class");
    OK(*why && !assay_reference_differs(x), "with a text, and expected");
    EQ_INT(assay_reference_replicas(x) + assay_reference_outputs(x), 0,
           "it has no values");
    EQ_INT(assay_reference_judge(x, NULL, 0, &right, &error), ASSAY_FAILED,
           "to judge by");
    assay_reference_release(x);
    EQ_INT(assay_reference_evaluate(r, 2, &x, &error), ASSAY_FAILED,
           "a case that is not there");
    OK(!x, "and nothing to release");
    assay_reference_close(r);
}

/* 1/3 lies between 0x3eaaaaaa and 0x3eaaaaab, whose ulp is 2^-25: the errors
 * of 0x3eaaaaac and 3.5 (for 3, ulp 2^-22) are 4/3 ulps and 2^21 ulps. */
static void test_judgement(assay_reference_result *x)
{
    assay_tensor mine = *assay_reference_output(x, 0, 0);
    const assay_tensor *outputs[] = {&mine};
    assay_reference_judgement j = {.size = sizeof j};
    mine.data = "\xac\xaa\xaa\x3e\x00\x00\x60\x40";
    EQ_INT(assay_reference_judge_all(x, outputs, 1, 9, &j, &error), ASSAY_OK,
           "a wrong result is not a failure");
    EQ_STR(j.status, "fail", "its status");
    EQ_STR(j.why, "2 of 2 units are wrong", "and why");
    EQ_INT(j.wrong_count, 2, "each is listed");
    EQ_INT(j.wrong[0]->element, 0, "in order");
    EQ_INT(j.wrong[1]->element, 1, "in order");
    EQ_STR(j.wrong[0]->expected, "0.33333334", "what is expected");
    EQ_STR(j.wrong[1]->found, "3.5", "what was found");
    EQ_STR(j.wrong[1]->accepts, "3", "what is accepted");
    EQ_INT(j.wrong[0]->ulps, 1333333, "4/3 ulps, in millionths");
    EQ_INT(j.wrong[1]->ulps, (int64_t)1000000 << 21, "2^21 ulps");
    EQ_INT(j.wrong[1]->bounds, ASSAY_REFERENCE_UNMEASURED, "it is not a sum");
    EQ_STR(j.rule, "Div.rounding", "the rule");
    EQ_INT(assay_reference_judge_all(x, outputs, 1, 1, &j, &error), ASSAY_OK,
           "judged again");
    OK(j.wrong_count == 1 && j.wrong_elements == 2, "no more than asked for");
    EQ_INT(assay_reference_judge_all(x, outputs, 1, -1, &j, &error), ASSAY_OK,
           "none is asked for");
    EQ_INT(j.wrong_count, 0, "none is listed");
    mine.bytes = 4;
    EQ_INT(assay_reference_judge_all(x, outputs, 1, 9, &j, &error), ASSAY_OK,
           "a wrong layout is not a failure either");
    OK(strcmp(j.status, "fail") == 0 && j.wrong_elements == 0 && *j.why,
       "and has no wrong elements (%s)", j.why);
    j.size = 8;
    EQ_INT(assay_reference_judge_all(x, outputs, 1, 9, &j, &error),
           ASSAY_FAILED, "a judgement of another size");
}

static void test_judge(void)
{
    assay_reference *r = open_text(NULL);
    assay_reference_result *x;
    int32_t right;
    OK(!assay_reference_evaluate(r, 0, &x, &error), "evaluated");
    assay_tensor mine = *assay_reference_output(x, 0, 0);
    const assay_tensor *outputs[] = {&mine, &mine};
    OK(!assay_reference_judge(x, outputs, 1, &right, &error) && right == 1,
       "the value itself is right (%s)", error.text);
    test_judgement(x);
    mine.data = "\xac\xaa\xaa\x3e\x00\x00\x40\x40";
    OK(!assay_reference_judge(x, outputs, 1, &right, &error) && right == 0,
       "its neighbour is wrong");
    OK(strstr(error.text, "1 of 2") != NULL, "and how much (%s)", error.text);
    OK(!assay_reference_judge(x, outputs, 2, &right, &error) && right == 0,
       "two outputs are one too many (%s)", error.text);
    mine.bytes = 4;
    OK(!assay_reference_judge(x, outputs, 1, &right, &error) && right == 0,
       "half of the bytes (%s)", error.text);
    assay_shape tuple = {sizeof tuple, ASSAY_TUPLE, 0, NULL, NULL, NULL, NULL};
    mine.shape = &tuple;
    OK(!assay_reference_judge(x, outputs, 1, &right, &error) && right == 0,
       "a tuple (%s)", error.text);
    assay_reference_release(x);
    assay_reference_close(r);
}

static void test_failures(void)
{
    assay_reference *r;
    assay_reference_result *x;
    assay_reference_options o = {.size = sizeof o, .profile = "nothing"};
    EQ_INT(assay_reference_open("/nowhere.json", NULL, &r, &error),
           ASSAY_FAILED, "no file");
    OK(!r && strstr(error.text, "/nowhere.json"), "by name (%s)", error.text);
    EQ_INT(assay_reference_parse("t", "[]", 2, NULL, &r, NULL), ASSAY_FAILED,
           "no case file, and no place for an error");
    EQ_INT(assay_reference_parse("t", text, sizeof text - 1, &o, &r, &error),
           ASSAY_FAILED, "no such profile");
    o = (assay_reference_options){.size = sizeof o, .steps = -1};
    EQ_INT(assay_reference_parse("t", text, sizeof text - 1, &o, &r, &error),
           ASSAY_FAILED, "a negative limit");
    o.steps = 1;
    r = open_text(&o);
    EQ_INT(assay_reference_evaluate(r, 0, &x, &error), ASSAY_FAILED,
           "a limit ends an evaluation");
    OK(strstr(error.text, "limit") != NULL, "as it says (%s)", error.text);
    struct {
        uint64_t size;
        char text[8];
    } small = {12, "......."};
    assay_reference_evaluate(r, 0, &x, (assay_error *)&small);
    OK(small.text[3] == '\0' && strcmp(small.text + 4, "...") == 0,
       "a short place for the error is not overrun");
    assay_reference_close(r);
    assay_reference_close(NULL);
    assay_reference_release(NULL);
}

/* Judge under strange ranges of MPFR's. */
static void *evaluate_often(void *failed)
{
    assay_reference *r;
    assay_reference_result *x;
    mpfr_set_emin(-10);
    mpfr_set_emax(10);
    for (int i = 0; i < 20; i++) {
        if (assay_reference_parse("t", text, sizeof text - 1, NULL, &r, NULL)
            || assay_reference_evaluate(r, 0, &x, NULL)) {
            *(int *)failed = 1;
            return NULL;
        }
        if (strcmp(assay_reference_accepts(x, 0, 0, 0), "0.33333334") != 0
            || assay_reference_differs(x))
            *(int *)failed = 1;
        assay_reference_release(x);
        assay_reference_close(r);
    }
    if (mpfr_get_emin() != -10 || mpfr_get_emax() != 10)
        *(int *)failed = 2;
    mpfr_free_cache();
    return NULL;
}

static void test_threads(void)
{
    enum {
        THREADS = 4
    };
    pthread_t threads[THREADS];
    int failed[THREADS] = {0}, sum = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, evaluate_often, &failed[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += failed[i];
    }
    EQ_INT(sum, 0, "four threads, each with its own exponent range");
}

int main(void)
{
    /* First, so that they share the first reading of the specification. */
    test_threads();
    test_values();
    test_invalid();
    test_judge();
    test_failures();
    mpfr_free_cache();
    return tap_done();
}
