/* open.c - a program as a backend: start, greeting, properties, capabilities.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Options, "key=value,key=value":
 *   command=TEXT   a command of the shell, or
 *   file=PATH      an executable file; which must be the first option
 *   KEY=VALUE      passed on to the program
 * A comma of command and file is written %2C, and a per cent sign %25.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- Options ------------------------------------------------------------- */

static char *unescape(const char *text, size_t length)
{
    char *to = malloc(length + 1), *end = to;
    for (size_t i = 0; to && i < length; i++) {
        if (strncmp(text + i, "%2C", 3) == 0)
            *end++ = ',', i += 2;
        else if (strncmp(text + i, "%25", 3) == 0)
            *end++ = '%', i += 2;
        else
            *end++ = text[i];
    }
    if (to)
        *end = '\0';
    return to;
}

/* The options after the first one, as an object. */
static assay_code read_options(const char *text, cJSON *to, assay_error *error)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (!equals)
            return process_say(error, ASSAY_FAILED,
                               "the option '%.*s' has no value", (int)length,
                               text);
        char *key = unescape(text, (size_t)(equals - text));
        char *value =
            unescape(equals + 1, (size_t)(text + length - equals - 1));
        if (key && value)
            cJSON_AddStringToObject(to, key, value);
        free(key);
        free(value);
        text += length + (text[length] == ',');
    }
    return ASSAY_OK;
}

/* ---- The greeting -------------------------------------------------------- */

/* "protocol" is the oldest version, because programs that know no other one may
 * compare it; they ignore "newest". */
static int send_open(struct process *p, const cJSON *options)
{
    char *text = cJSON_PrintUnformatted(options), *header = NULL;
    if (text
        && asprintf(&header, "\"protocol\":%d,\"newest\":%d,\"options\":%s",
                    PROCESS_OLDEST, PROCESS_NEWEST, text)
               < 0)
        header = NULL;
    int good = header ? process_begin(p, "open", header, 0)
                      : process_break(p, "not enough memory");
    free(header);
    cJSON_free(text);
    return good;
}

/* An object whose members are strings, or absent. */
static assay_code check_strings(const cJSON *hello, const char *name,
                                assay_error *error)
{
    const cJSON *object = member(hello, name), *m;
    if (object && !cJSON_IsObject(object))
        return process_say(error, ASSAY_FAILED,
                           "open: the reply's '%s' is not an object", name);
    cJSON_ArrayForEach(m, object)
    {
        if (!cJSON_IsString(m))
            return process_say(error, ASSAY_FAILED,
                               "open: '%s' of the reply's '%s' is not a string",
                               m->string, name);
    }
    return ASSAY_OK;
}

/* An unknown name that is nearly a known one is a typing error; another one may
 * be for a later host. */
static assay_code check_known_names(const cJSON *hello, assay_error *error)
{
    static const char *const names[] = {
#define CAPABILITY(name, kind, words) name,
#include "runner/plugin/capability.def"
#undef CAPABILITY
    };
    const cJSON *m;
    cJSON_ArrayForEach(m, member(hello, "capabilities"))
    {
        const char *near = NULL;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcmp(m->string, names[i]) == 0) {
                near = NULL;
                break;
            }
            size_t n = strlen(names[i]);
            if (strncasecmp(m->string, names[i], n - 1) == 0
                || (strlen(m->string) > 2
                    && strncasecmp(m->string, names[i], strlen(m->string))
                           == 0))
                near = names[i];
        }
        if (near)
            return process_say(error, ASSAY_FAILED,
                               "open: unknown capability '%.40s' (nearest: "
                               "'%s')",
                               m->string, near);
    }
    return ASSAY_OK;
}

static assay_code check_texts(const cJSON *hello, assay_error *error)
{
    static const char *const names[] = {"name", "version"};
    for (int i = 0; i < 2; i++) {
        const cJSON *text = member(hello, names[i]);
        if (!cJSON_IsString(text) || text->valuestring[0] == '\0')
            return process_say(error, ASSAY_FAILED,
                               "open: the reply has no '%s'", names[i]);
    }
    assay_code code = check_strings(hello, "properties", error);
    code = code ? code : check_strings(hello, "capabilities", error);
    return code ? code : check_known_names(hello, error);
}

/* Reads which texts of a program it wants; JSON if it does not say. */
static assay_code read_forms(struct process *p, assay_error *error)
{
    const cJSON *forms = member(p->hello, "forms"), *form;
    const void *json = p->host->extension(p->host, ASSAY_PROGRAM_JSON);
    const void *text = p->host->extension(p->host, ASSAY_STABLEHLO_TEXT);
    if (!forms)
        p->json = json;
    else if (!cJSON_IsArray(forms))
        return process_say(error, ASSAY_FAILED,
                           "open: the reply's 'forms' is not a list");
    cJSON_ArrayForEach(form, forms)
    {
        const char *name = cJSON_IsString(form) ? form->valuestring : "?";
        if (strcmp(name, "json") == 0)
            p->json = json;
        else if (strcmp(name, "stablehlo") == 0)
            p->stablehlo = text;
        else
            return process_say(error, ASSAY_FAILED,
                               "open: '%.40s' is not a form of programs (json, "
                               "stablehlo)",
                               name);
    }
    if (!p->json && !p->stablehlo)
        return process_say(error, ASSAY_FAILED, "open: no form of programs");
    return ASSAY_OK;
}

