/* plugin.c - see plugin.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plugin/plugin.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "interp/base/text.h"
#include "interp/program/op_table.h"
#include "runner/plugin/extension.h"
#include "runner/plugin/plugin_private.h"

#ifndef ASSAY_LIBDIR
#    define ASSAY_LIBDIR "../lib/assay" /* from the executable's folder */
#endif

enum {
    PLACES = 2 /* where named backends are: built, and installed */
};

static bool unknown_backend(struct arena *a, const char *const *places,
                            const char *name, struct status *st)
{
    enum {
        NAMES = 64,
        FORMS = 3
    };
    const char *names[NAMES] = {"xla-cpu", "pjrt:", "process:"}, *all = NULL;
    int n = FORMS;
    for (int p = 0; p < PLACES; p++) {
        struct folder folder = {0};
        folder_read(a, places[p], &folder);
        for (int i = 0; i < folder.count && n < NAMES; i++)
            if (folder_ends(folder.names[i], ".so"))
                names[n++] =
                    arena_printf(a, "%.*s", (int)strlen(folder.names[i]) - 3,
                                 folder.names[i]);
    }
    for (int i = FORMS; i < n; i++)
        all = all ? arena_printf(a, "%s, %s", all, names[i]) : names[i];
    if (!all)
        return FAIL(st, INPUT,
                    "unknown backend '%.60s'%s: there is none in %.90s or "
                    "in " ASSAY_LIBDIR "/backends; give the path of a .so file",
                    name, text_hint((char[TEXT_HINT]){0}, name, names, n),
                    places[0]);
    return FAIL(
        st, INPUT,
        "unknown backend '%.60s'%s; expected one of %.100s, or give the "
        "path of a .so or executable file",
        name, text_hint((char[TEXT_HINT]){0}, name, names, n), all);
}

/* A named backend next to the executable, or where it was installed. */
static bool find_named(struct arena *a, const char *name, const char **path,
                       struct status *st)
{
    if (strstr(name, ".."))
        return FAIL(st, INPUT, "%s: a backend's name must not contain '..'",
                    name);
    const char *own = folder_own(a);
    const char *installed = ASSAY_LIBDIR "/backends";
    const char *places[PLACES] = {
        arena_printf(a, "%s/backends", own),
        installed[0] == '/' ? installed : folder_beside(a, own, installed)};
    for (int i = 0; i < PLACES; i++) {
        *path = arena_printf(a, "%s/%s.so", places[i], name);
        if (access(*path, R_OK) == 0)
            return true;
    }
    if (strcmp(name, "pjrt") == 0)
        return FAIL(st, INPUT,
                    "the PJRT adapter is not built: it needs pjrt_c_api.h, "
                    "which `make xla-cpu` fetches");
    return unknown_backend(a, places, name, st);
}

static bool find_pjrt(struct arena *a, const char *name, const char *plugin,
                      const char *options, const char **path,
                      const char **all_options, struct status *st)
{
    if (access(plugin, R_OK) != 0)
        return FAIL(st, INPUT, "%s: PJRT plugin %s not found", name, plugin);
    if (strchr(plugin, ','))
        return FAIL(st, INPUT, "%s: a plugin's path must not contain a comma",
                    plugin);
    TRY(plugin_file_check(plugin, st));
    *all_options = arena_printf(a, "plugin=%s,name=%s%s%s", plugin, name,
                                *options ? "," : "", options);
    return find_named(a, "pjrt", path, st);
}

/* Adds the option that says what to run; commas separate options. */
static bool find_process(struct arena *a, const char *option, const char *what,
                         const char *options, const char **path,
                         const char **all_options, struct status *st)
{
    char *escaped = arena_alloc(a, 3 * strlen(what) + 1), *to = escaped;
    for (const char *from = what; *from; from++) {
        char plain[2] = {*from, '\0'};
        const char *as = *from == ',' ? "%2C" : *from == '%' ? "%25" : plain;
        size_t n = strlen(as);
        memcpy(to, as, n);
        to += n;
    }
    *to = '\0';
    *all_options = arena_printf(a, "%s=%s%s%s", option, escaped,
                                *options ? "," : "", options);
    return find_named(a, "process", path, st);
}

