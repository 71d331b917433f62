/* store_host.c - facts about the machine that a run took place on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "interp/base/json.h"
#include "runner/store/store.h"

enum {
    LINE = 8192 /* an x86-64's flags are a line of 1,500 bytes and more */
};

/* The value after the first "KEY : VALUE" of a file in /proc, or "". */
static const char *proc_value(struct arena *a, const char *path,
                              const char *key)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return "";
    char line[LINE];
    const char *value = "";
    while (!*value && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        value = arena_printf(a, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    fclose(f);
    return value;
}

/* Is it a feature that decides which instructions a compiler chooses?  The same
 * version of a backend gives other results where it can use more. */
static bool is_arithmetic(const char *feature)
{
    static const char *const begins[] = {"avx", "amx",   "fma",  "f16c",
                                         "sve", "asimd", "fphp", "bf16"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(feature, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static const char *features(struct arena *a)
{
    const char *all = proc_value(a, "/proc/cpuinfo", "flags");
    if (!*all)
        all = proc_value(a, "/proc/cpuinfo", "Features");
    const char *kept = "";
    while (*all) {
        int n = (int)strcspn(all, " ");
        if (is_arithmetic(all))
            kept = arena_printf(a, "%s%s%.*s", kept, *kept ? " " : "", n, all);
        all += n + (int)strspn(all + n, " ");
    }
    return kept;
}

const char *store_host(struct arena *a, const char *sandbox,
                       const char *memory_limit)
{
    struct utsname u;
    if (uname(&u) != 0)
        memset(&u, 0, sizeof u);
    return arena_printf(
        a,
        "{\"system\": %s, \"release\": %s, \"machine\": %s, "
        "\"processor\": %s, \"features\": %s, \"processors\": %ld, "
        "\"memory\": %s, \"sandbox\": %s, \"memory_limit\": %s}",
        json_quote(a, u.sysname), json_quote(a, u.release),
        json_quote(a, u.machine),
        json_quote(a, proc_value(a, "/proc/cpuinfo", "model name")),
        json_quote(a, features(a)), sysconf(_SC_NPROCESSORS_ONLN),
        json_quote(a, proc_value(a, "/proc/meminfo", "MemTotal")),
        json_quote(a, sandbox), json_quote(a, memory_limit));
}
