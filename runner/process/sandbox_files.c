/* sandbox_files.c - see sandbox_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The numbers are the kernel's interface (linux/landlock.h), written out
 * because headers are often older than the kernel that runs.  test_sandbox.c
 * tests this.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/process/sandbox_private.h"

enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    CHANGES = 0xff << 4 | 1 << 12, /* remove and make anything */
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    OF_A_FILE = WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
    TCP = 3,    /* bind, connect */
    SCOPES = 3, /* abstract sockets, signals */
    PATH_BENEATH = 1,
};

struct ruleset {
    uint64_t files, network, scopes;
};

struct path_rule {
    uint64_t files;
    int32_t folder;
} __attribute__((packed));

int sandbox_files_version(void)
{
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return v > 0 ? (int)v : 0;
}

static uint64_t handled(int version)
{
    return WRITE_FILE | READ_FILE | CHANGES
           | (version >= SANDBOX_FILES_REFER ? REFER : 0)
           | (version >= SANDBOX_FILES_TRUNCATE ? TRUNCATE : 0)
           | (version >= SANDBOX_FILES_DEVICES ? IOCTL_DEV : 0);
}

static bool allow(int rules, const char *path, uint64_t files)
{
    struct stat about;
    int at = open(path, O_PATH | O_CLOEXEC);
    if (at < 0)
        return false;
    bool folder = fstat(at, &about) == 0 && S_ISDIR(about.st_mode);
    struct path_rule below = {folder ? files : files & OF_A_FILE, at};
    long code = syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &below, 0);
    close(at);
    return code == 0;
}

/* Landlock only adds to what is allowed, so everything in the root folder but
 * /dev is named: a terminal, whose input is the user's, and a disk are devices.
 * What cannot be named, as it is gone again, cannot be read. */
static bool allow_reading(int rules)
{
    static const char *const devices[] = {"/dev/zero",   "/dev/full",
                                          "/dev/random", "/dev/urandom",
                                          "/dev/shm",    "/dev/hugepages"};
    DIR *root = opendir("/");
    if (!root) /* it is not to be listed: all of it can be read */
        return allow(rules, "/", READ_FILE);
    for (const struct dirent *e; (e = readdir(root));) {
        char path[sizeof e->d_name + 2];
        snprintf(path, sizeof path, "/%s", e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0
            && strcmp(e->d_name, "dev") != 0)
            allow(rules, path, READ_FILE);
    }
    closedir(root);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        allow(rules, devices[i], READ_FILE);
    return true;
}

bool sandbox_files_enter(const char *scratch, int version)
{
    uint64_t files = handled(version);
    struct ruleset set = {files, TCP, SCOPES};
    size_t size = version >= SANDBOX_FILES_SCOPES ? sizeof set
                  : version >= SANDBOX_FILES_TCP
                      ? offsetof(struct ruleset, scopes)
                      : offsetof(struct ruleset, network);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0)
        return false;
    bool good = allow_reading(rules) && allow(rules, "/dev/null", files)
                && (!scratch[0] || allow(rules, scratch, files))
                && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return good;
}
