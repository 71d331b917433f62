/* policy.h - the policies of spec/policies.json and their choices, by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The enumerations are made from the file by the build (tools/names.c), so a
 * policy or choice that is misspelt, or was renamed there, does not compile.
 */
#ifndef INTERP_SPECIFICATION_POLICY_H
#define INTERP_SPECIFICATION_POLICY_H

#include <stdbool.h>

enum policy {
    POLICY_NONE, /* in a list: its end */
#define POLICY(name, lower, text) POLICY_##name,
#include "gen/policies.def"
    POLICY_COUNT
};

enum {
    POLICY_CHOICES = 16 /* room for the choices of one policy */
};

/* A choice is a policy's: CHOICE_MAX_NAN_EITHER. */
enum policy_choice {
#define CHOICE(policy, name, number, text) \
    CHOICE_##policy##_##name = POLICY_##policy * POLICY_CHOICES + (number),
#include "gen/policies.def"
};

/* "max.nan" */
const char *policy_name(enum policy policy);
/* By name; POLICY_NONE if there is none. */
enum policy policy_find(const char *name);
/* "either" */
const char *policy_choice_name(enum policy_choice choice);
/* The policy that a choice is one of. */
enum policy policy_of(enum policy_choice choice);
/* By name; false if there is none. */
bool policy_find_choice(enum policy policy, const char *name,
                        enum policy_choice *choice);

#endif
