/* test_backends.c - the built-in backends, called as a host calls them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every program is given to native and to reference.  What is expected was
 * worked out by hand.
 */
#include <assay/backend.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"

enum {
    ROOM = 64
};

/* A program under construction, and one that has all the storage it needs. */
struct build {
    assay_shape shapes[ROOM];
    assay_attribute attributes[ROOM];
    const assay_attribute *lists[ROOM][8];
    assay_instruction nodes[ROOM];
    const assay_instruction *order[4][ROOM];
    assay_computation computations[4];
    const assay_computation *all[4];
    const assay_shape *inputs[ROOM];
    assay_program program;
    int shape_count, attribute_count, node_count;
    char names[ROOM][8];
};

static struct build the;
static assay_backend *backend;
static const char *backend_name;
static assay_error error;

static const assay_shape *array(const char *type, int rank, const int64_t *dims)
{
    assay_shape *s = &the.shapes[the.shape_count++];
    *s = (assay_shape){.size = sizeof *s,
                       .kind = ASSAY_ARRAY,
                       .rank = rank,
                       .dtype = type,
                       .dims = dims};
    return s;
}

static void begin(void)
{
    memset(&the, 0, sizeof the);
    the.program = (assay_program){.size = sizeof the.program,
                                  .name = "test",
                                  .computations = the.all,
                                  .replicas = 1,
                                  .partitions = 1,
                                  .inputs = the.inputs};
    for (int i = 0; i < 4; i++) {
        the.all[i] = &the.computations[i];
        the.computations[i] =
            (assay_computation){.size = sizeof the.computations[i],
                                .name = "c",
                                .instructions = the.order[i]};
    }
}

static assay_attribute *attribute(const char *name, int32_t kind)
{
    assay_attribute *a = &the.attributes[the.attribute_count++];
    assay_instruction *in = &the.nodes[the.node_count - 1];
    *a = (assay_attribute){.size = sizeof *a, .name = name, .kind = kind};
    the.lists[the.node_count - 1][in->attribute_count++] = a;
    return a;
}

static void ints(const char *name, int32_t kind, int count,
                 const int64_t *values)
{
    assay_attribute *a = attribute(name, kind);
    a->count = count;
    a->ints = values;
}

/* Append an instruction to computation c; the last one is its root. */
static int add(int c, const char *op, int count, const int32_t *operands)
{
    assay_computation *to = &the.computations[c];
    int n = the.node_count++, number = to->instruction_count++;
    snprintf(the.names[n], sizeof the.names[n], "i%d", n);
    the.nodes[n] = (assay_instruction){.size = sizeof the.nodes[n],
                                       .name = the.names[n],
                                       .op = op,
                                       .operand_count = count,
                                       .operands = operands,
                                       .attributes = the.lists[n]};
    the.order[c][number] = &the.nodes[n];
    to->root = number;
    if (c >= the.program.computation_count)
        the.program.computation_count = c + 1;
    return number;
}

static void parameter(int c, const assay_shape *shape)
{
    static const int64_t numbers[] = {0, 1, 2, 3};
    int n = the.computations[c].parameter_count++;
    add(c, "Parameter", 0, NULL);
    ints("parameter_number", ASSAY_INTS, 1, &numbers[n]);
    attribute("shape", ASSAY_SHAPE_VALUE)->shape = shape;
    if (c == 0)
        the.inputs[the.program.input_count++] = shape;
}

static uint64_t bytes_of(const assay_shape *s, int element)
{
    uint64_t n = (uint64_t)element;
    for (int i = 0; i < s->rank; i++)
        n *= (uint64_t)s->dims[i];
    return n;
}

