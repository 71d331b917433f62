/* functions.c - the functions that these cases call.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * `make` builds build/custom-calls.so of it, and `make run` passes it on:
 * --custom-call myfunc=build/custom-calls.so, and likewise the others.  All
 * have the one signature that the documents give (004:591).
 */
#include <stdint.h>

void myfunc(void *out, void **in);
void no_operand(void *out, void **in);
void three_types(void *out, void **in);
void three_alike(void *out, void **in);
void tuples(void *out, void **in);

/* The documents' example (004:601-615).  It checks each element of x and y;
 * here they are returned for the case to check, in those parts of the result
 * that the example leaves open. */
void myfunc(void *out, void **in)
{
    const float *x = in[0];
    const float(*y)[3] = in[1];
    float(*z)[3] = out;
    z[0][0] = x[1] + y[1][0];
    z[0][1] = x[0];
    z[0][2] = x[1];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            z[1 + i][j] = y[i][j];
}

void no_operand(void *out, void **in)
{
    int32_t *z = out;
    (void)in;
    z[0] = 7;
    z[1] = -7;
}

/* s8[2], f64[], pred[3] -> f64[] */
void three_types(void *out, void **in)
{
    const int8_t *a = in[0];
    const double *b = in[1];
    const uint8_t *c = in[2];
    *(double *)out = a[0] * 100 + a[1] + *b + c[0] * 4 + c[1] * 2 + c[2];
}

/* s32[3], s32[3], s32[3] -> s32[3]: the order of operands shows. */
void three_alike(void *out, void **in)
{
    const int32_t *a = in[0], *b = in[1], *c = in[2];
    int32_t *z = out;
    for (int i = 0; i < 3; i++)
        z[i] = (a[i] - b[i]) * c[i];
}

/* (s32[], f32[2]) -> (f32[2], s32[]): a tuple is an array of pointers. */
void tuples(void *out, void **in)
{
    void **from = in[0], **to = out;
    const float *pair = from[1];
    float *swapped = to[0];
    swapped[0] = pair[1];
    swapped[1] = pair[0];
    *(int32_t *)to[1] = *(const int32_t *)from[0] + 1;
}
