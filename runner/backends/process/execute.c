/* execute.c - inputs to the backend, outputs back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

/* ---- The request --------------------------------------------------------- */

static void write_list(FILE *f, const int64_t *values, int32_t count)
{
    fputc('[', f);
    for (int32_t i = 0; i < count; i++)
        fprintf(f, "%s%" PRId64, i ? "," : "", values[i]);
    fputc(']', f);
}

static int any_dynamic(const assay_tensor *const *inputs, int count)
{
    for (int i = 0; i < count; i++)
        if (inputs[i]->sizes)
            return 1;
    return 0;
}

/* The actual sizes of each input. */
static void write_sizes(FILE *f, const assay_tensor *const *inputs, int count)
{
    fputs(",\"sizes\":[", f);
    for (int i = 0; i < count; i++) {
        const assay_tensor *t = inputs[i];
        const int64_t *sizes = t->sizes ? t->sizes : t->shape->dims;
        fputs(i ? "," : "", f);
        write_list(f, sizes,
                   t->shape->kind == ASSAY_ARRAY ? t->shape->rank : 0);
    }
    fputc(']', f);
}

static void write_infeed(FILE *f, const assay_execution *e, int32_t rows)
{
    fputs(",\"infeed\":[", f);
    for (int32_t r = 0; r < rows; r++) {
        fputs(r ? ",[" : "[", f);
        for (int64_t i = e->infeed_start[r]; i < e->infeed_start[r + 1]; i++) {
            const assay_shape *s = e->infeed[i]->shape;
            int array = s->kind == ASSAY_ARRAY;
            fprintf(f, "%s{\"dtype\":\"%s\",\"dims\":",
                    i > e->infeed_start[r] ? "," : "",
                    array ? s->dtype : "token");
            write_list(f, s->dims, array ? s->rank : 0);
            fputc('}', f);
        }
        fputc(']', f);
    }
    fputc(']', f);
}

enum {
    HEADER = 64 /* bytes of one without sizes and infeed, as most are */
};

/* A text to be freed. */
static char *write_header(const assay_executable *x, const assay_execution *e)
{
    static const char start[] = "\"executable\":%" PRIu64;
    int inputs = x->rows * x->input_count;
    int dynamic = any_dynamic(e->inputs, inputs);
    char *text = NULL;
    size_t size = 0;
    if (!dynamic && !e->infeed) {
        text = malloc(HEADER);
        if (text)
            snprintf(text, HEADER, start, x->number);
        return text;
    }
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f, start, x->number);
    if (dynamic)
        write_sizes(f, e->inputs, inputs);
    if (e->infeed)
        write_infeed(f, e, x->rows);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

static uint64_t sum_bytes(const assay_tensor *const *list, int64_t count)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += list[i]->bytes;
    return sum;
}

static int put_all(struct process *p, const assay_tensor *const *list,
                   int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!process_put(p, list[i]->data, list[i]->bytes))
            return 0;
    return 1;
}

static int send_execute(struct process *p, const assay_executable *x,
                        const assay_execution *e)
{
    int64_t inputs = (int64_t)x->rows * x->input_count;
    int64_t infeed = e->infeed ? e->infeed_start[x->rows] : 0;
    char *header = write_header(x, e);
    if (!header)
        return process_break(p, "execute: not enough memory");
    int good = process_begin(p, "execute", header,
                             sum_bytes(e->inputs, inputs)
                                 + sum_bytes(e->infeed, infeed))
               && put_all(p, e->inputs, inputs)
               && put_all(p, e->infeed, infeed);
    free(header);
    return good;
}

/* ---- The reply ----------------------------------------------------------- */

struct result {
    int outputs, outfed;
    struct process_array *arrays; /* outputs, then what was written to the
                                     outfeed */
};

static assay_code read_list(const cJSON *list, const char *name,
                            struct process_array *to, assay_error *error)
{
    const cJSON *node;
    int i = 0;
    cJSON_ArrayForEach(node, list)
    {
        assay_code code = process_array(node, name, i, &to[i], error);
        if (code)
            return code;
        i++;
    }
    return ASSAY_OK;
}

