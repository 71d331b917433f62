/* read.c DIR [RESULTS] - count the wrong units of RESULTS, the bytes of all outputs in order.
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint8_t *whole(const char *dir, const char *name) {
    char path[4096];
    uint8_t *all = calloc(1, 1 << 27);
    snprintf(path, sizeof path, "%s%s%s", dir, *dir ? "/" : "", name);
    FILE *f = fopen(path, "rb");
    if (!f || !all || fread(all, 1, (1 << 27) - 1, f) == 0) exit(2);
    return fclose(f), all;
}
static uint64_t get(const uint8_t *p, int64_t i, int n) { /* little endian */
    uint64_t x = 0;
    for (int k = n; k-- > 0;) x = x << 8 | p[i * n + k];
    return x;
}
int main(int argc, char **argv) {
    char *at = (char *)whole(argv[1], "vectors.jsonl");
    uint8_t *bin = whole(argv[1], "vectors.bin"), *got = argc > 2 ? whole("", argv[2]) : NULL;
    int64_t units = 0, wrong = 0, w, n, odd, low, high, flags, width, sign;
    for (uint64_t most; (at = strstr(at, "\"at\": ")); at++) {
        char kind; /* f: sign and magnitude, s: two's complement, u: unsigned */
        if (sscanf(at, "\"at\": %" SCNd64 ", \"units\": %" SCNd64 ", \"kind\": \"%c%*[a-z]\", \"width\": %" SCNd64 ", \"sign\": %" SCNd64 ", \"largest\": %" SCNu64 ", \"nan\": %" SCNd64 ", \"low\": %" SCNd64 ", \"high\": %" SCNd64 ", \"flags\": %" SCNd64, &w, &n, &kind, &width, &sign, &most, &odd, &low, &high, &flags) != 10) continue; /* an input */
        int b = width > 8 ? (int)width / 8 : 1, real = kind == 'f';
        uint64_t s = (uint64_t)sign << (width - 1), mask = ~0ULL >> (64 - width);
#define KEY(x) (!real || !s ? (x) ^ s : (x) & s ? ~(x) & mask : (x) | s)
        for (int64_t i = 0; i < n; i++, units++) {
            uint64_t want = get(bin + w, i, b), x = got ? get(got, i, b) : want, f = low < 0 ? 0 : bin[flags + i];
            int nan = real && ((x & ~s) > most || (odd >= 0 && x == (uint64_t)odd));
            int in = low >= 0 && !nan && KEY(get(bin + low, i, b)) <= KEY(x) && KEY(x) <= KEY(get(bin + high, i, b));
            wrong += !(x == want || in || f & 1 || (f & 2 && nan) || (f & 4 && x == 0) || (f & 8 && s && x == s && !nan));
        }
        got = got ? got + n * b : NULL;
    }
    printf("%" PRId64 " units, %" PRId64 " wrong\n", units, wrong);
}
