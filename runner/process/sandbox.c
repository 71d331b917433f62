/* sandbox.c - see sandbox.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "runner/process/sandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/process/sandbox_notice.h"
#include "runner/process/sandbox_private.h"

/* ---- What there is ------------------------------------------------------- */

/* Tests try less than this kernel offers: a version of Landlock, "namespaces",
 * or "seccomp". */
static const char *asked(void)
{
    const char *less = getenv("ASSAY_TEST_SANDBOX");
    return less ? less : "";
}

static int landlock(void)
{
    int version = sandbox_files_version();
    int most = (int)strtol(asked(), NULL, 10);
    return !asked()[0] || most >= version ? version : most;
}

static bool namespaces(void)
{
    return strcmp(asked(), "seccomp") != 0 && sandbox_mounts_offered();
}

const char *sandbox_words(const struct sandbox *s)
{
    static char text[64];
    int version = landlock();
    if (!s->on)
        return "off";
    snprintf(text, sizeof text, "Landlock %d, seccomp", version);
    return version > 0    ? text
           : namespaces() ? "namespaces, seccomp"
                          : "seccomp";
}

const char *sandbox_level(const struct sandbox *s)
{
    return !s->on                           ? "none"
           : landlock() > 0 || namespaces() ? "full"
                                            : "partial";
}

const char *sandbox_missing(const struct sandbox *s)
{
    if (!s->on)
        return "without a sandbox the backend can change files and other"
               " processes, and so forge verdicts";
    return landlock() > 0 || namespaces()
               ? NULL
               : "this kernel offers neither Landlock nor user namespaces: the"
                 " backend can write files, and so forge verdicts";
}

/* ---- The scratch directory ----------------------------------------------- */

bool sandbox_open(struct sandbox *s, struct status *st)
{
    s->on = true;
    s->lock = sandbox_scratch_open(s->scratch, st);
    sandbox_hide();
    return s->lock >= 0;
}

void sandbox_close(struct sandbox *s)
{
    if (s->scratch[0])
        sandbox_scratch_close(s->scratch, s->lock);
    s->scratch[0] = '\0';
}

void sandbox_folder(const struct sandbox *s, int number,
                    char folder[SANDBOX_SCRATCH_PATH])
{
    folder[0] = '\0';
    if (!s || !s->on || !s->scratch[0])
        return;
    int n = snprintf(folder, SANDBOX_SCRATCH_PATH, "%s/%d", s->scratch, number);
    if (n >= SANDBOX_SCRATCH_PATH
        || (mkdir(folder, 0700) != 0 && errno != EEXIST))
        folder[0] = '\0';
}

/* ---- Entering ------------------------------------------------------------ */

void sandbox_hide(void)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* Root's, except that every file can be read.  A program that it starts gets
 * none back, as it cannot gain privileges. */
static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct have[2] = {{0}}, keep[2] = {{0}};
    if (syscall(SYS_capget, &head, have) != 0)
        return false;
    keep[0].permitted = have[0].permitted & 1U << CAP_DAC_READ_SEARCH;
    keep[0].effective = keep[0].permitted;
    return syscall(SYS_capset, &head, keep) == 0;
}

static bool fail(char *why, size_t size, const char *what)
{
    snprintf(why, size, "cannot enter the sandbox (%s): %s", what,
             strerror(errno));
    return false;
}

bool sandbox_enter(const struct sandbox *s, const char *folder, int *listener,
                   char *why, size_t size)
{
    const int version = landlock();
    int none = -1;
    const struct sandbox_calls calls = {
        .signals = version<SANDBOX_FILES_SCOPES, .truncate = version> 0
                   && version < SANDBOX_FILES_TRUNCATE,
        .notices = listener != NULL && sandbox_notice_offered()};
    if (listener)
        *listener = -1;
    if (!s->on)
        return true;
    if (folder[0])
        setenv("TMPDIR", folder, 1);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail(why, size, "privileges");
    if (version == 0 && namespaces() && !sandbox_mounts_enter(folder))
        return fail(why, size, "namespaces");
    if (!drop_capabilities())
        return fail(why, size, "capabilities");
    if (version > 0 && !sandbox_files_enter(folder, version))
        return fail(why, size, "Landlock");
    return sandbox_calls_enter(&calls, listener ? listener : &none)
           || fail(why, size, "seccomp");
}
