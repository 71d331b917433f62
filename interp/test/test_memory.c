/* test_memory.c - lists on the heap, and files read into them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a guard unwinds, test_library.c tests.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/base/file.h"
#include "interp/base/memory.h"
#include "interp/test/tap.h"

static void test_list(void)
{
    int64_t *list = NULL;
    size_t room = 0;
    int count = 0, wrong = 0;
    while (count < 1000 && MEMORY_GROW(list, count, room)) {
        list[count] = count;
        count++;
    }
    for (int i = 0; i < count; i++)
        wrong += list[i] != i;
    OK(count == 1000 && wrong == 0, "a list of 1000 that grew");
    int64_t *before = list;
    size_t huge = PTRDIFF_MAX / 8, full = huge;
    OK(!MEMORY_GROW(list, full, huge) && list == before
           && huge == PTRDIFF_MAX / 8 && list[999] == 999,
       "no memory: the list is as it was");
    free(list);
}

/* A pipe with n bytes in it, which tells no size before it is read. */
static char *through_pipe(size_t n, size_t limit, size_t *length)
{
    static const char text[5000] = {[0] = 'a', [4999] = 'z'};
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], text, n) != (ssize_t)n)
        return NULL;
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    char *got = f ? file_read(f, limit, length) : NULL;
    if (f)
        fclose(f);
    return got;
}

static void test_file(void)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 5000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = 99;
        char *text = through_pipe(sizes[i], 5000, &n);
        OK(text && n == sizes[i] && (n == 0 || text[0] == 'a')
               && (n < 5000 || text[4999] == 'z'),
           "%zu bytes of a pipe", sizes[i]);
        free(text);
    }
    size_t n = 0;
    char *text = through_pipe(5000, 100, &n);
    OK(text && n > 100 && n < 5000, "more than the limit: %zu", n);
    free(text);
}

int main(void)
{
    test_list();
    test_file();
    return tap_done();
}