static assay_code read_version(struct process *p, assay_error *error)
{
    const cJSON *version = member(p->hello, "protocol");
    for (int v = PROCESS_OLDEST; v <= PROCESS_NEWEST; v++)
        if (cJSON_IsNumber(version) && version->valuedouble == v)
            p->version = v;
    if (p->version)
        return ASSAY_OK;
    return process_say(error, ASSAY_FAILED,
                       "open: the reply's 'protocol' is not a version that "
                       "this assay speaks (%d to %d)",
                       PROCESS_OLDEST, PROCESS_NEWEST);
}

static assay_code greet(struct process *p, const cJSON *options,
                        assay_error *error)
{
    uint64_t body;
    if (!send_open(p, options) || !process_reply(p, &p->hello, &body)
        || !process_skip(p, body))
        return process_say(error, ASSAY_FAILED, "%s", p->broken);
    assay_code code = process_empty(p->hello, body, error);
    if (!code)
        code = read_version(p, error);
    if (code)
        return code;
    if (!process_number(p, p->hello) || !process_finish(p))
        return process_say(error, ASSAY_FAILED, "%s", p->broken);
    code = check_texts(p->hello, error);
    return code ? code : read_forms(p, error);
}

/* ---- The backend's functions --------------------------------------------- */

static int32_t property(assay_backend *b, int32_t i, const char **key,
                        const char **value)
{
    const struct process *p = b->self;
    const cJSON *all = member(p->hello, "properties");
    const cJSON *one = i > 0 && i <= PROCESS_PROPERTIES_MAX
                           ? cJSON_GetArrayItem(all, i - 1)
                           : NULL;
    if (i == 0) {
        *key = p->is_file ? "process.file" : "process.command";
        *value = p->what;
        return 1;
    }
    if (!one)
        return 0;
    *key = one->string;
    *value = one->valuestring;
    return 1;
}

static const char *capability(assay_backend *b, const char *name)
{
    const struct process *p = b->self;
    const cJSON *one = member(member(p->hello, "capabilities"), name);
    return one ? one->valuestring : NULL;
}

static void close_backend(assay_backend *b)
{
    struct process *p = b->self;
    process_stop(p);
    cJSON_Delete(p->hello);
    free(p->what);
    free(p);
}

/* The first option says what to run, the others are for it. */
static assay_code read_what(struct process *p, const char *text,
                            assay_error *error)
{
    size_t length = strcspn(text, ",");
    p->is_file = strncmp(text, "file=", 5) == 0;
    if (!p->is_file && strncmp(text, "command=", 8) != 0)
        return process_say(error, ASSAY_FAILED,
                           "the first option is command=TEXT or file=PATH");
    size_t key = p->is_file ? 5 : 8;
    p->what = unescape(text + key, length - key);
    cJSON *options = cJSON_CreateObject();
    assay_code code =
        !p->what || !options
            ? process_say(error, ASSAY_FAILED, "not enough memory")
            : read_options(text + length + (text[length] == ','), options,
                           error);
    p->call = "open";
    if (!code && !process_spawn(p))
        code = process_say(error, ASSAY_FAILED, "%s", p->broken);
    if (!code)
        code = greet(p, options, error);
    cJSON_Delete(options);
    return code;
}

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    if (host->abi_major != ASSAY_ABI_MAJOR)
        return process_say(error, ASSAY_FAILED,
                           "built for ABI version %d, the host has %u",
                           ASSAY_ABI_MAJOR, host->abi_major);
    struct process *p = calloc(1, sizeof *p);
    if (!p)
        return process_say(error, ASSAY_FAILED, "not enough memory");
    p->host = host;
    p->earlier = host->extension(host, ASSAY_EARLIER);
    p->backend.size = sizeof p->backend;
    p->backend.self = p;
    p->backend.property = property;
    p->backend.capability = capability;
    p->backend.compile = process_compile;
    p->backend.execute = process_execute;
    p->backend.release = process_release;
    p->backend.close = close_backend;
    assay_code code = read_what(p, options, error);
    if (code) {
        close_backend(&p->backend);
        return code;
    }
    p->backend.name = member(p->hello, "name")->valuestring;
    p->backend.version = member(p->hello, "version")->valuestring;
    *backend = &p->backend;
    return ASSAY_OK;
}
