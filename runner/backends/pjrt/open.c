/* open.c - a PJRT plugin as a backend: loading, properties, capabilities.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Options, "key=value,key=value":
 *   plugin=PATH         the plugin's shared object (obligatory)
 *   name=NAME           what the records call it (default: pjrt)
 *   client.KEY=VALUE    a client option: an integer, true or false, or a string
 *   env.KEY=VALUE       an environment variable, set before loading
 *   xla_KEY=VALUE       an override of XLA's debug options, for each compile
 *
 * All of them are recorded as properties, with the API's version, the
 * plugin's attributes and the platform's version.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt.h"

static char *copy(const char *text, size_t length)
{
    char *c = malloc(length + 1);
    if (c) {
        memcpy(c, text, length);
        c[length] = '\0';
    }
    return c;
}

void pjrt_property(struct pjrt *p, const char *key, const char *format, ...)
{
    char value[512];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    if (p->property_count == PJRT_PROPERTIES_MAX)
        return;
    struct pjrt_pair *pair = &p->properties[p->property_count];
    pair->key = copy(key, strlen(key));
    pair->value = copy(value, strlen(value));
    if (pair->key && pair->value)
        p->property_count++;
}

const char *pjrt_option(const struct pjrt *p, const char *key)
{
    for (int i = 0; i < p->option_count; i++)
        if (strcmp(p->options[i].key, key) == 0)
            return p->options[i].value;
    return NULL;
}

static assay_code read_options(struct pjrt *p, const char *text,
                               assay_error *error)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (!equals)
            return pjrt_say(error, ASSAY_FAILED,
                            "the option '%.*s' has no value", (int)length,
                            text);
        if (p->option_count == PJRT_OPTIONS_MAX)
            return pjrt_say(error, ASSAY_FAILED, "more than %d options",
                            PJRT_OPTIONS_MAX);
        struct pjrt_pair *pair = &p->options[p->option_count++];
        pair->key = copy(text, (size_t)(equals - text));
        pair->value = copy(equals + 1, (size_t)(text + length - equals - 1));
        if (!pair->key || !pair->value)
            return pjrt_say(error, ASSAY_FAILED, "not enough memory");
        static const char *const known[] = {"client.", "env.", "xla_"};
        int good =
            strcmp(pair->key, "plugin") == 0 || strcmp(pair->key, "name") == 0;
        for (int i = 0; i < 3; i++)
            good |= strncmp(pair->key, known[i], strlen(known[i])) == 0;
        if (!good)
            return pjrt_say(error, ASSAY_FAILED,
                            "unknown option '%s' (plugin, name, client.KEY, "
                            "env.KEY, xla_KEY)",
                            pair->key);
        if (strncmp(pair->key, "env.", 4) == 0)
            setenv(pair->key + 4, pair->value, 1);
        pjrt_property(p, pair->key, "%s", pair->value);
        text += length + (text[length] == ',');
    }
    return ASSAY_OK;
}

static assay_code load(struct pjrt *p, assay_error *error)
{
    const char *path = pjrt_option(p, "plugin");
    if (!path)
        return pjrt_say(error, ASSAY_FAILED,
                        "the option plugin=PATH is missing");
    p->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!p->library)
        return pjrt_say(error, ASSAY_FAILED, "%s", dlerror());
    union {
        void *object;
        const PJRT_Api *(*function)(void);
    } get = {dlsym(p->library, "GetPjrtApi")};
    if (!get.object)
        return pjrt_say(error, ASSAY_FAILED,
                        "%s is not a PJRT plugin: no GetPjrtApi found", path);
    p->api = get.function();
    if (!p->api)
        return pjrt_say(error, ASSAY_FAILED, "GetPjrtApi returned NULL");
    const PJRT_Api_Version *v = &p->api->pjrt_api_version;
    pjrt_property(p, "pjrt.api", "%d.%d", v->major_version, v->minor_version);
    pjrt_property(p, "pjrt.header", "%d.%d", PJRT_API_MAJOR, PJRT_API_MINOR);
    if (v->major_version != PJRT_API_MAJOR)
        return pjrt_say(error, ASSAY_FAILED,
                        "the plugin's PJRT API is %d.%d, this adapter's %d.x",
                        v->major_version, v->minor_version, PJRT_API_MAJOR);
    return ASSAY_OK;
}

/* Every function that the adapter calls without asking. */
static assay_code check_functions(const struct pjrt *p, assay_error *error)
{
    const char *missing = NULL;
#define NEED(function) \
    if (!PJRT_HAS(p, function)) \
    missing = #function
    NEED(PJRT_Client_Create);
    NEED(PJRT_Client_Destroy);
    NEED(PJRT_Client_Compile);
    NEED(PJRT_Client_AddressableDevices);
    NEED(PJRT_Client_BufferFromHostBuffer);
    NEED(PJRT_LoadedExecutable_GetExecutable);
    NEED(PJRT_LoadedExecutable_Execute);
    NEED(PJRT_LoadedExecutable_Destroy);
    NEED(PJRT_Executable_NumOutputs);
    NEED(PJRT_Executable_Destroy);
    NEED(PJRT_Buffer_ElementType);
    NEED(PJRT_Buffer_Dimensions);
    NEED(PJRT_Buffer_ToHostBuffer);
    NEED(PJRT_Buffer_Destroy);
    NEED(PJRT_Event_Await);
    NEED(PJRT_Event_Destroy);
#undef NEED
    if (missing)
        return pjrt_say(error, ASSAY_FAILED, "the plugin lacks %s", missing);
    return ASSAY_OK;
}