/* Compile, execute with one output a replica, compare its bytes with want. */
static void expect(const char *what, const void *const *inputs,
                   const int *element, const char *type, uint64_t want_bytes,
                   const void *want)
{
    assay_executable *x = NULL;
    assay_tensor tensors[8];
    const assay_tensor *in[8];
    assay_output outputs[2];
    assay_output *out[2] = {&outputs[0], &outputs[1]};
    unsigned char data[2][256];
    int64_t dims[2][8], sizes[2][8];
    int r = the.program.replicas, n = the.program.input_count;
    assay_code code = backend->compile(backend, &the.program, &x, &error);
    EQ_INT(code, ASSAY_OK, "%s: %s compiles: %s", backend_name, what,
           code ? error.text : "");
    if (code != ASSAY_OK)
        return;
    for (int i = 0; i < r * n; i++) {
        tensors[i] = (assay_tensor){.size = sizeof tensors[i],
                                    .shape = the.inputs[i % n],
                                    .data = inputs[i]};
        tensors[i].bytes = bytes_of(the.inputs[i % n], element[i % n]);
        in[i] = &tensors[i];
    }
    for (int i = 0; i < r; i++) {
        memset(data[i], 0xa5, sizeof data[i]);
        outputs[i] = (assay_output){.size = sizeof outputs[i],
                                    .data = data[i],
                                    .capacity = sizeof data[i],
                                    .dims = dims[i],
                                    .sizes = sizes[i],
                                    .rank_capacity = 8};
    }
    assay_execution e = {.size = sizeof e, .inputs = in, .outputs = out};
    code = backend->execute(backend, x, &e, &error);
    EQ_INT(code, ASSAY_OK, "%s: %s executes: %s", backend_name, what,
           code ? error.text : "");
    for (int i = 0; code == ASSAY_OK && i < r; i++) {
        EQ_STR(outputs[i].dtype, type, "%s: %s: type", backend_name, what);
        EQ_INT(outputs[i].bytes, want_bytes, "%s: %s: bytes", backend_name,
               what);
        OK(memcmp(data[i], want, want_bytes) == 0, "%s: %s: data", backend_name,
           what);
        EQ_INT(data[i][want_bytes], 0xa5, "%s: %s: nothing after", backend_name,
               what);
    }
    backend->release(backend, x);
}

static void expect_class(const char *what, assay_code want)
{
    assay_executable *x = NULL;
    error.text[0] = '\0';
    EQ_INT(backend->compile(backend, &the.program, &x, &error), want,
           "%s: %s is refused", backend_name, what);
    OK(error.text[0] != '\0', "%s: %s: says why", backend_name, what);
    OK(x == NULL, "%s: %s: no executable", backend_name, what);
}

static const int32_t zero_one[] = {0, 1};
static const int64_t d2[] = {2}, d3[] = {3}, d23[] = {2, 3}, one[] = {1};

static void test_add(void)
{
    static const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {10, 20, 30};
    static const float want[] = {11, 22, 33, 14, 25, 36};
    const void *in[] = {x, y};
    begin();
    parameter(0, array("f32", 2, d23));
    parameter(0, array("f32", 1, d3));
    add(0, "Add", 2, zero_one);
    ints("broadcast_dimensions", ASSAY_INTS, 1, one);
    expect("a row added to each row", in, (int[]){4, 4}, "f32", sizeof want,
           want);
    begin();
    parameter(0, array("f32", 2, d23));
    parameter(0, array("f32", 1, d3));
    add(0, "Add", 2, zero_one);
    expect_class("Add of other rank", ASSAY_SHAPE);
    begin();
    parameter(0, array("f32", 1, d2));
    parameter(0, array("s32", 1, d2));
    add(0, "Add", 2, zero_one);
    expect_class("Add of other type", ASSAY_TYPE);
}

/* 2^-1 + 2^-12 + 2^-40 lies above the middle between two neighbours of f16;
 * cut to 24 bits first it is the middle itself, and goes down to even. */
static void test_convert(void)
{
    static const double x[] = {0x1.0020000001p-1, 65519.99};
    static const uint16_t want[] = {0x3801, 0x7bff};
    const void *in[] = {x};
    begin();
    parameter(0, array("f64", 1, d2));
    add(0, "ConvertElementType", 1, zero_one);
    attribute("new_element_type", ASSAY_STRING)->string = "f16";
    expect("f64 to f16 rounds once", in, (int[]){8}, "f16", 4, want);
}

static void test_reduce(void)
{
    static const int32_t x[] = {1, 2, 3, 4, 5, 6}, init[] = {100};
    static const int32_t want[] = {106, 115};
    const void *in[] = {x, init};
    begin();
    parameter(0, array("s32", 2, d23));
    parameter(0, array("s32", 0, NULL));
    add(0, "Reduce", 2, zero_one);
    ints("dimensions_to_reduce", ASSAY_INTS, 1, one);
    ints("computation", ASSAY_COMPUTATIONS, 1, one);
    parameter(1, array("s32", 0, NULL));
    parameter(1, array("s32", 0, NULL));
    add(1, "Add", 2, zero_one);
    expect("Reduce along 1", in, (int[]){4, 4}, "s32", 8, want);
    the.nodes[5].op = "Lt";
    expect_class("Reduce by Lt", ASSAY_COMPUTATION);
}

