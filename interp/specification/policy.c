/* policy.c - see profile_private.h.  Tests: test_profile.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/specification/profile_private.h"

enum {
    CHOICES_MAX = 16 /* of one policy */
};

static const char *const names[POLICY_COUNT] = {
#define POLICY(NAME, name, text) [POLICY_##NAME] = text,
#include "gen/policies.def"
};

static const char *const choices[POLICY_COUNT][CHOICES_MAX + 1] = {
#define CHOICE(POLICY, number, text) [POLICY_##POLICY][number] = text,
#include "gen/policies.def"
};

int policy_find(const char *name)
{
    int i = POLICY_COUNT - 1;
    while (i >= 0 && strcmp(names[i], name) != 0)
        i--;
    return i;
}

int policy_find_choice(int policy, const char *name)
{
    for (int i = 0; choices[policy][i]; i++)
        if (strcmp(choices[policy][i], name) == 0)
            return i;
    return -1;
}

const char *policy_choice_name(int policy, int choice)
{
    return choices[policy][choice];
}
