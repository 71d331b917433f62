/* lapack_infer.c - shapes of LAPACK's results; see lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/ops/lapack.h"
#include "interp/ops/lapack_call.h"
#include "interp/program/attribute.h"

struct leaves {
    struct infer *in;
    const char *target;
    const struct shape *a, *parts[CHECK_LAPACK_RESULTS];
    int count;
    int64_t rows, columns;
};

static const struct shape *claimed(const struct infer *in)
{
    return attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
}

/* The operands' types are in the name. */
static bool check_operands(struct leaves *l, int count, struct status *st)
{
    static const char letters[] = "sdcz";
    static const enum dtype types[] = {DT_f32, DT_f64, DT_c64, DT_c128};
    enum dtype due =
        types[strchr(letters, l->target[strlen("lapack_")]) - letters];
    if (l->in->count != count)
        return FAIL(st, STRUCTURE,
                    "CustomCall: %s has %d operands; expected %d", l->target,
                    l->in->count, count);
    for (int i = 0; i < count; i++)
        if (l->in->operands[i]->kind != SHAPE_ARRAY
            || l->in->operands[i]->dtype != due)
            return FAIL(st, TYPE,
                        "CustomCall: operand %d of %s is %s; expected %s", i,
                        l->target, shape_text(l->in->arena, l->in->operands[i]),
                        dtype_table[due].name);
    return true;
}

static bool begin(struct leaves *l, struct infer *in, int count, bool square,
                  struct status *st)
{
    *l = (struct leaves){.in = in};
    l->target = attribute_string(in->in, ATTRIBUTE_CALL_TARGET_NAME);
    TRY(check_operands(l, count, st));
    const struct shape *s = l->a = in->operands[0];
    int r = s->rank;
    if (r < 2 || shape_has_dynamic(s)
        || (square && s->dims[r - 1] != s->dims[r - 2]))
        return FAIL(st, SHAPE,
                    "CustomCall: the operand of %s is %s; expected "
                    "%smatrices",
                    l->target, shape_text(in->arena, s),
                    square ? "square " : "");
    l->rows = s->dims[r - 2];
    l->columns = s->dims[r - 1];
    return true;
}

/* One more result, with so many dimensions beside those of the batch. */
static bool add(struct leaves *l, enum dtype t, int dims, int64_t first,
                int64_t second, struct status *st)
{
    int64_t all[SHAPE_RANK_MAX];
    int batch = l->a->rank - 2;
    memcpy(all, l->a->dims, (size_t)batch * sizeof *all);
    all[batch] = first;
    all[batch + 1] = second;
    TRY(infer_array(l->in, t, batch + dims, all, st));
    l->parts[l->count++] = l->in->result;
    return true;
}

static bool end(struct leaves *l, struct status *st)
{
    struct infer *in = l->in;
    if (l->count > 1)
        in->result = shape_tuple(in->arena, l->count, l->parts);
    return shape_equal(claimed(in), in->result)
           || FAIL(st, SHAPE, "CustomCall: %s returns %s, expected %s",
                   l->target, shape_text(in->arena, in->result),
                   shape_text(in->arena, claimed(in)));
}

bool lapack_infer_getrf(struct infer *in, struct status *st)
{
    struct leaves l;
    TRY(begin(&l, in, 1, false, st));
    TRY(add(&l, l.a->dtype, 2, l.rows, l.columns, st));
    TRY(add(&l, DT_s32, 1, lapack_matrix_diagonal(l.rows, l.columns), 0, st));
    TRY(add(&l, DT_s32, 0, 0, 0, st));
    return end(&l, st);
}

bool lapack_infer_syevd(struct infer *in, struct status *st)
{
    struct leaves l;
    TRY(begin(&l, in, 1, true, st));
    TRY(add(&l, l.a->dtype, 2, l.rows, l.columns, st));
    TRY(add(&l, dtype_unit(l.a->dtype), 1, l.columns, 0, st));
    TRY(add(&l, DT_s32, 0, 0, 0, st));
    return end(&l, st);
}

bool lapack_infer_geqrf(struct infer *in, struct status *st)
{
    struct leaves l;
    TRY(begin(&l, in, 1, false, st));
    TRY(add(&l, l.a->dtype, 2, l.rows, l.columns, st));
    TRY(add(&l, l.a->dtype, 1, lapack_matrix_diagonal(l.rows, l.columns), 0,
            st));
    return end(&l, st);
}

bool lapack_infer_orgqr(struct infer *in, struct status *st)
{
    struct leaves l;
    TRY(begin(&l, in, 2, false, st));
    const struct shape *t = in->operands[1];
    bool fits = t->rank == l.a->rank - 1 && !shape_has_dynamic(t);
    for (int d = 0; fits && d < t->rank - 1; d++)
        fits = t->dims[d] == l.a->dims[d];
    if (!fits || t->dims[t->rank - 1] > l.columns || l.columns > l.rows)
        return FAIL(st, SHAPE,
                    "CustomCall: the operands of %s are %s and %s; expected no "
                    "more numbers tau than columns, nor columns than rows",
                    l.target, shape_text(in->arena, l.a),
                    shape_text(in->arena, t));
    TRY(add(&l, l.a->dtype, 2, l.rows, l.columns, st));
    return end(&l, st);
}

/* U and V^H are square, or have only as many columns and rows as there are
 * singular values; without vectors the claim decides. */
bool lapack_infer_gesdd(struct infer *in, struct status *st)
{
    struct leaves l;
    TRY(begin(&l, in, 1, false, st));
    int64_t k = lapack_matrix_diagonal(l.rows, l.columns);
    int mode = lapack_call_option(in->in, "mode", 'A');
    const struct shape *s = claimed(in);
    if (k == 0 || (mode != 'A' && mode != 'S' && mode != 'N'))
        return FAIL(st, UNSUPPORTED,
                    "CustomCall: %s of %s in the mode %d; expected elements, "
                    "and the letter A, S or N",
                    l.target, shape_text(in->arena, l.a), mode);
    bool thin = mode == 'S';
    if (mode == 'N' && s->kind == SHAPE_TUPLE && s->rank == 5
        && s->elements[2]->kind == SHAPE_ARRAY
        && s->elements[3]->kind == SHAPE_ARRAY
        && s->elements[2]->rank == l.a->rank
        && s->elements[3]->rank == l.a->rank)
        thin = s->elements[2]->dims[l.a->rank - 1] != l.rows
               || s->elements[3]->dims[l.a->rank - 2] != l.columns;
    TRY(add(&l, l.a->dtype, 2, l.rows, l.columns, st));
    TRY(add(&l, dtype_unit(l.a->dtype), 1, k, 0, st));
    TRY(add(&l, l.a->dtype, 2, l.rows, thin ? k : l.rows, st));
    TRY(add(&l, l.a->dtype, 2, thin ? k : l.columns, l.columns, st));
    TRY(add(&l, DT_s32, 0, 0, 0, st));
    return end(&l, st);
}
