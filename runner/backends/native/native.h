/* native.h - the parts of the native backend.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The native backend computes with the host's C arithmetic and libm.  Backends
 * may be modelled on it, so it includes only the ABI's headers and the C
 * library:
 *
 *   backend.c     the entry points of the ABI; start reading here
 *   program.c     copies a program and checks it, instruction by instruction
 *   machine.c     runs a program's computations, all replicas in step
 *   ops.def       the table of operations: how each is checked and run
 *   unary.c binary.c compare.c convert.c     element by element
 *   move.c reshape.c slices.c gather.c scatter.c sort.c reduce.c
 *   indexing.c product.c contract.c ragged.c scaled.c
 *   window.c conv.c scan.c                   families of operations
 *   linalg.c batchnorm.c fft.c rng.c         whole algorithms
 *   control.c collective.c exchange.c channel.c feed.c custom.c
 *                                            control flow, replicas, feeds
 *   dynamic.c sizes.c                        sizes known at run time only
 *   types.c memory.c shape.c attribute.c     what all of these use
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <assay/backend.h>
#include <complex.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/* Return what is not ASSAY_OK to the caller. */
#define TRY(call) \
    do { \
        assay_code try_code = (call); \
        if (try_code != ASSAY_OK) \
            return try_code; \
    } while (0)

enum {
    RANK_MAX = 64,
    DEPTH_MAX = 64 /* calls in calls */
};

/* ---- memory.c ------------------------------------------------------------ */

/* Memory that is freed at once.  When it runs out, memory_new jumps to *out,
 * which compile and execute set up: no caller checks for NULL. */
struct memory {
    struct block *blocks;
    jmp_buf *out;
    struct memory *children, *idle, *next; /* for what is freed sooner */
};

void *memory_new(struct memory *m, size_t count, size_t size);
char *memory_text(struct memory *m, const char *text);
int64_t *memory_ints(struct memory *m, const int64_t *ints, int64_t count);
uint8_t *memory_bytes(struct memory *m, const uint8_t *bytes, int64_t count);
void memory_free(struct memory *m);
/* Memory for a while: ended by memory_end, or with m. */
struct memory *memory_begin(struct memory *m);
void memory_end(struct memory *m, struct memory *child);

/* Describe an error, and return its code. */
assay_code memory_fail(assay_error *error, assay_code code, const char *format,
                       ...);

/* ---- types.c ------------------------------------------------------------- */

enum type_class {
    PRED,
    SINT,
    UINT,
    FLOAT,
    COMPLEX
};

struct type {
    const char *name;
    enum type_class class;
    int bits, bytes;     /* of an element */
    int precision, emin; /* of a float; complex: of its parts */
};

const struct type *type_find(const char *name);
/* The type of a complex type's parts; else the type itself. */
const struct type *type_part(const struct type *t);
const struct type *type_complex(const struct type *part);
/* The type of accumulators: f32 for narrower floats, else the type itself. */
const struct type *type_wide(const struct type *t);
int type_is_integer(const struct type *t);

/* Element i: an integer (sign or zero extended), a float, a complex number.
 * Setters round once, or truncate. */
uint64_t type_int(const struct type *t, const void *data, int64_t i);
void type_set_int(const struct type *t, void *data, int64_t i, uint64_t x);
double type_double(const struct type *t, const void *data, int64_t i);
void type_set_double(const struct type *t, void *data, int64_t i, double x);
double complex type_number(const struct type *t, const void *data, int64_t i);
void type_set_number(const struct type *t, void *data, int64_t i,
                     double complex z);
double complex type_pair(double re, double im);
float complex type_pairf(float re, float im);
/* Round to that many bits of precision, to nearest even; emin is the exponent
 * of the smallest normal number. */
double type_round(double x, int precision, int emin);

/* ---- shape.c ------------------------------------------------------------- */

struct shape {
    int32_t kind; /* ASSAY_ARRAY ... */
    int32_t rank;
    const struct type *type;
    const int64_t *dims;    /* sizes, or upper bounds if dynamic */
    const uint8_t *dynamic; /* 1 where dims is a bound; NULL: nowhere */
    const struct shape *const *elements;
};

/* An array keeps room for its bounds: elements are at their index within
 * dims, and those beyond the sizes do not count. */
