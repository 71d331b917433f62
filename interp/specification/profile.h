/* profile.h - a profile: one choice for each policy, budgets, modes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/policies.json lists each freedom of the specification with its choices
 * and the sentence that allows it; spec/profiles/NAME.json picks.  A profile
 * may extend another and state only differences.
 */
#ifndef INTERP_SPECIFICATION_PROFILE_H
#define INTERP_SPECIFICATION_PROFILE_H

#include "interp/base/dtype.h"
#include "interp/base/json.h"
#include "interp/exact/accept.h"

struct profile;

/* A profile by name ("spec"), or from a file (a path with a slash or ending
 * in .json).  In the arena. */
bool profile_load(struct arena *a, const char *name,
                  const struct profile **profile, struct status *st);
/* Names of the built-in profiles, NULL-terminated. */
const char *const *profile_names(struct arena *a);
/* text_hint of an unknown profile. */
const char *profile_hint(struct arena *a, const char *name);
const char *profile_name(const struct profile *p);
/* The i-th of the files that p was read from: its own, then that of the profile
 * that it extends, and so on; NULL after the last. */
const struct json *profile_file(const struct profile *p, int i);

/* The name of the choice that p makes for a policy, "max.nan"; NULL if there is
 * no such policy.  Code decides by the policy's enum instead (gen/policy/). */
const char *profile_choice(const struct profile *p, const char *policy);
/* p with the choices of a case's "policies" member: an object of choices, or
 * a list that only names policies.  choices may be NULL. */
bool profile_with(struct arena *a, const struct profile *p,
                  const struct json *choices, const struct profile **with,
                  struct status *st);

/* Another choice of a policy, that is right too, with a remark that has the
 * policy's name. */
struct profile_permit {
    const char *policy, *choice;
};
/* Those that p permits, in the order of spec/policies.json: their number. */
int profile_permits(struct arena *a, const struct profile *p,
                    const struct profile_permit **list);
/* p with these choices in place of its own. */
const struct profile *profile_taking(struct arena *a, const struct profile *p,
                                     const struct profile_permit *list,
                                     int count);
/* p without flush-operands, for a backend that flushes only results; NULL if
 * no type of p allows both. */
const struct profile *profile_flushing_results(struct arena *a,
                                               const struct profile *p);
/* p without flush-results. */
const struct profile *profile_keeping_results(struct arena *a,
                                              const struct profile *p);

/* The budget for a class ("arithmetic", "Sin", "Sin.complex") and unit type
 * (correct rounding, where no profile names one), and the source that the
 * profile names for it (may be NULL).  Entries that apply to some operands only
 * ("if") are skipped. */
const struct accept_budget *profile_budget(const struct profile *p,
                                           const char *accuracy,
                                           enum dtype type,
                                           const char **source);

/* One element of each operand: part u of operand k is x[k * units + u]. */
struct profile_element {
    enum dtype unit;
    int units, count;
    const uint64_t *x;
};

/* Does the budget depend on the operands? */
bool profile_has_domains(const struct profile *p, const char *accuracy,
                         enum dtype type);
/* The budget for the result of one element. */
const struct accept_budget *
profile_budget_at(const struct profile *p, const char *accuracy,
                  enum dtype type, const struct profile_element *element);
struct profile_domain;
/* The budgets in the order in which they are tried, n from 0: the last one is
 * for every element, and NULL follows it.  In *domain (may be NULL) what the
 * n-th is for (profile_domain.h), or NULL. */
const struct accept_budget *
profile_budget_nth(const struct profile *p, const char *accuracy,
                   enum dtype type, int n,
                   const struct profile_domain **domain);
/* Rules for a type: subnormals, NaN, overflow. */
struct accept_rules profile_rules(const struct profile *p, enum dtype type);
/* Is it right but worth a remark under this profile (flushed subnormals)? */
bool profile_warns(const struct profile *p, const char *what);

#endif
