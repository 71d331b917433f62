/* replay.c - run a fuzz target over its corpus, as a plain test.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked with fuzz_STEM.c in place of libFuzzer; the corpus is
 * interp/test/corpus/STEM, or the folder that the one argument names.  A
 * target fails by assert, which ends the program.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    FILE_MAX = 1 << 20
};

static void replay(const char *folder, const char *name)
{
    static unsigned char data[FILE_MAX];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!OK(f != NULL, "opens %s", path))
        return;
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    OK(LLVMFuzzerTestOneInput(data, n) == 0, "%s", name);
}

int main(int argc, char **argv)
{
    const char *program = strrchr(argv[0], '/');
    program = program ? program + 1 : argv[0];
    char folder[256];
    if (argc > 1)
        snprintf(folder, sizeof folder, "%s", argv[1]);
    else
        snprintf(folder, sizeof folder, "interp/test/corpus/%s",
                 strncmp(program, "fuzz_", 5) == 0 ? program + 5 : program);
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), files = 0;
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            replay(folder, entries[i]->d_name);
            files++;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    OK(files > 0, "the corpus %s is not empty", folder);
    return tap_done();
}
