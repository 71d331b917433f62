/* names.c - the names of spec/ for the C compiler, for the build.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     names FOLDER spec/policies.json spec/ops/... spec/families/...
 *
 * FOLDER/policy/max_nan.h, one file a policy, so that a new choice concerns
 * only those who decide by it:
 *
 *     #define MAX_NAN_POLICY "max.nan"
 *     enum max_nan { MAX_NAN_PROPAGATE, MAX_NAN_EITHER };
 *     enum max_nan profile_max_nan(const struct profile *p);
 *
 * Where a policy has two choices, a function says for each whether a profile
 * chooses it.  A third choice takes these away: their callers no longer
 * compile, and must decide anew.
 *
 *     bool profile_max_nan_is_either(const struct profile *p);
 *
 * FOLDER/policies.h includes them all.  FOLDER/policies.def and attributes.def
 * are rows for the preprocessor (interp/specification/profile_private.h and
 * attribute_name.h):
 *
 *     POLICY(MAX_NAN, max_nan, "max.nan")
 *     CHOICE(MAX_NAN, 0, "propagate")
 *     ATTRIBUTE(OFFSET_DIMS, "dimension_numbers.offset_dims")
 *
 * So a name that is misspelt does not compile.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTES_MAX = 1000,
    NAME_MAX_BYTES = 120,
    PATH_MAX_BYTES = 4096,
};

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

/* "max.nan" as MAX_NAN, or as max_nan. */
struct identifier {
    char text[NAME_MAX_BYTES];
};

static struct identifier identifier(const char *name, int letter(int))
{
    struct identifier to = {{0}};
    for (size_t n = 0; name[n] && n + 1 < NAME_MAX_BYTES; n++)
        to.text[n] = isalnum((unsigned char)name[n])
                         ? (char)letter((unsigned char)name[n])
                         : '_';
    return to;
}

#define UPPER(NAME) identifier(NAME, toupper).text
#define LOWER(NAME) identifier(NAME, tolower).text

/* ---- Files --------------------------------------------------------------- */

static const char *folder;

static FILE *create(const char *name)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return f;
}

static void finish(FILE *f)
{
    if (fclose(f) != 0) {
        perror(folder);
        exit(EXIT_FAILURE);
    }
}

/* Rows of macros that the reader defines. */
static FILE *create_rows(const char *name, const char *const *macros)
{
    FILE *f = create(name);
    fputs("/* Made by tools/makers/names.c.  Define what you want of it. */\n",
          f);
    for (; *macros; macros++)
        fprintf(f, "#ifndef %s\n#define %s(...)\n#endif\n", *macros, *macros);
    return f;
}

static void finish_rows(FILE *f, const char *const *macros)
{
    for (; *macros; macros++)
        fprintf(f, "#undef %s\n", *macros);
    finish(f);
}

/* ---- Policies ------------------------------------------------------------ */

static void print_predicates(FILE *f, const cJSON *choices, const char *policy)
{
    const cJSON *choice;
    if (cJSON_GetArraySize(choices) != 2)
        return;
    cJSON_ArrayForEach(choice, choices)
        fprintf(f,
                "\nstatic inline bool profile_%s_is_%s(const struct profile "
                "*p)\n{\n    return profile_%s(p) == %s_%s;\n}\n",
                policy, LOWER(text_of(choice, "name")), policy, UPPER(policy),
                UPPER(text_of(choice, "name")));
}

static void print_header(const cJSON *policy)
{
    const char *name = text_of(policy, "name");
    struct identifier upper = identifier(name, toupper);
    struct identifier lower = identifier(name, tolower);
    char path[NAME_MAX_BYTES + 16];
    const cJSON *choice;
    const cJSON *choices = cJSON_GetObjectItemCaseSensitive(policy, "choices");
    snprintf(path, sizeof path, "policy/%s.h", lower.text);
    FILE *f = create(path);
    fprintf(
        f,
        "/* The policy %s of spec/policies.json, by tools/makers/names.c. */\n"
        "#ifndef GEN_POLICY_%s_H\n#define GEN_POLICY_%s_H\n\n"
        "#include <stdbool.h>\n\nstruct profile;\n\n#define %s_POLICY "
        "\"%s\"\n\nenum %s {\n",
        name, upper.text, upper.text, upper.text, name, lower.text);
    cJSON_ArrayForEach(choice, choices)
        fprintf(f, "    %s_%s,\n", upper.text, UPPER(text_of(choice, "name")));
    fprintf(f,
            "};\n\n/* Returns what a profile chooses. */\n"
            "enum %s profile_%s(const struct profile *p);\n",
            lower.text, lower.text);
    print_predicates(f, choices, lower.text);
    fputs("\n#endif\n", f);
    finish(f);
}

static void print_rows(FILE *rows, const cJSON *policy)
{
    const char *name = text_of(policy, "name");
    struct identifier upper = identifier(name, toupper);
    const cJSON *choice;
    int number = 0;
    fprintf(rows, "POLICY(%s, %s, \"%s\")\n", upper.text, LOWER(name), name);
    cJSON_ArrayForEach(choice,
                       cJSON_GetObjectItemCaseSensitive(policy, "choices"))
    {
        fprintf(rows, "CHOICE(%s, %d, \"%s\")\n", upper.text, number++,
                text_of(choice, "name"));
    }
}

static void print_policies(const cJSON *root)
{
    static const char *const macros[] = {"POLICY", "CHOICE", NULL};
    const cJSON *policy;
    FILE *rows = create_rows("policies.def", macros);
    FILE *all = create("policies.h");
    fputs("/* Made by tools/makers/names.c: every policy. */\n", all);
    cJSON_ArrayForEach(policy,
                       cJSON_GetObjectItemCaseSensitive(root, "policies"))
    {
        print_header(policy);
        print_rows(rows, policy);
        fprintf(all, "#include \"gen/policy/%s.h\"\n",
                LOWER(text_of(policy, "name")));
    }
    finish(all);
    finish_rows(rows, macros);
}

/* ---- Attributes ---------------------------------------------------------- */

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

static void print_attributes(void)
{
    static const char *const macros[] = {"ATTRIBUTE", NULL};
    FILE *rows = create_rows("attributes.def", macros);
    for (int i = 0; i < attribute_count; i++) {
        /* A member goes by its own name, which must be the only one. */
        const char *dot = strrchr(attributes[i], '.');
        fprintf(rows, "ATTRIBUTE(%s, \"%s\")\n",
                UPPER(dot ? dot + 1 : attributes[i]), attributes[i]);
    }
    finish_rows(rows, macros);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return EXIT_FAILURE;
    folder = argv[1];
    for (int i = 2; i < argc; i++) {
        cJSON *root = read_json(argv[i]);
        if (!root)
            return EXIT_FAILURE;
        if (i == 2)
            print_policies(root);
        else
            add_attributes(root);
        cJSON_Delete(root);
    }
    print_attributes();
    return EXIT_SUCCESS;
}
