/* embed.c - the exact reference in a program: what are the values of a case
 * file, and what else is accepted?  spec/embed.md explains it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     cc -o embed embed.c $(pkg-config --cflags --libs assay)
 *     ./embed case.json
 */
#include <assay/reference.h>
#include <inttypes.h>
#include <stdio.h>

/* The number of elements; a bounded dynamic dimension has room for its bound.
 */
static int64_t elements(const assay_shape *shape)
{
    int64_t n = shape->kind == ASSAY_ARRAY;
    for (int i = 0; shape->kind == ASSAY_ARRAY && i < shape->rank; i++)
        n *= shape->dims[i];
    return n;
}

static void print_output(assay_reference_result *result, int32_t replica,
                         int32_t number)
{
    const assay_tensor *t = assay_reference_output(result, replica, number);
    if (t->shape->kind == ASSAY_TOKEN) {
        printf("  output %d: token\n", number);
        return;
    }
    printf("  output %d: %s[", number, t->shape->dtype);
    for (int i = 0; i < t->shape->rank; i++)
        printf("%s%" PRId64, i ? "," : "", t->shape->dims[i]);
    printf("], %" PRIu64 " bytes\n", t->bytes);
    for (int64_t i = 0; i < elements(t->shape); i++)
        printf("    %s  accept %s\n",
               assay_reference_value(result, replica, number, i),
               assay_reference_accepts(result, replica, number, i));
}

/* Real outputs would come from your backend; here it is the exact value with
 * its first bit flipped. */
static int judge_first(assay_reference_result *result, assay_error *error)
{
    const assay_tensor *exact = assay_reference_output(result, 0, 0);
    unsigned char data[1024];
    if (!exact || exact->bytes == 0 || exact->bytes > sizeof data)
        return 0;
    for (uint64_t i = 0; i < exact->bytes; i++)
        data[i] = ((const unsigned char *)exact->data)[i];
    data[0] ^= 1;
    assay_tensor mine = *exact;
    mine.data = data;
    const assay_tensor *outputs[] = {&mine};
    int32_t right;
    if (assay_reference_judge(result, outputs, 1, &right, error))
        return 1;
    printf("  with its first bit flipped: %s\n", right ? "right" : error->text);
    return 0;
}

static int print_case(assay_reference *reference, int64_t number,
                      assay_error *error)
{
    assay_reference_result *result;
    const char *why;
    if (assay_reference_evaluate(reference, number, &result, error))
        return 1;
    printf("%s\n", assay_reference_name(reference, number));
    int failed = 0;
    if (assay_reference_verdict(result, &why))
        printf("  invalid: %s\n", why);
    for (int r = 0; r < assay_reference_replicas(result); r++)
        for (int i = 0; i < assay_reference_outputs(result); i++)
            print_output(result, r, i);
    if (assay_reference_replicas(result) == 1
        && assay_reference_outputs(result) == 1)
        failed = judge_first(result, error);
    if (assay_reference_differs(result))
        printf("  differs from the case's expect: %s\n",
               assay_reference_differs(result));
    assay_reference_release(result);
    return failed;
}

int main(int argc, char **argv)
{
    assay_error error = {.size = sizeof error};
    assay_reference *reference;
    if (argc != 2) {
        fprintf(stderr, "Usage: embed FILE\n");
        return 2;
    }
    if (assay_reference_open(argv[1], NULL, &reference, &error)) {
        fprintf(stderr, "embed: %s\n", error.text);
        return 2;
    }
    int failed = 0;
    for (int64_t i = 0; !failed && i < assay_reference_count(reference); i++)
        failed = print_case(reference, i, &error);
    if (failed)
        fprintf(stderr, "embed: %s\n", error.text);
    assay_reference_close(reference);
    return failed ? 3 : 0;
}
