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

/* The value after the first "KEY : VALUE" of a file in /proc, or "". */
static const char *proc_value(struct arena *a, const char *path,
                              const char *key)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return "";
    char line[256];
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

const char *store_host(struct arena *a, const char *sandbox,
                       const char *memory_limit)
{
    struct utsname u;
    if (uname(&u) != 0)
        memset(&u, 0, sizeof u);
    return arena_printf(
        a,
        "{\"system\": %s, \"release\": %s, \"machine\": %s, "
        "\"processor\": %s, \"processors\": %ld, \"memory\": %s, "
        "\"sandbox\": %s, \"memory_limit\": %s}",
        json_quote(a, u.sysname), json_quote(a, u.release),
        json_quote(a, u.machine),
        json_quote(a, proc_value(a, "/proc/cpuinfo", "model name")),
        sysconf(_SC_NPROCESSORS_ONLN),
        json_quote(a, proc_value(a, "/proc/meminfo", "MemTotal")),
        json_quote(a, sandbox), json_quote(a, memory_limit));
}
