/* eval_print.c - see eval_print.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/eval_print.h"

#include <inttypes.h>
#include <string.h>

#include "interp/data/number.h"
#include "interp/data/show.h"
#include "interp/judge/accept_text.h"
#include "interp/specification/profile.h"
#include "tools/verbs/command.h"

static const char *const status_names[] = {
    [EVAL_OK] = "ok",
    [EVAL_REJECTED] = "rejected",
    [EVAL_DIFFERS] = "differs",
    [EVAL_FAILED] = "failed",
};

static const char *hexfloat(struct arena *a, const struct literal *l, int64_t i)
{
    int n = dtype_units(l->shape->dtype);
    enum dtype unit = dtype_unit(l->shape->dtype);
    if (n == 1)
        return show_hexfloat(a, unit, literal_get(l, i));
    return arena_printf(a, "[%s, %s]",
                        show_hexfloat(a, unit, literal_get(l, 2 * i)),
                        show_hexfloat(a, unit, literal_get(l, 2 * i + 1)));
}

/* One result array, being printed.  Elements beyond the actual sizes are not
 * values, and are not shown. */
struct leaf {
    const struct literal *value;
    const struct goal *goal; /* NULL: a token */
    int64_t count;           /* elements that count */
    int64_t shown, *at;      /* the first of them, and where they are */
    const char **accept;     /* by unit, or NULL */
};

static int64_t count_elements(const struct literal *l)
{
    int64_t n = 1;
    if (!l->sizes)
        return shape_elements(l->shape);
    for (int d = 0; d < l->shape->rank; d++)
        n *= l->sizes[d];
    return n;
}

static void find_shown(struct arena *a, struct leaf *leaf)
{
    const struct shape *s = leaf->value->shape;
    const int64_t *sizes = leaf->value->sizes ? leaf->value->sizes : s->dims;
    int64_t index[SHAPE_RANK_MAX] = {0};
    leaf->at = arena_new(a, int64_t, (size_t)leaf->shown + 1);
    for (int64_t i = 0; i < leaf->shown; i++) {
        leaf->at[i] = shape_linear(s->rank, s->dims, index);
        shape_next_index(s->rank, sizes, index);
    }
}

static struct leaf leaf_of(struct arena *a, const struct eval_print *e,
                           const struct outcome *out, int i)
{
    struct leaf leaf = {.value = literal_leaf(out->value, i)};
    const struct shape *s = leaf.value->shape;
    if (s->kind != SHAPE_ARRAY)
        return leaf;
    leaf.goal = out->goals ? out->goals[i] : NULL;
    leaf.count = count_elements(leaf.value);
    leaf.shown = leaf.count < e->elements ? leaf.count : e->elements;
    find_shown(a, &leaf);
    if (leaf.goal && leaf.shown > 0)
        leaf.accept = accept_text_texts(a, e->profile, leaf.goal,
                                        (leaf.at[leaf.shown - 1] + 1)
                                            * dtype_units(s->dtype));
    return leaf;
}

/* The set of an element, if it has more than the element's own value. */
static const char *accept_of(struct arena *a, const struct leaf *leaf,
                             int64_t i)
{
    if (!leaf->accept)
        return "";
    if (dtype_units(leaf->value->shape->dtype) == 1)
        return leaf->accept[i];
    return arena_printf(a, "[%s, %s]", leaf->accept[2 * i],
                        leaf->accept[2 * i + 1]);
}

/* How much of that is due to the order of additions, or NULL. */
static const char *order_of(struct arena *a, const struct leaf *leaf, int64_t i)
{
    return dtype_units(leaf->value->shape->dtype) == 1
               ? accept_text_order(a, leaf->goal, i)
               : NULL;
}

/* ---- Text ---------------------------------------------------------------- */

static void print_leaf(FILE *f, struct arena *a, const struct eval_print *e,
                       const struct leaf *leaf)
{
    const struct literal *l = leaf->value;
    for (int64_t k = 0; k < leaf->shown; k++) {
        int64_t i = leaf->at[k];
        const char *order = order_of(a, leaf, i);
        fprintf(f, "    [%s]  %s  %s  %s  accept %s%s%s\n",
                show_index(a, l->shape, i), show_element(a, l, i),
                hexfloat(a, l, i), show_element_bits(a, l, i),
                accept_of(a, leaf, i), order ? "  order of additions " : "",
                order ? order : "");
    }
    if (leaf->count > leaf->shown)
        fprintf(f, "    ... %" PRId64 " more elements (--elements)\n",
                leaf->count - leaf->shown);
    if (!leaf->goal)
        return;
    fprintf(f, "    judged: %s\n",
            accept_text_words(a, e->profile, leaf->goal));
    if (leaf->goal->note)
        fprintf(f, "    note: %s\n", leaf->goal->note);
    if (leaf->goal->undecided)
        fprintf(f, "    undecided: %" PRId64 " units\n", leaf->goal->undecided);
}

