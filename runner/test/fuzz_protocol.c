/* fuzz_protocol.c - any bytes as what a backend that is a program answers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The process adapter (runner/backends/process) reads a file in place of the
 * pipe: opens, compiles, executes twice, releases and closes.  Two kinds of
 * input: the bytes of the pipe; or lines, each a header and the number of
 * bytes of its body, from which frames are made, so that what follows the
 * first checks is reached too.
 *
 * The adapter ends its process when a frame is broken, and leaves memory
 * behind.  Here process_die() returns to the target instead, so its memory is
 * counted: freed after a broken frame, and all given back after a whole call.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* ---- Memory that is counted ---------------------------------------------- */

struct block {
    struct block *before, *after;
};

static struct block blocks = {&blocks, &blocks};

enum {
    /* More, as of a header that lists 2^20 arrays, is not to be had. */
    MEMORY_MAX = 1 << 26
};

static void *counted_calloc(size_t count, size_t size)
{
    if (size > 0 && count > MEMORY_MAX / size)
        return NULL;
    struct block *b = calloc(1, sizeof *b + count * size);
    if (!b)
        abort();
    b->before = blocks.before;
    b->after = &blocks;
    b->before->after = blocks.before = b;
    return b + 1;
}

static void *counted_malloc(size_t size)
{
    return counted_calloc(1, size);
}

static void counted_free(void *p)
{
    if (!p)
        return;
    struct block *b = (struct block *)p - 1;
    b->before->after = b->after;
    b->after->before = b->before;
    free(b);
}

static void free_all(void)
{
    while (blocks.after != &blocks)
        counted_free(blocks.after + 1);
}

/* The adapter frees what open_memstream() has given it, too. */
static __attribute__((noinline)) void free_either(void *p)
{
    for (struct block *b = blocks.after; b != &blocks; b = b->after)
        if (b + 1 == p) {
            counted_free(p);
            return;
        }
    free(p);
}

/* ---- The adapter, but spawn.c and pipe.c --------------------------------- */

static int replies = -1, nowhere = -1;
static jmp_buf died;

#define malloc(size)        counted_malloc(size)
#define calloc(count, size) counted_calloc(count, size)
#define free(p)             free_either(p)
#include "runner/backends/process/compile.c"
#include "runner/backends/process/execute.c"
#include "runner/backends/process/frame.c"
#include "runner/backends/process/open.c"
#include "runner/backends/process/reply.c"
#undef malloc
#undef calloc
#undef free

assay_code process_say(assay_error *error, assay_code code, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return code;
}

int process_spawn(struct process *p)
{
    p->in.fd = replies;
    p->out.fd = nowhere;
    p->status = p->pidfd = -1;
    return 1;
}

/* All that will ever come is there from the start, and nothing is asked of
 * what follows a reply but that it is read as the next one. */
int process_pipe_quiet(struct process *p, int settle)
{
    (void)p;
    (void)settle;
    return 1;
}

int process_pipe_write(struct process *p, const unsigned char *data,
                       uint64_t bytes)
{
    return write(p->out.fd, data, bytes) == (ssize_t)bytes;
}

size_t process_pipe_read(struct process *p, void *to, size_t bytes)
{
    ssize_t n = read(p->in.fd, to, bytes);
    return n > 0 ? (size_t)n : 0;
}

int process_ended(struct process *p, int wait_ms)
{
    (void)wait_ms;
    p->status = 0;
    return 1;
}

void process_describe(int status, char *text, size_t size)
{
    snprintf(text, size, "the backend exited with status %d", status);
}

void process_die(struct process *p)
{
    assert(p->broken[0]);
    longjmp(died, 1);
}

void process_stop(struct process *p)
{
    (void)p;
}

/* ---- Its host ------------------------------------------------------------ */

static assay_code give_text(const assay_host *host,
                            const assay_program *program, const char **text,
                            assay_error *error)
{
    (void)host;
    (void)program;
    (void)error;
    *text = "{}";
    return ASSAY_OK;
}

static const void *extension(const assay_host *host, const char *id)
{
    static const assay_program_json json = {sizeof json, give_text};
    static const assay_stablehlo_text text = {.size = sizeof text,
                                              .text = give_text};
    (void)host;
    return strcmp(id, ASSAY_PROGRAM_JSON) == 0 ? (const void *)&json
                                               : (const void *)&text;
}

