/* import.c - see import.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * MLIR is read by jaxlib's bindings, so `assay import` is written in Python
 * (tools/python/assay/import_command.py).
 */
#include "tools/verbs/import.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "interp/case/case.h"
#include "report/whole_file.h"

static const char code[] =
    "import sys\n"
    "verb = sys.argv.pop(1)\n"
    "try:\n"
    "    from assay import command\n"
    "except ModuleNotFoundError as e:\n"
    "    print(f'assay {verb}: {sys.executable} has no package {e.name}: '\n"
    "          'install the wheel (make wheel) there, or set $ASSAY_PYTHON '\n"
    "          'to a Python that has it', file=sys.stderr)\n"
    "    sys.exit(2)\n"
    "sys.exit(getattr(command, sys.argv.pop(1))(sys.argv[1:]))\n";

enum {
    REPLICAS_MOST = 65536,
    ARGUMENTS_MAX = 22
};

static const char *const ends[] = {".mlir", ".mlirbc", ".hlo", ".txt", ".pb"};
const char import_names[] = ".mlir, .mlirbc, .hlo, .txt or .pb";

static void read_replicas(void *target, const struct option_given *g)
{
    option_number(g->state, g->name, g->text, 1, REPLICAS_MOST);
    ((struct import *)target)->replicas = g->text;
}

static const struct option_row options[] = {
    {"inputs", 'i', "FILE.npz", 0,
     "Operands of a program in StableHLO or HLO, in order, as numpy.savez "
     "writes them; they give dimensions without a bound their sizes (random "
     "numbers)",
     2, OPTION_TEXT(struct import, inputs)},
    {"entry", 0, "NAME", 0,
     "Function of the program, MODULE::NAME in one of several modules (main, "
     "or the first that is public)",
     2, OPTION_TEXT(struct import, entry)},
    {"replicas", 0, "N", 0,
     "Number of replicas of the program (as it says, or as many as its groups "
     "of replicas name)",
     2, OPTION_CALL(read_replicas)},
    {0}};

const struct option_set import_options = {.options = options};

const char *import_given(const struct import *i)
{
    return i->inputs     ? "--inputs"
           : i->entry    ? "--entry"
           : i->replicas ? "--replicas"
                         : NULL;
}

bool import_is_program(const char *path)
{
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
    const char *tree = folder_beside(a, own, "../tools/python");
    const char *path = getenv("PYTHONPATH");
    if (access(arena_printf(a, "%s/assay", tree), R_OK | X_OK) == 0)
        setenv("PYTHONPATH",
               path && *path ? arena_printf(a, "%s:%s", tree, path) : tree, 1);
}

