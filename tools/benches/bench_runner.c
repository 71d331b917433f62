/* bench_runner.c - cases a second through a worker, against a process a case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_runner ASSAY [CASES]
 *
 * Writes a case file of many small cases of a cheap operation, runs it on the
 * reference (plan, workers, verdicts, database), and in turn starts one
 * `assay run` for each of a few single cases.  Aims: 100,000 cases a second,
 * and 100 times the rate of one process a case.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/benches/bench.h"

enum {
    SPAWNS = 40,
    CASES = 200000,
    PATH_BYTES = 512
};

#define RATE  100000.0 /* cases a second */
#define RATIO 100.0

extern char **environ;

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static void write_cases(const char *folder, long count)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/Not", folder);
    if (mkdir(folder, 0777) != 0 || mkdir(path, 0777) != 0)
        die(path);
    snprintf(path, sizeof path, "%s/Not/bench.json", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        die(path);
    fprintf(f,
            "{\"format\": \"assay-case/1\", \"op\": \"Not\", \"cases\": [\n"
            " {\"id\": \"small\", \"why\": \"time the runner, not the work\","
            " \"each\": {\"N\": [");
    for (long i = 0; i < count; i++)
        fprintf(f, "%s%ld", i ? "," : "", i);
    fprintf(f, "]}, \"inputs\": [{\"shape\": \"u32[1]\", \"random\": "
               "{\"seed\": \"$N\", \"dist\": \"bits\"}}]}]}\n");
    if (fclose(f) != 0)
        die(path);
}

static double time_run(const char *assay, const char *cases,
                       const char *database)
{
    const char *words[] = {assay,     "run",     "--backend", "reference",
                           "--quiet", "--cases", cases,       "--database",
                           database,  NULL};
    char *argv[sizeof words / sizeof words[0]];
    memcpy(argv, words, sizeof argv); /* posix_spawn changes none of them */
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    double start = bench_wall();
    if (posix_spawn(&child, assay, &actions, NULL, argv, environ) != 0
        || waitpid(child, &status, 0) != child)
        die(assay);
    posix_spawn_file_actions_destroy(&actions);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "bench_runner: the run failed\n");
        exit(2);
    }
    return bench_wall() - start;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/assay-bench-XXXXXX", many[PATH_BYTES],
         single[PATH_BYTES], database[PATH_BYTES], command[PATH_BYTES];
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : CASES;
    if (argc < 2 || count < 1 || !mkdtemp(folder)) {
        fprintf(stderr, "usage: bench_runner ASSAY [CASES]\n");
        return 2;
    }
    snprintf(many, sizeof many, "%s/many", folder);
    snprintf(single, sizeof single, "%s/single", folder);
    snprintf(database, sizeof database, "%s/results.db", folder);
    write_cases(many, count);
    write_cases(single, 1);
    fflush(stdout);

    double all = time_run(argv[1], many, database), each = 0;
    for (int i = 0; i < SPAWNS; i++)
        each += time_run(argv[1], single, database);
    double rate = (double)count / all, slow = SPAWNS / each;
    printf("runner: %.0f cases/s in workers (%ld cases, %.2f s), aim %.0f: %s; "
           "%.0f cases/s with a process a case; ratio %.0f, aim %.0f: %s\n",
           rate, count, all, RATE, bench_at_least(rate, RATE), slow,
           rate / slow, RATIO, bench_at_least(rate / slow, RATIO));
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : 2;
}
