/* frame.c - frames: a prefix, a header, a body.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All input is untrusted: lengths are checked against limits before anything is
 * allocated.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/json_scan.h"
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
    return process_pipe_write(p, data, bytes)
           || break_closed(p, "standard input");
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

static int begin(struct process *p, const char *call, const char *text,
                 uint64_t body)
{
    unsigned char prefix[PROCESS_PREFIX];
    char start[96];
    size_t length = strlen(text);
    int n = snprintf(start, sizeof start,
                     "{\"call\":\"%s\",\"request\":%" PRIu64 "%s", call,
                     p->next_request, length ? "," : "");
    p->request = p->next_request++;
    memcpy(prefix, magic, sizeof magic);
    store(prefix + 4, (size_t)n + length + 1, 4);
    store(prefix + 8, body, 8);
    return process_put(p, prefix, sizeof prefix)
           && process_put(p, start, (size_t)n) && process_put(p, text, length)
           && process_put(p, "}", 1);
}

/* ---- Reading ------------------------------------------------------------- */

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
            n = process_pipe_read(p, data + got, (size_t)(bytes - got));
        } else {
            in->from = 0;
            in->to = process_pipe_read(p, in->bytes, PROCESS_BUFFER);
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

/* Text for a message, of which all may be shown. */
static void copy_shown(char *to, const void *from, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = ((const unsigned char *)from)[i];
        to[i] = c < ' ' || c > '~' ? '?' : (char)c;
    }
    to[length] = '\0';
}

/* Most often a program that prints to its standard output. */
static int break_strange(struct process *p, unsigned char *start, uint64_t n)
{
    char shown[SHOWN + 1];
    size_t more = p->in.to - p->in.from, length = (size_t)n;
    copy_shown(shown, start, length);
    more = more < SHOWN - length ? more : SHOWN - length;
    copy_shown(shown + length, p->in.bytes + p->in.from, more);
    return process_break(p,
                         "%s: expected a frame on standard output, found '%s'",
                         p->call, shown);
}

/* The header as an object.  json_scan accepts exactly JSON in UTF-8, where
 * cJSON is lenient. */
static int parse_header(struct process *p, const char *text, size_t length,
                        cJSON **header)
{
    struct json_scan scan;
    char shown[SHOWN + 1];
    int good = json_scan_text(&scan, text, length, PROCESS_DEPTH_MAX);
    json_scan_free(&scan);
    copy_shown(shown, text, length < SHOWN ? length : SHOWN);
    if (!good)
        return process_break(p,
                             "%s: the reply's header is not JSON: %s (line %u, "
                             "column %u of '%s')",
                             p->call, scan.error, scan.error_line,
                             scan.error_column, shown);
    *header = cJSON_ParseWithLength(text, length);
    if (*header && cJSON_IsObject(*header))
        return 1;
    const char *why = *header ? "the reply's header is not a JSON object"
                              : "not enough memory for the reply's header";
    cJSON_Delete(*header);
    *header = NULL;
    return process_break(p, "%s: %s: '%s'", p->call, why, shown);
}

/* A header of that many bytes. */
static int read_header(struct process *p, uint64_t length, cJSON **header)
{
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

static int read_frame(struct process *p, cJSON **header, uint64_t *body)
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
    return read_header(p, length, header);
}

/* ---- One reply a request ------------------------------------------------- */

/* The pipe's contents belong to an earlier request, and nothing tells how much
 * more will come: another process runs the current case. */
static int leave(struct process *p, const char *why)
{
    if (p->earlier)
        p->earlier->leave(p->host);
    return process_break(p, "%s: %s", p->call, why);
}

int process_begin(struct process *p, const char *call, const char *text,
                  uint64_t body)
{
    int replied = strcmp(call, "release") != 0;
    p->call = call;
    if (replied && p->next_request > 0 && !process_pipe_quiet(p, 0))
        return leave(p, "the last reply was followed by something else, or by "
                        "the end of the program");
    return begin(p, call, text, body);
}

int process_number(struct process *p, const cJSON *header)
{
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(header, "request");
    char text[120];
    if (p->version < 2
        || (cJSON_IsNumber(m) && m->valuedouble == (double)p->request))
        return 1;
    if (!cJSON_IsNumber(m))
        return process_break(p,
                             "%s: the reply lacks the number of its request, "
                             "\"request\": %" PRIu64,
                             p->call, p->request);
    snprintf(text, sizeof text,
             "the reply is to request %.17g, expected %" PRIu64, m->valuedouble,
             p->request);
    return m->valuedouble < (double)p->request
               ? leave(p, text)
               : process_break(p, "%s: %s", p->call, text);
}

int process_reply(struct process *p, cJSON **header, uint64_t *body)
{
    return read_frame(p, header, body) && process_number(p, *header);
}

/* The program answers everything in order, so what it sent besides its reply
 * comes before the reply to this. */
static int synchronize(struct process *p)
{
    cJSON *header = NULL;
    uint64_t body, answered = p->request;
    if (!begin(p, "sync", "", 0) || !read_frame(p, &header, &body))
        return 0;
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(header, "request");
    double number = cJSON_IsNumber(m) ? m->valuedouble : -1;
    int good = number == (double)p->request && body == 0;
    cJSON_Delete(header);
    if (good)
        return 1;
    if (number >= 0 && number < (double)answered)
        return leave(p, "another reply to an earlier request");
    return process_break(p,
                         "%s: the reply is followed by %s, before the reply to "
                         "the call sync",
                         p->call,
                         number == (double)answered
                             ? "another reply to the same request"
                             : "another frame");
}

/* More than a reply has come, or the program has ended. */
static int break_surplus(struct process *p)
{
    char shown[SHOWN + 1], how[128];
    if (process_ended(p, 0)) {
        process_describe(p->status, how, sizeof how);
        return process_break(p, "%s: after its reply %s", p->call, how);
    }
    if (p->in.from == p->in.to) {
        p->in.from = 0;
        p->in.to = process_pipe_read(p, p->in.bytes, PROCESS_BUFFER);
    }
    size_t n = p->in.to - p->in.from;
    if (n == 0)
        return break_closed(p, "standard output");
    n = n < SHOWN ? n : SHOWN;
    copy_shown(shown, p->in.bytes + p->in.from, n);
    return process_break(p,
                         "%s: the reply is followed by '%s', expected nothing "
                         "before the next request",
                         p->call, shown);
}

int process_finish(struct process *p)
{
    if (p->version >= 2 && !synchronize(p))
        return 0;
    return process_pipe_quiet(p, 1) || break_surplus(p);
}
