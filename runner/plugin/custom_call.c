/* custom_call.c - see custom_call.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The list belongs to the process: it is made from the command line before
 * any worker is forked.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "runner/plugin/custom_call.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NAMES_MAX = 64
};

static struct named {
    const char *text; /* NAME=PATH */
    size_t length;    /* of NAME */
    char *path;       /* from the root: a backend may go to another folder */
    custom_function *function;
    bool seen; /* in a case file */
} names[NAMES_MAX];
static int count;

static struct named *look_up(const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (names[i].length == length
            && strncmp(names[i].text, name, length) == 0)
            return &names[i];
    return NULL;
}

bool custom_call_name(const char *text, struct status *st)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return FAIL(st, INPUT,
                    "--custom-call: expected NAME=PATH, got '%.100s'", text);
    if (strncmp(text, "assay.", 6) == 0)
        return FAIL(st, INPUT,
                    "--custom-call: names with 'assay.' are reserved");
    if (look_up(text, (size_t)(equals - text)))
        return FAIL(st, INPUT, "--custom-call: duplicate name '%.*s'",
                    (int)(equals - text), text);
    if (count == NAMES_MAX)
        return FAIL(st, INPUT, "--custom-call: more than %d names", NAMES_MAX);
    names[count].path = realpath(equals + 1, NULL);
    if (!names[count].path || access(names[count].path, R_OK) != 0)
        return FAIL(st, INPUT, "--custom-call: %.150s: %s", equals + 1,
                    strerror(errno));
    names[count].text = text;
    names[count++].length = (size_t)(equals - text);
    return true;
}

static bool load(struct named *n, const char *name, struct status *st)
{
    void *handle = dlopen(n->path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return FAIL(st, SYSTEM, "--custom-call: %.200s", dlerror());
    *(void **)&n->function = dlsym(handle, name);
    if (!n->function)
        return FAIL(st, SYSTEM, "--custom-call: %.100s has no function '%.80s'",
                    n->text + n->length + 1, name);
    return true;
}

static bool find_or_load(void *context, const char *name,
                         custom_function **function, struct status *st)
{
    struct named *n = look_up(name, strlen(name));
    (void)context;
    *function = NULL;
    if (!n)
        return true;
    if (!n->function)
        TRY(load(n, name, st));
    *function = n->function;
    return true;
}

const struct custom_lookup *custom_call_lookup(void)
{
    static const struct custom_lookup lookup = {find_or_load, NULL};
    return count > 0 ? &lookup : NULL;
}

void custom_call_seen(const struct json *root)
{
    if (count == 0)
        return;
    if (root->kind == JSON_STRING) {
        struct named *n = look_up(root->text, root->length);
        if (n)
            n->seen = true;
    }
    for (const struct json *c = root->child; c; c = c->next)
        custom_call_seen(c);
}

void custom_call_complain(const char *who)
{
    bool told = false;
    for (int i = 0; i < count; i++) {
        if (names[i].seen)
            continue;
        if (!told)
            fprintf(stderr, "%s: --custom-call: no chosen case calls ", who);
        fprintf(stderr, "%s%.*s", told ? ", " : "", (int)names[i].length,
                names[i].text);
        told = true;
    }
    if (told)
        fputc('\n', stderr);
}

static assay_custom_function *
find_for_plugin(const assay_host *host, const char *name, assay_error *error)
{
    struct status st = {STATUS_OK};
    custom_function *function;
    (void)host;
    if (!find_or_load(NULL, name, &function, &st)) {
        snprintf(error->text, sizeof error->text, "%s", st.text);
        return NULL;
    }
    return function;
}

const assay_custom_call custom_call_extension = {sizeof custom_call_extension,
                                                 find_for_plugin};