struct value {
    const struct shape *shape;
    unsigned char *data;     /* array */
    int64_t *sizes;          /* of an array with dynamic dimensions; or NULL */
    struct value **elements; /* tuple */
};

const struct shape *shape_new(struct memory *m, const struct type *type,
                              int32_t rank, const int64_t *dims);
const struct shape *shape_retyped(struct memory *m, const struct shape *s,
                                  const struct type *type);
/* The same with other dimensions dynamic; dynamic may be NULL. */
const struct shape *shape_flagged(struct memory *m, const struct shape *s,
                                  const uint8_t *dynamic);
/* Is any dimension of an array, or of a tuple's elements, dynamic? */
int shape_is_dynamic(const struct shape *s);
const struct shape *shape_tuple(struct memory *m, int32_t count,
                                const struct shape *const *elements);
/* One shape, or the tuple of several. */
const struct shape *shape_joined(struct memory *m, int32_t count,
                                 const struct shape *const *shapes);
const struct shape *shape_token(struct memory *m);
/* Copy a shape of the ABI; ASSAY_UNSUPPORTED for missing types. */
assay_code shape_read(struct memory *m, const assay_shape *from,
                      const struct shape **to, assay_error *error);
/* ASSAY_SHAPE if a size is negative or the product too large. */
assay_code shape_check(const struct shape *s, assay_error *error);
int64_t shape_count(const struct shape *s); /* elements */
int shape_leaves(const struct shape *s);
int shape_equal(const struct shape *a, const struct shape *b);
int shape_same_dims(const struct shape *a, const struct shape *b);
int shape_is_scalar(const struct shape *s);
/* Step a multi-index; 0 after the last. */
int shape_next(int rank, const int64_t *dims, int64_t *index);
int64_t shape_offset(int rank, const int64_t *dims, const int64_t *index);
/* How many elements lie between neighbours along each dimension. */
void shape_steps(const struct shape *s, int64_t *steps);

struct value *value_new(struct memory *m, const struct shape *shape);
struct value *value_copy(struct memory *m, const struct value *v);
/* The same floats in a shape of another type; the value itself if its type is
 * that. */
struct value *value_retyped(struct memory *m, struct value *v,
                            const struct shape *shape);
int64_t value_size(const struct value *v, int d); /* the actual one */
/* to[i] = from[j] */
void value_move(struct value *to, int64_t i, const struct value *from,
                int64_t j);
/* All elements, in their order; from has as many bytes as to. */
void value_fill(struct value *to, const struct value *from);
/* For each index of a shape, in order, an element of from: the first one, and
 * so many after it for a step along each dimension. */
void value_take(struct value *to, const struct shape *s,
                const struct value *from, int64_t first, const int64_t *steps);
/* The n results; the only one of one is not a tuple. */
struct value **value_parts(struct value **v, int n);
/* Copy the elements of from that lie in a box of that size into to: the first
 * one from from_at to to_at, index by index. */
void value_copy_box(struct value *to, const int64_t *to_at,
                    const struct value *from, const int64_t *from_at,
                    const int64_t *box);
/* The leaves of a value, depth first, appended to list. */
void value_leaves(struct value *v, struct value **list, int *count);
/* The reverse: a value of that shape over leaves from list on. */
struct value *value_of(struct memory *m, const struct shape *shape,
                       struct value *const *list, int *next);

/* ---- program.c ----------------------------------------------------------- */

struct node;
struct check;
struct run;
struct machine;
struct group;

struct op {
    const char *name;
    int least, most; /* operands */
    assay_code (*check)(struct check *c);
    /* One replica, */
    assay_code (*run)(struct run *r);
    /* or all of them at once. */
    assay_code (*run_group)(struct group *g);
    int sized; /* it knows what to do with dynamic sizes */
};

struct attribute {
    const char *name;
    int32_t kind;
    int64_t count;
    const int64_t *ints;
    int64_t part_count;
    const int64_t *parts;
    const char *string;
    const struct shape *shape;
    struct value *literal;
};

struct node {
    const struct op *op;
    const char *name;
    int count;
    const int32_t *operands;
    int attribute_count;
    struct attribute *attributes;
    const struct shape *shape; /* set by its check */
    const struct shape *given; /* the host's, where that is dynamic */
    int dynamic;               /* run by dynamic.c */
};