/* Reads the header, which must be as expected, and the body. */
static assay_code read_result(const assay_executable *x, const cJSON *reply,
                              uint64_t body, struct result *to,
                              assay_error *error)
{
    const cJSON *outputs = cJSON_GetObjectItemCaseSensitive(reply, "outputs");
    const cJSON *outfeed = cJSON_GetObjectItemCaseSensitive(reply, "outfeed");
    uint64_t bytes = 0;
    if (!cJSON_IsArray(outputs) || (outfeed && !cJSON_IsArray(outfeed)))
        return process_say(error, ASSAY_FAILED,
                           "the reply's '%s' is not a list",
                           cJSON_IsArray(outputs) ? "outfeed" : "outputs");
    to->outputs = cJSON_GetArraySize(outputs);
    to->outfed = outfeed ? cJSON_GetArraySize(outfeed) : 0;
    if (to->outputs != x->rows * x->output_count)
        return process_say(error, ASSAY_FAILED,
                           "the reply has %d outputs, the program %d",
                           to->outputs, x->rows * x->output_count);
    size_t count = (size_t)to->outputs + (size_t)to->outfed;
    to->arrays = calloc(count + 1, sizeof *to->arrays);
    if (!to->arrays)
        return process_say(error, ASSAY_FAILED, "not enough memory");
    assay_code code = read_list(outputs, "outputs", to->arrays, error);
    if (!code)
        code = read_list(outfeed, "outfeed", to->arrays + to->outputs, error);
    for (size_t i = 0; i < count; i++)
        bytes += to->arrays[i].bytes;
    if (!code && bytes != body)
        return process_say(error, ASSAY_FAILED,
                           "the reply's body has %" PRIu64
                           " bytes, its header describes %" PRIu64,
                           body, bytes);
    return code;
}

static int get_output(struct process *p, const struct process_array *from,
                      assay_output *to)
{
    uint64_t held = from->bytes < to->capacity ? from->bytes : to->capacity;
    memcpy(to->dtype, from->dtype, sizeof to->dtype);
    to->rank = from->rank;
    for (int32_t i = 0; i < from->rank && i < to->rank_capacity; i++) {
        to->dims[i] = from->dims[i];
        to->sizes[i] = from->sizes[i];
    }
    to->bytes = from->bytes;
    return process_get(p, to->data, held)
           && process_skip(p, from->bytes - held);
}

static int get_outfed(struct process *p, const struct process_array *from,
                      const assay_execution *e)
{
    int token = strcmp(from->dtype, "token") == 0;
    assay_shape shape = {.size = sizeof shape,
                         .kind = token ? ASSAY_TOKEN : ASSAY_ARRAY,
                         .rank = from->rank,
                         .dtype = from->dtype,
                         .dims = from->dims};
    void *data = malloc((size_t)from->bytes + 1);
    if (!data)
        return process_break(p, "execute: not enough memory");
    int good = process_get(p, data, from->bytes);
    assay_tensor value = {.size = sizeof value,
                          .shape = &shape,
                          .data = data,
                          .bytes = from->bytes};
    if (good && e->outfeed)
        e->outfeed(e->outfeed_context, from->replica, &value);
    free(data);
    return good;
}

static int get_result(struct process *p, const struct result *r,
                      const assay_execution *e)
{
    for (int i = 0; i < r->outputs; i++)
        if (!get_output(p, &r->arrays[i], e->outputs[i]))
            return 0;
    for (int i = 0; i < r->outfed; i++)
        if (!get_outfed(p, &r->arrays[r->outputs + i], e))
            return 0;
    return 1;
}

assay_code process_execute(assay_backend *b, assay_executable *x,
                           const assay_execution *execution, assay_error *error)
{
    struct process *p = b->self;
    struct result result = {0};
    cJSON *reply = NULL;
    uint64_t body;
    if (!send_execute(p, x, execution) || !process_reply(p, &reply, &body))
        process_die(p);
    assay_code code = process_error(reply, body, error);
    if (!code)
        code = read_result(x, reply, body, &result, error);
    if (code ? !process_skip(p, body) : !get_result(p, &result, execution))
        process_die(p);
    if (!process_finish(p))
        process_die(p);
    free(result.arrays);
    cJSON_Delete(reply);
    return code;
}
