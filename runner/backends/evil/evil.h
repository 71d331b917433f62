/* evil.h - a backend that is right, for one that is wrong in one way.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each plugin of this folder wraps the native one, which is beside it, and does
 * one thing wrong.  Most of them are the body of one function, after
 * EVIL_EXECUTE, EVIL_COMPILE, EVIL_AFTER, EVIL_OUTPUT or EVIL_CHANGE, which
 * stand at the end of this file.  The others replace functions after EVIL_MAKE;
 * what they leave alone passes everything on.  The first argument of all of
 * these is the name of the plugin.  A file that holds several is compiled once
 * for each, with EVIL defined as evil_NAME.  runner/test/evil.t knows the
 * verdict that each deserves.
 */
#ifndef EVIL_H
#define EVIL_H

#include <assay/backend.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef assay_code evil_compile_fn(assay_backend *backend,
                                   const assay_program *program,
                                   assay_executable **executable,
                                   assay_error *error);
typedef assay_code evil_execute_fn(assay_backend *backend,
                                   assay_executable *executable,
                                   const assay_execution *execution,
                                   assay_error *error);

struct evil {
    assay_backend backend; /* ours */
    assay_backend *inner;  /* native */
    const assay_host *host;
    evil_compile_fn *compile;
    evil_execute_fn *execute;
    void (*release)(assay_backend *backend, assay_executable *executable);
};

/* Makes it wrong.  EVIL_MAKE defines it. */
static void EVIL(struct evil *e);

static inline struct evil *evil_of(assay_backend *backend)
{
    return backend->self;
}

static inline int32_t evil_property(assay_backend *b, int32_t i,
                                    const char **key, const char **value)
{
    return evil_of(b)->inner->property(evil_of(b)->inner, i, key, value);
}

static inline const char *evil_capability(assay_backend *b, const char *name)
{
    return evil_of(b)->inner->capability(evil_of(b)->inner, name);
}

static inline assay_code evil_compile(assay_backend *b, const assay_program *p,
                                      assay_executable **x, assay_error *error)
{
    return evil_of(b)->inner->compile(evil_of(b)->inner, p, x, error);
}

static inline assay_code evil_execute(assay_backend *b, assay_executable *x,
                                      const assay_execution *e,
                                      assay_error *error)
{
    return evil_of(b)->inner->execute(evil_of(b)->inner, x, e, error);
}

static inline void evil_release(assay_backend *b, assay_executable *x)
{
    evil_of(b)->inner->release(evil_of(b)->inner, x);
}

static inline void evil_close(assay_backend *b)
{
    evil_of(b)->inner->close(evil_of(b)->inner);
    free(b->self);
}

/* ---- Outputs ------------------------------------------------------------- */

/* How many outputs and inputs the program has that is being executed, and how
 * often its executable was before. */
static int32_t evil_outputs, evil_inputs, evil_earlier;

/* execute is not told, so compile takes it down. */
static struct {
    const assay_executable *executable;
    int32_t outputs, inputs, executions;
} evil_notes[256];

/* The patterns of the first operand and the first result, and how many there
 * are: 0 unless the result is of f64 and the operand of the same size. */
static inline uint64_t evil_f64(const assay_execution *e, const uint64_t **in,
                                uint64_t **out)
{
    const assay_tensor *from = evil_inputs > 0 ? e->inputs[0] : NULL;
    const assay_output *o = e->outputs[0];
    if (!from || strcmp(o->dtype, "f64") != 0 || from->bytes != o->bytes)
        return 0;
    *in = from->data;
    *out = o->data;
    return o->bytes / sizeof **out;
}

static inline assay_code evil_note(assay_backend *b, const assay_program *p,
                                   assay_executable **x, assay_error *error)
{
    static unsigned next;
    int32_t replicas = p->replicas < 1 ? 1 : p->replicas;
    assay_code code = evil_of(b)->compile(b, p, x, error);
    if (code != ASSAY_OK)
        return code;
    evil_notes[next].executable = *x;
    evil_notes[next].outputs = p->output_count * replicas;
    evil_notes[next].inputs = p->input_count * replicas;
    evil_notes[next].executions = 0;
    next = (next + 1) % (sizeof evil_notes / sizeof *evil_notes);
    return code;
}

