/* assay/backend.h - what a backend plugin provides; ABI version 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend is a shared object that exports one symbol, assay_backend_open.
 * spec/abi.md explains the life of a backend; runner/backends/example is a
 * small one to copy.
 *
 * Rules of this ABI, for as long as ASSAY_ABI_MAJOR is 1:
 *   - Every struct begins with size, set by the side that fills it in to its
 *     own sizeof.  Members are only ever added, and only at the end.
 *   - A member that the other side may lack is read through ASSAY_HAS.  Arrays
 *     of structs are arrays of pointers, so that each may have its own size.
 *   - A struct has no padding (the tests compile this file with -Wpadded).
 *   - Enumerations are int32_t in structs and calls.  New values may appear:
 *     treat unknown values as unsupported.
 *   - Strings are UTF-8 and NUL-terminated, and belong to the side that created
 *     them.  Each pointer's comment says how long it stays valid.
 *   - A callee that fails returns a non-zero assay_code and fills in *error.
 *   - [any] may be called from any thread, [one] from one thread at a time.
 *     The host calls everything from one thread; only cancel may come from
 *     another thread.
 *   - The backend retains no pointer of the host's after a call returns,
 *     except the host struct itself, which stays valid until close().
 */
#ifndef ASSAY_BACKEND_H
#define ASSAY_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#define ASSAY_ABI_MAJOR 1
#define ASSAY_ABI_MINOR 0

/* Does *p, a type, reach as far as member?  p->size was set by the other side,
 * which may be older or newer than this header. */
#define ASSAY_HAS(type, p, member) \
    ((p)->size >= offsetof(type, member) + sizeof((p)->member))

#if defined(_WIN32)
#    define ASSAY_EXPORT __declspec(dllexport)
#else
#    define ASSAY_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended.  1 to 5 are verdicts on the program (the case format's
 * error classes).  A backend that gives ASSAY_UNSUPPORTED is never counted as
 * wrong.  ASSAY_REJECTED is an invalid program without a class (a backend with
 * the capability rejects-without-class).  ASSAY_FAILED is any other error. */
typedef int32_t assay_code;
enum {
    ASSAY_OK = 0,
    ASSAY_SHAPE = 1,
    ASSAY_TYPE = 2,
    ASSAY_ATTRIBUTE = 3,
    ASSAY_COMPUTATION = 4,
    ASSAY_STRUCTURE = 5,
    ASSAY_UNSUPPORTED = 6,
    ASSAY_FAILED = 7,
    ASSAY_REJECTED = 8
};

typedef struct assay_error {
    uint64_t size;
    char text[1016]; /* one line; truncated, always terminated */
} assay_error;

/* ---- Shapes and tensors ------------------------------------------------ */

enum {
    ASSAY_ARRAY = 0,
    ASSAY_TUPLE = 1,
    ASSAY_TOKEN = 2
};

/* A shape.  Valid as long as the program it belongs to. */
typedef struct assay_shape {
    uint64_t size;
    int32_t kind;
    int32_t rank;           /* array: dimensions; tuple: elements */
    const char *dtype;      /* array: "f32", "bf16", "s4", as XLA writes it */
    const int64_t *dims;    /* array: sizes, or upper bounds if dynamic */
    const uint8_t *dynamic; /* array: 1 where dims is a bound; or NULL */
    const struct assay_shape *const *elements; /* tuple */
} assay_shape;

/* Data of one array: row-major, little-endian.  An element takes 1, 2, 4, 8 or
 * 16 bytes; types narrower than a byte take one byte an element, zero
 * extended (padding bits of an output are ignored); pred is 0 or 1; complex is
 * real part, imaginary part.  A token has no data. */
typedef struct assay_tensor {
    uint64_t size;
    const assay_shape *shape;
    const void *data;
    uint64_t bytes;
    const int64_t *sizes; /* actual sizes if a dimension is dynamic, or NULL */
} assay_tensor;

