/* violation.c - see violation.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/violation.h"

#include <stdio.h>
#include <string.h>

#include "interp/exact/real.h"
#include "interp/judge/verdict.h"

/* ---- Classes ------------------------------------------------------------- */

static bool is_float(enum dtype t)
{
    return dtype_class(t) == DTYPE_FLOAT;
}

static bool is_zero(enum dtype t, uint64_t bits)
{
    return is_float(t) ? real_is_zero(t, bits) : bits == 0;
}

static bool is_nan(enum dtype t, uint64_t bits)
{
    return is_float(t) && real_is_nan(t, bits);
}

static bool is_number(enum dtype t, uint64_t bits)
{
    return !is_nan(t, bits);
}

static bool is_infinite(enum dtype t, uint64_t bits)
{
    return is_float(t) && real_is_inf(t, bits);
}

static bool is_negative(enum dtype t, uint64_t bits)
{
    if (is_float(t))
        return real_is_negative(t, bits) && !is_nan(t, bits)
               && !is_zero(t, bits);
    return dtype_class(t) == DTYPE_SINT && dtype_sign_extend(t, bits) < 0;
}

static bool is_beyond_one(enum dtype t, uint64_t bits)
{
    bool decided;
    if (!is_float(t) || is_nan(t, bits))
        return false;
    if (is_infinite(t, bits))
        return true;
    struct real one = real_from_int(real_is_negative(t, bits) ? -1 : 1);
    struct real x = real_from_bits(t, bits);
    int order = real_compare(&x, &one, &decided);
    return real_is_negative(t, bits) ? order < 0 : order > 0;
}

static bool is_subnormal(enum dtype t, uint64_t bits)
{
    return is_float(t) && real_is_subnormal(t, bits);
}

static bool is_minimum(enum dtype t, uint64_t bits)
{
    return dtype_class(t) == DTYPE_SINT && bits == (dtype_mask(t) >> 1) + 1;
}

static bool is_pred(enum dtype t, uint64_t bits)
{
    return dtype_class(t) == DTYPE_PRED;
}

static bool is_int(enum dtype t, uint64_t bits)
{
    return dtype_is_integer(t);
}

static bool is_real(enum dtype t, uint64_t bits)
{
    return is_float(t);
}

static bool is_complex(enum dtype t, uint64_t bits)
{
    return dtype_class(t) == DTYPE_COMPLEX;
}

static const struct class
{
    const char *name;
    bool (*holds)(enum dtype t, uint64_t bits);
    bool of_complex; /* may hold for a complex number */
} classes[] = {
    {"zero", is_zero, false},           {"nan", is_nan, false},
    {"number", is_number, false},       {"infinite", is_infinite, false},
    {"negative", is_negative, false},   {"beyond-one", is_beyond_one, false},
    {"subnormal", is_subnormal, false}, {"minimum", is_minimum, false},
    {"pred", is_pred, false},           {"int", is_int, false},
    {"float", is_real, false},          {"complex", is_complex, true},
};

static const struct class *class_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length
            && memcmp(classes[i].name, name, length) == 0)
            return &classes[i];
    return NULL;
}

/* ---- Conditions ---------------------------------------------------------- */

static bool has_complex(const struct violation_unit *u)
{
    for (int i = 0; i < u->operand_count; i++)
        if (is_complex(u->operands[i].type, 0))
            return true;
    return false;
}

static bool operands_are(const struct violation_unit *u, const struct class *c,
                         bool all)
{
    int count = 0;
    for (int i = 0; i < u->operand_count; i++) {
        enum dtype t = u->operands[i].type;
        count += (c->of_complex || !is_complex(t, 0))
                 && c->holds(t, u->operands[i].bits);
    }
    return all ? count > 0 && count == u->operand_count : count > 0;
}

static bool begins(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length > n && memcmp(text, word, n) == 0;
}

/* A unit of NULL asks whether the term is well formed. */
static bool term_holds(const char *text, size_t length,
                       const struct violation_unit *u)
{
    static const char *const subjects[] = {
        "operand:", "operands:", "want:", "got:"};
    if (begins(text, length, "nature:")) {
        char name[32];
        size_t n = length - strlen("nature:");
        if (n >= sizeof name)
            return false;
        memcpy(name, text + strlen("nature:"), n);
        name[n] = '\0';
        enum verdict_nature nature = verdict_nature_find(name);
        return u ? nature
                       == verdict_nature(u->type, u->got, u->want, u->has_error,
                                         u->has_share)
                 : nature != VERDICT_NATURES;
    }
    if (length == 3 && memcmp(text, "sum", length) == 0)
        return !u || u->has_share;
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(subjects[i]);
        if (!begins(text, length, subjects[i]))
            continue;
        const struct class *c = class_find(text + n, length - n);
        if (!c || !u)
            return c != NULL;
        if (i < 2)
            return operands_are(u, c, i == 1);
        return u->operand_count > 0 && !has_complex(u)
               && c->holds(u->type, i == 2 ? u->want : u->got);
    }
    return false;
}