struct computation {
    const char *name;
    int count, parameter_count, root;
    struct node *nodes;
    const struct shape **parameters;
    const struct op *simple; /* it is one binary operation on p0 and p1 */
    int state;               /* of checking: 0 not begun, 1 begun, 2 done */
    int infeeds, outfeeds;   /* it has some, or calls one that has: feed.c */
};

struct program {
    int count, entry;
    int *entries;             /* the computation that each process runs */
    int replicas, partitions; /* a process: replica * partitions + partition */
    struct computation *computations;
};

/* One instruction being checked: the operands' shapes are known, result is to
 * be set. */
struct check {
    struct memory *memory;
    assay_error *error;
    struct program *program;
    const struct node *node;
    int count;
    const struct shape *const *operands;
    const struct shape *result;
};

assay_code program_read(struct memory *m, const assay_program *from,
                        struct program **program, assay_error *error);
const struct op *program_op(const char *name);
const char *program_op_names(void);
/* The computation that attribute names, checked, with these parameters. */
assay_code program_called(struct check *c, const char *attribute, int which,
                          int count, const struct shape *const *parameters,
                          const struct computation **called);
/* Likewise one of 2n parameters, of the n shapes and these again, that returns
 * values of the n shapes. */
assay_code program_reducer(struct check *c, const char *attribute, int n,
                           const struct shape *const *shapes,
                           const struct computation **called);
assay_code program_fail(struct check *c, assay_code code, const char *format,
                        ...);
/* ASSAY_TYPE unless every operand is an array. */
assay_code program_arrays(struct check *c);

/* ---- attribute.c --------------------------------------------------------- */

const struct attribute *attribute_find(const struct node *n, const char *name);
int64_t attribute_int(const struct node *n, const char *name, int64_t fallback);
const char *attribute_string(const struct node *n, const char *name);
/* Likewise, ASSAY_ATTRIBUTE if it is missing. */
assay_code attribute_need(struct check *c, const char *name,
                          const struct attribute **attribute);
assay_code attribute_type(struct check *c, const char *name,
                          const struct type **type);
/* Likewise, a list of count ints. */
assay_code attribute_list(struct check *c, const char *name, int64_t count,
                          const struct attribute **a);
/* Distinct dimensions below rank. */
assay_code attribute_dimensions(struct check *c, const struct attribute *a,
                                int rank);
int attribute_has(const struct attribute *a, int64_t x);

/* ---- machine.c ----------------------------------------------------------- */

enum {
    PROCESSES_MAX = 64
};

struct machine {
    struct program *program;
    assay_error *error;
    volatile int *cancelled;
    int depth;
    struct memory *memory; /* of the whole execution */
    const assay_host *host;
    const assay_execution *execution; /* for its feeds */
    int64_t infeed_next[PROCESSES_MAX];
    struct outfed *outfed[PROCESSES_MAX], **outfed_end[PROCESSES_MAX];
    struct channel *channels; /* see channel.c */
    int places[PROCESSES_MAX];
    int moved;        /* has any channel been used since it was 0? */
    char waits[1000]; /* who waits for which */
};

/* One instruction in one replica.  run sets result; none: it waits. */
struct run {
    struct machine *machine;
    struct memory *memory;
    const struct node *node;
    int replica; /* the process */
    struct value **operands;
    struct value *result;
};

/* One instruction in all replicas that got there. */
struct group {
    struct machine *machine;
    struct memory *memory;
    const struct node *node;
    int count;
    struct run *runs;
};

/* Allocate the result, zeroed, in the shape that the check found. */
struct value *machine_result(struct run *r);
/* Run the program in all processes; arguments[i] and results[i] are those of
 * process i. */
assay_code machine_run(struct machine *machine, struct value **const *arguments,
                       struct value **results);
/* Run a computation in count replicas; arguments[i] are those of ids[i]. */
assay_code machine_call(struct machine *machine, struct memory *m,
                        const struct computation *c, int count, const int *ids,
                        struct value **const *arguments,
                        struct value **results);
/* Likewise; results are NULL where an instruction waits. */
assay_code machine_try(struct machine *machine, struct memory *m,
                       const struct computation *c, int count, const int *ids,
                       struct value **const *arguments, struct value **results);