/* The actual sizes of a dynamic array, as " of size [2,3]". */
static const char *sizes_text(struct arena *a, const struct literal *l)
{
    const char *text = "";
    for (int d = 0; l->sizes && d < l->shape->rank; d++)
        text = arena_printf(a, "%s%s%" PRId64, text, d ? "," : "", l->sizes[d]);
    return l->sizes ? arena_printf(a, " of size [%s]", text) : "";
}

static void print_values(FILE *f, struct arena *a, const struct eval_print *e)
{
    for (int r = 0; e->outcomes && r < e->test->replicas; r++) {
        const struct outcome *out = &e->outcomes[r];
        int n = shape_leaves(out->value->shape);
        for (int i = 0; i < n; i++) {
            struct leaf leaf = leaf_of(a, e, out, i);
            fprintf(f, "  ");
            if (e->test->replicas > 1)
                fprintf(f, "replica %d ", r);
            fprintf(f, "result %d: %s%s\n", i, shape_text(a, leaf.value->shape),
                    sizes_text(a, leaf.value));
            print_leaf(f, a, e, &leaf);
        }
    }
}

void eval_print_text(FILE *f, struct arena *a, const struct eval_print *e)
{
    fprintf(f, "%s\n", e->name);
    if (e->test)
        print_values(f, a, e);
    for (int i = 0; i < e->also_count; i++)
        fprintf(f, "%s%s%s", i ? ", " : "  would also accept: ", e->also[i],
                i == e->also_count - 1 ? "\n" : "");
    fprintf(f, "  %s", status_names[e->status]);
    if (e->class != STATUS_OK)
        fprintf(f, ": %s", status_name(e->class));
    if (e->text)
        fprintf(f, ": %s", e->text);
    if (e->place)
        fprintf(f, " (%s)", e->place);
    fprintf(f, "\n");
    const char *advice = e->text ? command_advice(e->text) : NULL;
    if (advice)
        fprintf(f, "  %s\n", advice);
}

/* ---- JSON ---------------------------------------------------------------- */

static void print_member(FILE *f, struct arena *a, const char *name,
                         const char *text)
{
    if (text)
        fprintf(f, ", \"%s\": %s", name, json_quote(a, text));
}

static void print_sizes(FILE *f, const struct literal *l)
{
    if (!l->sizes)
        return;
    fprintf(f, ", \"sizes\": [");
    for (int d = 0; d < l->shape->rank; d++)
        fprintf(f, "%s%" PRId64, d ? ", " : "", l->sizes[d]);
    fprintf(f, "]");
}

static void print_leaf_json(FILE *f, struct arena *a,
                            const struct eval_print *e, const struct leaf *leaf)
{
    const struct literal *l = leaf->value;
    fprintf(f, "{\"shape\": %s", json_quote(a, shape_text(a, l->shape)));
    if (leaf->goal) {
        print_sizes(f, l);
        print_member(f, a, "judged",
                     accept_text_words(a, e->profile, leaf->goal));
        print_member(f, a, "note", leaf->goal->note);
        fprintf(f, ", \"undecided\": %" PRId64, leaf->goal->undecided);
        fprintf(f, ", \"count\": %" PRId64 ", \"elements\": [", leaf->count);
        for (int64_t k = 0; k < leaf->shown; k++) {
            int64_t i = leaf->at[k];
            fprintf(f, "%s\n      {\"index\": [%s]", k ? "," : "",
                    show_index(a, l->shape, i));
            print_member(f, a, "value", show_element(a, l, i));
            print_member(f, a, "hex", hexfloat(a, l, i));
            print_member(f, a, "bits", show_element_bits(a, l, i));
            print_member(f, a, "accept", accept_of(a, leaf, i));
            print_member(f, a, "order", order_of(a, leaf, i));
            fprintf(f, "}");
        }
        fprintf(f, "]");
    }
    fprintf(f, "}");
}

static void print_row_json(FILE *f, struct arena *a, const struct eval_print *e,
                           const struct outcome *out)
{
    int n = shape_leaves(out->value->shape);
    fprintf(f, "[");
    for (int i = 0; i < n; i++) {
        struct leaf leaf = leaf_of(a, e, out, i);
        fprintf(f, "%s\n    ", i ? "," : "");
        print_leaf_json(f, a, e, &leaf);
    }
    fprintf(f, "]");
}

