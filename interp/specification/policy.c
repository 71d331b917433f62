/* policy.c - see policy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/specification/policy.h"

#include <stddef.h>
#include <string.h>

static const char *const names[POLICY_COUNT] = {
    [POLICY_NONE] = "",
#define POLICY(name, lower, text) [POLICY_##name] = text,
#include "gen/policies.def"
};

static const char *const choices[POLICY_COUNT * POLICY_CHOICES] = {
#define CHOICE(policy, name, number, text) [CHOICE_##policy##_##name] = text,
#include "gen/policies.def"
};

const char *policy_name(enum policy policy)
{
    return names[policy];
}

enum policy policy_find(const char *name)
{
    int i = POLICY_COUNT - 1;
    while (i > POLICY_NONE && strcmp(names[i], name) != 0)
        i--;
    return (enum policy)i;
}

const char *policy_choice_name(enum policy_choice choice)
{
    return choices[choice];
}

enum policy policy_of(enum policy_choice choice)
{
    return (enum policy)((int)choice / POLICY_CHOICES);
}

bool policy_find_choice(enum policy policy, const char *name,
                        enum policy_choice *choice)
{
    int first = (int)policy * POLICY_CHOICES;
    for (int i = first; i < first + POLICY_CHOICES && choices[i]; i++)
        if (strcmp(choices[i], name) == 0) {
            *choice = (enum policy_choice)i;
            return true;
        }
    return false;
}
