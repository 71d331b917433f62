/* case_check.h - what a case file may say, before anything is computed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Members, kinds of value, and the rules between members that the JSON schema
 * cannot say.  Where a file has a variable of `each`, any value is accepted
 * here, and checked where it is read.
 */
#ifndef INTERP_CASE_CASE_CHECK_H
#define INTERP_CASE_CASE_CHECK_H

#include "interp/base/json.h"

enum {
    CASE_CHECK_REPLICAS_MAX = 1024
};

/* The file's own members, apart from the cases. */
bool case_check_file(struct arena *a, const struct json *root,
                     struct status *st);
/* One case. */
bool case_check_case(struct arena *a, const struct json *node,
                     struct status *st);
/* Is a case with a module, and without an operation of its own, about the
 * operation of its file (root)?  Both are checked otherwise. */
bool case_check_op(struct arena *a, const struct json *root,
                   const struct json *node, struct status *st);

#endif
