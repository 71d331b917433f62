/* eval_print.h - what assay eval prints.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EVAL_PRINT_H
#define TOOLS_EVAL_PRINT_H

#include <stdio.h>

#include "interp/case/case.h"
#include "interp/program/op.h"

enum eval_print_status {
    EVAL_OK,       /* evaluated, and as expected */
    EVAL_REJECTED, /* the program is invalid, as expected */
    EVAL_DIFFERS,  /* not as expected */
    EVAL_FAILED    /* not evaluated: a limit, something unsupported */
};

/* One case and what became of it. */
struct eval_print {
    const struct test_case *test;
    const char *name;
    const struct profile *profile;
    enum eval_print_status status;
    const char *text;  /* of a difference or failure, or NULL */
    const char *place; /* of a rejection, or NULL */
    enum code class;   /* of a rejection or failure, or STATUS_OK */
    const struct outcome *outcomes; /* NULL: none */
    const struct machine *machine;
    const char *const *also; /* mistakes that would be right (power.h), */
    int also_count;          /* how many; -1: none was tried */
    int64_t elements;        /* of an array to print, at most */
};

/* For people; as JSON (spec/eval-format.md); as a case's expect member. */
void eval_print_text(FILE *f, struct arena *a, const struct eval_print *e);
void eval_print_json(FILE *f, struct arena *a, const struct eval_print *e);
void eval_print_expect(FILE *f, struct arena *a, const struct eval_print *e);

#endif