static inline assay_code evil_enter(assay_backend *b, assay_executable *x,
                                    const assay_execution *e,
                                    assay_error *error)
{
    for (size_t i = 0; i < sizeof evil_notes / sizeof *evil_notes; i++)
        if (evil_notes[i].executable == x) {
            evil_outputs = evil_notes[i].outputs;
            evil_inputs = evil_notes[i].inputs;
            evil_earlier = evil_notes[i].executions++;
        }
    return evil_of(b)->execute(b, x, e, error);
}

static inline void evil_forget(assay_backend *b, assay_executable *x)
{
    for (size_t i = 0; i < sizeof evil_notes / sizeof *evil_notes; i++)
        if (evil_notes[i].executable == x)
            evil_notes[i].executable = NULL;
    evil_of(b)->release(b, x);
}

/* Bytes of one number of an output (a part, of a complex one), and its
 * fraction bits; 0 if it is not a float. */
static inline int evil_bytes(const assay_output *o, int *fraction)
{
    static const struct {
        const char *name;
        int bytes, fraction;
    } types[] = {{"f16", 2, 10}, {"bf16", 2, 7}, {"f32", 4, 23},
                 {"f64", 8, 52}, {"c64", 4, 23}, {"c128", 8, 52}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(o->dtype, types[i].name) == 0) {
            *fraction = types[i].fraction;
            return types[i].bytes;
        }
    *fraction = 0;
    return 0;
}

static inline uint64_t evil_get(const assay_output *o, uint64_t i, int bytes)
{
    uint64_t x = 0;
    memcpy(&x, (char *)o->data + i * (uint64_t)bytes, (size_t)bytes);
    return x;
}

static inline void evil_set(const assay_output *o, uint64_t i, int bytes,
                            uint64_t x)
{
    memcpy((char *)o->data + i * (uint64_t)bytes, &x, (size_t)bytes);
}

/* Execute, but write only the first of so many parts of each output. */
static inline assay_code evil_write_part(assay_backend *b, assay_executable *x,
                                         const assay_execution *e,
                                         assay_error *error, uint64_t parts)
{
    unsigned char *kept[64] = {NULL};
    int32_t n = evil_outputs < 64 ? evil_outputs : 64;
    for (int32_t k = 0; k < n; k++) {
        kept[k] = malloc((size_t)e->outputs[k]->capacity + 1);
        if (kept[k] != NULL)
            memcpy(kept[k], e->outputs[k]->data,
                   (size_t)e->outputs[k]->capacity);
    }
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < n; k++) {
        assay_output *o = e->outputs[k];
        uint64_t from = o->bytes / parts;
        if (kept[k] != NULL && code == ASSAY_OK && from < o->capacity)
            memcpy((char *)o->data + from, kept[k] + from,
                   (size_t)(o->capacity - from));
        free(kept[k]);
    }
    return code;
}

/* Changes one float: given its bits, the fraction's width, all ones in the
 * exponent and the sign, it returns other bits. */
typedef uint64_t evil_change(uint64_t x, int fraction, uint64_t exponent,
                             uint64_t sign);

/* Execute, then change every float of every output. */
static inline assay_code evil_floats(assay_backend *b, assay_executable *x,
                                     const assay_execution *e,
                                     assay_error *error, evil_change *change)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++) {
        assay_output *o = e->outputs[k];
        int fraction, bytes = evil_bytes(o, &fraction);
        uint64_t n = bytes ? o->bytes / (uint64_t)bytes : 0;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
            uint64_t exponent = (sign - 1) >> fraction << fraction;
            evil_set(o, i, bytes,
                     change(evil_get(o, i, bytes), fraction, exponent, sign));
        }
    }
    return code;
}

/* True the first time only.  Counts in a file in the run's scratch directory,
 * which outlives a worker.  A run that goes on with another one has a directory
 * of its own: there the file that ASSAY_EVIL_STATE names, if it is there, says
 * that the first time is over. */