static void outfeed(void *context, int32_t replica, const assay_tensor *value)
{
    unsigned char *sum = context;
    assert(replica >= 0);
    for (uint64_t i = 0; i < value->bytes; i++)
        *sum ^= ((const unsigned char *)value->data)[i];
}

/* One parameter and one result, f32[2]; the output has room for no more. */
static void execute(assay_backend *b, assay_executable *x, assay_error *error)
{
    enum {
        RANK = 2
    };
    const int64_t two = 2;
    const assay_shape shape = {.size = sizeof shape,
                               .kind = ASSAY_ARRAY,
                               .rank = 1,
                               .dtype = "f32",
                               .dims = &two};
    unsigned char input[8] = {0}, sum = 0;
    unsigned char *data = malloc(8); /* so that a byte more is seen */
    int64_t *dims = malloc(RANK * sizeof *dims);
    int64_t *sizes = malloc(RANK * sizeof *sizes);
    const assay_tensor in = {
        .size = sizeof in, .shape = &shape, .data = input, .bytes = 8};
    assay_output out = {.size = sizeof out,
                        .data = data,
                        .capacity = 8,
                        .dims = dims,
                        .sizes = sizes,
                        .rank_capacity = RANK};
    const assay_tensor *const inputs[] = {&in};
    assay_output *const outputs[] = {&out};
    const assay_execution e = {.size = sizeof e,
                               .inputs = inputs,
                               .outputs = outputs,
                               .outfeed = outfeed,
                               .outfeed_context = &sum};
    jmp_buf outer;
    memcpy(&outer, &died, sizeof outer);
    bool whole = setjmp(died) == 0;
    if (whole)
        process_execute(b, x, &e, error);
    free(data);
    free(dims);
    free(sizes);
    memcpy(&died, &outer, sizeof outer);
    if (!whole)
        longjmp(died, 1);
}

static void use(void)
{
    const assay_host host = {.size = sizeof host,
                             .abi_major = ASSAY_ABI_MAJOR,
                             .extension = extension};
    const assay_program program = {.size = sizeof program,
                                   .replicas = 1,
                                   .partitions = 1,
                                   .input_count = 1,
                                   .output_count = 1};
    assay_error error = {.size = sizeof error};
    assay_backend *b;
    assay_executable *x;
    if (assay_backend_open(&host, "command=none,key=value", &b, &error))
        return;
    const char *key, *value;
    assert(b->name[0] && b->version[0]);
    for (int32_t i = 0; b->property(b, i, &key, &value); i++)
        assert(key && value);
    b->capability(b, "types");
    if (b->compile(b, &program, &x, &error) == ASSAY_OK) {
        execute(b, x, &error);
        execute(b, x, &error);
        b->release(b, x);
    }
    b->close(b);
}

/* ---- What it reads ------------------------------------------------------- */

static void append(const void *bytes, size_t size)
{
    if (write(replies, bytes, size) != (ssize_t)size)
        abort();
}

/* "8 {...}": a header whose body has 8 bytes. */
static void append_frame(const char *line, size_t length)
{
    unsigned char prefix[PROCESS_PREFIX] = {'A', 'S', 'Y', '1'};
    unsigned char body[100] = {0};
    size_t bytes = 0;
    for (; length > 0 && *line >= '0' && *line <= '9'; line++, length--)
        bytes = (10 * bytes + (size_t)(*line - '0')) % sizeof body;
    store(prefix + 4, length, 4);
    store(prefix + 8, bytes, 8);
    append(prefix, sizeof prefix);
    append(line, length);
    append(body, bytes);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static cJSON_Hooks hooks = {counted_malloc, counted_free};
    if (replies < 0) {
        replies = memfd_create("replies", MFD_CLOEXEC);
        nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    if (size < 1 || replies < 0 || nowhere < 0 || ftruncate(replies, 0) != 0
        || lseek(replies, 0, SEEK_SET) != 0)
        return 0;
    cJSON_InitHooks(&hooks);
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    if (data[0] == 'r') /* raw */
        append(at, size - 1);
    for (const char *line = at; data[0] != 'r' && line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        append_frame(line, (size_t)((stop ? stop : end) - line));
        line = stop ? stop + 1 : end;
    }
    lseek(replies, 0, SEEK_SET);
    bool whole = setjmp(died) == 0;
    if (whole)
        use();
    assert(!whole || blocks.after == &blocks);
    free_all();
    cJSON_InitHooks(NULL);
    return 0;
}
