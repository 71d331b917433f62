/* flush_left.c - leaves a mode in which subnormal numbers are zero; its results
 * are right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
#ifdef __SSE__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
