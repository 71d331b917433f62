/* example.c - a small but complete backend: copy it and make it yours.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It computes seven element-wise operations of f32 on operands of one static
 * shape, and declares everything else unsupported.  spec/abi.md explains each
 * call, and assay/backend.h is the contract.
 *
 *     cc -std=c99 -shared -fPIC -I spec -o mine.so example.c -lm
 *     assay run --backend ./mine.so
 */
#include <assay/backend.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float binary_function(float, float);

/* An unary function ignores its second argument. */
static float do_abs(float a, float b)
{
    return (void)b, fabsf(a);
}
static float do_neg(float a, float b)
{
    return (void)b, -a;
}
static float do_sqrt(float a, float b)
{
    return (void)b, sqrtf(a);
}
static float do_add(float a, float b)
{
    return a + b;
}
static float do_sub(float a, float b)
{
    return a - b;
}
static float do_mul(float a, float b)
{
    return a * b;
}
static float do_div(float a, float b)
{
    return a / b;
}

static const struct {
    const char *op; /* as spec/ops/ names it */
    binary_function *function;
} table[] = {
    {"Abs", do_abs}, {"Neg", do_neg}, {"Sqrt", do_sqrt}, {"Add", do_add},
    {"Sub", do_sub}, {"Mul", do_mul}, {"Div", do_div},
};

struct assay_executable {
    binary_function *function;
    int64_t input[2]; /* the numbers of its operands among the inputs */
    int32_t rank;
    int64_t dims[8], count;
};

static assay_code fail(assay_error *error, assay_code code, const char *text)
{
    if (ASSAY_HAS(assay_error, error, text))
        snprintf(error->text, sizeof error->text, "%s", text);
    return code;
}

/* A case beyond what is named here is unsupported: counted, never wrong. */
static const char *capability(assay_backend *backend, const char *name)
{
    (void)backend;
    if (strcmp(name, "dtypes") == 0)
        return "f32";
    if (strcmp(name, "ops") == 0)
        return "Abs Neg Sqrt Add Sub Mul Div Parameter";
    if (strcmp(name, "rejects-without-class") == 0)
        return "yes";
    return NULL;
}

static int same_shape(const assay_shape *a, const assay_shape *b)
{
    return a->kind == ASSAY_ARRAY && a->dynamic == NULL && a->rank == b->rank
           && (a->rank == 0
               || memcmp(a->dims, b->dims, (size_t)a->rank * 8) == 0);
}

/* Which argument of the entry computation is this instruction? -1: none. */
static int64_t parameter_number(const assay_instruction *node)
{
    int32_t i;
    for (i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i]->name, "parameter_number") == 0)
            return node->attributes[i]->ints[0];
    return -1;
}

static assay_code prepare(assay_executable *x, const assay_program *program)
{
    const assay_computation *c = program->computations[program->entry];
    const assay_instruction *root = c->instructions[c->root];
    size_t t;
    int32_t i;
    if (root->shape == NULL) /* the host found the program to be invalid */
        return ASSAY_REJECTED;
    if (root->shape->rank > 8 || program->replicas * program->partitions > 1)
        return ASSAY_UNSUPPORTED;
    for (t = 0; t < sizeof table / sizeof *table; t++)
        if (strcmp(root->op, table[t].op) == 0)
            x->function = table[t].function;
    if (x->function == NULL) /* such as a program of only a parameter */
        return ASSAY_UNSUPPORTED;
    x->rank = root->shape->rank;
    x->count = 1;
    for (i = 0; i < x->rank; i++)
        x->count *= x->dims[i] = root->shape->dims[i];
    for (i = 0; i < root->operand_count; i++) {
        const assay_instruction *operand = c->instructions[root->operands[i]];
        x->input[i] = parameter_number(operand);
        if (x->input[i] < 0 || !same_shape(operand->shape, root->shape))
            return ASSAY_UNSUPPORTED; /* several operations; broadcasting */
    }
    return ASSAY_OK;
}

static assay_code compile(assay_backend *backend, const assay_program *program,
                          assay_executable **executable, assay_error *error)
{
    assay_executable *x = calloc(1, sizeof *x);
    assay_code code;
    (void)backend;
    *executable = NULL;
    if (x == NULL)
        return fail(error, ASSAY_FAILED, "out of memory");
    code = prepare(x, program);
    if (code != ASSAY_OK) {
        free(x);
        return fail(error, code,
                    code == ASSAY_REJECTED ? "invalid program"
                                           : "not one operation of one shape");
    }
    *executable = x;
    return ASSAY_OK;
}

static assay_code execute(assay_backend *backend, assay_executable *x,
                          const assay_execution *execution, assay_error *error)
{
    const float *a = execution->inputs[x->input[0]]->data;
    const float *b = execution->inputs[x->input[1]]->data;
    assay_output *out = execution->outputs[0];
    float *result = out->data;
    int64_t i;
    (void)backend;
    (void)error;
    memcpy(out->dtype, "f32", sizeof "f32");
    out->rank = x->rank;
    for (i = 0; i < x->rank && i < out->rank_capacity; i++)
        out->dims[i] = out->sizes[i] = x->dims[i];
    out->bytes = (uint64_t)x->count * sizeof *result;
    for (i = 0; i < x->count && (uint64_t)i < out->capacity / 4; i++)
        result[i] = x->function(a[i], b[i]);
    return ASSAY_OK;
}

static void release(assay_backend *backend, assay_executable *executable)
{
    (void)backend;
    free(executable);
}

static void close_backend(assay_backend *backend)
{
    free(backend);
}

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    assay_backend *b;
    if (host->abi_major != ASSAY_ABI_MAJOR)
        return fail(error, ASSAY_FAILED, "built for another ABI version");
    if (options != NULL && options[0] != '\0')
        return fail(error, ASSAY_FAILED, "this backend has no options");
    b = calloc(1, sizeof *b);
    if (b == NULL)
        return fail(error, ASSAY_FAILED, "out of memory");
    b->size = sizeof *b;
    b->name = "example";
    b->version = "1";
    b->capability = capability;
    b->compile = compile;
    b->execute = execute;
    b->release = release;
    b->close = close_backend;
    *backend = b;
    return ASSAY_OK;
}
