/* case_options.c - see case_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/case_options.h"

#include "interp/base/limits.h"
#include "runner/plugin/custom_call.h"

enum {
    LIMIT_GROUP = 5
};

#define LIMIT_MOST (INT64_C(1) << 48)

#define LIMIT(member, name, help) \
    { \
        "limit-" name, 0, "N", 0, help, LIMIT_GROUP, \
            OPTION_NUMBER(struct limits, member, 1, LIMIT_MOST) \
    }

static const struct option_row limit_options[] = {
    LIMIT(file_bytes, "file-bytes", "Maximum size of a case file, in bytes"),
    LIMIT(file_cases, "file-cases",
          "Maximum number of cases in a file after expansion"),
    LIMIT(literal_bytes, "literal-bytes", "Maximum size of an array, in bytes"),
    LIMIT(steps, "steps",
          "Maximum number of instructions that the reference executes"),
    LIMIT(evaluate_bytes, "evaluate-bytes",
          "Maximum memory of the reference, in bytes"),
    LIMIT(precision_bits, "precision-bits",
          "Maximum precision of the reference, in bits"),
    LIMIT(fft_length, "fft-length",
          "Maximum length of an Fft in the reference"),
    {0}};

static void read_custom(void *target, const struct option_given *g)
{
    struct status st = {STATUS_OK};
    if (!custom_call_name(g->text, &st))
        argp_error(g->state, "%s", st.text);
}

static const struct option_row custom_options[] = {
    {"custom-call", 0, "NAME=PATH", 0,
     "Register a function for CustomCall from a shared object (repeatable)", 1,
     OPTION_CALL(read_custom)},
    {0}};

const struct option_set case_options_limit = {.options = limit_options};
const struct option_set case_options_custom = {.options = custom_options};
