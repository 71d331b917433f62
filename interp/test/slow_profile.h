/* slow_profile.h - profiles of texts, for tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_TEST_SLOW_PROFILE_H
#define INTERP_TEST_SLOW_PROFILE_H

#include "interp/base/arena.h"
#include "interp/base/status.h"
#include "interp/specification/profile.h"

/* Load a profile from a text, in the arena; NULL if it is refused, and what is
 * wrong in *st. */
const struct profile *slow_profile(struct arena *a, const char *text,
                                   struct status *st);

#endif