/* An operand in the type of accumulators: a copy, if that is wider. */
struct value *machine_wide(const struct run *r, int operand);
/* The arguments of a computation that is called many times, as room. */
struct value **machine_arguments(const struct run *r,
                                 const struct computation *f);
/* Call it once for an instruction; its n results become an element of to. */
assay_code machine_apply(const struct run *r, const struct computation *f,
                         struct value **arguments, struct value **to, int n,
                         int64_t at);
const struct computation *machine_called(const struct machine *machine,
                                         const struct node *n,
                                         const char *attribute, int which);

/* ---- dynamic.c ----------------------------------------------------------- */

/* Check and run an instruction that has dynamic operands, of an operation
 * that knows static arrays only. */
assay_code dynamic_check(struct check *c);
assay_code dynamic_run(struct run *r);
/* The ints of an attribute of n, to be changed. */
int64_t *dynamic_ints(const struct run *r, struct node *n, const char *name);
/* Rules of some operations about dynamic operands: see struct rule. */
/* Has the result, which is set, as many elements as the operand? */
assay_code reshape_fit(struct check *c);
assay_code reshape_refuse(struct check *c);
void reshape_adapt(const struct run *r, struct node *n,
                   int64_t (*sizes)[RANK_MAX]);
assay_code convert_refuse_bitcast(struct check *c);
assay_code conv_refuse(struct check *c);
int contract_axis(const struct run *r, int k, int i);
int conv_axis(const struct run *r, int k, int i);
void slices_keep_dynamic(const struct run *r);
void slices_keep_update(const struct run *r);
void gather_keep(const struct run *r);
void scatter_keep(const struct run *r);

/* ---- unary.c ------------------------------------------------------------- */

/* Is operand 0 an array? */
assay_code unary_check_array(struct check *c);

/* ---- binary.c ------------------------------------------------------------ */

/* Fails unless both operands are arrays of one type. */
assay_code binary_types(struct check *c);
/* One binary operation in each kind of arithmetic; NULL: not defined. */
struct binary {
    const char *name;
    uint64_t (*pred)(uint64_t a, uint64_t b, const struct type *t);
    uint64_t (*integer)(uint64_t a, uint64_t b, const struct type *t);
    float (*f32)(float a, float b);
    double (*f64)(double a, double b);
    float complex (*c64)(float complex a, float complex b);
    double complex (*c128)(double complex a, double complex b);
};

const struct binary *binary_find(const char *name);
int binary_has(const struct binary *b, const struct type *t);
/* Element number at of an array. */
struct element {
    const void *data;
    int64_t at;
};
/* out[o] = x op y */
void binary_apply(const struct binary *b, const struct type *t, void *out,
                  int64_t o, struct element x, struct element y);
/* The common shape of two operands that broadcast, and for element number i
 * of it the numbers of the operands' elements. */
assay_code binary_broadcast(struct check *c, const struct type *result);
/* Where dimension i of an operand of rank low is in a result of that
 * rank. */
int binary_place(const struct node *n, int rank, int low, int i);
struct binary_walk {
    int rank;
    const int64_t *dims;
    int64_t index[RANK_MAX], step[2][RANK_MAX], at[2];
};
void binary_walk(struct binary_walk *w, const struct run *r,
                 const struct shape *result);
int binary_next(struct binary_walk *w);

/* ---- gamma.c ------------------------------------------------------------- */

/* The derivative of the logarithm of the gamma function. */
long double gamma_digamma(long double x);
/* The sum of (q + k)^-s for k = 0, 1, ... */
long double gamma_zeta(long double s, long double q);
/* The derivative of order n of gamma_digamma. */
long double gamma_polygamma(long double n, long double x);

/* ---- linalg.c ------------------------------------------------------------ */

/* Is it a call of LAPACK's LU decomposition, as jaxlib makes it, of one matrix
 * or of a batch that is not empty? */
int linalg_is_getrf(const struct run *r);
assay_code linalg_run_getrf(struct run *r);

/* ---- product.c ----------------------------------------------------------- */

/* A sum of products: in float, unless the types are wider; start with 0. */
struct product {
    uint64_t integer;
    float f32;
    double f64;
    double complex z;
};

