/* assay/kernel.h - what `assay kernel` calls in a shared object; version 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A shared object exports one function, assay_kernel:
 *
 *     cc -shared -fPIC -I spec -o softmax.so softmax.c
 *     assay kernel --program softmax softmax.so
 *
 * Each call is made in a process of its own, from one thread: a crash or a call
 * that does not return in time is a wrong result, and nothing that a call
 * leaves behind reaches the next one.  The results' bytes are not zero before
 * the call, and memory beside them is checked after it.
 */
#ifndef ASSAY_KERNEL_H
#define ASSAY_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array: row-major, little-endian, without padding; an element of less than
 * 8 bits, or a pred, takes a byte.  A scalar has rank 0.  A dimension may be
 * 0. */
typedef struct assay_kernel_array {
    const char *dtype; /* "f32", "bf16", "s8", "pred", ... */
    int64_t rank;
    const int64_t *dims; /* rank sizes */
    void *data;          /* aligned to 64 bytes; of an operand: only read it */
} assay_kernel_array;

enum {
    ASSAY_KERNEL_OK = 0,
    ASSAY_KERNEL_UNSUPPORTED = 1 /* this type or these sizes: not judged */
};

/* Compute the named program ("softmax", or the path that --program gave) of
 * the operands, and write every element of the results, whose shapes are
 * given.  Returns one of the above; any other value is a failure, and error, of
 * error_size bytes, may say why, ended by a zero byte.  All memory belongs to
 * the caller and ends with the call. */
int assay_kernel(const char *program, const assay_kernel_array *operands,
                 int32_t operand_count, const assay_kernel_array *results,
                 int32_t result_count, char *error, uint64_t error_size);

#ifdef __cplusplus
}
#endif

#endif
