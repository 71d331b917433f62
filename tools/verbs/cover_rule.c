/* cover_rule.c - see cover.h; tools/test/breaks.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/judge/violation.h"
#include "tools/verbs/cover.h"

const char *cover_rule_class_name(enum cover_class c)
{
    static const char *const names[COVER_CLASSES] = {
        "other", "pred",       "integer", "small float",
        "f16",   "wide float", "complex"};
    return names[c];
}

static enum cover_class class_of_type(enum dtype t)
{
    static const enum cover_class classes[] = {
        [DTYPE_PRED] = COVER_CLASS_PRED,
        [DTYPE_SINT] = COVER_CLASS_INTEGER,
        [DTYPE_UINT] = COVER_CLASS_INTEGER,
        [DTYPE_FLOAT] = COVER_CLASS_WIDE,
        [DTYPE_COMPLEX] = COVER_CLASS_COMPLEX};
    enum cover_class c = classes[dtype_class(t)];
    if (c != COVER_CLASS_WIDE
        || dtype_table[t].emax >= dtype_table[DT_f32].emax)
        return c;
    return dtype_table[t].bits <= 8 ? COVER_CLASS_SMALL : COVER_CLASS_HALF;
}

/* Does the text between brackets have a size of 0? */
static bool is_empty(const char *text)
{
    for (; *text && *text != ']';
         text += strcspn(text, ",]"), text += *text == ',')
        if (text[0] == '0')
            return true;
    return false;
}

/* The greatest class among the types that a shape names, of a tuple too. */
static enum cover_class class_of_shape(const char *text)
{
    enum cover_class most = COVER_CLASS_OTHER;
    while (*text) {
        size_t n = strcspn(text, "[(), ");
        enum dtype t;
        if (text[n] == '[' && dtype_parse(text, n, &t)
            && !is_empty(text + n + 1) && class_of_type(t) > most)
            most = class_of_type(t);
        text += n;
        text += text[0] == '[' ? strcspn(text, "]") : 0;
        text += *text != '\0';
    }
    return most;
}

enum cover_class cover_rule_class_of(const struct json *node)
{
    const struct json *inputs = json_member(node, "inputs");
    enum cover_class most = COVER_CLASS_OTHER;
    for (const struct json *x = inputs ? inputs->child : NULL; x; x = x->next) {
        const struct json *shape = json_member(x, "shape");
        enum cover_class c =
            shape && shape->text ? class_of_shape(shape->text) : most;
        most = c > most ? c : most;
    }
    return most;
}

static bool is_possible(const struct cover_rule *r, enum cover_class c)
{
    static const enum dtype types[COVER_CLASSES] = {
        [COVER_CLASS_PRED] = DT_pred,    [COVER_CLASS_INTEGER] = DT_s32,
        [COVER_CLASS_SMALL] = DT_f8e5m2, [COVER_CLASS_HALF] = DT_f16,
        [COVER_CLASS_WIDE] = DT_f32,     [COVER_CLASS_COMPLEX] = DT_c64};
    return c == COVER_CLASS_OTHER || !r->when
           || violation_possible(r->when, types[c]);
}

bool cover_rule_counts(const struct cover_rule *r, enum cover_class c)
{
    const struct cover_found *f = &r->found[c];
    if (c == COVER_CLASS_OTHER)
        for (int k = COVER_CLASS_OTHER + 1; k < COVER_CLASSES; k++)
            if (cover_rule_counts(r, (enum cover_class)k))
                return false;
    return f->covered && (f->how > COVER_RULE_NONE || is_possible(r, c));
}

const struct cover_found *cover_rule_weakest(const struct cover_rule *r)
{
    const struct cover_found *least = NULL;
    for (int c = 0; c < COVER_CLASSES; c++)
        if (cover_rule_counts(r, (enum cover_class)c)
            && (!least || r->found[c].how < least->how))
            least = &r->found[c];
    bool known = least && (!r->untestable || least->how > COVER_RULE_NONE);
    return known ? least : &r->found[COVER_CLASS_OTHER];
}
