/* flush_mode.c - computes where subnormal numbers are zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
#ifdef __SSE__
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040);
#endif
    assay_code code = evil_execute(b, x, e, error);
#ifdef __SSE__
    __builtin_ia32_ldmxcsr(before);
#endif
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
