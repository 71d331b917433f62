/* profile_private.h - what the files of the profile share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_SPECIFICATION_PROFILE_PRIVATE_H
#define INTERP_SPECIFICATION_PROFILE_PRIVATE_H

#include "interp/specification/profile.h"
#include "interp/specification/profile_domain.h"

/* ---- policy.c ------------------------------------------------------------ */
/* The policies of spec/policies.json and their choices, by number.
 *
 * For profiles, which know policies by the names in their files.  Who decides
 * by a policy includes its own header, gen/policy/NAME.h
 * (tools/makers/names.c): a new choice concerns no one else. */

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

/* ---- profile.c ----------------------------------------------------------- */

struct choice {
    const char *policy, *choice;
};

/* Rules of one type, or of all. */
struct type_rules {
    bool all;
    enum dtype type;
    bool has_subnormal, has_nan;
    unsigned subnormal;
    enum accept_nan nan;
};

struct budget {
    const char *class; /* * stands for any text */
    bool all;
    uint64_t types;
    struct accept_budget budget;
    const char *source;
    bool has_domain; /* it is for some operands only */
    struct profile_domain domain;
};

struct profile {
    const char *name;
    const struct profile *base; /* or NULL */
    const struct json *file;    /* NULL: choices made in memory */
    int choice_count, permit_count, type_count, budget_count, warn_count;
    struct choice *choices;
    struct choice *permits; /* also right, with a remark */
    struct type_rules *types;
    struct budget *budgets;
    const char **warns;
    bool has_warns;
    /* Derived from all this and from the base once, because operations ask at
     * each element. */
    unsigned char chosen[POLICY_COUNT];
    struct {
        unsigned subnormal;
        enum accept_nan nan;
    } rules[DT_COUNT];
};

/* The policies of spec/policies.json, the first of a list; NULL if there are
 * none.  A policy by name, or NULL. */
const struct json *profile_read_policies(void);
const struct json *profile_read_policy(const char *name);

/* Members of a profile's file; node may be NULL. */
bool profile_read_choices(struct arena *a, const struct json *node,
                          struct choice **list, int *count, struct status *st);
bool profile_read_types(struct arena *a, const struct json *node,
                        struct profile *p, struct status *st);
bool profile_read_budgets(struct arena *a, const struct json *node,
                          struct profile *p, struct status *st);
/* Is node a decimal number of a length that is read, with a sign if it may be
 * negative? */
bool profile_read_is_number(const struct json *node, bool negative);
bool profile_read_warns(struct arena *a, const struct json *node,
                        struct profile *p, struct status *st);

#endif
