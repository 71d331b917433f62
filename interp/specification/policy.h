/* policy.h - the policies of spec/policies.json and their choices, by number.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For profiles, which know policies by the names in their files.  Who decides
 * by a policy includes its own header, gen/policy/NAME.h
 * (tools/makers/names.c): a new choice concerns no one else.
 */
#ifndef INTERP_SPECIFICATION_POLICY_H
#define INTERP_SPECIFICATION_POLICY_H

enum policy {
#define POLICY(NAME, name, text) POLICY_##NAME,
#include "gen/policies.def"
    POLICY_COUNT
};

/* By its name, "max.nan"; -1 if there is none. */
int policy_find(const char *name);
/* The number of a policy's choice, "either", in its enum; -1 if there is none.
 */
int policy_find_choice(int policy, const char *name);
const char *policy_choice_name(int policy, int choice);

#endif
