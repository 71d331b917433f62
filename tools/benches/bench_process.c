/* bench_process.c - cases a second through a backend that is a program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_process ASSAY [CASES]
 *
 * Writes a file of many cases of one element whose result is their operand, and
 * runs it on this program itself, which (as "bench_process --echo TYPE")
 * returns every body as it came.  Once all cases are one program with other
 * data; once each is a program of its own, which is also compiled and released
 * (ReducePrecision of 1, which any number of bits represents).  Aim: 20,000
 * cases a second of either kind.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/benches/bench.h"

enum {
    CASES = 100000,
    PATH_BYTES = 512,
    FOLDER_BYTES = 64,
    BODY_MAX = 1 << 20,
    WIDTHS = 100, /* of the mantissa */
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
static int serve(const char *type)
{
    unsigned char prefix[16];
    char header[4096], reply[256];
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
    const char *member = strstr(header, "\"request\":");
    long number = member ? strtol(strchr(member, ':') + 1, NULL, 10) : 0;
    int n = snprintf(reply, sizeof reply, "{\"request\":%ld", number);
    char *rest = reply + n;
    size_t room = sizeof reply - (size_t)n;
    if (strstr(header, "\"release\""))
        return 1;
    if (strstr(header, "\"open\""))
        snprintf(rest, room, "%s",
                 ",\"protocol\":2,\"name\":\"echo\",\"version\":\"1\","
                 "\"capabilities\":{\"ops\":\"ConvertElementType Parameter "
                 "ReducePrecision\"}}");
    else if (strstr(header, "\"execute\""))
        snprintf(rest, room,
                 ",\"outputs\":[{\"dtype\":\"%.8s\",\"dims\":[%d]}]}", type,
                 (int)(bytes / 4));
    else /* compile, sync */
        snprintf(rest, room, "}");
    return answer(reply, strstr(header, "\"execute\"") ? bytes : 0);
}

/* ---- The measurement ----------------------------------------------------- */

static void die(const char *what)
{
    perror(what);
    exit(2);
}

/* Cases that differ in their data, or in their program. */
struct kind {
    const char *what, *type, *op, *attributes, *input;
    const char *variables[2]; /* each from `first` on, as many as that */
    long first[2], count[2];
};

static void write_values(FILE *f, const struct kind *k, int i)
{
    fprintf(f, "%s\"%s\": [", i ? ", " : "", k->variables[i]);
    for (long n = 0; n < k->count[i]; n++)
        fprintf(f, "%s%ld", n ? "," : "", k->first[i] + n);
    fputc(']', f);
}

static void write_cases(const char *folder, const struct kind *k)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, k->op);
    if (mkdir(folder, 0777) != 0 || mkdir(path, 0777) != 0)
        die(path);
    snprintf(path, sizeof path, "%s/%s/bench.json", folder, k->op);
    FILE *f = fopen(path, "w");
    if (!f)
        die(path);
    fprintf(f,
            "{\"format\": \"assay-case/1\", \"op\": \"%s\", \"cases\": [\n "
            "{\"id\": \"small\", \"why\": \"time the pipe\", \"each\": {",
            k->op);
    for (int i = 0; i < 2 && k->variables[i]; i++)
        write_values(f, k, i);
    fprintf(f,
            "}, \"attributes\": {%s}, \"inputs\": [{\"shape\": \"%s[1]\", "
            "%s}]}]}\n",
            k->attributes, k->type, k->input);
    if (fclose(f) != 0)
        die(path);
}

static void run_kind(const char *assay, const char *self, const char *folder,
                     const struct kind *kind)
{
    char command[4 * PATH_BYTES], cases[FOLDER_BYTES];
    long count = kind->count[0] * (kind->variables[1] ? kind->count[1] : 1);
    snprintf(cases, sizeof cases, "%s/cases", folder);
    write_cases(cases, kind);
    snprintf(command, sizeof command,
             "'%s' run --backend 'process:%s --echo %s' --quiet --cases '%s' "
             "--database '%s/results.db' >/dev/null && rm -r '%s'",
             assay, self, kind->type, cases, folder, cases);
    double start = bench_wall();
    if (system(command) != 0) {
        fprintf(stderr, "bench_process: the run failed\n");
        exit(2);
    }
    double seconds = bench_wall() - start, rate = (double)count / seconds;
    printf("process: %.0f cases/s of %s (%ld cases, %.2f s), aim %.0f: %s\n",
           rate, kind->what, count, seconds, RATE, bench_at_least(rate, RATE));
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/assay-bench-XXXXXX", command[PATH_BYTES];
    if (argc > 2 && strcmp(argv[1], "--echo") == 0) {
        while (serve(argv[2]))
            ;
        return 0;
    }
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : CASES;
    if (argc < 2 || count < WIDTHS || !mkdtemp(folder)) {
        fprintf(stderr, "usage: bench_process ASSAY [CASES]\n");
        return 2;
    }
    const struct kind kinds[] = {
        {.what = "one program",
         .type = "u32",
         .op = "ConvertElementType",
         .attributes = "\"new_element_type\": \"u32\"",
         .input = "\"random\": {\"seed\": \"$N\", \"dist\": \"bits\"}",
         .variables = {"N"},
         .first = {1},
         .count = {count}},
        {.what = "different programs",
         .type = "f32",
         .op = "ReducePrecision",
         .attributes = "\"exponent_bits\": \"$E\", \"mantissa_bits\": \"$M\"",
         .input = "\"data\": [1]",
         .variables = {"E", "M"},
         .first = {2, 0},
         .count = {count / WIDTHS, WIDTHS}}};
    for (int i = 0; i < 2; i++)
        run_kind(argv[1], argv[0], folder, &kinds[i]);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) == 0 ? 0 : 2;
}