static inline int evil_first_time(void)
{
    static int count;
    const char *folder = getenv("TMPDIR"), *over = getenv("ASSAY_EVIL_STATE");
    char path[1024];
    FILE *f = over ? fopen(over, "r") : NULL;
    if (f != NULL) {
        fclose(f);
        return 0;
    }
    snprintf(path, sizeof path, "%s/evil-state", folder ? folder : ".");
    f = folder ? fopen(path, "a+") : NULL;
    count++;
    if (f == NULL)
        return count == 1;
    fputc('x', f);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    fclose(f);
    return n == 1;
}

/* ---- Opening ------------------------------------------------------------- */

static inline assay_backend_open_fn *evil_native(void)
{
    static const char sibling[] = "../native.so";
    Dl_info info;
    char path[4096];
    assay_backend_open_fn *open = NULL;
    if (!dladdr((void *)(uintptr_t)&evil_outputs, &info))
        return NULL;
    const char *slash = strrchr(info.dli_fname, '/');
    int length = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s", length, info.dli_fname, sibling);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "assay_backend_open") : NULL;
    memcpy(&open, &symbol, sizeof open);
    return open;
}

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    assay_backend_open_fn *open = evil_native();
    struct evil *e = calloc(1, sizeof *e);
    if (open == NULL || e == NULL) {
        free(e);
        snprintf(error->text, sizeof error->text, "no native backend");
        return ASSAY_FAILED;
    }
    assay_code code = open(host, options, &e->inner, error);
    if (code != ASSAY_OK) {
        free(e);
        return code;
    }
    e->host = host;
    e->backend.size = sizeof e->backend;
    e->backend.name = "evil";
    e->backend.version = "1";
    e->backend.self = e;
    e->backend.property = evil_property;
    e->backend.capability = evil_capability;
    e->backend.compile = evil_note;
    e->backend.execute = evil_enter;
    e->backend.release = evil_forget;
    e->backend.close = evil_close;
    e->compile = evil_compile;
    e->execute = evil_execute;
    e->release = evil_release;
    EVIL(e);
    *backend = &e->backend;
    return ASSAY_OK;
}

/* ---- One function replaced ----------------------------------------------- */

#define EVIL_MAKE(plugin, e) \
    __attribute__((unused)) static void evil_##plugin(struct evil *e)

#define EVIL_REPLACE(plugin, name) \
    static evil_##name##_fn plugin##_##name; \
    EVIL_MAKE(plugin, evil) \
    { \
        evil->name = plugin##_##name; \
    }

#define EVIL_EXECUTE(plugin, b, x, e, error) \
    EVIL_REPLACE(plugin, execute) \
    static assay_code plugin##_execute(assay_backend *b, assay_executable *x, \
                                       const assay_execution *e, \
                                       assay_error *error)

#define EVIL_COMPILE(plugin, b, p, x, error) \
    EVIL_REPLACE(plugin, compile) \
    static assay_code plugin##_compile( \
        assay_backend *b, const assay_program *p, assay_executable **x, \
        assay_error *error)

/* Defines what is done after an execution that went well. */
#define EVIL_AFTER(plugin, b, e, error) \
    static void plugin##_after(assay_backend *b, const assay_execution *e, \
                               assay_error *error); \
    EVIL_EXECUTE(plugin, b, x, e, error) \
    { \
        assay_code code = evil_execute(b, x, e, error); \
        if (code == ASSAY_OK) \
            plugin##_after(b, e, error); \
        return code; \
    } \
    static void plugin##_after(assay_backend *b, const assay_execution *e, \
                               assay_error *error)

/* Defines a change of each output. */
#define EVIL_OUTPUT(plugin, o) \
    static void plugin##_change(assay_output *o); \
    EVIL_AFTER(plugin, b, e, error) \
    { \
        for (int32_t k = 0; k < evil_outputs; k++) \
            plugin##_change(e->outputs[k]); \
    } \
    static void plugin##_change(assay_output *o)

/* An evil_change, of every float that is returned. */
#define EVIL_CHANGE(plugin, x, fraction, exponent, sign) \
    static evil_change plugin##_change; \
    EVIL_EXECUTE(plugin, b, executable, e, error) \
    { \
        return evil_floats(b, executable, e, error, plugin##_change); \
    } \
    static uint64_t plugin##_change(uint64_t x, int fraction, \
                                    uint64_t exponent, uint64_t sign)

#endif
