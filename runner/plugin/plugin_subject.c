/* plugin_subject.c - see plugin.h.  Tests: identity.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wordexp.h>

#include "runner/plugin/plugin.h"

/* The option of an adapter that names what it drives. */
static const struct {
    const char *adapter, *option;
    bool command;
} adapters[] = {{"pjrt.so", "plugin", false},
                {"process.so", "file", false},
                {"process.so", "command", true}};

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void add(struct arena *a, struct plugin_subject *s, const char *file)
{
    ARENA_GROW(a, s->files, s->count, s->room);
    s->files[s->count++] = arena_text(a, file);
}

/* The value of an option of "KEY=VALUE,..."; %2C and %25 are a comma and a
 * percent sign (plugin.c).  NULL: it is not given. */
static char *value_of(struct arena *a, const char *options, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = options; *p; p += *p == ',') {
        size_t length = strcspn(p, ",");
        if (strncmp(p, key, n) == 0 && p[n] == '=') {
            char *text =
                arena_printf(a, "%.*s", (int)(length - n - 1), p + n + 1);
            char *to = text;
            for (const char *from = text; *from; from++, to++) {
                bool comma = strncmp(from, "%2C", 3) == 0;
                bool percent = strncmp(from, "%25", 3) == 0;
                *to = comma ? ',' : percent ? '%' : *from;
                from += comma || percent ? 2 : 0;
            }
            *to = '\0';
            return text;
        }
        p += length;
    }
    return NULL;
}

/* Looks for the program as a shell would. */
static const char *in_path(struct arena *a, const char *word)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        const char *file = arena_printf(a, "%.*s/%s", (int)n, path, word);
        if (is_file(file))
            return file;
        path += n + (path[n] == ':');
    }
    return NULL;
}

static bool is_assignment(const char *word)
{
    return strchr(word, '=') && !strchr(word, '/');
}

static void add_words(struct arena *a, struct plugin_subject *s, int count,
                      char *const *words)
{
    bool first = true;
    for (int i = 0; i < count; i++) {
        const char *file = is_file(words[i]) ? words[i] : NULL;
        if (!file && first && !strchr(words[i], '/'))
            file = in_path(a, words[i]);
        if (file)
            add(a, s, file);
        first = first && is_assignment(words[i]);
    }
}

/* A command that wordexp() refuses (a pipe, a semicolon) is divided at blanks.
 */
static void add_command(struct arena *a, struct plugin_subject *s, char *text)
{
    wordexp_t words;
    if (wordexp(text, &words, WRDE_NOCMD) == 0) {
        add_words(a, s, (int)words.we_wordc, words.we_wordv);
        wordfree(&words);
        return;
    }
    char *next = NULL;
    for (char *w = strtok_r(text, " \t;|&()<>", &next); w;
         w = strtok_r(NULL, " \t;|&()<>", &next))
        add_words(a, s, 1, &w);
}

struct plugin_subject plugin_subject(struct arena *a, const char *path,
                                     const char *options)
{
    struct plugin_subject s = {0};
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof adapters / sizeof adapters[0]; i++) {
        if (strcmp(adapters[i].adapter, base) != 0)
            continue;
        char *value = value_of(a, options, adapters[i].option);
        if (!value)
            continue;
        if (adapters[i].command)
            add_command(a, &s, value);
        else
            add(a, &s, value);
        return s;
    }
    add(a, &s, path);
    return s;
}