/* while (x < 100) x = x + x, from 3: 192. */
static void test_while(void)
{
    static const int32_t start = 3, hundred = 100, want = 192;
    static const int32_t twice[] = {0, 0};
    static const int64_t two[] = {2};
    const void *in[] = {&start};
    begin();
    parameter(0, array("s32", 0, NULL));
    add(0, "While", 1, zero_one);
    ints("condition", ASSAY_COMPUTATIONS, 1, one);
    ints("body", ASSAY_COMPUTATIONS, 1, two);
    parameter(1, array("s32", 0, NULL));
    add(1, "Constant", 0, NULL);
    assay_tensor limit = {.size = sizeof limit,
                          .shape = array("s32", 0, NULL),
                          .data = &hundred,
                          .bytes = 4};
    const assay_tensor *limits[] = {&limit};
    assay_attribute *a = attribute("literal", ASSAY_LITERAL);
    a->literals = limits;
    a->count = 1;
    add(1, "Lt", 2, zero_one);
    parameter(2, array("s32", 0, NULL));
    add(2, "Add", 2, twice);
    expect("While doubles", in, (int[]){4}, "s32", 4, &want);
}

static void test_all_reduce(void)
{
    static const float x[] = {1, 2}, y[] = {10, 20}, want[] = {11, 22};
    const void *in[] = {x, y};
    begin();
    the.program.replicas = 2;
    parameter(0, array("f32", 1, d2));
    add(0, "AllReduce", 1, zero_one);
    ints("computation", ASSAY_COMPUTATIONS, 1, one);
    attribute("replica_groups", ASSAY_GROUPS);
    parameter(1, array("f32", 0, NULL));
    parameter(1, array("f32", 0, NULL));
    add(1, "Add", 2, zero_one);
    expect("AllReduce of two replicas", in, (int[]){4}, "f32", 8, want);
}

/* A stride that takes one row, and has no product with its length. */
static void test_slice(void)
{
    static const int32_t x[] = {1, 2, 3, 4, 5, 6};
    static const int64_t start[] = {0, 1}, strides[] = {INT64_C(1) << 62, 1};
    const void *in[] = {x};
    begin();
    parameter(0, array("s32", 2, d23));
    add(0, "Slice", 1, zero_one);
    ints("start_indices", ASSAY_INTS, 2, start);
    ints("limit_indices", ASSAY_INTS, 2, d23);
    ints("strides", ASSAY_INTS, 2, strides);
    expect("a slice of one row", in, (int[]){4}, "s32", 8, &x[1]);
}

static void test_refusals(void)
{
    begin();
    parameter(0, array("f32", 1, d2));
    add(0, "NoSuchOperation", 1, zero_one);
    expect_class("an unknown operation", ASSAY_UNSUPPORTED);
    begin();
    parameter(0, array("f32", 1, d2));
    add(0, "Transpose", 1, zero_one);
    ints("permutation", ASSAY_INTS, 1, one);
    expect_class("a permutation of 1 alone", ASSAY_ATTRIBUTE);
    begin();
    parameter(0, array("f32", 1, d2));
    add(0, "Add", 1, zero_one);
    expect_class("Add of one operand", ASSAY_STRUCTURE);
}

static void log_line(const assay_host *host, int32_t level, const char *line)
{
    (void)host, (void)level, (void)line;
}

static const void *no_extension(const assay_host *host, const char *id)
{
    (void)host, (void)id;
    return NULL;
}

static void test_backend(const char *name)
{
    static const assay_host host = {.size = sizeof host,
                                    .abi_major = ASSAY_ABI_MAJOR,
                                    .abi_minor = ASSAY_ABI_MINOR,
                                    .log = log_line,
                                    .extension = no_extension};
    const char *build = getenv("B");
    assay_backend_open_fn *open = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/backends/%s.so", build ? build : "build",
             name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "assay_backend_open") : NULL;
    OK(symbol != NULL, "%s is there: %s", path, library ? "" : dlerror());
    if (symbol == NULL)
        return;
    memcpy(&open, &symbol, sizeof open);
    backend_name = name;
    error = (assay_error){.size = sizeof error};
    EQ_INT(open(&host, "nonsense=1", &backend, &error), ASSAY_FAILED,
           "%s refuses an unknown option", name);
    EQ_INT(open(&host, "", &backend, &error), ASSAY_OK, "%s opens", name);
    EQ_STR(backend->name, name, "its name");
    test_add();
    test_convert();
    test_reduce();
    test_while();
    test_all_reduce();
    test_slice();
    test_refusals();
    backend->close(backend);
    dlclose(library);
}

int main(void)
{
    test_backend("native");
    test_backend("reference");
    return tap_done();
}
