/* backend.c - the native backend: the host's C arithmetic and libm.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

struct native {
    assay_backend backend; /* what the host sees */
    const assay_host *host;
    volatile int cancelled;
};

struct assay_executable {
    struct memory memory;
    struct program *program;
};

static int32_t native_property(assay_backend *backend, int32_t i,
                               const char **key, const char **value)
{
    static const char *const properties[][2] = {
        {"arithmetic", "C float and double"},
#ifdef __VERSION__
        {"compiler", __VERSION__},
#endif
#ifdef __STDC_IEC_559__
        {"iec-559", "yes"},
#else
        {"iec-559", "no"},
#endif
    };
    (void)backend;
    if (i < 0 || (size_t)i >= sizeof properties / sizeof *properties)
        return 0;
    *key = properties[i][0];
    *value = properties[i][1];
    return 1;
}

static const char *native_capability(assay_backend *backend, const char *name)
{
    (void)backend;
    if (strcmp(name, "dtypes") == 0)
        return "pred s2 s4 s8 s16 s32 s64 u2 u4 u8 u16 u32 u64 f16 bf16 f32 "
               "f64 c64 c128";
    if (strcmp(name, "ops") == 0)
        return program_op_names();
    if (strcmp(name, "replicas") == 0)
        return "64";
    if (strcmp(name, "programs") == 0)
        return "yes";
    if (strcmp(name, "subnormal") == 0)
        return "preserve";
    if (strcmp(name, "accumulate") == 0)
        return "f32";
    return NULL;
}

static void native_release(assay_backend *backend, assay_executable *executable)
{
    (void)backend;
    if (executable == NULL)
        return;
    memory_free(&executable->memory);
    free(executable);
}

/* setjmp is in a function of its own, whose variables never change
 * afterwards: no variable needs to be volatile. */
static assay_code compile_in(assay_executable *x, const assay_program *program,
                             assay_error *error)
{
    jmp_buf out;
    x->memory.out = &out;
    if (setjmp(out) != 0)
        return memory_fail(error, ASSAY_FAILED, "out of memory");
    if (program->replicas > PROCESSES_MAX
        || program->partitions > PROCESSES_MAX / program->replicas)
        return memory_fail(error, ASSAY_UNSUPPORTED, "%d replicas",
                           (int)program->replicas);
    return program_read(&x->memory, program, &x->program, error);
}

static assay_code native_compile(assay_backend *backend,
                                 const assay_program *program,
                                 assay_executable **executable,
                                 assay_error *error)
{
    assay_executable *x = calloc(1, sizeof *x);
    if (x == NULL)
        return memory_fail(error, ASSAY_FAILED, "out of memory");
    assay_code code = compile_in(x, program, error);
    if (code != ASSAY_OK) {
        native_release(backend, x);
        x = NULL;
    }
    *executable = x;
    return code;
}

/* Replica r's arguments are the host's own data, which nothing here writes. */
static assay_code read_inputs(struct memory *m, const struct computation *entry,
                              int replica, const assay_execution *e,
                              struct value **arguments, assay_error *error)
{
    int count = 0, next = 0;
    for (int i = 0; i < entry->parameter_count; i++)
        count += shape_leaves(entry->parameters[i]);
    struct value **leaves = memory_new(m, (size_t)count + 1, sizeof *leaves);
    for (int i = 0; i < count; i++) {
        const assay_tensor *t = e->inputs[replica * count + i];
        const struct shape *shape;
        TRY(shape_read(m, t->shape, &shape, error));
        if (shape->kind == ASSAY_ARRAY
            && t->bytes != (uint64_t)(shape_count(shape) * shape->type->bytes))
            return memory_fail(error, ASSAY_FAILED, "input %d has %llu bytes",
                               i, (unsigned long long)t->bytes);
        leaves[i] = memory_new(m, 1, sizeof *leaves[i]);
        leaves[i]->shape = shape;
        leaves[i]->data = (unsigned char *)t->data;
        if (shape->dynamic != NULL)
            leaves[i]->sizes = memory_ints(
                m, t->sizes != NULL ? t->sizes : shape->dims, shape->rank);
    }
    for (int i = 0; i < entry->parameter_count; i++)
        arguments[i] = value_of(m, entry->parameters[i], leaves, &next);
    return ASSAY_OK;
}

