/* compare.c - comparisons, Select, Clamp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

enum order {
    LESS = 1,
    EQUAL = 2,
    GREATER = 4,
    UNORDERED = 8
};

static const struct {
    const char *name;
    int holds; /* for these orders */
} table[] = {
    {"Eq", EQUAL},           {"Ne", LESS | GREATER | UNORDERED},
    {"Ge", EQUAL | GREATER}, {"Gt", GREATER},
    {"Le", EQUAL | LESS},    {"Lt", LESS},
};

/* "GeTotalOrder" is found as "Ge". */
static int holds_of(const char *name)
{
    int i = 0;
    while (strncmp(table[i].name, name, 2) != 0)
        i++;
    return table[i].holds;
}

static int is_total(const char *name)
{
    return strlen(name) > 2;
}

/* -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN: the order of the bit
 * patterns, negative ones reversed. */
static uint64_t rank_bits(const struct type *t, const void *data, int64_t i)
{
    uint64_t x = 0;
    memcpy(&x, (const char *)data + i * t->bytes, (size_t)t->bytes);
    uint64_t sign = UINT64_C(1) << (t->bits - 1);
    return x & sign ? ~x & (2 * sign - 1) : x | sign;
}

static enum order order_doubles(double a, double b)
{
    return a < b ? LESS : a > b ? GREATER : a == b ? EQUAL : UNORDERED;
}

static enum order order(const struct type *t, int total, const void *x,
                        int64_t i, const void *y, int64_t j)
{
    if (t->class == COMPLEX) { /* real parts first, then imaginary parts */
        const struct type *p = type_part(t);
        enum order re = order(p, total, x, 2 * i, y, 2 * j);
        return re == EQUAL ? order(p, total, x, 2 * i + 1, y, 2 * j + 1) : re;
    }
    if (t->class == FLOAT && !total)
        return order_doubles(type_double(t, x, i), type_double(t, y, j));
    uint64_t a, b;
    if (t->class == FLOAT) {
        a = rank_bits(t, x, i);
        b = rank_bits(t, y, j);
    } else {
        uint64_t flip = t->class == SINT ? UINT64_C(1) << 63 : 0;
        a = type_int(t, x, i) ^ flip;
        b = type_int(t, y, j) ^ flip;
    }
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

assay_code compare_check(struct check *c)
{
    const char *name = c->node->op->name;
    TRY(binary_types(c));
    const struct type *t = c->operands[0]->type;
    if (is_total(name) && t->class == COMPLEX)
        return program_fail(c, ASSAY_TYPE, "not defined for %s", t->name);
    return binary_broadcast(c, type_find("pred"));
}

assay_code compare_run(struct run *r)
{
    const char *name = r->node->op->name;
    const struct value *x = r->operands[0], *y = r->operands[1];
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape);
    int holds = holds_of(name), total = is_total(name);
    struct binary_walk w;
    binary_walk(&w, r, out->shape);
    for (int64_t i = 0; i < n; i++, binary_next(&w))
        out->data[i] =
            (order(x->shape->type, total, x->data, w.at[0], y->data, w.at[1])
             & holds)
            != 0;
    return ASSAY_OK;
}

/* ---- Select -------------------------------------------------------------- */

assay_code compare_check_select(struct check *c)
{
    const struct shape *p = c->operands[0], *a = c->operands[1];
    if (p->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "the predicate is not an array");
    if (p->type->class != PRED)
        return program_fail(c, ASSAY_TYPE, "the predicate is %s",
                            p->type->name);
    if (a->kind != ASSAY_ARRAY || c->operands[2]->kind != ASSAY_ARRAY) {
        if (!shape_is_scalar(p) || !shape_equal(a, c->operands[2]))
            return program_fail(c, ASSAY_SHAPE, "the choices do not fit");
        c->result = a;
        return ASSAY_OK;
    }
    if (a->type != c->operands[2]->type)
        return program_fail(c, ASSAY_TYPE, "types %s and %s", a->type->name,
                            c->operands[2]->type->name);
    if (!shape_same_dims(a, c->operands[2]))
        return program_fail(c, ASSAY_SHAPE, "the two choices differ in shape");
    if (!shape_is_scalar(p) && !shape_same_dims(p, a))
        return program_fail(c, ASSAY_SHAPE,
                            "the predicate has another shape than the choices");
    c->result = a;
    return ASSAY_OK;
}

assay_code compare_run_select(struct run *r)
{
    const struct value *p = r->operands[0];
    if (r->node->shape->kind != ASSAY_ARRAY) {
        r->result = r->operands[p->data[0] ? 1 : 2];
        return ASSAY_OK;
    }
    struct value *out = machine_result(r);
    int one = shape_is_scalar(p->shape);
    for (int64_t i = 0; i < shape_count(out->shape); i++)
        value_move(out, i, r->operands[p->data[one ? 0 : i] ? 1 : 2], i);
    return ASSAY_OK;
}

/* ---- Clamp --------------------------------------------------------------- */

assay_code compare_check_clamp(struct check *c)
{
    const struct shape *x = c->operands[1];
    TRY(program_arrays(c));
    for (int i = 0; i < 3; i += 2) {
        const struct shape *bound = c->operands[i];
        if (bound->type != x->type)
            return program_fail(c, ASSAY_TYPE, "types %s and %s",
                                bound->type->name, x->type->name);
        if (!shape_is_scalar(bound) && !shape_same_dims(bound, x))
            return program_fail(c, ASSAY_SHAPE,
                                "a bound differs in shape from the operand");
    }
    if (!binary_has(binary_find("Max"), x->type))
        return program_fail(c, ASSAY_TYPE, "not defined for %s", x->type->name);
    c->result = x;
    return ASSAY_OK;
}

/* min(max(x, low), high): where the bounds cross, high. */
assay_code compare_run_clamp(struct run *r)
{
    const struct value *low = r->operands[0], *x = r->operands[1];
    const struct value *high = r->operands[2];
    const struct type *t = x->shape->type;
    struct value *out = machine_result(r);
    int one_low = shape_is_scalar(low->shape);
    int one_high = shape_is_scalar(high->shape);
    for (int64_t i = 0; i < shape_count(out->shape); i++) {
        binary_apply(binary_find("Max"), t, out->data, i,
                     (struct element){x->data, i},
                     (struct element){low->data, one_low ? 0 : i});
        binary_apply(binary_find("Min"), t, out->data, i,
                     (struct element){out->data, i},
                     (struct element){high->data, one_high ? 0 : i});
    }
    return ASSAY_OK;
}
