/* spec_form.c - the forms of attributes, by name; see spec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_spec.c.
 */
#include <string.h>

#include "interp/specification/spec.h"

static const char *const form_names[] = {
    [SPEC_INT] = "int",
    [SPEC_INTS] = "ints",
    [SPEC_PAIRS] = "pairs",
    [SPEC_GROUPS] = "groups",
    [SPEC_BOOL] = "bool",
    [SPEC_BOOLS] = "bools",
    [SPEC_TYPE] = "type",
    [SPEC_SHAPE] = "shape",
    [SPEC_NAME] = "name",
    [SPEC_NAMES] = "names",
    [SPEC_STRING] = "string",
    [SPEC_NUMBER] = "number",
    [SPEC_LITERAL] = "literal",
    [SPEC_COMPUTATION] = "computation",
    [SPEC_COMPUTATIONS] = "computations",
    [SPEC_WINDOW_PADDING] = "window-padding",
    [SPEC_PADDING_CONFIG] = "padding-config",
    [SPEC_ACCURACY] = "accuracy",
    [SPEC_DIMENSION_NUMBERS] = "dimension-numbers",
    [SPEC_OBJECT] = "object",
};

enum {
    FORM_COUNT = sizeof form_names / sizeof *form_names
};

const char *spec_form_name(enum spec_form form)
{
    return (unsigned)form < FORM_COUNT ? form_names[form] : "?";
}

bool spec_form_find(const char *name, enum spec_form *form)
{
    for (int f = 0; f < FORM_COUNT; f++)
        if (strcmp(form_names[f], name) == 0) {
            *form = (enum spec_form)f;
            return true;
        }
    return false;
}
