/* attribute.c - an instruction's attributes, by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

const struct attribute *attribute_find(const struct node *n, const char *name)
{
    for (int i = 0; i < n->attribute_count; i++)
        if (strcmp(n->attributes[i].name, name) == 0)
            return &n->attributes[i];
    return NULL;
}

int64_t attribute_int(const struct node *n, const char *name, int64_t fallback)
{
    const struct attribute *a = attribute_find(n, name);
    return a != NULL && a->count > 0 && a->ints != NULL ? a->ints[0] : fallback;
}

const char *attribute_string(const struct node *n, const char *name)
{
    const struct attribute *a = attribute_find(n, name);
    return a != NULL && a->string != NULL ? a->string : "";
}

assay_code attribute_need(struct check *c, const char *name,
                          const struct attribute **attribute)
{
    *attribute = attribute_find(c->node, name);
    if (*attribute == NULL)
        return program_fail(c, ASSAY_ATTRIBUTE, "%s is missing", name);
    return ASSAY_OK;
}

assay_code attribute_type(struct check *c, const char *name,
                          const struct type **type)
{
    const struct attribute *a;
    TRY(attribute_need(c, name, &a));
    *type = type_find(a->string);
    if (*type == NULL)
        return program_fail(c, ASSAY_UNSUPPORTED, "element type %s",
                            a->string != NULL ? a->string : "");
    return ASSAY_OK;
}

assay_code attribute_list(struct check *c, const char *name, int64_t count,
                          const struct attribute **a)
{
    assay_code code = attribute_need(c, name, a);
    if (code == ASSAY_OK && (*a)->count != count)
        code =
            program_fail(c, ASSAY_ATTRIBUTE, "%s has %d entries; expected %d",
                         name, (int)(*a)->count, (int)count);
    return code;
}

assay_code attribute_dimensions(struct check *c, const struct attribute *a,
                                int rank)
{
    for (int64_t i = 0; i < a->count; i++) {
        if (a->ints[i] < 0 || a->ints[i] >= rank)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "%s names dimension %lld of %d", a->name,
                                (long long)a->ints[i], rank);
        for (int64_t j = 0; j < i; j++)
            if (a->ints[j] == a->ints[i])
                return program_fail(c, ASSAY_ATTRIBUTE,
                                    "%s names dimension %lld twice", a->name,
                                    (long long)a->ints[i]);
    }
    return ASSAY_OK;
}

int attribute_has(const struct attribute *a, int64_t x)
{
    for (int64_t i = 0; a != NULL && i < a->count; i++)
        if (a->ints[i] == x)
            return 1;
    return 0;
}
