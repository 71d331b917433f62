/* deviation_target.c - see deviation_target.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_target.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/specification/attribute_name.h"

enum {
    NAMES_MAX = 512 /* that may be meant */
};

static bool is(const char *name, const char *text, size_t n)
{
    return strlen(name) == n && strncmp(name, text, n) == 0;
}

/* The number of an operand; -1 if there is none of that name.  From the first
 * variadic one on they have numbers for names (deviation_operand). */
static int operand_at(const struct spec_op *op, const char *text, size_t n)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (op->operands[i].variadic) {
            char *end;
            long k = n > 0 ? strtol(text, &end, 10) : -1;
            return n > 0 && (size_t)(end - text) == n && k >= i && k < 1000
                       ? (int)k
                       : -1;
        }
        if (is(op->operands[i].name, text, n))
            return i;
    }
    return -1;
}

static bool has_attribute(const struct spec_op *op, const char *name)
{
    for (int i = 0; i < op->attribute_count; i++) {
        const struct spec_attribute *at = &op->attributes[i];
        if (strcmp(attribute_name_text(at->id), name) == 0)
            return true;
        for (int k = 0; k < at->member_count; k++)
            if (strcmp(attribute_name_text(at->members[k].id), name) == 0)
                return true;
    }
    return false;
}

bool deviation_target_known(const struct deviation *d, const char *target,
                            const struct spec_op *op)
{
    if (d->change)
        return has_attribute(op, target);
    size_t n = strcspn(target, ",");
    int first = operand_at(op, target, n);
    if (!d->swap || first < 0)
        return first >= 0 && target[n] == '\0';
    return target[n] == ','
           && operand_at(op, target + n + 1, strlen(target + n + 1))
                  == first + 1;
}

static void add(const char **names, int *count, const char *name)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count < NAMES_MAX)
        names[(*count)++] = name;
}

bool deviation_target_check(const struct deviation *d, const char *target,
                            struct status *st)
{
    const char *names[NAMES_MAX];
    char hint[TEXT_HINT];
    int count = 0;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        if (deviation_target_known(d, target, op))
            return true;
        for (int k = 0; k < op->operand_count && !d->change; k++)
            add(names, &count, op->operands[k].name);
        for (int k = 0; k < op->attribute_count && d->change; k++)
            add(names, &count, attribute_name_text(op->attributes[k].id));
    }
    return FAIL(st, INPUT, "deviation '%s': no operation has the %s '%.60s'%s",
                d->id,
                d->change ? "attribute"
                : d->swap ? "neighbouring operands"
                          : "operand",
                target, text_hint(hint, target, names, count));
}

bool deviation_target_concerns(const struct deviation_use *use,
                               const struct spec_op *op)
{
    const struct deviation *d = use->what;
    if (d->ops && !deviation_names(d->ops, op->name))
        return false;
    bool targeted = d->operand || d->swap || d->change;
    return !targeted || deviation_target_known(d, use->attribute, op);
}