static void write_output(const struct value *v, assay_output *out)
{
    const struct shape *s = v->shape;
    out->rank = s->rank;
    if (s->kind != ASSAY_ARRAY) {
        memcpy(out->dtype, "token", sizeof "token");
        out->bytes = 0;
        return;
    }
    for (int i = 0; i < s->rank && i < out->rank_capacity; i++) {
        out->dims[i] = s->dims[i];
        out->sizes[i] = value_size(v, i);
    }
    strncpy(out->dtype, s->type->name, sizeof out->dtype - 1);
    out->dtype[sizeof out->dtype - 1] = '\0';
    out->bytes = (uint64_t)(shape_count(s) * s->type->bytes);
    uint64_t fits = out->bytes < out->capacity ? out->bytes : out->capacity;
    if (fits > 0)
        memcpy(out->data, v->data, (size_t)fits);
}

static assay_code execute_program(struct machine *machine)
{
    struct memory *m = machine->memory;
    const struct program *p = machine->program;
    const assay_execution *e = machine->execution;
    const struct computation *entry = &p->computations[p->entry];
    int n = p->replicas * p->partitions,
        leaves = shape_leaves(entry->nodes[entry->root].shape);
    struct value **results = memory_new(m, (size_t)n, sizeof *results);
    struct value ***arguments = memory_new(m, (size_t)n, sizeof *arguments);
    struct value **list = memory_new(m, (size_t)leaves + 1, sizeof *list);
    assay_code code = ASSAY_OK;
    for (int r = 0; code == ASSAY_OK && r < n; r++) {
        arguments[r] = memory_new(m, (size_t)entry->parameter_count + 1,
                                  sizeof **arguments);
        code = read_inputs(m, entry, r, e, arguments[r], machine->error);
    }
    if (code == ASSAY_OK)
        code = machine_run(machine, arguments, results);
    for (int r = 0; code == ASSAY_OK && r < n; r++) {
        int count = 0;
        value_leaves(results[r], list, &count);
        for (int i = 0; i < count; i++)
            write_output(list[i], e->outputs[r * count + i]);
    }
    return code;
}

static assay_code execute_in(struct machine *machine)
{
    jmp_buf out;
    machine->memory->out = &out;
    if (setjmp(out) != 0)
        return memory_fail(machine->error, ASSAY_FAILED, "out of memory");
    return execute_program(machine);
}

static assay_code native_execute(assay_backend *backend, assay_executable *x,
                                 const assay_execution *execution,
                                 assay_error *error)
{
    struct native *native = backend->self;
    struct memory memory = {NULL, NULL, NULL, NULL, NULL};
    struct machine machine = {.program = x->program,
                              .error = error,
                              .cancelled = &native->cancelled,
                              .memory = &memory,
                              .host = native->host,
                              .execution = execution};
    native->cancelled = 0;
    assay_code code = execute_in(&machine);
    memory_free(&memory);
    return code;
}

static void native_cancel(assay_backend *backend)
{
    struct native *native = backend->self;
    native->cancelled = 1;
}

static void native_close(assay_backend *backend)
{
    free(backend->self);
}

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    if (host->abi_major != ASSAY_ABI_MAJOR)
        return memory_fail(error, ASSAY_FAILED,
                           "the host speaks version %u of the ABI, not %d",
                           (unsigned)host->abi_major, ASSAY_ABI_MAJOR);
    if (options != NULL && options[0] != '\0')
        return memory_fail(error, ASSAY_FAILED, "unknown options '%s'",
                           options);
    struct native *native = calloc(1, sizeof *native);
    if (native == NULL)
        return memory_fail(error, ASSAY_FAILED, "out of memory");
    native->host = host;
    native->backend.size = sizeof native->backend;
    native->backend.name = "native";
    native->backend.version = "1";
    native->backend.self = native;
    native->backend.property = native_property;
    native->backend.capability = native_capability;
    native->backend.compile = native_compile;
    native->backend.execute = native_execute;
    native->backend.release = native_release;
    native->backend.cancel = native_cancel;
    native->backend.close = native_close;
    *backend = &native->backend;
    return ASSAY_OK;
}
