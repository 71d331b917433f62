/* attribute.h - an instruction's attributes, by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_ATTRIBUTE_H
#define INTERP_PROGRAM_ATTRIBUTE_H

#include "interp/program/program.h"

/* Read the attributes of one instruction from the case format's object (NULL:
 * none), as spec/ops lists them, with defaults filled in.  Computations are
 * looked up with find, which returns NULL for a name that is not known (the
 * name is then taken for a built-in one).  Fails with ATTRIBUTE (missing, not
 * one of the names) or INPUT (unknown, wrong kind of value). */
typedef const struct computation *attribute_lookup(void *context,
                                                   const char *name);
bool attribute_read(struct arena *a, const struct spec_op *op,
                    const struct json *object, const struct limits *limits,
                    attribute_lookup *find, void *context, int *count,
                    struct attribute **attributes, struct status *st);

/* A JSON value as text without blanks, in the arena. */
const char *attribute_json_text(struct arena *a, const struct json *node);

/* Attributes.  The loader has filled in defaults, so one that is missing is
 * optional and absent (NULL, or fallback). */
const struct attribute *attribute_find(const struct instruction *in,
                                       enum attribute_name name);
int64_t attribute_int(const struct instruction *in, enum attribute_name name,
                      int64_t fallback);
bool attribute_bool(const struct instruction *in, enum attribute_name name,
                    bool fallback);
const char *attribute_string(const struct instruction *in,
                             enum attribute_name name);

#endif