/* An output.  The host sets data and capacity (bytes), and room for up to
 * rank_capacity entries of dims and sizes; the backend writes dtype, rank,
 * dims, sizes (the actual ones, if a dimension is dynamic: then dims are the
 * bounds; else equal), bytes, and then the data.  The host compares these with
 * what is expected before it reads data.  Never write more than capacity bytes:
 * if more is expected, write what fits and set bytes to what was expected. */
typedef struct assay_output {
    uint64_t size;
    void *data;
    uint64_t capacity;
    int64_t *dims;
    int64_t *sizes;
    int32_t rank_capacity;
    int32_t rank;
    uint64_t bytes;
    char dtype[24]; /* "token" for a token */
} assay_output;

/* ---- Programs ---------------------------------------------------------- */

/* The kind of value that an attribute holds. */
enum {
    ASSAY_INTS = 0,        /* ints (a bool is 0 or 1) */
    ASSAY_GROUPS = 1,      /* ints, cut into part_count parts of parts[i] */
    ASSAY_STRING = 2,      /* string: names, types, opaque data */
    ASSAY_SHAPE_VALUE = 3, /* shape */
    ASSAY_LITERAL = 4,     /* literals: leaves of one literal, depth first */
    ASSAY_COMPUTATIONS = 5 /* computations, as numbers in ints */
};

/* Names and forms are those of spec/ops/NAME.json.  Members of an object have
 * names with a dot: "dimension_numbers.offset_dims". */
typedef struct assay_attribute {
    uint64_t size;
    const char *name;
    int32_t kind;
    int32_t count; /* of ints, or of literals */
    const int64_t *ints;
    const int64_t *parts;
    int64_t part_count;
    const char *string;
    const assay_shape *shape;
    const assay_tensor *const *literals;
} assay_attribute;

typedef struct assay_instruction {
    uint64_t size;
    const char *name; /* unique in its computation */
    const char *op;   /* "Add", "DotGeneral": a file of spec/ops */
    int32_t operand_count;
    int32_t attribute_count;
    const int32_t *operands; /* numbers of earlier instructions */
    const assay_attribute *const *attributes;
    const assay_shape *shape; /* of the result; NULL if the program is invalid
                                 (a case that must be rejected) */
} assay_instruction;

typedef struct assay_computation {
    uint64_t size;
    const char *name; /* unique in the program */
    int32_t instruction_count;
    int32_t parameter_count;
    const assay_instruction *const *instructions; /* operands first */
    int32_t root;
    int32_t flags; /* 1: declared associative */
} assay_computation;

enum {
    ASSAY_FLAG_ASSOCIATIVE = 1
};

typedef struct assay_program {
    uint64_t size;
    const char *name; /* of the case, for messages */
    int32_t computation_count;
    int32_t entry;
    const assay_computation *const *computations;
    int32_t replicas;
    int32_t partitions;
    /* Arrays and tokens of the entry's parameters and result, depth first,
     * which are the inputs and outputs of execute.  Outputs are NULL (and the
     * count 0) if the program is invalid. */
    int32_t input_count;
    int32_t output_count;
    const assay_shape *const *inputs;
    const assay_shape *const *outputs;
    /* The entry of each row of inputs, where programs differ and communicate
     * through Send and Recv; NULL: all run entry.  All take and return values
     * of the same shapes.  Only backends with the capability "programs" get
     * such programs. */
    const int32_t *entries;
} assay_program;

/* One execution.  Row r of inputs is that of replica r / partitions, partition
 * r % partitions; its i-th input is inputs[r * input_count + i]. */
