/* flush_mode.c - computes where subnormal numbers are zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
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
