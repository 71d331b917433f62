/* deviation_attribute.c - see deviation_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"
#include "interp/program/op_table.h"

#define FORM(name) (1u << SPEC_##name)

/* Forms by what a change needs. */
enum {
    NUMBERS = FORM(INT) | FORM(INTS) | FORM(PAIRS) | FORM(PADDING_CONFIG)
              | FORM(WINDOW_PADDING),
    LISTS = FORM(INTS) | FORM(BOOLS) | FORM(NAMES),
    PAIRED = FORM(PAIRS) | FORM(PADDING_CONFIG) | FORM(WINDOW_PADDING),
    BOOLEAN = FORM(BOOL) | FORM(BOOLS),
    NAMED = FORM(NAME) | FORM(NAMES),
    ANY = -1
};

/* One attribute being changed: to holds a copy of from, ints its own copy of
 * the numbers. */
struct changing {
    struct arena *arena;
    const struct spec_attribute *spec; /* or NULL */
    const struct attribute *from;
    struct attribute *to;
    int64_t *ints;
    int64_t number;
};

typedef bool change_body(struct changing *c);

struct deviation_change {
    const char *name;
    unsigned forms;
    change_body *body;
    int64_t number;
};

/* Numbers that are together: a pair, a padding of three, else one. */
static int group_size(const struct attribute *a)
{
    return a->form == SPEC_PADDING_CONFIG                            ? 3
           : a->form == SPEC_PAIRS || a->form == SPEC_WINDOW_PADDING ? 2
                                                                     : 1;
}

/* The attribute is as if it had not been given. */
static bool ignore(struct changing *c)
{
    const struct spec_attribute *s = c->spec;
    if (!s || (!s->default_value && !s->optional))
        return false;
    if (strchr(attribute_name_text(c->from->name), '.')) {
        c->to->count = 0; /* members have the empty list as default */
        return c->from->count > 0 && s->default_value;
    }
    c->to->name = ATTRIBUTE_NONE;
    return true;
}

static bool negate(struct changing *c)
{
    for (int i = 0; i < c->from->count; i++)
        c->ints[i] = !c->from->ints[i];
    return true;
}

static bool add_number(struct changing *c)
{
    for (int i = 0; i < c->from->count; i++)
        c->ints[i] = c->from->ints[i] + c->number;
    return true;
}

static bool set_number(struct changing *c)
{
    for (int i = 0; i < c->from->count; i++)
        c->ints[i] = c->number;
    return true;
}

/* The literal of a number (epsilon), too. */
static bool set_zero(struct changing *c)
{
    if (c->from->form != SPEC_NUMBER)
        return set_number(c);
    c->to->literal = literal_new(c->arena, c->from->literal->shape);
    return !literal_equal(c->to->literal, c->from->literal);
}

static bool reverse(struct changing *c)
{
    int n = c->from->count, size = group_size(c->from);
    for (int i = 0; i < n; i++)
        c->ints[i] = c->from->ints[n - size - i / size * size + i % size];
    return true;
}

static bool rotate(struct changing *c)
{
    int n = c->from->count;
    for (int i = 0; i < n; i++)
        c->ints[i] = c->from->ints[(i + 1) % n];
    return true;
}

static bool invert(struct changing *c)
{
    int n = c->from->count;
    for (int i = 0; i < n; i++)
        c->ints[i] = -1;
    for (int i = 0; i < n; i++) {
        int64_t at = c->from->ints[i];
        if (at < 0 || at >= n || c->ints[at] >= 0)
            return false;
        c->ints[at] = i;
    }
    return true;
}

static bool swap_pairs(struct changing *c)
{
    int size = group_size(c->from);
    for (int i = 0; i + 1 < c->from->count; i += size) {
        c->ints[i] = c->from->ints[i + 1];
        c->ints[i + 1] = c->from->ints[i];
    }
    return true;
}

static bool next_name(struct changing *c)
{
    const struct spec_attribute *s = c->spec;
    int count = 0;
    while (s && s->names && s->names[count])
        count++;
    if (count < 2)
        return false;
    for (int i = 0; i < c->from->count; i++)
        c->ints[i] = (c->from->ints[i] + 1) % count;
    for (int i = 0; c->from->form == SPEC_NAME && i < count; i++)
        if (c->from->string && strcmp(c->from->string, s->names[i]) == 0) {
            c->to->string = s->names[(i + 1) % count];
            return true;
        }
    return c->from->form == SPEC_NAMES;
}

/* A computation of its own that begins as a copy.  Its instructions are copies,
 * too: inference sets their shapes, and those of the program must outlive this
 * arena. */
static struct computation *copy_computation(struct changing *c,
                                            const struct computation *own,
                                            const char *suffix)
{
    struct computation *made = arena_new(c->arena, struct computation, 1);
    *made = *own;
    made->name = arena_printf(c->arena, "%s.%s", own->name, suffix);
    made->builtin = NULL;
    made->result = NULL;
    made->room = own->count;
    size_t n = (size_t)own->count;
    made->instructions = arena_new(c->arena, struct instruction *, n);
    for (size_t i = 0; i < n; i++) {
        made->instructions[i] = arena_new(c->arena, struct instruction, 1);
        *made->instructions[i] = *own->instructions[i];
    }
    n = (size_t)c->from->computation_count;
    c->to->computations = arena_new(c->arena, const struct computation *, n);
    memcpy(c->to->computations, c->from->computations,
           n * sizeof *c->to->computations);
    c->to->computations[0] = made;
    c->to->builtins = NULL;
    return made;
}

static const struct computation *first_computation(const struct changing *c)
{
    return c->from->computation_count > 0 ? c->from->computations[0] : NULL;
}