/* A program that speaks the protocol, and no shared object. */
static bool is_program(const char *name)
{
    struct stat about;
    return strchr(name, '/') && stat(name, &about) == 0
           && S_ISREG(about.st_mode) && !folder_ends(name, ".so");
}

/* The version of xla-cpu that the name without one means. */
#define XLA_CPU_VERSION "0.11.2"

bool plugin_find(struct arena *a, const char *name, const char *options,
                 const char **path, const char **all_options, struct status *st)
{
    *all_options = options;
    if (strncmp(name, "pjrt:", 5) == 0)
        return find_pjrt(a, name, name + 5, options, path, all_options, st);
    if (strcmp(name, "xla-cpu") == 0 || strncmp(name, "xla-cpu@", 8) == 0) {
        const char *version = name[7] ? name + 8 : XLA_CPU_VERSION;
        const char *plugin =
            arena_printf(a, "%s/xla-cpu/%s/plugin.so", folder_own(a), version);
        if (access(plugin, R_OK) != 0)
            return FAIL(st, INPUT,
                        "plugin %s not found; `make xla-cpu` fetches 0.0.1 "
                        "and 0.11.2",
                        plugin);
        return find_pjrt(a, arena_printf(a, "xla-cpu@%s", version), plugin,
                         options, path, all_options, st);
    }
    if (strncmp(name, "process:", 8) == 0) {
        if (name[8 + strspn(name + 8, " ")] == '\0')
            return FAIL(st, INPUT,
                        "process: expected a command, as in process:COMMAND");
        return find_process(a, "command", name + 8, options, path, all_options,
                            st);
    }
    if (is_program(name)) {
        if (access(name, X_OK) != 0)
            return FAIL(st, INPUT,
                        "%.150s: not executable; use chmod +x, or "
                        "process:'INTERPRETER FILE'",
                        name);
        return find_process(a, "file", name, options, path, all_options, st);
    }
    if (!folder_ends(name, ".so"))
        return find_named(a, name, path, st);
    /* A bare file name would be searched for in the system's folders. */
    *path = strchr(name, '/') ? name : arena_printf(a, "./%s", name);
    if (access(*path, R_OK) == 0)
        return true;
    return FAIL(st, INPUT, "%s: no such backend file", name);
}

/* ---- The host as the plugin sees it -------------------------------------- */

static void host_log(const assay_host *host, int32_t level, const char *line)
{
    static const char *const levels[] = {"error", "warning", "info"};
    (void)host;
    fprintf(stderr, "%s: %s\n", level >= 0 && level <= 2 ? levels[level] : "?",
            line);
}

static const void *host_extension(const assay_host *host, const char *id)
{
    (void)host;
    return extension_find(id);
}

static bool start(struct plugin *p, const char *options, struct status *st)
{
    assay_backend_open_fn *open = NULL;
    *(void **)&open = dlsym(p->handle, "assay_backend_open");
    if (!open)
        return FAIL(st, INPUT, "%.100s: not a backend: no assay_backend_open",
                    p->path);
    p->memory.paged = true;
    assay_host *host = arena_new(&p->memory, assay_host, 1);
    *host = (assay_host){.size = sizeof *host,
                         .abi_major = ASSAY_ABI_MAJOR,
                         .abi_minor = ASSAY_ABI_MINOR,
                         .self = p,
                         .log = host_log,
                         .extension = host_extension};
    p->host = host;
    arena_protect(&p->memory);
    assay_error error = {.size = sizeof error};
    assay_code code =
        open(p->host, options ? options : "", &p->backend, &error);
    error.text[sizeof error.text - 1] = '\0';
    char text[160];
    text_clean(text, sizeof text, error.text);
    if (code != ASSAY_OK)
        return FAIL(st, INPUT, "%.80s: cannot be opened: %s", p->path,
                    text[0] ? text : "no reason given");
    if (!p->backend || !ASSAY_HAS(assay_backend, p->backend, release)
        || !p->backend->compile || !p->backend->execute || !p->backend->release)
        return FAIL(st, INPUT, "%.100s: lacks compile, execute or release",
                    p->path);
    return true;
}