void eval_print_json(FILE *f, struct arena *a, const struct eval_print *e)
{
    fprintf(f, "{\"name\": %s", json_quote(a, e->name));
    print_member(f, a, "status", status_names[e->status]);
    if (e->class != STATUS_OK)
        print_member(f, a, "class", status_name(e->class));
    print_member(f, a, "text", e->text);
    print_member(f, a, "place", e->place);
    if (e->outcomes) {
        fprintf(f, ",\n  \"shape\": %s, \"replicas\": [",
                json_quote(a, shape_text(a, e->outcomes[0].value->shape)));
        for (int r = 0; r < e->test->replicas; r++) {
            fprintf(f, "%s\n   ", r ? "," : "");
            print_row_json(f, a, e, &e->outcomes[r]);
        }
        fprintf(f, "]");
    }
    if (e->also_count >= 0) {
        fprintf(f, ",\n  \"would_accept\": [");
        for (int i = 0; i < e->also_count; i++)
            fprintf(f, "%s\"%s\"", i ? ", " : "", e->also[i]);
        fprintf(f, "]");
    }
    fprintf(f, "}");
}

/* ---- As an expect member ------------------------------------------------- */

/* A unit as an element of data: a number where JSON has it exactly, else a
 * string that reads back to the same bits. */
static const char *element_json(struct arena *a, enum dtype unit, uint64_t bits)
{
    const char *text = show_decimal(a, unit, bits);
    enum dtype_class class = dtype_class(unit);
    if (class == DTYPE_PRED)
        return text;
    /* A short text rounds to the value but need not be it exactly; beyond
     * 2^53 and with a fraction, other readers may round. */
    struct status st = {STATUS_OK};
    uint64_t read;
    bool exact = false;
    bool plain = strlen(text) <= 15 && text[strspn(text, "-0123456789")] == 0
                 && strcmp(text, "-0") != 0
                 && number_read(text, unit, &read, &exact, &st) && exact;
    return plain ? text : json_quote(a, text);
}

/* The dimension d of an array from element *i on. */
static void print_nested(FILE *f, struct arena *a, const struct literal *l,
                         int d, int64_t *i)
{
    enum dtype type = l->shape->dtype, unit = dtype_unit(type);
    if (d == l->shape->rank) {
        int64_t n = (*i)++;
        if (dtype_units(type) == 1)
            fputs(element_json(a, unit, literal_get(l, n)), f);
        else
            fprintf(f, "[%s, %s]", element_json(a, unit, literal_get(l, 2 * n)),
                    element_json(a, unit, literal_get(l, 2 * n + 1)));
        return;
    }
    fputs("[", f);
    for (int64_t k = 0; k < l->shape->dims[d]; k++) {
        if (k)
            fputs(", ", f);
        print_nested(f, a, l, d + 1, i);
    }
    fputs("]", f);
}

static void print_literal(FILE *f, struct arena *a, const struct literal *l)
{
    if (l->shape->kind == SHAPE_TUPLE) {
        fputs("{\"tuple\": [", f);
        for (int i = 0; i < l->shape->rank; i++) {
            fputs(i ? ", " : "", f);
            print_literal(f, a, l->elements[i]);
        }
        fputs("]}", f);
        return;
    }
    fprintf(f, "{\"shape\": %s", json_quote(a, shape_text(a, l->shape)));
    if (l->shape->kind == SHAPE_ARRAY) {
        int64_t i = 0;
        fputs(", \"data\": ", f);
        print_nested(f, a, l, 0, &i);
        if (l->sizes) {
            const char *comma = "";
            fputs(", \"dynamic_sizes\": [", f);
            for (int d = 0; d < l->shape->rank; d++)
                if (l->shape->dynamic && l->shape->dynamic[d]) {
                    fprintf(f, "%s%" PRId64, comma, l->sizes[d]);
                    comma = ", ";
                }
            fputs("]", f);
        }
    }
    fputs("}", f);
}

void eval_print_expect(FILE *f, struct arena *a, const struct eval_print *e)
{
    fprintf(f, "\"expect\": ");
    if (!e->outcomes) {
        fprintf(f, "{\"error\": \"%s\"}\n", status_name(e->class));
        return;
    }
    bool nested = json_member(e->test->node, "replicas")
                  || json_member(e->test->node, "partitions");
    fputs("[", f);
    for (int r = 0; r < e->test->replicas; r++) {
        fputs(r ? ",\n  " : "", f);
        fputs(nested ? "[" : "", f);
        print_literal(f, a, e->outcomes[r].value);
        fputs(nested ? "]" : "", f);
    }
    fputs("]\n", f);
}
