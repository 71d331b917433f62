/* product.c - sums of products, for contractions and convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

void product_add(struct product *sum, const struct type *result,
                 const struct value *x, int64_t i, const struct value *y,
                 int64_t j)
{
    const struct type *t = x->shape->type;
    if (t->class == COMPLEX) {
        sum->z += type_number(t, x->data, i) * type_number(t, y->data, j);
    } else if (t->class != FLOAT) {
        uint64_t p = type_int(t, x->data, i) * type_int(t, y->data, j);
        sum->integer =
            result->class == PRED ? sum->integer | p : sum->integer + p;
    } else if (t->bits == 64 || result->bits == 64) {
        sum->f64 += type_double(t, x->data, i) * type_double(t, y->data, j);
    } else {
        sum->f32 += (float)type_double(t, x->data, i)
                    * (float)type_double(t, y->data, j);
    }
}

void product_store(const struct product *sum, const struct type *from,
                   struct value *out, int64_t i)
{
    const struct type *t = out->shape->type;
    if (t->class == COMPLEX)
        type_set_number(t, out->data, i, sum->z);
    else if (t->class != FLOAT)
        type_set_int(t, out->data, i, sum->integer);
    else if (t->bits == 64 || from->bits == 64)
        type_set_double(t, out->data, i, sum->f64);
    else
        type_set_double(t, out->data, i, (double)sum->f32);
}
