/* assay/reference.h - the exact reference as a library; version 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Link with libassay.a (pkg-config assay).  spec/embed.md explains it, with a
 * complete program.  The specification is part of the library: no data files
 * are needed.
 *
 * Rules:
 *   - Every function may be called from any thread, and threads evaluate in
 *     parallel, also cases of one assay_reference.  An assay_reference_result
 *     is for one thread at a time; close nothing while another thread uses it.
 *   - What a function returns belongs to the library, and stays valid until
 *     the assay_reference or assay_reference_result that it came from is
 *     closed.  The caller frees nothing else.  Texts are UTF-8.
 *   - A function that fails returns ASSAY_FAILED, and writes one line into
 *     *error, whose size the caller has set; error may be NULL.  Nothing
 *     is printed, and nothing ends the process.  Running out of memory is such
 *     a failure, "out of memory"; everything else that is open stays valid.
 *   - A pointer may be NULL only where its function says so; else the function
 *     fails, or, if it returns no assay_code, returns 0 or NULL.
 *   - MPFR's exponent range and flags in the calling thread are as they were
 *     before.
 */
#ifndef ASSAY_REFERENCE_H
#define ASSAY_REFERENCE_H

#include <assay/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All other names of the library are hidden. */
#if defined(__GNUC__)
#    pragma GCC visibility push(default)
#endif

/* The cases of one file, and how they are evaluated. */
typedef struct assay_reference assay_reference;
/* The result of one of them. */
typedef struct assay_reference_result assay_reference_result;

/* Zero is the default for each member except size. */
typedef struct assay_reference_options {
    uint64_t size;
    /* A name, or the path of a file, ending in .json.  NULL: "spec", or what
     * a case itself names. */
    const char *profile;
    /* Beyond these a case fails with "limit: ...". */
    int64_t steps;          /* instructions, elements, terms */
    int64_t evaluate_bytes; /* memory of one evaluation */
    int64_t literal_bytes;  /* of one array */
    /* Not 0: only the outputs' data are asked for (assay_reference_output).
     * Functions with a proved kernel are then computed with it, to the same
     * bits; there is nothing to judge by. */
    int64_t values_only;
    /* Arrays whose data take the place of a case's inputs, in their order,
     * where they are not NULL: a text of millions of elements takes longer to
     * read than they take to be evaluated.  Each has as many bytes as its
     * input. They are read by assay_reference_evaluate; operands NULL: none. */
    const assay_tensor *const *operands;
    int64_t operand_count;
} assay_reference_options;

/* Read a case file of at most 64 MiB, or a text of any length, which error
 * messages call name.  options may be NULL, and text if length is 0: an empty
 * text.  *reference is NULL on failure.  Release all results before you close
 * it; closing NULL does nothing. */
assay_code assay_reference_open(const char *path,
                                const assay_reference_options *options,
                                assay_reference **reference,
                                assay_error *error);
assay_code assay_reference_parse(const char *name, const char *text,
                                 uint64_t length,
                                 const assay_reference_options *options,
                                 assay_reference **reference,
                                 assay_error *error);
void assay_reference_close(assay_reference *reference);

/* The number of cases after expansion.  Cases are numbered from 0. */
int64_t assay_reference_count(const assay_reference *reference);
/* "FILE/id@T=f32"; NULL if the number is out of range. */
const char *assay_reference_name(const assay_reference *reference,
                                 int64_t number);

/* Evaluate one case; *result is NULL on failure, and releasing NULL does
 * nothing.  An invalid program is a result like any other; a
 * malformed case, or one that reaches a limit, is a failure. */
assay_code assay_reference_evaluate(assay_reference *reference, int64_t number,
                                    assay_reference_result **result,
                                    assay_error *error);
void assay_reference_release(assay_reference_result *result);

/* ASSAY_OK: there are values.  Otherwise the class of the program's error, or
 * ASSAY_UNSUPPORTED, and the reason in one line; ASSAY_FAILED if result is
 * NULL. why may be NULL. */
assay_code assay_reference_verdict(const assay_reference_result *result,
                                   const char **why);