void import_exec(struct arena *a, const char *python, const char *function,
                 char **arguments)
{
    const char *own = folder_own(a);
    const char *verb =
        strcmp(function, "run_hlo") == 0 ? "emit" : function + strlen("run_");
    const char *all[ARGUMENTS_MAX] = {NULL, "-c", code, verb, function};
    if (!python)
        python = find_python(a, own);
    find_package(a, own);
    all[0] = python;
    for (int n = 5; *arguments && n < ARGUMENTS_MAX - 1; n++)
        all[n] = *arguments++;
    execvp(python, (char **)(uintptr_t)all);
    fprintf(stderr,
            "assay %s: %s: %s; name a Python that has jaxlib with --python or "
            "$ASSAY_PYTHON\n",
            verb, python, strerror(errno));
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
    const char *dot = strrchr(name, '.');
    i->places = arena_printf(a, "%s/places", folder);
    i->cases = arena_printf(a, "%s/program", folder);
    i->steps = arena_printf(a, "%s/steps", folder);
    i->values = arena_printf(a, "%s/values", folder);
    i->parts = arena_printf(a, "%s/parts", folder);
    i->path = arena_printf(
        a, "%s/%.*s.json", i->cases,
        (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
    if (mkdir(i->cases, 0700) == 0)
        return true;
    import_close(i);
    return FAIL(st, SYSTEM, "%s: %s: %s", i->file, i->cases, strerror(errno));
}

static bool copy(FILE *from, FILE *to)
{
    char room[1 << 16];
    size_t n;
    while ((n = fread(room, 1, sizeof room, from)) > 0)
        if (fwrite(room, 1, n, to) != n)
            return false;
    return !ferror(from);
}

/* Options with their values, the file, and a NULL. */
static void list_arguments(const struct import *i, const char **to)
{
    const char *const pairs[][2] = {
        {"--output", i->path},
        {"--places", i->places},
        {"--inputs", i->inputs},
        {"--entry", i->entry},
        {"--replicas", i->replicas},
        {"--steps", i->want_steps ? i->folder : NULL}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (pairs[k][1]) {
            *to++ = pairs[k][0];
            *to++ = pairs[k][1];
        }
    if (i->want_titles)
        *to++ = "--titles";
    *to++ = "--";
    *to++ = i->file;
    *to = NULL;
}

/* Finds the reason in what a library says before it ends the process: the
 * condition of XLA that was not met, or that MLIR's bindings were given bytes
 * that are not text. */
static const char *find_reason(struct arena *a, FILE *said)
{
    char line[1024];
    while (fgets(line, sizeof line, said)) {
        const char *check = strstr(line, "Check failed: ");
        line[strcspn(line, "\n")] = '\0';
        for (char *c = line; *c; c++)
            if (*c < ' ' || *c > '~')
                *c = '?';
        if (check)
            return arena_printf(a, ": %.200s", check);
        if (strstr(line, "str_from_cstr_and_size(): conversion error"))
            return ": a name or a text in it is not UTF-8";
    }
    return "";
}

bool import_open(struct arena *a, struct import *i, struct status *st)
{
    int how = 0;
    if (access(i->file, R_OK) != 0)
        return FAIL(st, INPUT, "%s: %s", i->file, strerror(errno));
    TRY(make_place(a, i, st));
    const char *errors = arena_printf(a, "%s/errors", i->folder);
    pid_t child = fork();
    if (child == 0) {
        const char *arguments[ARGUMENTS_MAX];
        int to = open(errors, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (to >= 0)
            dup2(to, STDERR_FILENO);
        list_arguments(i, arguments);
        import_exec(a, i->python, "run_import", (char **)(uintptr_t)arguments);
        _exit(2);
    }
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    const char *why = "";
    FILE *said = child > 0 ? fopen(errors, "r") : NULL;
    if (said) {
        if (WIFEXITED(how))
            copy(said, stderr);
        else
            why = find_reason(a, said);
        fclose(said);
    }
    if (child > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return true;
    import_close(i);
    if (child < 0)
        return FAIL(st, SYSTEM, "no process can be started: %s",
                    strerror(errno));
    if (WIFSIGNALED(how))
        return FAIL(st, INPUT, "%s: its import was ended by signal %d (%s)%s",
                    i->file, WTERMSIG(how), strsignal(WTERMSIG(how)), why);
    st->code = WEXITSTATUS(how) == 3 ? STATUS_SYSTEM : STATUS_INPUT;
    return false;
}

bool import_check(struct arena *a, const struct import *i,
                  const struct limits *limits, struct status *st)
{
    struct case_file *file;
    struct test_case *made = NULL;
    bool good = case_file_read(a, i->path, "program", limits, &file, st);
    for (int k = 0; good && k < file->stub_count; k++) {
        good = case_make(a, &file->stubs[k], NULL, limits, &made, st);
        if (good && made->rejected) {
            *st = made->rejection;
            good = false;
        }
    }
    if (good)
        return true;
    if (st->code == STATUS_SYSTEM) {
        *st = (struct status){STATUS_OK};
        return true;
    }
    import_place(a, i, st);
    return false;
}

bool import_write(const struct import *i, const char *path, struct status *st)
{
    FILE *from = fopen(i->path, "r");
    struct whole_file w;
    bool good;
    if (!from)
        return FAIL(st, SYSTEM, "%s: %s", i->path, strerror(errno));
    if (!path || strcmp(path, "-") == 0) {
        good = copy(from, stdout) && fflush(stdout) == 0;
        if (!good)
            FAIL(st, SYSTEM, "standard output cannot be written: %s",
                 strerror(errno));
    } else {
        good = whole_file_open(&w, path, st)
               && whole_file_close(&w, copy(from, w.to), st);
    }
    fclose(from);
    return good;
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

/* Removes a folder with all that is in it: folders of cases, three deep. */
static void remove_all(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct folder in = {0};
    if (unlink(path) != 0 && folder_read(&arena, path, &in)) {
        for (int i = 0; i < in.count; i++)
            remove_all(arena_printf(&arena, "%s/%s", path, in.names[i]));
        rmdir(path);
    }
    arena_free(&arena);
}

void import_close(struct import *i)
{
    if (i->folder)
        remove_all(i->folder);
    i->folder = NULL;
}

bool import_filter_open(struct arena *a, struct import_filter *f,
                        const char *function, struct status *st)
{
    char *none[] = {NULL};
    int ends_of[2];
    *f = (struct import_filter){.out = dup(STDOUT_FILENO)};
    if (f->out < 0 || pipe(ends_of) != 0)
        return FAIL(st, SYSTEM, "no pipe can be made: %s", strerror(errno));
    fcntl(f->out, F_SETFD, FD_CLOEXEC);
    f->child = fork();
    if (f->child == 0) {
        dup2(ends_of[0], STDIN_FILENO);
        close(ends_of[0]);
        close(ends_of[1]);
        import_exec(a, NULL, function, none);
        _exit(2);
    }
    close(ends_of[0]);
    if (f->child > 0) {
        signal(SIGPIPE, SIG_IGN); /* the function says why it ends early */
        dup2(ends_of[1], STDOUT_FILENO);
    }
    close(ends_of[1]);
    return f->child > 0
           || FAIL(st, SYSTEM, "no process can be started: %s",
                   strerror(errno));
}

int import_filter_close(struct import_filter *f)
{
    int how = 0;
    fflush(stdout);
    clearerr(stdout);
    dup2(f->out, STDOUT_FILENO);
    close(f->out);
    while (waitpid(f->child, &how, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(how))
        return WEXITSTATUS(how);
    fprintf(stderr, "assay: the conversion was ended by signal %d (%s)\n",
            WTERMSIG(how), strsignal(WTERMSIG(how)));
    return 2;
}