static assay_code initialize(struct pjrt *p, assay_error *error)
{
    assay_code code = ASSAY_OK;
    if (PJRT_HAS(p, PJRT_Plugin_Initialize)) {
        PJRT_ARGS(PJRT_Plugin_Initialize_Args, args);
        code = pjrt_error(p, p->api->PJRT_Plugin_Initialize(&args.a), 0,
                          "initialize", error);
    }
    if (code || !PJRT_HAS(p, PJRT_Plugin_Attributes))
        return code;
    PJRT_ARGS(PJRT_Plugin_Attributes_Args, args);
    if (pjrt_error(p, p->api->PJRT_Plugin_Attributes(&args.a), 0, "attributes",
                   error))
        return ASSAY_OK; /* it says nothing about itself */
    for (size_t i = 0; i < args.a.num_attributes; i++) {
        const PJRT_NamedValue *v = &args.a.attributes[i];
        char key[128], list[256] = "";
        snprintf(key, sizeof key, "plugin.%.*s", (int)v->name_size, v->name);
        for (size_t k = 0; v->type == PJRT_NamedValue_kInt64List
                           && k < v->value_size && k < 8;
             k++) {
            size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, "%s%lld", k ? "." : "",
                     (long long)v->int64_array_value[k]);
        }
        if (v->type == PJRT_NamedValue_kInt64List)
            pjrt_property(p, key, "%s", list);
        else if (v->type == PJRT_NamedValue_kInt64)
            pjrt_property(p, key, "%lld", (long long)v->int64_value);
        else if (v->type == PJRT_NamedValue_kString)
            pjrt_property(p, key, "%.*s", (int)v->value_size, v->string_value);
        else if (v->type == PJRT_NamedValue_kBool)
            pjrt_property(p, key, "%s", v->bool_value ? "true" : "false");
    }
    return ASSAY_OK;
}

static size_t client_options(const struct pjrt *p, PJRT_NamedValue *values)
{
    size_t n = 0;
    for (int i = 0; i < p->option_count; i++) {
        const struct pjrt_pair *o = &p->options[i];
        if (strncmp(o->key, "client.", 7) != 0)
            continue;
        PJRT_NamedValue *v = &values[n++];
        char *end;
        long long number = strtoll(o->value, &end, 10);
        *v = (PJRT_NamedValue){.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                               .name = o->key + 7,
                               .name_size = strlen(o->key + 7),
                               .value_size = 1};
        if (strcmp(o->value, "true") == 0 || strcmp(o->value, "false") == 0) {
            v->type = PJRT_NamedValue_kBool;
            v->bool_value = o->value[0] == 't';
        } else if (*o->value && *end == '\0') {
            v->type = PJRT_NamedValue_kInt64;
            v->int64_value = number;
        } else {
            v->type = PJRT_NamedValue_kString;
            v->string_value = o->value;
            v->value_size = strlen(o->value);
        }
    }
    return n;
}

static assay_code create_client(struct pjrt *p, assay_error *error)
{
    PJRT_NamedValue values[PJRT_OPTIONS_MAX];
    PJRT_ARGS(PJRT_Client_Create_Args, create);
    create.a.num_options = client_options(p, values);
    create.a.create_options = values;
    assay_code code = pjrt_error(p, p->api->PJRT_Client_Create(&create.a), 0,
                                 "create client", error);
    if (code)
        return code;
    p->client = create.a.client;
    PJRT_ARGS(PJRT_Client_AddressableDevices_Args, devices);
    devices.a.client = p->client;
    code = pjrt_error(p, p->api->PJRT_Client_AddressableDevices(&devices.a), 0,
                      "devices", error);
    p->devices = devices.a.addressable_devices;
    p->device_count = devices.a.num_addressable_devices;
    if (!code && p->device_count == 0)
        return pjrt_say(error, ASSAY_FAILED, "the client has no device");
    snprintf(p->replicas, sizeof p->replicas, "%zu", p->device_count);
    return code;
}

