/* example.c - a small but complete backend to copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It computes four element-wise operations of f32 on operands of one static
 * shape; everything else is unsupported.  assay/backend.h is the contract, and
 * spec/abi.md explains each call.
 *
 *     cc -std=c99 -shared -fPIC -I spec -o mine.so example.c -lm
 *     assay run --backend ./mine.so
 */
#include <assay/backend.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_executable {
    char op;          /* first letter of Sqrt, Add, Mul or Div */
    int64_t input[2]; /* parameter numbers of its operands */
};

/* Your library's calls go here. */
static float apply(char op, float a, float b)
{
    return op == 'A' ? a + b : op == 'M' ? a * b : op == 'D' ? a / b : sqrtf(a);
}

static assay_code fail(assay_error *error, assay_code code, const char *text)
{
    if (ASSAY_HAS(assay_error, error, text))
        snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

/* Cases beyond these limits are unsupported: counted, never wrong. */
static const char *capability(assay_backend *backend, const char *name)
{
    (void)backend;
    if (strcmp(name, "dtypes") == 0)
        return "f32";
    if (strcmp(name, "ops") == 0)
        return "Sqrt Add Mul Div Parameter";
    return strcmp(name, "rejects-without-class") == 0 ? "yes" : NULL;
}

/* The number of a Parameter instruction; -1 for any other. */
static int64_t parameter_number(const assay_instruction *node)
{
    for (int32_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i]->name, "parameter_number") == 0)
            return node->attributes[i]->ints[0];
    return -1;
}

/* Have both arrays the same static shape? */
static int is_same(const assay_shape *a, const assay_shape *b)
{
    return a->dynamic == NULL && b->dynamic == NULL && a->rank == b->rank
           && (a->rank == 0
               || memcmp(a->dims, b->dims, (size_t)a->rank * 8) == 0);
}

/* The program is valid only during this call: copy what execute needs. */
static assay_code compile(assay_backend *backend, const assay_program *program,
                          assay_executable **executable, assay_error *error)
{
    const assay_computation *c = program->computations[program->entry];
    const assay_instruction *root = c->instructions[c->root];
    assay_executable x = {root->op[0], {-1, -1}};
    (void)backend;
    if (root->shape == NULL) /* the host found the program to be invalid */
        return fail(error, ASSAY_REJECTED, "invalid program");
    for (int32_t i = 0; i < 2 && root->operand_count > 0; i++) {
        int32_t k = root->operands[i < root->operand_count ? i : 0];
        if (is_same(c->instructions[k]->shape, root->shape))
            x.input[i] = parameter_number(c->instructions[k]);
    }
    if (x.input[0] < 0 || x.input[1] < 0) /* longer programs; broadcasting */
        return fail(error, ASSAY_UNSUPPORTED,
                    "not one operation on parameters of one shape");
    *executable = malloc(sizeof x);
    if (*executable == NULL)
        return fail(error, ASSAY_FAILED, "out of memory");
    **executable = x;
    return ASSAY_OK;
}

static assay_code execute(assay_backend *backend, assay_executable *x,
                          const assay_execution *execution, assay_error *error)
{
    const assay_tensor *a = execution->inputs[x->input[0]];
    const assay_tensor *b = execution->inputs[x->input[1]];
    assay_output *out = execution->outputs[0];
    const float *left = a->data, *right = b->data;
    float *result = out->data;
    (void)backend, (void)error;
    memcpy(out->dtype, "f32", sizeof "f32");
    out->rank = a->shape->rank;
    for (int32_t i = 0; i < out->rank && i < out->rank_capacity; i++)
        out->dims[i] = out->sizes[i] = a->shape->dims[i];
    out->bytes = a->bytes;
    for (uint64_t i = 0; i < out->bytes / 4 && i < out->capacity / 4; i++)
        result[i] = apply(x->op, left[i], right[i]);
    return ASSAY_OK;
}

static void release(assay_backend *backend, assay_executable *executable)
{
    (void)backend;
    free(executable);
}

static assay_backend the_backend = {.size = sizeof the_backend,
                                    .name = "example",
                                    .version = "1",
                                    .capability = capability,
                                    .compile = compile,
                                    .execute = execute,
                                    .release = release};

assay_code assay_backend_open(const assay_host *host, const char *options,
                              assay_backend **backend, assay_error *error)
{
    if (host->abi_major != ASSAY_ABI_MAJOR)
        return fail(error, ASSAY_FAILED, "built for another ABI version");
    if (options != NULL && options[0] != '\0')
        return fail(error, ASSAY_FAILED, "this backend has no options");
    *backend = &the_backend;
    return ASSAY_OK;
}
