/* interval_box.h - functions that are monotone in parts of their domain only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the operands of an element lie between ends, they are in a box.  A
 * function that within the box rises or falls in each operand while the others
 * stay takes its least and its greatest value at corners.
 */
#ifndef INTERP_PROGRAM_INTERVAL_BOX_H
#define INTERP_PROGRAM_INTERVAL_BOX_H

#include "interp/program/op.h"

enum interval_peak {
    INTERVAL_TOP = 1,   /* the function is 1 inside the box */
    INTERVAL_BOTTOM = 2 /* it is -1 there */
};

/* Does this instruction apply such a function (enum op_way) to real numbers? */
bool interval_box_knows(const struct eval *ev);

/* Operand k lies between low[k] and high[k].  True if the function is monotone
 * in the box of each element, except for the values in (*peaks)[element], a set
 * of enum interval_peak. */
bool interval_box_monotone(const struct eval *ev, struct literal *const low[2],
                           struct literal *const high[2],
                           unsigned char **peaks);

#endif
