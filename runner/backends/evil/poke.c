/* poke.c - writes one word into memory that it shares with the runner.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * ASSAY_EVIL_WORD is the word's number, counted over the first words of every
 * such mapping, and ASSAY_EVIL_VALUE what is written there: after each
 * execution or, with ASSAY_EVIL_THREAD, every millisecond by a thread.
 */
#include <pthread.h>
#include <time.h>

#include "evil.h"

enum {
    WORDS = 8 /* of one mapping: the fields and the first slots */
};

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static void poke(void)
{
    char line[512], mode[8];
    unsigned long first, end;
    long word = number("ASSAY_EVIL_WORD");
    const long value = number("ASSAY_EVIL_VALUE");
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s", &first, &end, mode) == 3
            && mode[0] == 'r' && mode[3] == 's' && strstr(line, "/dev/zero")
            && (word -= WORDS) < 0) {
            memcpy((char *)first + (word + WORDS) * (long)sizeof value, &value,
                   sizeof value);
            break;
        }
    if (f)
        fclose(f);
}

static void *keep_on(void *none)
{
    const struct timespec pause = {0, 1000000};
    for (;;) {
        poke();
        nanosleep(&pause, NULL);
    }
    return none;
}

EVIL_AFTER(poke, b, e, error)
{
    static pthread_t thread;
    if (!getenv("ASSAY_EVIL_THREAD"))
        poke();
    else if (!thread)
        pthread_create(&thread, NULL, keep_on, NULL);
}