/* NULL if the result matches the case's own "expect", or there is none;
 * otherwise the first difference, or "there is no result" if result is NULL. */
const char *assay_reference_differs(const assay_reference_result *result);

/* Processes (replicas times partitions), and arrays and tokens of a process:
 * inputs, and outputs depth first.  0 where the program is invalid. */
int32_t assay_reference_replicas(const assay_reference_result *result);
int32_t assay_reference_inputs(const assay_reference_result *result);
int32_t assay_reference_outputs(const assay_reference_result *result);

/* Shape and data; NULL if the number is out of range. */
const assay_tensor *assay_reference_input(assay_reference_result *result,
                                          int32_t replica, int32_t number);
const assay_tensor *assay_reference_output(assay_reference_result *result,
                                           int32_t replica, int32_t number);

/* An element (row-major) of an output: its value in decimal, which reads back
 * to the same bits, and all values that are accepted: "1.5", "[1.5, 1.75] |
 * nan", "any", "predicate" (spec/eval-format.md, "accept").  NULL if there is
 * no such element, or memory runs out. */
const char *assay_reference_value(assay_reference_result *result,
                                  int32_t replica, int32_t number,
                                  int64_t element);
const char *assay_reference_accepts(assay_reference_result *result,
                                    int32_t replica, int32_t number,
                                    int64_t element);

/* Judge the outputs of all replicas, one after the other; there must be values
 * to compare with.  *right is 1 or 0, and then *error says why.  outputs may be
 * NULL if count is 0; an array's data may be NULL, and is then missing. */
assay_code assay_reference_judge(assay_reference_result *result,
                                 const assay_tensor *const *outputs,
                                 int32_t count, int32_t *right,
                                 assay_error *error);

/* An error that is not measured: for integers, and where NaN or infinity is
 * involved. */
#define ASSAY_REFERENCE_UNMEASURED (-1)

/* One wrong element of an output.  For a complex number, the errors are those
 * of the worse part. */
typedef struct assay_reference_wrong {
    uint64_t size;
    int32_t replica, output;
    int64_t element;      /* row-major */
    const char *found;    /* as assay_reference_value has it */
    const char *expected; /* the exact value, rounded once */
    const char *accepts;  /* as assay_reference_accepts has it */
    const char *budget;   /* in words: "correctly rounded (arithmetic)" */
    int64_t ulps;   /* distance from the exact value, in millionths of an ulp */
    int64_t bounds; /* for a sum: in millionths of its bound */
} assay_reference_wrong;

/* A verdict, with what is wrong. */
typedef struct assay_reference_judgement {
    uint64_t size;      /* set by the caller */
    const char *status; /* "pass", "warn" or "fail" (spec/verdicts.md) */
    const char *why;    /* one line; "" for "pass" */
    int64_t units;      /* compared: a complex number has two */
    int64_t bad;        /* of them wrong */
    int64_t wrong_elements;
    int64_t wrong_count; /* listed: the first of them */
    const assay_reference_wrong *const *wrong;
    /* For a "fail", the rule that the first wrong element breaks: its id in
     * spec/ops, its sentence, and its source, NULL where the rule is the
     * formula of its value. */
    const char *rule, *rule_text, *rule_source;
} assay_reference_judgement;

/* The same, with a judgement that lists at most that many wrong elements.
 * Everything that it points to stays valid until the result is released.  A
 * wrong result is not a failure. */
assay_code assay_reference_judge_all(assay_reference_result *result,
                                     const assay_tensor *const *outputs,
                                     int32_t count, int64_t most,
                                     assay_reference_judgement *judgement,
                                     assay_error *error);

/* The mistakes that a verdict on this result does not see: those in the
 * program's sums that change the result, and would pass without a remark
 * (spec/verdicts.md, "Power"): "bf16 operands, a missing term".  "" if those
 * tried are seen, NULL if none was tried: no operation sums floats, or it takes
 * more than 2^22 steps. Valid until the result is released. */
const char *assay_reference_power(assay_reference_result *result);

#if defined(__GNUC__)
#    pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
