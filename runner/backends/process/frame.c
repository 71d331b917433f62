/* frame.c - frames: a prefix, a header, a body.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All input is untrusted: lengths are checked against limits before anything is
 * allocated.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

enum {
    END_MS = 250, /* between the end of a pipe and that of the process */
    SHOWN = 48,   /* bytes of what is not a frame */
};

static const char magic[4] = {'A', 'S', 'Y', '1'};

int process_break(struct process *p, const char *format, ...)
{
    va_list args;
    if (p->broken[0])
        return 0;
    va_start(args, format);
    vsnprintf(p->broken, sizeof p->broken, format, args);
    va_end(args);
    return 0;
}

/* The pipe is at its end: because the program is, or only the pipe? */
static int break_closed(struct process *p, const char *what)
{
    char how[128];
    if (!process_ended(p, END_MS))
        return process_break(p, "%s: the backend closed its %s", p->call, what);
    process_describe(p->status, how, sizeof how);
    return process_break(p, "%s: %s", p->call, how);
}

/* ---- Writing ------------------------------------------------------------- */

static int write_all(struct process *p, const unsigned char *data,
                     uint64_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(p->out.fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return break_closed(p, "standard input");
        data += n;
        bytes -= (uint64_t)n;
    }
    return 1;
}

int process_flush(struct process *p)
{
    size_t bytes = p->out.to;
    p->out.to = 0;
    return write_all(p, p->out.bytes, bytes);
}

int process_put(struct process *p, const void *data, uint64_t bytes)
{
    if (bytes > PROCESS_BUFFER - p->out.to && !process_flush(p))
        return 0;
    if (bytes > PROCESS_BUFFER)
        return write_all(p, data, bytes);
    if (bytes > 0)
        memcpy(p->out.bytes + p->out.to, data, bytes);
    p->out.to += bytes;
    return 1;
}

static void store(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t fetch(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

int process_begin(struct process *p, const char *header, uint64_t body)
{
    unsigned char prefix[PROCESS_PREFIX];
    size_t length = strlen(header);
    memcpy(prefix, magic, sizeof magic);
    store(prefix + 4, length, 4);
    store(prefix + 8, body, 8);
    return process_put(p, prefix, sizeof prefix)
           && process_put(p, header, length);
}

/* ---- Reading ------------------------------------------------------------- */

/* As many bytes as there are, up to bytes; 0 at the end of the pipe. */
static size_t read_some(struct process *p, void *to, size_t bytes)
{
    ssize_t n;
    do
        n = read(p->in.fd, to, bytes);
    while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}

/* Returns how many of the bytes came before the end of the pipe. */
static uint64_t get(struct process *p, unsigned char *data, uint64_t bytes)
{
    struct process_buffer *in = &p->in;
    uint64_t got = 0;
    while (got < bytes) {
        size_t have = in->to - in->from;
        size_t n = bytes - got < have ? (size_t)(bytes - got) : have;
        if (have > 0) {
            memcpy(data + got, in->bytes + in->from, n);
            in->from += n;
        } else if (bytes - got >= PROCESS_BUFFER) {
            n = read_some(p, data + got, (size_t)(bytes - got));
        } else {
            in->from = 0;
            in->to = read_some(p, in->bytes, PROCESS_BUFFER);
            if (in->to == 0)
                break;
            continue;
        }
        if (n == 0)
            break;
        got += n;
    }
    return got;
}

static int break_short(struct process *p, const char *part, uint64_t got,
                       uint64_t bytes)
{
    char how[128] = "";
    if (process_ended(p, END_MS))
        process_describe(p->status, how, sizeof how);
    return process_break(p,
                         "%s: the reply ends after %" PRIu64 " of %" PRIu64
                         " bytes of its %s%s%s",
                         p->call, got, bytes, part, how[0] ? ": " : "", how);
}

int process_get(struct process *p, void *data, uint64_t bytes)
{
    uint64_t got = get(p, data, bytes);
    return got == bytes ? 1 : break_short(p, "body", got, bytes);
}

int process_skip(struct process *p, uint64_t bytes)
{
    unsigned char waste[4096];
    for (uint64_t n; bytes > 0; bytes -= n) {
        n = bytes < sizeof waste ? bytes : sizeof waste;
        if (!process_get(p, waste, n))
            return 0;
    }
    return 1;
}

/* Most often a program that prints to its standard output. */
static int break_strange(struct process *p, unsigned char *start, uint64_t n)
{
    char shown[SHOWN + 1];
    size_t more = p->in.to - p->in.from, length = (size_t)n;
    memcpy(shown, start, length);
    more = more < SHOWN - length ? more : SHOWN - length;
    memcpy(shown + length, p->in.bytes + p->in.from, more);
    length += more;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)shown[i] < ' ' || (unsigned char)shown[i] > '~')
            shown[i] = '?';
    shown[length] = '\0';
    return process_break(p,
                         "%s: expected a frame on standard output, found '%s'",
                         p->call, shown);
}

static int parse_header(struct process *p, const char *text, size_t length,
                        cJSON **header)
{
    const char *end = NULL;
    *header = cJSON_ParseWithLengthOpts(text, length + 1, &end, 0);
    while (*header && end < text + length && strchr(" \t\r\n", *end))
        end++;
    if (*header && cJSON_IsObject(*header) && end == text + length)
        return 1;
    const char *why =
        *header && end == text + length ? "not a JSON object" : "not JSON";
    cJSON_Delete(*header);
    *header = NULL;
    return process_break(p, "%s: the reply's header is %s: '%.60s'", p->call,
                         why, text);
}

int process_reply(struct process *p, cJSON **header, uint64_t *body)
{
    unsigned char prefix[PROCESS_PREFIX];
    *header = NULL;
    if (!process_flush(p))
        return 0;
    uint64_t n = get(p, prefix, sizeof prefix);
    if (n > 0 && memcmp(prefix, magic, n < 4 ? (size_t)n : 4) != 0)
        return break_strange(p, prefix, n);
    if (n == 0)
        return break_closed(p, "standard output");
    if (n < sizeof prefix)
        return break_short(p, "prefix", n, sizeof prefix);
    uint64_t length = fetch(prefix + 4, 4);
    *body = fetch(prefix + 8, 8);
    if (length > PROCESS_HEADER_MAX)
        return process_break(p,
                             "%s: the reply announces a header of %" PRIu64
                             " bytes, more than %d",
                             p->call, length, PROCESS_HEADER_MAX);
    if (*body > PROCESS_BODY_MAX)
        return process_break(p,
                             "%s: the reply announces a body of %" PRIu64
                             " bytes, more than %d",
                             p->call, *body, PROCESS_BODY_MAX);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return process_break(p, "%s: not enough memory for the reply", p->call);
    text[length] = '\0';
    uint64_t got = get(p, (unsigned char *)text, length);
    int good = got == length ? parse_header(p, text, (size_t)length, header)
                             : break_short(p, "header", got, length);
    free(text);
    return good;
}