static bool condition_holds(const char *text, const struct violation_unit *u)
{
    bool good = *text != '\0';
    while (good && *text) {
        size_t n = strcspn(text, " ");
        good = term_holds(text, n, u);
        text += n;
        text += strspn(text, " ");
    }
    return good;
}

bool violation_condition(const char *text)
{
    return condition_holds(text, NULL);
}

/* Patterns of which each class that can hold for the type holds for one. */
static bool class_possible(const struct class *c, enum dtype t)
{
    if (is_complex(t, 0))
        return c->of_complex;
    uint64_t mask = dtype_mask(t),
             bits[] = {0, 1, mask, mask >> 1, (mask >> 1) + 1, 0, 0};
    size_t n = 5;
    if (is_float(t) && real_has_nan(t))
        bits[n++] = real_nan(t, false);
    if (is_float(t) && real_has_inf(t))
        bits[n++] = real_inf(t, false);
    for (size_t i = 0; i < n; i++)
        if (c->holds(t, bits[i]))
            return true;
    return false;
}

static bool term_possible(const char *text, size_t length, enum dtype t)
{
    size_t n = strcspn(text, ":") + 1;
    if (begins(text, length, "nature:"))
        return length - n == strlen("value") || is_float(t) || is_complex(t, 0);
    /* The result may be of another type. */
    if (!begins(text, length, "operand"))
        return true;
    const struct class *c = class_find(text + n, length - n);
    return c && class_possible(c, t);
}

bool violation_possible(const struct json *when, enum dtype type)
{
    for (const struct json *c = when ? when->child : NULL; c; c = c->next) {
        const char *text = c->kind == JSON_STRING ? c->text : "";
        bool possible = *text != '\0';
        while (possible && *text) {
            size_t n = strcspn(text, " ");
            possible = term_possible(text, n, type);
            text += n;
            text += strspn(text, " ");
        }
        if (possible)
            return true;
    }
    return false;
}

static bool governs(const struct json *when, const struct violation_unit *u)
{
    for (const struct json *c = when ? when->child : NULL; c; c = c->next)
        if (c->kind == JSON_STRING && condition_holds(c->text, u))
            return true;
    return false;
}

/* ---- Rules --------------------------------------------------------------- */

static const struct json *policy_row(const char *name)
{
    const struct json *file = spec_file("spec/policies.json");
    const struct json *rows = file ? json_member(file, "policies") : NULL;
    for (const struct json *c = rows ? rows->child : NULL; c; c = c->next) {
        const struct json *own = json_member(c, "name");
        if (own && own->kind == JSON_STRING && strcmp(own->text, name) == 0)
            return c;
    }
    return NULL;
}

/* The case's own choice comes first. */
static const char *choice_of(const char *policy, const struct json *node,
                             const struct profile *p)
{
    const struct json *own = node ? json_member(node, "policies") : NULL;
    const struct json *choice =
        own && own->kind == JSON_OBJECT ? json_member(own, policy) : NULL;
    if (choice && choice->kind == JSON_STRING)
        return choice->text;
    return p ? profile_choice(p, policy) : NULL;
}

static void keep(struct violations *v, const struct violation *own)
{
    for (int i = 0; i < v->count; i++)
        if (strcmp(v->list[i].id, own->id) == 0)
            return;
    if (v->count < VIOLATION_MAX)
        v->list[v->count++] = *own;
}

/* "Max.value", or where an operation has no such requirement the formula of its
 * result. */
static struct violation value_rule(const struct spec_op *op)
{
    for (int i = 0; i < op->requirement_count; i++) {
        const struct spec_requirement *q = &op->requirements[i];
        if (strcmp(strchr(q->id, '.'), ".value") == 0)
            return (struct violation){
                .id = q->id, .text = q->text, .source = q->source};
    }
    return (struct violation){.id = op->name, .text = op->result.value};
}

static void add_layout(struct violations *v, const struct spec_op *op)
{
    const char *text = op->result.shape ? op->result.shape : op->result.text;
    keep(v, &(struct violation){
                .id = op->name,
                .text = text ? text
                             : "The result has the element type, the shape and "
                               "the structure that follow from the operands "
                               "and attributes."});
}

