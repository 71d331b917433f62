/* test_child_cgroup.c - where a run may make control groups.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The choice is made on folders that look like /sys/fs/cgroup, as cgroups(7)
 * and the kernel's cgroup-v2.rst describe it: a group that has processes gives
 * no controller of memory to groups below it, so a run has to be beside itself;
 * in a hybrid layout version 2 is mounted at unified/, and memory is version
 * 1's.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/child.h"

static char root[] = "/tmp/assay-cgroup-XXXXXX";

/* A group below root with these controllers, for itself and for those below;
 * NULL: no such file. */
static void group(const char *name, const char *own, const char *below,
                  bool writable)
{
    const char *const files[][2] = {{"cgroup.controllers", own},
                                    {"cgroup.subtree_control", below},
                                    {"cgroup.procs", writable ? "" : NULL}};
    char path[1024];
    snprintf(path, sizeof path, "%s%s", root, name);
    mkdir(path, 0755);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s/%s", root, name, files[i][0]);
        unlink(path);
        FILE *f = files[i][1] ? fopen(path, "w") : NULL;
        if (f) {
            fputs(files[i][1], f);
            fclose(f);
        }
    }
}

/* The folder below root that is chosen, or why there is none. */
static const char *chosen(const char *own)
{
    static char folder[CHILD_CGROUP_PATH];
    const char *why = child_cgroup_find(root, own, folder);
    OK(!why == (folder[0] != '\0'), "a folder or a reason");
    return why ? why : folder + strlen(root);
}

static void unified(void)
{
    static const char all[] = "cpuset cpu io memory pids\n";
    group("", all, all, false);
    group("/user", all, "memory pids\n", true);
    group("/user/shell", all, "", true);
    EQ_STR(chosen("0::/user/shell\n"), "/user", "beside its own group");
    EQ_STR(chosen("0::/user"), "/user", "below a group that gives memory");
    EQ_STR(chosen("1:name=systemd:/x\n0::/user/shell\n"), "/user",
           "whatever else is mounted");
    group("/user/shell", all, "memory_like pids\n", true);
    EQ_STR(chosen("0::/user/shell\n"), "/user",
           "a name that begins so is none");
    group("/user", all, "memory\n", false);
    EQ_STR(chosen("0::/user/shell\n"), "its folder is not writable",
           "the group above is somebody else's");
    group("/user/shell", "cpu pids\n", "", true);
    EQ_STR(chosen("0::/user/shell\n"), "no memory controller",
           "memory is not given to it");
    EQ_STR(chosen("0::/user/none\n"), "no memory controller",
           "a group that is not there");
    group("", all, "", true);
    EQ_STR(chosen("0::/\n"),
           "the memory controller is not delegated to child groups",
           "the top of a container");
    group("", all, all, true);
    EQ_STR(chosen("0::/\n"), "", "or of one that gives memory");
    EQ_STR(chosen("0::/../shell\n"), "a group outside this namespace",
           "nor one that cannot be seen");
    char name[2 * CHILD_CGROUP_PATH] = "0::/";
    memset(name + 4, 'x', sizeof name - 5);
    EQ_STR(chosen(name), "a path that is too long", "nor a long name");
}

static void others(void)
{
    EQ_STR(chosen("4:memory:/x\n1:cpu:/\n"), "no cgroup v2", "version 1");
    EQ_STR(chosen(""), "no cgroup v2", "none");
    group("", NULL, NULL, false);
    group("/unified", "hugetlb\n", "", true);
    EQ_STR(chosen("4:memory:/x\n0::/\n"), "no memory controller",
           "both, memory of version 1");
}

/* The real thing, where it is offered. */
static void here(void)
{
    char path[CHILD_CGROUP_PATH], text[16] = "";
    const char *folder = child_cgroup_folder();
    printf("# %s\n", folder ? folder : "no control groups here");
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    child_cgroup_enter(path, pid, 1 << 30);
    OK((path[0] != '\0') == (folder != NULL), "a group, or none");
    OK(!child_cgroup_exceeded(path), "that is within its limit");
    if (folder) {
        char file[CHILD_CGROUP_PATH + 16];
        snprintf(file, sizeof file, "%s/memory.max", path);
        FILE *f = fopen(file, "r");
        OK(f && fgets(text, sizeof text, f) && atol(text) == 1 << 30,
           "its limit is there");
        if (f)
            fclose(f);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    child_cgroup_leave(path);
    OK(!path[0], "and it is gone");
}

int main(void)
{
    if (!mkdtemp(root))
        return 99;
    unified();
    others();
    here();
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) == 0 ? tap_done() : 99;
}
