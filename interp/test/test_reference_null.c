/* test_reference_null.c - every function of reference.h, every pointer NULL.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each call is in a child process, so that one that crashes is one failure.
 * What it must return is what the header says.
 */
#include <assay/reference.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"

static const char text[] =
    "{\"format\": \"assay-case/1\", \"op\": \"Neg\", \"cases\": [{\"id\": "
    "\"a\","
    " \"why\": \"w\", \"inputs\": [{\"shape\": \"f32[2]\","
    " \"data\": [1, 2]}]}]}";

static assay_reference *reference;
static assay_reference_result *result;
static assay_error error = {.size = sizeof error};

/* Does the expression hold, and is there no crash? */
#define HOLDS(condition) \
    do { \
        fflush(NULL); \
        pid_t child = fork(); \
        if (child == 0) \
            _exit((condition) ? 0 : 1); \
        int how = -1; \
        waitpid(child, &how, 0); \
        OK(how == 0, "%s", #condition); \
    } while (0)

/* A failure, with a line that names the argument (one of those of what). */
static bool fails(assay_code code, const char *what)
{
    return code == ASSAY_FAILED && strstr(error.text, what);
}

static void files(void)
{
    const uint64_t n = sizeof text - 1;
    assay_reference *r;
    HOLDS(fails(assay_reference_open(NULL, NULL, &r, &error), "path") && !r);
    HOLDS(
        fails(assay_reference_open("/none", NULL, NULL, &error), "reference"));
    HOLDS(assay_reference_open("/none", NULL, &r, NULL) == ASSAY_FAILED && !r);
    HOLDS(fails(assay_reference_parse(NULL, text, n, NULL, &r, &error), "name")
          && !r);
    HOLDS(fails(assay_reference_parse("x", NULL, n, NULL, &r, &error), "text")
          && !r);
    HOLDS(fails(assay_reference_parse("x", text, n, NULL, NULL, &error),
                "reference"));
    HOLDS(assay_reference_parse("x", text, n, NULL, &r, NULL) == ASSAY_OK && r);
    HOLDS(assay_reference_parse("x", "{", 1, NULL, &r, NULL) == ASSAY_FAILED);
    /* A text, not the file of that name. */
    HOLDS(fails(assay_reference_parse("cases/Neg/rules.json", NULL, 0, NULL, &r,
                                      &error),
                "empty")
          && !r);
    HOLDS((assay_reference_close(NULL), true));
    HOLDS(assay_reference_count(NULL) == 0);
    HOLDS(!assay_reference_name(NULL, 0));
    /* Nothing of the caller's that a terminal would obey. */
    HOLDS(fails(assay_reference_parse("\033[2J\n", "{", 1, NULL, &r, &error),
                "?[2J?")
          && !strchr(error.text, '\033'));
}

static void results(void)
{
    assay_reference_result *r;
    const char *why;
    HOLDS(fails(assay_reference_evaluate(NULL, 0, &r, &error), "reference")
          && !r);
    HOLDS(
        fails(assay_reference_evaluate(reference, 0, NULL, &error), "result"));
    HOLDS(assay_reference_evaluate(reference, 9, &r, NULL) == ASSAY_FAILED);
    HOLDS((assay_reference_release(NULL), true));
    HOLDS(assay_reference_verdict(NULL, &why) == ASSAY_FAILED && why[0]);
    HOLDS(assay_reference_verdict(result, NULL) == ASSAY_OK);
    HOLDS(assay_reference_differs(NULL));
    HOLDS(!assay_reference_differs(result));
    HOLDS(assay_reference_replicas(NULL) == 0);
    HOLDS(assay_reference_inputs(NULL) == 0);
    HOLDS(assay_reference_outputs(NULL) == 0);
    HOLDS(!assay_reference_input(NULL, 0, 0));
    HOLDS(!assay_reference_output(NULL, 0, 0));
    HOLDS(!assay_reference_value(NULL, 0, 0, 0));
    HOLDS(!assay_reference_accepts(NULL, 0, 0, 0));
    HOLDS(!assay_reference_power(NULL));
}

static void judgements(void)
{
    const int64_t two = 2;
    assay_shape shape = {.size = sizeof shape,
                         .kind = ASSAY_ARRAY,
                         .rank = 1,
                         .dtype = "f32",
                         .dims = &two},
                lacks = shape, odd = shape, untyped = shape;
    lacks.dims = NULL;
    odd.dtype = "\033[31mf32";
    untyped.dtype = NULL;
    const assay_tensor *exact = assay_reference_output(result, 0, 0);
    const assay_tensor bare = {.size = sizeof bare},
                       no_dims = {.size = sizeof no_dims, .shape = &lacks},
                       no_data = {.size = sizeof no_data,
                                  .shape = &shape,
                                  .bytes = 8},
                       no_type = {.size = sizeof no_type, .shape = &untyped},
                       odd_type = {.size = sizeof odd_type, .shape = &odd};
    const assay_tensor *const all[] = {exact,    NULL,     &bare,    &no_dims,
                                       &no_data, &no_type, &odd_type};
    int32_t right = 7;
    assay_reference_judgement j = {.size = sizeof j}, unset = {.size = 0};
    assay_reference_result *r = result;
    HOLDS(assay_reference_judge(r, all, 1, &right, &error) == ASSAY_OK
          && right == 1);
    HOLDS(assay_reference_judge(r, all, 1, &right, NULL) == ASSAY_OK);
    HOLDS(fails(assay_reference_judge(NULL, all, 1, &right, &error), "result"));
    HOLDS(fails(assay_reference_judge(r, NULL, 1, &right, &error), "NULL"));
    HOLDS(assay_reference_judge(r, NULL, 0, &right, &error) != ASSAY_OK
          || right == 0);
    HOLDS(fails(assay_reference_judge(r, all, 1, NULL, &error), "right"));
    for (int i = 1; i <= 3; i++)
        HOLDS(fails(assay_reference_judge(r, all + i, 1, &right, &error),
                    "NULL"));
    for (int i = 4; i <= 6; i++)
        HOLDS(assay_reference_judge(r, all + i, 1, &right, &error) != ASSAY_OK
              || (right == 0 && !strchr(error.text, '\033')));
    HOLDS(assay_reference_judge_all(r, all, 1, 1, &j, NULL) == ASSAY_OK
          && strcmp(j.status, "pass") == 0);
    HOLDS(fails(assay_reference_judge_all(NULL, all, 1, 1, &j, &error),
                "result"));
    HOLDS(fails(assay_reference_judge_all(r, NULL, 1, 1, &j, &error), "NULL"));
    HOLDS(fails(assay_reference_judge_all(r, all, 1, 1, NULL, &error),
                "judgement"));
    HOLDS(
        fails(assay_reference_judge_all(r, all, 1, 1, &unset, &error), "size"));
    HOLDS(assay_reference_judge_all(r, all + 6, 1, 1, &j, &error) != ASSAY_OK
          || !strchr(j.why, '\033'));
}

int main(void)
{
    bool good =
        assay_reference_parse("x", text, sizeof text - 1, NULL, &reference,
                              &error)
            == ASSAY_OK
        && assay_reference_evaluate(reference, 0, &result, &error) == ASSAY_OK;
    OK(good, "a case (%s)", error.text);
    files();
    if (good) {
        results();
        judgements();
    }
    assay_reference_release(result);
    assay_reference_close(reference);
    return tap_done();
}