/* Parameters 0 and 1 of a computation of two change places. */
static bool swap_arguments(struct changing *c)
{
    const struct computation *own = first_computation(c);
    if (!own || own->parameter_count != 2)
        return false;
    struct computation *made = copy_computation(c, own, "swapped");
    for (int k = 0; k < 2; k++) {
        const struct instruction *other =
            own->instructions[own->parameters[1 - k]];
        made->instructions[own->parameters[k]]->attributes = other->attributes;
    }
    return true;
}

static const struct op *find_comparison(unsigned compare)
{
    for (int i = 0; i < OP_COUNT; i++)
        if (op_table[i]->compare == compare)
            return op_table[i];
    return NULL;
}

/* Comparisons of a computation hold for other things, too, or for fewer. */
static bool flip_compare(struct changing *c)
{
    const struct computation *own = first_computation(c);
    struct computation *made = NULL;
    for (int i = 0; own && i < own->count; i++) {
        unsigned compare = own->instructions[i]->op->compare;
        const struct op *op =
            compare ? find_comparison(compare ^ (unsigned)c->number) : NULL;
        if (!op)
            continue;
        if (!made)
            made = copy_computation(c, own, "flipped");
        made->instructions[i]->op = op;
    }
    return made != NULL;
}

/* A computation returns one of its arguments. */
static bool return_argument(struct changing *c)
{
    const struct computation *own = first_computation(c);
    if (!own || c->number >= own->parameter_count
        || own->root == own->parameters[c->number]
        || !shape_equal(own->instructions[own->parameters[c->number]]->shape,
                        own->instructions[own->root]->shape))
        return false;
    struct computation *made = copy_computation(c, own, "argument");
    made->root = own->parameters[c->number];
    return true;
}

static const struct op *strict_comparison(const struct op *extremum)
{
    return extremum == &op_Max ? &op_Gt : extremum == &op_Min ? &op_Lt : NULL;
}

/* max(a, b) becomes b > a ? b : a, and min likewise, where that is all of the
 * computation. */
static bool ignore_nan(struct changing *c)
{
    const struct computation *own = first_computation(c);
    if (!own || own->parameter_count != 2 || own->count != 3 || own->root != 2)
        return false;
    const struct instruction *root = own->instructions[own->root];
    const struct op *compare = strict_comparison(root->op);
    if (!compare)
        return false;
    struct computation *made = copy_computation(c, own, "keeps-first");
    struct instruction *both = arena_new(c->arena, struct instruction, 2);
    int *operands = arena_new(c->arena, int, 5);
    int a = root->operands[0], b = root->operands[1];
    operands[0] = operands[3] = b;
    operands[1] = operands[4] = a;
    operands[2] = own->root; /* where the comparison is now */
    both[0] = (struct instruction){.name = "deviation",
                                   .op = compare,
                                   .operand_count = 2,
                                   .operands = operands};
    both[1] = (struct instruction){.name = "deviation",
                                   .op = &op_Select,
                                   .operand_count = 3,
                                   .operands = operands + 2};
    struct instruction **all = arena_new(c->arena, struct instruction *, 4);
    memcpy(all, made->instructions, 2 * sizeof(struct instruction *));
    all[2] = &both[0];
    all[3] = &both[1];
    made->instructions = all;
    made->count = made->room = 4;
    made->root = 3;
    return true;
}

static const struct deviation_change changes[] = {
    {"ignored", (unsigned)ANY, ignore, 0},
    {"negated", BOOLEAN, negate, 0},
    {"plus-one", NUMBERS, add_number, 1},
    {"minus-one", NUMBERS, add_number, -1},
    {"zero", NUMBERS | FORM(NUMBER), set_zero, 0},
    {"one", NUMBERS, set_number, 1},
    {"reversed", LISTS | FORM(PADDING_CONFIG) | FORM(WINDOW_PADDING), reverse,
     0},
    {"rotated", LISTS, rotate, 0},
    {"inverted", FORM(INTS), invert, 0},
    {"pairs-swapped", PAIRED, swap_pairs, 0},
    {"next-name", NAMED, next_name, 0},
    {"arguments-swapped", FORM(COMPUTATION), swap_arguments, 0},
    {"equality-flipped", FORM(COMPUTATION), flip_compare, OP_COMPARE_EQUAL},
    {"order-flipped", FORM(COMPUTATION), flip_compare, OP_COMPARE_TOTAL},
    {"first-argument", FORM(COMPUTATION), return_argument, 0},
    {"second-argument", FORM(COMPUTATION), return_argument, 1},
    {"nan-ignored", FORM(COMPUTATION), ignore_nan, 0},
};

const struct deviation_change *deviation_attribute_find(const char *name)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (strcmp(changes[i].name, name) == 0)
            return &changes[i];
    return NULL;
}

bool deviation_attribute(struct arena *a, const struct deviation_change *change,
                         const struct spec_op *op, const struct attribute *from,
                         struct attribute *to)
{
    struct changing c = {.arena = a,
                         .spec = spec_attribute_or_member(op, from->name),
                         .from = from,
                         .to = to,
                         .number = change->number};
    size_t n = from->ints && from->count > 0 ? (size_t)from->count : 0;
    if (!(change->forms >> from->form & 1)
        || (from->form == SPEC_WINDOW_PADDING && from->string
            && change->body != ignore))
        return false;
    *to = *from;
    c.ints = arena_new(a, int64_t, n + 1);
    if (n > 0) {
        memcpy(c.ints, from->ints, n * sizeof *c.ints);
        to->ints = c.ints;
    }
    if (!change->body(&c))
        return false;
    bool other = !to->name || to->count != from->count
                 || to->string != from->string || to->literal != from->literal
                 || to->computations != from->computations;
    return other || (n > 0 && memcmp(c.ints, from->ints, n * sizeof *c.ints));
}
