/* pjrt.h - the PJRT adapter's own structures.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every argument struct is followed by zeroed bytes and claims them in
 * struct_size: a plugin that is newer than the header reads zeros there
 * (nothing asked for), an older one does not look.
 */
#ifndef PJRT_PJRT_H
#define PJRT_PJRT_H

#include <assay/backend.h>
#include <assay/ext/stablehlo_text.h>
#include <pjrt_c_api.h>

enum {
    PJRT_FUTURE_BYTES = 256,
    PJRT_OPTIONS_MAX = 64,
    PJRT_PROPERTIES_MAX = 64,
    PJRT_RANK_MAX = 64
};

/* Declare args, a zeroed TYPE with room for the future. */
#define PJRT_ARGS(TYPE, args) \
    union { \
        TYPE a; \
        char future[sizeof(TYPE) + PJRT_FUTURE_BYTES]; \
    } args = {.future = {0}}; \
    args.a.struct_size = sizeof args

struct pjrt_pair {
    char *key, *value;
};

struct pjrt {
    assay_backend backend;
    const assay_host *host;
    const assay_stablehlo_text *text;
    void *library;
    const PJRT_Api *api;
    PJRT_Client *client;
    PJRT_Device *const *devices;
    size_t device_count;
    int option_count; /* as given: plugin=..., client.NAME=..., xla_...=... */
    struct pjrt_pair options[PJRT_OPTIONS_MAX];
    int property_count;
    struct pjrt_pair properties[PJRT_PROPERTIES_MAX];
    char version[64], replicas[16], dtypes[512];
};

/* error.c: write a line for *error; returns its code as the suite has it.
 * Frees e.  compiling: an invalid argument is a rejected program. */
assay_code pjrt_error(struct pjrt *p, PJRT_Error *e, int compiling,
                      const char *what, assay_error *error);
assay_code pjrt_say(assay_error *error, assay_code code, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
/* Is that function of the API there? */
#define PJRT_HAS(p, function) \
    ((p)->api->struct_size \
         >= offsetof(PJRT_Api, function) + sizeof((p)->api->function) \
     && (p)->api->function != NULL)
/* Wait for an event, and free it; NULL is not an event. */
assay_code pjrt_wait(struct pjrt *p, PJRT_Event *event, const char *what,
                     assay_error *error);

/* open.c */
void pjrt_property(struct pjrt *p, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *pjrt_option(const struct pjrt *p, const char *key);

/* types.c: PJRT's number of an element type by its name; -1: unknown. */
int pjrt_type(const char *dtype);
const char *pjrt_type_name(int type);
int64_t pjrt_type_bytes(const char *dtype);

/* options.c: a serialized CompileOptionsProto; free() it. */
char *pjrt_compile_options(const struct pjrt *p, int replicas, int partitions,
                           size_t *size);

/* compile.c, execute.c: the backend's functions. */
struct assay_executable {
    PJRT_LoadedExecutable *loaded;
    size_t replicas, inputs, outputs;  /* without tokens */
    int32_t input_count, output_count; /* with tokens */
    unsigned char *input_token, *output_token;
};
assay_code pjrt_compile(assay_backend *b, const assay_program *program,
                        assay_executable **executable, assay_error *error);
void pjrt_release(assay_backend *b, assay_executable *x);
assay_code pjrt_execute(assay_backend *b, assay_executable *x,
                        const assay_execution *execution, assay_error *error);

#endif
