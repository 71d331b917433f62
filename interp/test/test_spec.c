/* test_spec.c - the table of operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected attributes and operands are those of the project's list of them,
 * written down here by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/specification/spec.h"
#include "interp/test/tap.h"

static void check_table(void)
{
    struct status st = {STATUS_OK};
    if (!OK(spec_load(&st), "it loads: %s:%u:%u: %s: %s",
            st.path ? st.path : "", st.line, st.column,
            st.member ? st.member : "", st.text))
        exit(tap_done());
    OK(spec_load(&st), "and does so again");
    OK(spec_op_count() > 100, "%d operations", spec_op_count());
    int unordered = 0, lost = 0;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        unordered += i > 0 && strcmp(spec_op_at(i - 1)->name, op->name) >= 0;
        lost += spec_op_find(op->name) != op;
    }
    EQ_INT(unordered, 0, "in order of their names");
    EQ_INT(lost, 0, "each is found by its name");
    OK(!spec_op_find("add") && !spec_op_find(""), "names have upper case");
    OK(spec_file("spec/policies.json") != NULL, "policies are there");
    OK(!spec_file("spec/nothing.json"), "other files are not");
}

/* Inherited through four families, with its own operands. */
static void check_add(void)
{
    const struct spec_op *op = spec_op_find("Add");
    if (!OK(op != NULL, "Add"))
        return;
    EQ_INT(op->operand_count, 2, "two operands");
    EQ_STR(op->operands[0].name, "lhs", "lhs");
    OK(op->operands[1].types >> DT_pred & 1, "pred is allowed");
    OK(op->operands[1].types >> DT_c128 & 1, "complex is allowed");
    OK(!op->operands[1].variadic && !op->operands[1].optional, "both needed");
    const struct spec_attribute *at =
        spec_attribute_find(op, ATTRIBUTE_BROADCAST_DIMENSIONS);
    if (OK(at != NULL, "broadcast_dimensions")) {
        EQ_INT(at->form, SPEC_INTS, "integers");
        OK(at->default_value && at->default_value->count == 0, "default []");
    }
    at = spec_attribute_find(op, ATTRIBUTE_BROADCASTING);
    if (OK(at && at->form == SPEC_NAME && at->names, "broadcasting")) {
        EQ_STR(at->names[0], "xla", "xla");
        EQ_STR(at->names[1], "numpy", "or numpy");
        OK(!at->names[2], "and nothing else");
        EQ_STR(at->default_value->text, "xla", "default xla");
    }
    EQ_STR(op->stablehlo, "stablehlo.add", "StableHLO's name");
    EQ_STR(op->accuracy, "arithmetic", "accuracy");
    EQ_STR(op->family, "elementwise-ring", "family");
    OK(spec_requirement_find("Add.value") != NULL, "its own requirement");
    OK(!spec_requirement_find("Add.nothing"), "not others");
    int foreign = 0, inherited = 0;
    for (int i = 0; i < op->requirement_count; i++) {
        foreign += strncmp(op->requirements[i].id, "Add.", 4) != 0;
        foreign += strstr(op->requirements[i].text, "$OP") != NULL;
    }
    for (int i = 0; i < op->constraint_count; i++) {
        foreign += strncmp(op->constraints[i].id, "Add.", 4) != 0;
        inherited++;
    }
    EQ_INT(foreign, 0, "$OP is its name in what it inherits");
    OK(inherited > 0, "constraints are inherited");
}

static void check_forms(void)
{
    const struct spec_op *op = spec_op_find("Gather");
    const struct spec_attribute *at =
        op ? spec_attribute_find(op, ATTRIBUTE_DIMENSION_NUMBERS) : NULL;
    if (OK(at && at->form == SPEC_DIMENSION_NUMBERS, "Gather's numbers")) {
        EQ_INT(at->member_count, 6, "six members");
        int ints = 0;
        for (int i = 0; i < at->member_count; i++)
            ints += at->members[i].form == SPEC_INTS;
        EQ_INT(ints, 5, "all but index_vector_dim are lists");
    }
    op = spec_op_find("Reduce");
    if (OK(op && op->operand_count == 2, "Reduce")) {
        OK(op->operands[0].variadic && op->operands[1].variadic,
           "both are lists");
        EQ_INT(op->operands[0].minimum, 1, "of one or more");
    }
    op = spec_op_find("DotGeneral");
    at = op ? spec_attribute_find(op, ATTRIBUTE_PRECISION_CONFIG) : NULL;
    OK(at && at->form == SPEC_NAMES && at->names, "precision_config: names");
    at = op ? spec_attribute_find(op, ATTRIBUTE_PREFERRED_ELEMENT_TYPE) : NULL;
    OK(at && at->form == SPEC_TYPE && at->optional && !at->default_value,
       "preferred_element_type may be absent");
    EQ_STR(spec_form_name(SPEC_WINDOW_PADDING), "window-padding", "a form");
    EQ_STR(spec_form_name((enum spec_form)99), "?", "no form");
}

static void check_unique(void)
{
    int twice = 0, nameless = 0;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        for (int k = 0; k < op->requirement_count; k++)
            twice += spec_requirement_find(op->requirements[k].id)
                     != &op->requirements[k];
        nameless += !op->summary || !*op->summary;
        nameless += !op->stablehlo && !op->stablehlo_missing;
    }
    EQ_INT(twice, 0, "requirements have ids of their own");
    EQ_INT(nameless, 0, "each has a summary, and a StableHLO name or why not");
}

/* A file's name of an attribute and the enumeration's go together. */
static void check_names(void)
{
    int other = 0, count = 0;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        for (int k = 0; k < op->attribute_count; k++) {
            const struct spec_attribute *at = &op->attributes[k];
            other += strcmp(attribute_name_text(at->id), at->name) != 0;
            for (int m = 0; m < at->member_count; m++, count++)
                other += strcmp(attribute_name_short(at->members[m].id),
                                at->members[m].name)
                         != 0;
        }
    }
    EQ_INT(other, 0, "each attribute has its name");
    OK(count > 0, "members too");
    EQ_INT(attribute_name_find("dimension_numbers.offset_dims"),
           ATTRIBUTE_OFFSET_DIMS, "a member has its object's name in front");
    EQ_INT(attribute_name_find("offset_dims"), ATTRIBUTE_NONE, "always");
    EQ_INT(attribute_name_find("slice_size"), ATTRIBUTE_NONE, "no such name");
}

int main(void)
{
    check_table();
    check_add();
    check_forms();
    check_unique();
    check_names();
    return tap_done();
}
