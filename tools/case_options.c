/* case_options.c - see case_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/case_options.h"

#include <stddef.h>
#include <stdint.h>

#include "interp/base/limits.h"
#include "runner/plugin/custom_call.h"
#include "tools/import.h"
#include "tools/option.h"

enum {
    CUSTOM_CALL = 0x100,
    LIMIT_GROUP = 5
};

#define LIMIT_MOST (INT64_C(1) << 48)

#define LIMITS(X) \
    X(file_bytes, "file-bytes", "Maximum size of a case file, in bytes") \
    X(file_cases, "file-cases", \
      "Maximum number of cases in a file after expansion") \
    X(literal_bytes, "literal-bytes", "Maximum size of an array, in bytes") \
    X(steps, "steps", \
      "Maximum number of instructions that the reference executes") \
    X(evaluate_bytes, "evaluate-bytes", \
      "Maximum memory of the reference, in bytes") \
    X(precision_bits, "precision-bits", \
      "Maximum precision of the reference, in bits") \
    X(fft_length, "fft-length", "Maximum length of an Fft in the reference")

enum limit_key {
    BEFORE_LIMITS = CUSTOM_CALL,
#define KEY(member, name, help) KEY_##member,
    LIMITS(KEY)
#undef KEY
};

static const struct argp_option limit_options[] = {
#define OPTION(member, name, help) \
    {"limit-" name, KEY_##member, "N", 0, help, LIMIT_GROUP},
    LIMITS(OPTION)
#undef OPTION
        {0}};

static const struct argp_option custom_options[] = {
    {"custom-call", CUSTOM_CALL, "NAME=PATH", 0,
     "Register a function for CustomCall from a shared object (repeatable)", 1},
    {0}};

static error_t parse_limit(int key, char *text, struct argp_state *state)
{
    struct limits *l = state->input;
    switch (key) {
#define CASE(member, name, help) \
    case KEY_##member: \
        l->member = option_number(state, "limit-" name, text, 1, LIMIT_MOST); \
        return 0;
        LIMITS(CASE)
#undef CASE
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_custom(int key, char *text, struct argp_state *state)
{
    struct status st = {STATUS_OK};
    if (key != CUSTOM_CALL)
        return ARGP_ERR_UNKNOWN;
    if (!custom_call_name(text, &st))
        argp_error(state, "%s", st.text);
    return 0;
}

const struct argp case_options_limit = {limit_options, parse_limit, NULL, NULL,
                                        NULL,          NULL,        NULL};
const struct argp case_options_custom = {
    custom_options, parse_custom, NULL, NULL, NULL, NULL, NULL};

const struct argp_child case_options_limits[] = {
    {&case_options_limit, 0, NULL, 0}, {0}};
const struct argp_child case_options[] = {
    {&case_options_limit, 0, NULL, 0}, {&case_options_custom, 0, NULL, 0}, {0}};
const struct argp_child case_options_program[] = {
    {&case_options_limit, 0, NULL, 0},
    {&case_options_custom, 0, NULL, 0},
    {&import_options, 0, NULL, 0},
    {0}};
