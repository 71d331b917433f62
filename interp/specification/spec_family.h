/* spec_family.h - an operation's file with what its families give it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * From the JSON of spec/ops/NAME.json it makes one object, as if the file had
 * been written without a family; spec.c reads that.
 */
#ifndef INTERP_SPECIFICATION_SPEC_FAMILY_H
#define INTERP_SPECIFICATION_SPEC_FAMILY_H

#include "interp/base/json.h"
#include "interp/base/status.h"

/* The file of a family, or NULL. */
typedef const struct json *spec_family_find(const char *name);

/* The families of a file are the one that an operation's "family" names, and
 * each that "extends" lists, in this order; theirs follow them.
 *
 * In operands, attributes, members, constraints and requirements, a row takes
 * the members that it lacks from the inherited row of the same name, or of the
 * same id apart from the operation's name.  Rows of these lists, and policies,
 * precede the inherited ones that they do not name; operands are the file's own
 * if it lists any.  "result" takes the members that it lacks; any other member
 * replaces the inherited one.
 *
 * Nodes are shared with the files, and know their places there.  Fails with
 * INPUT at an unknown family, and where families extend one another in a cycle.
 * */
bool spec_family_merge(struct arena *a, const struct json *own,
                       spec_family_find *find, const struct json **whole,
                       struct status *st);

#endif