/* Add x[i] y[j]; store what came out as out[o], from operands of that type. */
void product_add(struct product *sum, const struct type *result,
                 const struct value *x, int64_t i, const struct value *y,
                 int64_t j);
void product_store(const struct product *sum, const struct type *from,
                   struct value *out, int64_t o);

/* ---- indexing.c ---------------------------------------------------------- */

/* The dimension numbers of Gather and Scatter. */
struct indexing {
    const struct attribute *window;  /* of the array that is walked */
    const struct attribute *removed; /* of the operand: not in a window */
    const struct attribute *map, *batching, *indices_batching;
    int64_t vector_dim;
};

/* names: of the attributes, in that order. */
void indexing_read(struct indexing *d, const struct node *n,
                   const char *const names[5]);
assay_code indexing_check_vector(struct check *c, const struct indexing *d,
                                 const struct shape *indices);
/* rank: of the array that is walked; indexing_rank says what is expected. */
assay_code indexing_check(struct check *c, const struct indexing *d,
                          const struct shape *operand,
                          const struct shape *indices, int rank);
int indexing_rank(const struct indexing *d, const struct shape *indices);
/* For each of its dimensions that of the operand in a window, or -1 - that of
 * the indices. */
void indexing_sides(const struct indexing *d, int rank, int *sides);
/* Finds where an index leads in the operand: the start of a window, before it
 * is clamped or judged, and the offset in it.  Both are set to 0 before. */
void indexing_find(const struct indexing *d, const struct value *indices,
                   int rank, const int *sides, const int64_t *index,
                   int64_t *start, int64_t *offset);

/* ---- window.c ------------------------------------------------------------ */

struct window_dim {
    int64_t size, window, stride, low, high;
    int64_t base_dilation, window_dilation, positions;
};
struct window {
    int rank;
    struct window_dim dims[RANK_MAX];
};

/* Read a window and count its positions; window_check says what is wrong with
 * its attributes, window_read returns 0 for sizes that are too large. */
assay_code window_check(struct check *c, struct window *w, int rank,
                        const int64_t *sizes, const int64_t *windows,
                        const char *base_dilations,
                        const char *window_dilations);
int window_read(struct window *w, const struct node *n, int rank,
                const int64_t *sizes, const int64_t *windows,
                const char *base_dilations, const char *window_dilations);
/* The element of the base under entry k of the window, or -1. */
int64_t window_base(const struct window_dim *d, int64_t position, int64_t k);

/* ---- collective.c -------------------------------------------------------- */

/* The group of one process: its members in order, and its own place. */
struct members {
    int count, position;
    struct run *of[PROCESSES_MAX];
};

/* Is an attribute of groups right?  *size: of a group. */
enum {
    GROUPS_UNIFORM = 1,
    GROUPS_PARTIAL = 2
};
assay_code collective_groups(struct check *c, int rules, int *size);
/* How many numbers pairs may name, and what a number means to a process. */
int collective_numbers(const struct program *p, const struct node *n);
int64_t collective_number(const struct run *r);
assay_code collective_process(struct group *g, const struct run *r,
                              int64_t number, struct run **found);
/* None, if it is in no group. */
assay_code collective_members(struct group *g, const struct run *r,
                              struct members *m);

/* ---- channel.c, feed.c --------------------------------------------------- */

/* A program begins on these processes. */
void channel_begin(struct machine *machine, int count, const int *ids);
/* After its instructions: can infeeds, or outfeeds, run in one order only? */
assay_code feed_check_order(struct memory *m, const struct program *p,
                            struct computation *c, assay_error *error);
void feed_begin(struct machine *machine, int process);
/* Tell the host what a process has fed out. */
void feed_end(const struct machine *machine, int process);

/* ---- The operations, by family ------------------------------------------- */

#define OP(NAME, LEAST, MOST, CHECK, RUN) \
    assay_code CHECK(struct check *c); \
    assay_code RUN(struct run *r);
#define GROUP(NAME, LEAST, MOST, CHECK, RUN) \
    assay_code CHECK(struct check *c); \
    assay_code RUN(struct group *g);
#define OP_SIZED    OP
#define GROUP_SIZED GROUP
#include "ops.def"
#undef OP
#undef GROUP
#undef OP_SIZED
#undef GROUP_SIZED

#endif
