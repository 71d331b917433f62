/* process.h - the process adapter's own structures.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend that is a program of its own: spec/protocol.md.  The adapter runs
 * in a worker, starts the program, and passes each call on as a frame.
 */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include <assay/backend.h>
#include <assay/ext/earlier.h>
#include <assay/ext/program_json.h>
#include <assay/ext/stablehlo_text.h>
#include <cjson/cJSON.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PROCESS_OLDEST = 1, /* versions of the protocol */
    PROCESS_NEWEST = 2,
    PROCESS_PREFIX = 16,          /* bytes before a header */
    PROCESS_HEADER_MAX = 1 << 20, /* of a reply */
    PROCESS_BODY_MAX = 1 << 30,
    PROCESS_DEPTH_MAX = 128, /* of arrays and objects in a header */
    PROCESS_BUFFER = 1 << 16,
    PROCESS_PROPERTIES_MAX = 64,
};

/* A buffer for reading or writing the other end of a pipe. */
struct process_buffer {
    int fd;
    size_t from, to; /* of what is in bytes */
    unsigned char bytes[PROCESS_BUFFER];
};

struct process {
    assay_backend backend;
    const assay_host *host;
    const assay_program_json *json;
    const assay_stablehlo_text *stablehlo; /* NULL: not asked for */
    const assay_earlier *earlier;
    char *what;  /* a command of the shell, or */
    int is_file; /* the path of a file */
    pid_t child;
    int pidfd;                      /* of it; -1: the kernel has none */
    int version;                    /* of the protocol; 0: not known yet */
    uint64_t request, next_request; /* numbers of the last and the next one */
    const char *call;               /* that is running, for messages */
    struct process_buffer in, out;  /* as the adapter sees it */
    cJSON *hello;                   /* the reply to open */
    uint64_t next;                  /* number of the next executable */
    char broken[400]; /* why nothing more can be said to it, or read; "" */
    int status;       /* of waitpid, if it ended: 1; else -1 */
};

struct assay_executable {
    uint64_t number;
    int32_t rows, input_count, output_count;
};

assay_code process_say(assay_error *error, assay_code code, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

/* spawn.c: start what.  Returns 0, and broken, if it cannot. */
int process_spawn(struct process *p);
/* Has it ended, or does it within that time?  Then status is set. */
int process_ended(struct process *p, int wait_ms);
void process_describe(int status, char *text, size_t size);
/* It is lost: say why on standard error, and end as it ended, so that the
 * worker's end is the backend's. */
void process_die(struct process *p) __attribute__((noreturn));
/* Close its standard input, and give it some time to end. */
void process_stop(struct process *p);

/* pipe.c: the pipes, while the program lives. */
void process_pipe_begin(struct process *p);
void process_pipe_end(struct process *p);
/* 0 if not all bytes could be written: the pipe or the program is at its end.
 */
int process_pipe_write(struct process *p, const unsigned char *data,
                       uint64_t bytes);
/* How many bytes were read, at least one; 0 at the end of the pipe, or of the
 * program. */
size_t process_pipe_read(struct process *p, void *to, size_t bytes);
/* Does the program live, with its pipe open and nothing in it?  settle: first
 * let it go to sleep, but not for long. */
int process_pipe_quiet(struct process *p, int settle);

/* frame.c: each returns 0, and sets broken, if the pipe or frame is broken. */
int process_break(struct process *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Begin a request: call's text has no braces around it, and may be empty; the
 * frame's header is {"call":...,"request":...,text}. */
int process_begin(struct process *p, const char *call, const char *text,
                  uint64_t body);
int process_put(struct process *p, const void *data, uint64_t bytes);
int process_flush(struct process *p);
/* The header of a reply, an object, to be freed by cJSON_Delete; its body of
 * *body bytes is still to be read. */
int process_reply(struct process *p, cJSON **header, uint64_t *body);
int process_get(struct process *p, void *data, uint64_t bytes);
int process_skip(struct process *p, uint64_t bytes);
/* Has it the number of its request?  process_reply asks, but for that to open,
 * which says whether replies have numbers. */
int process_number(struct process *p, const cJSON *header);
/* The reply was read.  Nothing may follow it. */
int process_finish(struct process *p);

/* reply.c */
/* The code and the text of a reply that has "error"; ASSAY_OK if it has none.
 * ASSAY_FAILED if it has a body, too, or a member twice. */
assay_code process_error(const cJSON *reply, uint64_t body, assay_error *error);
/* The same of a reply that has no body in any case. */
assay_code process_empty(const cJSON *reply, uint64_t body, assay_error *error);
/* One array of a reply: at "outputs[3]".  Fails with ASSAY_FAILED. */
struct process_array {
    char dtype[24];
    int32_t rank, replica;
    int64_t dims[64], sizes[64];
    uint64_t bytes;
};
assay_code process_array(const cJSON *node, const char *list, int number,
                         struct process_array *array, assay_error *error);

/* call.c: the backend's functions. */
assay_code process_compile(assay_backend *b, const assay_program *program,
                           assay_executable **executable, assay_error *error);
void process_release(assay_backend *b, assay_executable *x);
/* execute.c */
assay_code process_execute(assay_backend *b, assay_executable *x,
                           const assay_execution *execution,
                           assay_error *error);

#endif