static bool says_yes(const struct plugin *p, const char *name)
{
    const char *value = plugin_capability(p, name);
    return value && strcmp(value, "yes") == 0;
}

bool plugin_open(const char *path, const char *options, struct plugin *p,
                 struct status *st)
{
    memset(p, 0, sizeof *p);
    p->path = path;
    TRY(plugin_file_check(path, st));
    p->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!p->handle)
        return FAIL(st, INPUT, "%.250s", dlerror());
    TRY(start(p, options, st));
    p->dtypes = plugin_capability(p, "dtypes");
    p->ops = plugin_capability(p, "ops");
    const char *replicas = plugin_capability(p, "replicas");
    p->replicas = replicas ? strtoll(replicas, NULL, 10) : 1;
    p->programs = says_yes(p, "programs");
    p->classless = says_yes(p, "rejects-without-class");
    return capability_check(p, st);
}

void plugin_close(struct plugin *p)
{
    if (p->backend && ASSAY_HAS(assay_backend, p->backend, close)
        && p->backend->close)
        p->backend->close(p->backend);
    if (p->handle)
        dlclose(p->handle);
    arena_free(&p->memory);
    memset(p, 0, sizeof *p);
}

const char *plugin_capability(const struct plugin *p, const char *name)
{
    if (!ASSAY_HAS(assay_backend, p->backend, capability)
        || !p->backend->capability)
        return NULL;
    return p->backend->capability(p->backend, name);
}

bool plugin_property(const struct plugin *p, int i, const char **key,
                     const char **value)
{
    return ASSAY_HAS(assay_backend, p->backend, property)
           && p->backend->property
           && p->backend->property(p->backend, i, key, value) != 0;
}

/* ---- What it does not do ------------------------------------------------- */

static bool listed(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return true;
    return false;
}

/* A type in s that the list lacks, or NULL. */
static const char *type_lacks(const char *list, const assay_shape *s)
{
    if (!s)
        return NULL;
    if (s->kind == ASSAY_ARRAY)
        return listed(list, s->dtype) ? NULL : s->dtype;
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++) {
        const char *lacks = type_lacks(list, s->elements[i]);
        if (lacks)
            return lacks;
    }
    return NULL;
}

bool plugin_declines(const struct plugin *p, const assay_program *program,
                     char *why, size_t size)
{
    int64_t rows = (int64_t)program->replicas * program->partitions;
    if (rows > p->replicas) {
        snprintf(why, size, "%" PRId64 " replicas, the backend has %" PRId64,
                 rows, p->replicas);
        return true;
    }
    if (program->entries && !p->programs) {
        snprintf(why, size, "the backend runs one program at a time");
        return true;
    }
    if (!p->ops && !p->dtypes)
        return false;
    for (int i = 0; i < program->computation_count; i++) {
        const assay_computation *c = program->computations[i];
        for (int j = 0; j < c->instruction_count; j++) {
            const assay_instruction *in = c->instructions[j];
            const char *lacks =
                p->dtypes ? type_lacks(p->dtypes, in->shape) : NULL;
            if (lacks) {
                snprintf(why, size, "the backend has no type %s", lacks);
                return true;
            }
            /* Every program has parameters: to list them says nothing. */
            if (p->ops && strcmp(in->op, op_Parameter.name) != 0
                && !listed(p->ops, in->op)) {
                snprintf(why, size, "the backend has no operation %s", in->op);
                return true;
            }
        }
    }
    return false;
}