/* Is text "r = Max(p0, p1)"?  Spaces and attributes do not matter. */
static bool is_text_of(const char *text, const char *op)
{
    const char *at = strchr(text, '=');
    size_t n = strlen(op);
    if (!at)
        return false;
    at += 1 + strspn(at + 1, " ");
    if (strncmp(at, op, n) != 0 || at[n] != '(')
        return false;
    at += n;
    for (int i = 0; *at == '(' || *at == ','; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        at += 1 + strspn(at + 1, " ");
        if (strncmp(at, name, strlen(name)) != 0)
            return false;
        at += strlen(name);
        at += strspn(at, " ");
    }
    return *at == ')';
}

/* The same of {"op": "Max", "operands": ["p0", "p1"]}. */
static bool is_object_of(const struct json *in, const char *op)
{
    const struct json *operands = json_member(in, "operands");
    int i = 0;
    if (!json_is_string(json_member(in, "op"), op) || !operands)
        return false;
    for (const struct json *o = operands->child; o; o = o->next) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i++);
        if (!json_is_string(o, name))
            return false;
    }
    return true;
}

/* Are the inputs the operands of the operation?  A case has it alone, or in a
 * module of which it is the only instruction, as `assay import` writes it. */
static bool is_alone(const struct json *node, const char *op)
{
    const struct json *module = node ? json_member(node, "module") : NULL;
    const struct json *entry = module ? json_member(module, "entry") : NULL;
    const struct json *all =
        module ? json_member(module, "computations") : NULL;
    if (!node || !module)
        return node != NULL;
    const struct json *own = all && entry && entry->kind == JSON_STRING
                                 ? json_member(all, entry->text)
                                 : NULL;
    const struct json *body = own ? json_member(own, "body") : NULL;
    if (!body || body->kind != JSON_ARRAY || body->count != 1)
        return false;
    return body->child->kind == JSON_STRING ? is_text_of(body->child->text, op)
                                            : is_object_of(body->child, op);
}

void violation_add(struct violations *v, const struct spec_op *op,
                   const struct json *node, const struct profile *p,
                   const struct violation_unit *unit)
{
    struct violation own = value_rule(op);
    struct violation_unit known = *unit;
    /* The inputs of several operations are not those of this one. */
    if (!is_alone(node, op->name))
        known.operand_count = 0;
    for (int i = 0; i < op->requirement_count; i++) {
        const struct spec_requirement *q = &op->requirements[i];
        if (!governs(q->when, &known))
            continue;
        own = (struct violation){
            .id = q->id, .text = q->text, .source = q->source};
        break;
    }
    for (int i = 0; op->policies && op->policies[i]; i++) {
        const struct json *row = policy_row(op->policies[i]);
        if (!row || !governs(json_member(row, "when"), &known))
            continue;
        const char *choice = choice_of(op->policies[i], node, p);
        /* Nothing is wrong because of a choice that takes everything. */
        if (choice && strcmp(choice, "any") == 0)
            continue;
        own.policy = op->policies[i];
        own.choice = choice;
        break;
    }
    keep(v, &own);
}

void violation_whole(struct violations *v, const struct spec_op *op,
                     int64_t bad, const char *text)
{
    const struct violation value = value_rule(op);
    if (v->count > 0)
        return;
    if (bad > 0)
        keep(v, &value);
    else if (verdict_layout_is_wrong(text))
        add_layout(v, op);
}

void violation_accepted(struct violations *v, const char *covers)
{
    const struct spec_constraint *only = NULL;
    char id[128];
    while (covers && *covers) {
        size_t n = strcspn(covers, " ");
        if (n < sizeof id) {
            memcpy(id, covers, n);
            id[n] = '\0';
            const struct spec_constraint *c = spec_constraint_find(id);
            if (c && only)
                return;
            only = c ? c : only;
        }
        covers += n;
        covers += strspn(covers, " ");
    }
    if (only)
        keep(v, &(struct violation){.id = only->id,
                                    .text = only->text,
                                    .source = only->source});
}

const char *violation_text(struct arena *a, const struct violation *v)
{
    const char *text = v->text ? v->text : "";
    if (!v->policy)
        return arena_printf(a, "%s: %s", v->id, text);
    return arena_printf(a, "%s: %s (policy %s%s%s)", v->id, text, v->policy,
                        v->choice ? ": " : "", v->choice ? v->choice : "");
}
