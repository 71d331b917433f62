/* ragged.c - see ragged.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/ragged.h"

#include "gen/policy/ragged_outside.h"

bool ragged_is_free(const struct eval *ev)
{
    switch (profile_ragged_outside(ev->machine->profile)) {
    case RAGGED_OUTSIDE_ANY:
        return true;
    case RAGGED_OUTSIDE_ZERO:
        break;
    }
    return false;
}
