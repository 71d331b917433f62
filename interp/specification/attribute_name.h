/* attribute_name.h - the attributes of spec/ops, by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The enumeration is made by the build (tools/makers/names.c), so an attribute
 * that is misspelt, or was renamed there, does not compile.  Text becomes a
 * name in one place, where a file or a message of the protocol is read.
 */
#ifndef INTERP_SPECIFICATION_ATTRIBUTE_NAME_H
#define INTERP_SPECIFICATION_ATTRIBUTE_NAME_H

/* A member of dimension_numbers is an attribute of its own. */
enum attribute_name {
    ATTRIBUTE_NONE,
#define ATTRIBUTE(name, text) ATTRIBUTE_##name,
#include "gen/attributes.def"
    ATTRIBUTE_NAMES
};

/* "slice_sizes", "dimension_numbers.offset_dims" */
const char *attribute_name_text(enum attribute_name name);
/* "offset_dims": without the object that it is a member of. */
const char *attribute_name_short(enum attribute_name name);
/* By its whole text; ATTRIBUTE_NONE if there is none. */
enum attribute_name attribute_name_find(const char *text);

#endif
