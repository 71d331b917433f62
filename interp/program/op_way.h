/* op_way.h - how a result depends on inexact operands that it neither rises nor
 * falls with everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * More values of op.monotone, after those of enum op_monotone: all operands of
 * an instruction have the same one, and are looked at together.
 */
#ifndef INTERP_PROGRAM_OP_WAY_H
#define INTERP_PROGRAM_OP_WAY_H

enum op_way {
    /* Sums of products of an element of each operand (interval.h). */
    OP_WAY_SUM = 16,
    /* Functions of real numbers (interval.h). */
    OP_WAY_SIN,
    OP_WAY_COS,
    OP_WAY_TAN,
    OP_WAY_POW,
    OP_WAY_ATAN2,
    OP_WAY_REM,
    OP_WAY_LGAMMA,
    OP_WAY_DIGAMMA,
    OP_WAY_POLYGAMMA,
    OP_WAY_ZETA,
    OP_WAY_BESSEL,
    /* Equality of them. */
    OP_WAY_EQUAL,
    /* Its magnitude rises with that of each unit: products, whose sign is that
     * of all factors, and moduli. */
    OP_WAY_PRODUCT,
    OP_WAY_MODULUS
};

#endif