static void describe_platform(struct pjrt *p)
{
    assay_error ignored = {.size = sizeof ignored};
    PJRT_ARGS(PJRT_Client_PlatformName_Args, name);
    name.a.client = p->client;
    if (PJRT_HAS(p, PJRT_Client_PlatformName)
        && !pjrt_error(p, p->api->PJRT_Client_PlatformName(&name.a), 0, "",
                       &ignored))
        pjrt_property(p, "platform.name", "%.*s",
                      (int)name.a.platform_name_size, name.a.platform_name);
    PJRT_ARGS(PJRT_Client_PlatformVersion_Args, version);
    version.a.client = p->client;
    if (PJRT_HAS(p, PJRT_Client_PlatformVersion)
        && !pjrt_error(p, p->api->PJRT_Client_PlatformVersion(&version.a), 0,
                       "", &ignored))
        pjrt_property(p, "platform.version", "%.*s",
                      (int)version.a.platform_version_size,
                      version.a.platform_version);
    pjrt_property(p, "devices", "%zu", p->device_count);
    snprintf(p->version, sizeof p->version, "PJRT %d.%d",
             p->api->pjrt_api_version.major_version,
             p->api->pjrt_api_version.minor_version);
}

/* ---- The backend's functions --------------------------------------------- */

static int32_t property(assay_backend *b, int32_t i, const char **key,
                        const char **value)
{
    struct pjrt *p = b->self;
    if (i < 0 || i >= p->property_count)
        return 0;
    *key = p->properties[i].key;
    *value = p->properties[i].value;
    return 1;
}

static const char *capability(assay_backend *b, const char *name)
{
    struct pjrt *p = b->self;
    if (strcmp(name, "replicas") == 0)
        return p->replicas;
    if (strcmp(name, "rejects-without-class") == 0)
        return "yes";
    if (strcmp(name, "levels") == 0)
        return "program";
    if (strcmp(name, "compile") == 0)
        return "slow"; /* tens of milliseconds, or half a minute */
    return NULL;
}

static void close_backend(assay_backend *b)
{
    struct pjrt *p = b->self;
    if (p->client) {
        assay_error ignored = {.size = sizeof ignored};
        PJRT_ARGS(PJRT_Client_Destroy_Args, destroy);
        destroy.a.client = p->client;
        pjrt_error(p, p->api->PJRT_Client_Destroy(&destroy.a), 0, "", &ignored);
    }
    for (int i = 0; i < p->option_count; i++) {
        free(p->options[i].key);
        free(p->options[i].value);
    }
    for (int i = 0; i < p->property_count; i++) {
        free(p->properties[i].key);
        free(p->properties[i].value);
    }
    /* The library stays loaded: plugins leave threads behind. */
    free(p);
}

static assay_code open_plugin(struct pjrt *p, const char *options,
                              assay_error *error)
{
    assay_code code = read_options(p, options ? options : "", error);
    if (!code)
        code = load(p, error);
    if (!code)
        code = check_functions(p, error);
    if (!code)
        code = initialize(p, error);
    if (!code)
        code = create_client(p, error);
    if (code)
        return code;
    describe_platform(p);
    const char *name = pjrt_option(p, "name");
    p->backend = (assay_backend){.size = sizeof p->backend,
                                 .name = name ? name : "pjrt",
                                 .version = p->version,
                                 .self = p,
                                 .property = property,
                                 .capability = capability,
                                 .compile = pjrt_compile,
                                 .execute = pjrt_execute,
                                 .release = pjrt_release,
                                 .close = close_backend};
    return ASSAY_OK;
}

assay_code assay_backend_open(const assay_host *host, const char *options,
                              assay_backend **backend, assay_error *error)
{
    struct pjrt *p = calloc(1, sizeof *p);
    if (!p)
        return pjrt_say(error, ASSAY_FAILED, "not enough memory");
    p->host = host;
    p->backend.self = p;
    p->text =
        host->extension ? host->extension(host, ASSAY_STABLEHLO_TEXT) : NULL;
    assay_code code = p->text
                          ? open_plugin(p, options, error)
                          : pjrt_say(error, ASSAY_FAILED,
                                     "the host cannot write StableHLO text");
    if (code) {
        close_backend(&p->backend);
        return code;
    }
    *backend = &p->backend;
    return ASSAY_OK;
}
