/* attribute_name.c - see attribute_name.h.  Tests: test_spec.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/specification/attribute_name.h"

#include <string.h>

static const char *const texts[ATTRIBUTE_NAMES] = {
    [ATTRIBUTE_NONE] = "",
#define ATTRIBUTE(name, text) [ATTRIBUTE_##name] = text,
#include "gen/attributes.def"
};

const char *attribute_name_text(enum attribute_name name)
{
    return texts[name];
}

const char *attribute_name_short(enum attribute_name name)
{
    const char *dot = strrchr(texts[name], '.');
    return dot ? dot + 1 : texts[name];
}

enum attribute_name attribute_name_find(const char *text)
{
    int i = ATTRIBUTE_NAMES - 1;
    while (i > ATTRIBUTE_NONE && strcmp(texts[i], text) != 0)
        i--;
    return (enum attribute_name)i;
}
