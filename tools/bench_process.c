/* bench_process.c - cases a second through a backend that is a program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/bench_process ASSAY [CASES]
 *
 * Writes a file of many small cases whose result is their operand, and runs it
 * on this program itself, which (as "bench_process --echo") returns every body
 * as it came.  Once all cases are one program with other data, once each is a
 * program of its own, which is also compiled and released.  Aim: 20,000 cases
 * a second for the first.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/bench.h"

enum {
    CASES = 100000,
    PATH_BYTES = 512,
    BODY_MAX = 1 << 20,
};

#define RATE 20000.0 /* cases a second */

/* ---- The backend --------------------------------------------------------- */

static unsigned char body[BODY_MAX];

static int answer(const char *header, uint64_t bytes)
{
    unsigned char prefix[16] = {'A', 'S', 'Y', '1'};
    uint32_t length = (uint32_t)strlen(header);
    memcpy(prefix + 4, &length, 4);
    memcpy(prefix + 8, &bytes, 8);
    return fwrite(prefix, sizeof prefix, 1, stdout) == 1
           && fwrite(header, length, 1, stdout) == 1
           && (bytes == 0 || fwrite(body, bytes, 1, stdout) == 1)
           && fflush(stdout) == 0;
}

/* One request; 0 at the end.  Only for little-endian machines. */
static int serve(void)
{
    unsigned char prefix[16];
    char header[4096], reply[128];
    uint32_t length;
    uint64_t bytes;
    if (fread(prefix, sizeof prefix, 1, stdin) != 1)
        return 0;
    memcpy(&length, prefix + 4, 4);
    memcpy(&bytes, prefix + 8, 8);
    if (length >= sizeof header || bytes > sizeof body
        || fread(header, length, 1, stdin) != 1
        || (bytes > 0 && fread(body, bytes, 1, stdin) != 1))
        return 0;
    header[length] = '\0';
    if (strstr(header, "\"open\""))
        return answer("{\"protocol\":1,\"name\":\"echo\",\"version\":\"1\","
                      "\"capabilities\":{\"ops\":\"ConvertElementType "
                      "Parameter\"}}",
                      0);
    if (strstr(header, "\"compile\""))
        return answer("{}", 0);
    if (strstr(header, "\"release\""))
        return 1;
    snprintf(reply, sizeof reply,
             "{\"outputs\":[{\"dtype\":\"u32\",\"dims\":[%d]}]}",
             (int)(bytes / 4));
    return answer(reply, bytes);
}

/* ---- The measurement ----------------------------------------------------- */

static void die(const char *what)
{
    perror(what);
    exit(2);
}

/* The shape may have $N in it, which makes each case a program of its own. */
static void write_cases(const char *folder, long count, const char *shape)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/ConvertElementType", folder);
    if (mkdir(folder, 0777) != 0 || mkdir(path, 0777) != 0)
        die(path);
    snprintf(path, sizeof path, "%s/ConvertElementType/bench.json", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        die(path);
    fprintf(f, "{\"format\": \"assay-case/1\", \"op\": \"ConvertElementType\", "
               "\"cases\": [\n {\"id\": \"small\", \"why\": \"time the pipe\", "
               "\"each\": {\"N\": [");
    for (long i = 1; i <= count; i++)
        fprintf(f, "%s%ld", i > 1 ? "," : "", i);
    fprintf(f,
            "]}, \"attributes\": {\"new_element_type\": \"u32\"}, \"inputs\": "
            "[{\"shape\": \"%s\", \"random\": {\"seed\": \"$N\", \"dist\": "
            "\"bits\"}}]}]}\n",
            shape);
    if (fclose(f) != 0)
        die(path);
}

static double run(const char *assay, const char *self, const char *folder)
{
    char command[4 * PATH_BYTES];
    snprintf(
        command, sizeof command,
        "'%s' run --backend 'process:%s --echo' --quiet --cases '%s/cases' "
        "--database '%s/results.db' >/dev/null && rm -r '%s/cases'",
        assay, self, folder, folder, folder);
    double start = bench_wall();
    if (system(command) != 0) {
        fprintf(stderr, "bench_process: the run failed\n");
        exit(2);
    }
    return bench_wall() - start;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/assay-bench-XXXXXX", cases[PATH_BYTES];
    if (argc > 1 && strcmp(argv[1], "--echo") == 0) {
        while (serve())
            ;
        return 0;
    }
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : CASES;
    if (argc < 2 || count < 10 || !mkdtemp(folder)) {
        fprintf(stderr, "usage: bench_process ASSAY [CASES]\n");
        return 2;
    }
    snprintf(cases, sizeof cases, "%s/cases", folder);
    write_cases(cases, count, "u32[1]");
    double same = run(argv[1], argv[0], folder);
    write_cases(cases, count / 10, "u32[$N]");
    double other = run(argv[1], argv[0], folder);
    double rate = (double)count / same;
    printf("process: %.0f cases/s of one program (%ld cases, %.2f s), aim "
           "%.0f: %s; %.0f cases/s of different programs\n",
           rate, count, same, RATE, bench_at_least(rate, RATE),
           (double)(count / 10) / other);
    snprintf(cases, sizeof cases, "rm -r '%s'", folder);
    return system(cases) == 0 ? 0 : 2;
}
