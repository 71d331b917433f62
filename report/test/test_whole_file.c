/* test_whole_file.c - a file is replaced as a whole or stays as it was.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A limit on the size of files stands for a disk that is full.
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "report/whole_file.h"

enum {
    LARGE = 100000,
    FILE_MOST = 4096
};

static char folder[] = "/tmp/assay-test-whole-XXXXXX";

static int entries(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n - 2;
}

static bool write_it(const char *path, char c, int n, struct status *st)
{
    struct whole_file w;
    if (!whole_file_open(&w, path, st))
        return false;
    for (int i = 0; i < n; i++)
        putc(c, w.to);
    return whole_file_close(&w, true, st);
}

static char content(const char *path, long *n)
{
    FILE *f = fopen(path, "r");
    int c = f ? getc(f) : EOF;
    *n = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (f)
        fclose(f);
    return (char)c;
}

int main(void)
{
    char path[64];
    long n;
    struct status st = {STATUS_OK};
    struct rlimit most;
    if (!mkdtemp(folder))
        return 99;
    snprintf(path, sizeof path, "%s/page", folder);
    OK(whole_file_check("--page", path, &st), "it can be written");
    EQ_INT(entries(), 0, "and is not there for that");
    OK(write_it(path, 'a', LARGE, &st), "written");
    EQ_INT(content(path, &n), 'a', "as it was given");
    EQ_INT(n, LARGE, "all of it");
    OK(whole_file_check("--page", path, &st), "it can be written again");
    EQ_INT(content(path, &n), 'a', "which changes nothing");

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &most);
    rlim_t before = most.rlim_cur;
    most.rlim_cur = FILE_MOST;
    setrlimit(RLIMIT_FSIZE, &most);
    OK(!write_it(path, 'b', LARGE, &st), "no room (%s)", st.text);
    most.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &most);
    EQ_INT(st.code, STATUS_SYSTEM, "is the system's fault");
    EQ_INT(content(path, &n), 'a', "what was there stays");
    EQ_INT(n, LARGE, "all of it");
    EQ_INT(entries(), 1, "and nothing is beside it");

    struct whole_file w;
    OK(whole_file_open(&w, path, &st), "once more");
    OK(!whole_file_close(&w, false, &st), "given up");
    EQ_INT(content(path, &n), 'a', "what was there stays");
    EQ_INT(entries(), 1, "and nothing is beside it");
    st = (struct status){STATUS_OK};
    OK(!whole_file_check("--page", "/nowhere/page", &st)
           && strcmp(st.text, "--page: /nowhere/page: No such file or"
                              " directory")
                  == 0,
       "no folder: %s", st.text);
    unlink(path);
    rmdir(folder);
    return tap_done();
}