typedef struct assay_execution {
    uint64_t size;
    const assay_tensor *const *inputs;
    assay_output *const *outputs; /* likewise */
    /* The data that Infeed reads, in order; replica r's are
     * infeed[infeed_start[r]] up to, not including, infeed[infeed_start[r +
     * 1]].  NULL: nothing. */
    const assay_tensor *const *infeed;
    const int64_t *infeed_start;
    /* Called for each Outfeed, in order for each replica.  [one] */
    void (*outfeed)(void *context, int32_t replica, const assay_tensor *value);
    void *outfeed_context;
} assay_execution;

/* ---- The host ---------------------------------------------------------- */

typedef struct assay_host {
    uint64_t size;
    uint32_t abi_major, abi_minor;
    void *self;
    /* Write one line to the run's log; level 0 error, 1 warning, 2 info.
     * [any] */
    void (*log)(const struct assay_host *host, int32_t level, const char *line);
    /* An optional interface by name and revision, such as
     * "assay.stablehlo-text/1" (assay/ext/stablehlo_text.h), or NULL.  Valid
     * until close() returns.  [any] */
    const void *(*extension)(const struct assay_host *host, const char *id);
} assay_host;

/* ---- The backend ------------------------------------------------------- */

typedef struct assay_executable assay_executable; /* the backend's own */

typedef struct assay_backend {
    uint64_t size;
    const char *name;    /* "native"; valid until close() */
    const char *version; /* what the vendor calls it; valid until close() */
    void *self;

    /* The i-th fact about the backend for the record (flags, platform
     * version, device), as key and value, valid until close(); returns 0 when
     * there is no i-th.  May be NULL.  [one] */
    int32_t (*property)(struct assay_backend *backend, int32_t i,
                        const char **key, const char **value);

    /* Capabilities, by name; returns NULL for those that it does not declare.
     * May be NULL.  [one]
     *   - "dtypes": element types, space separated; NULL: all
     *   - "ops": operations, space separated, but for Parameter, which every
     *     program has; NULL: ask compile
     *   - "replicas": the largest number of replicas times partitions; NULL: 1
     *   - "programs": "yes": several programs may run at once
     *   - "subnormal": "preserve", "flush-results", "flush-operands", "flush"
     *   - "accumulate": e.g. "f32": the accumulator of narrower types
     *   - "compile": "slow": prefers many small programs compiled as one, and
     *     may take long for one; "long": only the latter
     *   - "rejects-without-class": "yes": rejects invalid programs with
     *     ASSAY_REJECTED only
     *   - "levels": "program": invalid programs at builder level cannot be
     *     expressed
     */
    const char *(*capability)(struct assay_backend *backend, const char *name);

    /* Make an executable, to be executed any number of times.  The program is
     * valid during the call only.  [one] */
    assay_code (*compile)(struct assay_backend *backend,
                          const assay_program *program,
                          assay_executable **executable, assay_error *error);

    /* Execute in all replicas.  Everything in *execution is valid during the
     * call only, and nothing but the outputs may be written.  [one] */
    assay_code (*execute)(struct assay_backend *backend,
                          assay_executable *executable,
                          const assay_execution *execution, assay_error *error);

    /* Free an executable.  [one] */
    void (*release)(struct assay_backend *backend,
                    assay_executable *executable);

    /* Make a running compile or execute return soon, with ASSAY_FAILED.  May be
     * NULL: then the process is killed.  [any] */
    void (*cancel)(struct assay_backend *backend);

    /* Like the host's extension.  May be NULL.  Valid until close() returns.
     * [any] */
    const void *(*extension)(struct assay_backend *backend, const char *id);

    /* Free the backend and everything that it returned.  May be NULL: nothing
     * to free.  [one] */
    void (*close)(struct assay_backend *backend);
} assay_backend;

/* Make a backend.  options is "key=value,key=value", or empty.  *host stays
 * valid until close(). */
typedef assay_code assay_backend_open_fn(const assay_host *host,
                                         const char *options,
                                         assay_backend **backend,
                                         assay_error *error);
ASSAY_EXPORT assay_backend_open_fn assay_backend_open;

#ifdef __cplusplus
}
#endif

#endif
