/* import.c - see import.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * MLIR is read by jaxlib's bindings, so `assay import` is written in Python
 * (tools/python/assay/import_command.py).
 */
#include "tools/import.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/folder.h"

static const char code[] =
    "import sys\n"
    "try:\n"
    "    from assay.__main__ import main\n"
    "except ModuleNotFoundError as e:\n"
    "    print(f'assay import: {sys.executable} has no package {e.name}: '\n"
    "          'install the wheel (make wheel) there, or set $ASSAY_PYTHON '\n"
    "          'to a Python that has it', file=sys.stderr)\n"
    "    sys.exit(2)\n"
    "main()\n";

enum {
    ARGUMENTS_MAX = 14
};

bool import_is_program(const char *path)
{
    static const char *const ends[] = {".mlir", ".mlirbc"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (folder_ends(path, ends[i]) && strcmp(path, ends[i]) != 0)
            return true;
    return false;
}

static const char *find_python(struct arena *a, const char *own)
{
    const char *made = arena_printf(a, "%s/jax/bin/python", own);
    const char *named = getenv("ASSAY_PYTHON");
    if (named && *named)
        return named;
    return access(made, X_OK) == 0 ? made : "python3";
}

/* In the source tree the package is not installed. */
static void find_package(struct arena *a, const char *own)
{
    const char *tree = arena_printf(a, "%s/../tools/python", own);
    const char *path = getenv("PYTHONPATH");
    if (access(arena_printf(a, "%s/assay", tree), R_OK | X_OK) == 0)
        setenv("PYTHONPATH",
               path && *path ? arena_printf(a, "%s:%s", tree, path) : tree, 1);
}

void import_exec(struct arena *a, const char *python, char **arguments)
{
    const char *own = folder_own(a);
    const char *all[ARGUMENTS_MAX] = {NULL, "-c", code, "import"};
    if (!python)
        python = find_python(a, own);
    find_package(a, own);
    all[0] = python;
    for (int n = 4; *arguments && n < ARGUMENTS_MAX - 1; n++)
        all[n] = *arguments++;
    execvp(python, (char **)(uintptr_t)all);
    fprintf(stderr,
            "assay import: %s: %s; name a Python that has jaxlib with --python "
            "or $ASSAY_PYTHON\n",
            python, strerror(errno));
}

/* A folder, and a file in it that has the program's name. */
static bool make_place(struct arena *a, struct import *i, struct status *st)
{
    const char *parent = getenv("TMPDIR");
    char *folder = arena_printf(a, "%s/assay-import-XXXXXX",
                                parent && *parent ? parent : "/tmp");
    const char *slash = strrchr(i->file, '/');
    const char *name = slash ? slash + 1 : i->file;
    if (!mkdtemp(folder))
        return FAIL(st, SYSTEM,
                    "%s: no temporary folder can be made in %s "
                    "($TMPDIR): %s",
                    i->file, parent && *parent ? parent : "/tmp",
                    strerror(errno));
    i->folder = folder;
    i->places = arena_printf(a, "%s/places", folder);
    i->path = arena_printf(a, "%s/%.*s.json", folder,
                           (int)(strrchr(name, '.') - name), name);
    return true;
}

bool import_open(struct arena *a, struct import *i, struct status *st)
{
    int how = 0;
    TRY(make_place(a, i, st));
    pid_t child = fork();
    if (child == 0) {
        const char *arguments[] = {"--output", i->path,    "--places",
                                   i->places,  "--inputs", i->inputs,
                                   "--",       i->file,    NULL};
        if (!i->inputs)
            memmove(arguments + 4, arguments + 6, 3 * sizeof *arguments);
        import_exec(a, NULL, (char **)(uintptr_t)arguments);
        _exit(2);
    }
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return true;
    import_close(i);
    if (child < 0)
        return FAIL(st, SYSTEM, "no process can be started: %s",
                    strerror(errno));
    if (WIFSIGNALED(how))
        return FAIL(st, INPUT, "%s: its import was ended by signal %d (%s)",
                    i->file, WTERMSIG(how), strsignal(WTERMSIG(how)));
    st->code = STATUS_INPUT;
    return false;
}

/* "POINTER TAB LINE:COLUMN TAB WHAT": the line of the innermost value that
 * holds member, or NULL. */
static const char *find_line(struct arena *a, FILE *f, const char *member)
{
    const char *best = NULL;
    size_t longest = 0, room = 0;
    char *line = NULL;
    while (getline(&line, &room, f) > 0) {
        size_t n = strcspn(line, "\t");
        if (n > longest && strncmp(line, member, n) == 0
            && (member[n] == '/' || member[n] == '\0')) {
            longest = n;
            best = arena_printf(a, "%.*s", (int)strcspn(line, "\n"), line);
        }
    }
    free(line);
    return best;
}

void import_place(struct arena *a, const struct import *i, struct status *st)
{
    if (!i->folder || !st->path || strcmp(st->path, i->path) != 0)
        return;
    FILE *f = st->member ? fopen(i->places, "r") : NULL;
    const char *line = f ? find_line(a, f, st->member) : NULL;
    st->path = i->file;
    st->line = st->column = 0;
    if (f)
        fclose(f);
    if (!line)
        return;
    const char *place = line + strcspn(line, "\t") + 1;
    st->member = place + strcspn(place, "\t") + 1;
    if (sscanf(place, "%u:%u", &st->line, &st->column) != 2)
        st->path = arena_printf(a, "%s: %s", i->file, st->member);
}

void import_close(struct import *i)
{
    if (!i->folder)
        return;
    unlink(i->path);
    unlink(i->places);
    rmdir(i->folder);
    i->folder = NULL;
}
