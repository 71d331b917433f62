/* fuzz_profile.c - any bytes as a profile: choices, or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/specification/profile.h"
#include "interp/specification/spec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char path[] = "/tmp/assay-fuzz-XXXXXX";

static void end(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static int fd = -1;
    struct status st = {STATUS_OK};
    if (fd < 0) {
        fd = mkstemp(path);
        if (fd < 0 || !spec_load(&st))
            abort();
        atexit(end);
    }
    if (pwrite(fd, data, size, 0) != (ssize_t)size
        || ftruncate(fd, (off_t)size) != 0)
        abort();
    struct arena arena = ARENA_INIT;
    const struct profile *p;
    if (profile_load(&arena, path, &p, &st)) {
        const char *source;
        for (int t = 0; t < DT_COUNT; t++) {
            profile_budget(p, "Sin", (enum dtype)t, &source);
            profile_rules(p, (enum dtype)t);
        }
        assert(profile_name(p));
    } else {
        assert(st.text[0] != '\0');
    }
    arena_free(&arena);
    return 0;
}
