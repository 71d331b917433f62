/* test_folder.c - the entries of a folder, and the case files below it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static char top[] = "/tmp/assay-folder-XXXXXX";

static const char *at(const char *name)
{
    return arena_printf(&arena, "%s/%s", top, name);
}

static void make_file(const char *name)
{
    FILE *f = fopen(at(name), "w");
    if (f)
        fclose(f);
}

static bool skip_b(const void *context, const char *name)
{
    return strcmp(name, "B") != 0;
}

static void test_walk(void)
{
    struct folder_walk all = {.tolerant = true}, some = {.wanted = skip_b};
    struct folder_walk strict = {0};
    struct status st = {0};
    OK(folder_walk(&arena, &all, at(""), &st) && all.count == 4,
       "four files: %d", all.count);
    EQ_STR(all.files[0].name, "A/x", "in the order of names");
    EQ_STR(all.files[0].path, at("A/x.json"), "with its path");
    EQ_STR(all.files[1].name, "B/C/y", "folders in folders");
    EQ_STR(all.files[2].name, "gone.json", "what cannot be read");
    OK(all.files[2].unreadable != NULL, "says why");
    EQ_STR(all.files[3].name, "z", "after a folder");
    OK(!folder_walk(&arena, &strict, top, &st) && strstr(st.text, "gone.json"),
       "or it is an error: %s", st.text);
    unlink(at("gone.json"));
    OK(folder_walk(&arena, &some, top, &st) && some.count == 2,
       "a folder that is not wanted is passed over");
}

static bool count_one(void *context, const char *name)
{
    ++*(int *)context;
    return *name == '.';
}

static void test_each(void)
{
    int count = 0;
    OK(folder_each(top, count_one, &count) && count == 1,
       "a walk that is told to ends; it shows nothing hidden");
    OK(!folder_each(at("none"), count_one, &count) && count == 1,
       "a folder that is not there");
}

static void test_paths(void)
{
    char here[512];
    EQ_STR(folder_beside(&arena, "/opt/x/bin", "../share"), "/opt/x/share",
           "a folder beside another");
    EQ_STR(folder_beside(&arena, "/bin", "../../x"), "/x", "above the root");
    EQ_STR(folder_beside(&arena, "/opt/bin", "x"), "/opt/bin/x", "below");
    EQ_STR(folder_beside(&arena, ".", "../x"), "./../x", "not absolute");
    OK(getcwd(here, sizeof here - 10), "a current folder");
    size_t n = strlen(here);
    snprintf(here + n, 10, "/x/y");
    EQ_STR(folder_shown(here), "x/y", "below the current folder");
    snprintf(here + n, 10, "x/y");
    EQ_STR(folder_shown(here), here, "a folder that only begins like it");
    snprintf(here + n, 10, "/");
    EQ_STR(folder_shown(here), here, "the current folder itself");
    EQ_STR(folder_shown("x/y"), "x/y", "a relative path");
}

int main(void)
{
    struct folder folder;
    struct status st = {0};
    struct folder_walk none = {.tolerant = true};
    if (!mkdtemp(top))
        return 2;
    const char *folders[] = {"A", "B", "B/C", ".hidden"};
    for (int i = 0; i < 4; i++)
        mkdir(at(folders[i]), 0700);
    const char *files[] = {"A/x.json", "A/x.txt", "B/C/y.json",
                           "z.json",   ".h.json", ".hidden/z.json"};
    for (int i = 0; i < 6; i++)
        make_file(files[i]);
    OK(symlink("/nowhere/x", at("gone.json")) == 0
           && mkfifo(at("pipe.json"), 0600) == 0,
       "a link to nothing and a pipe");
    OK(folder_read(&arena, top, &folder) && folder.count == 5,
       "hidden entries are left out");
    EQ_INT(folder_stem("z.json"), 1, "a stem");
    EQ_INT(folder_stem("z.jso"), 0, "another suffix");
    EQ_INT(folder_stem(".json"), 0, "nothing else");
    test_walk();
    test_each();
    test_paths();
    OK(!folder_walk(&arena, &none, at("nowhere"), &st)
           && st.code == STATUS_INPUT && strstr(st.text, "nowhere"),
       "no such folder, tolerant or not: %s", st.text);
    unlink(at("pipe.json"));
    for (int i = 5; i >= 0; i--)
        unlink(at(files[i]));
    for (int i = 3; i >= 0; i--)
        rmdir(at(folders[i]));
    rmdir(top);
    arena_free(&arena);
    return tap_done();
}
