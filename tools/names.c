/* names.c - the names of spec/ as rows for the C preprocessor, for the build.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     names spec/policies.json spec/ops/... spec/families/... >names.def
 *
 *     POLICY(MAX_NAN, "max.nan")
 *     CHOICE(MAX_NAN, PROPAGATE, 0, "propagate")
 *     ATTRIBUTE(OFFSET_DIMS, "dimension_numbers.offset_dims")
 *
 * interp/specification/policy.h and attribute_name.h make enumerations of them,
 * so that a name that is misspelt does not compile.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTES_MAX = 1000,
    NAME_MAX_BYTES = 120,
};

static const char *const rows[] = {"POLICY", "CHOICE", "ATTRIBUTE"};
static char attributes[ATTRIBUTES_MAX][NAME_MAX_BYTES];
static int attribute_count;

static cJSON *read_json(const char *path)
{
    FILE *f = fopen(path, "rb");
    cJSON *root = NULL;
    if (!f) {
        perror(path);
        return NULL;
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text && fread(text, 1, (size_t)size, f) == (size_t)size)
        root = cJSON_ParseWithLength(text, (size_t)size);
    free(text);
    fclose(f);
    if (!root)
        fprintf(stderr, "%s: not JSON\n", path);
    return root;
}

static const char *text_of(const cJSON *object, const char *member)
{
    const char *text =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, member));
    return text ? text : "";
}

/* "max.nan" as MAX_NAN. */
static const char *upper(const char *name)
{
    static char texts[2][NAME_MAX_BYTES];
    static int turn;
    char *to = texts[turn = !turn];
    size_t n = 0;
    for (; name[n] && n + 1 < NAME_MAX_BYTES; n++)
        to[n] = isalnum((unsigned char)name[n])
                    ? (char)toupper((unsigned char)name[n])
                    : '_';
    to[n] = '\0';
    return to;
}

static void print_policies(const cJSON *root)
{
    const cJSON *policy, *choice;
    cJSON_ArrayForEach(policy,
                       cJSON_GetObjectItemCaseSensitive(root, "policies"))
    {
        const char *name = text_of(policy, "name");
        int number = 0;
        if (!cJSON_IsObject(policy)) /* an operation only names its own */
            continue;
        printf("POLICY(%s, \"%s\")\n", upper(name), name);
        cJSON_ArrayForEach(choice,
                           cJSON_GetObjectItemCaseSensitive(policy, "choices"))
        {
            const char *own = text_of(choice, "name");
            printf("CHOICE(%s, %s, %d, \"%s\")\n", upper(name), upper(own),
                   number++, own);
        }
    }
}

static void add_attribute(const char *object, const char *name)
{
    char full[NAME_MAX_BYTES];
    snprintf(full, sizeof full, "%s%s%s", object, *object ? "." : "", name);
    for (int i = 0; i < attribute_count; i++)
        if (strcmp(attributes[i], full) == 0)
            return;
    if (attribute_count < ATTRIBUTES_MAX)
        memcpy(attributes[attribute_count++], full, sizeof full);
}

static void add_attributes(const cJSON *root)
{
    const cJSON *attribute, *member;
    cJSON_ArrayForEach(attribute,
                       cJSON_GetObjectItemCaseSensitive(root, "attributes"))
    {
        const char *name = text_of(attribute, "name");
        add_attribute("", name);
        cJSON_ArrayForEach(
            member, cJSON_GetObjectItemCaseSensitive(attribute, "members"))
            add_attribute(name, text_of(member, "name"));
    }
}

int main(int argc, char **argv)
{
    puts("/* Made by tools/names.c.  Define what you want of it. */");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("#ifndef %s\n#define %s(...)\n#endif\n", rows[i], rows[i]);
    for (int i = 1; i < argc; i++) {
        cJSON *root = read_json(argv[i]);
        if (!root)
            return EXIT_FAILURE;
        print_policies(root);
        add_attributes(root);
        cJSON_Delete(root);
    }
    for (int i = 0; i < attribute_count; i++) {
        /* A member goes by its own name, which must be the only one. */
        const char *dot = strrchr(attributes[i], '.');
        printf("ATTRIBUTE(%s, \"%s\")\n", upper(dot ? dot + 1 : attributes[i]),
               attributes[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("#undef %s\n", rows[i]);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
