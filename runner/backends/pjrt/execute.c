/* execute.c - buffers in, one execution in all replicas, buffers out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "pjrt.h"

/* Resources of one execution, freed at its end whatever happened. */
struct run {
    struct pjrt *p;
    const assay_executable *x;
    PJRT_Buffer **inputs;  /* [replica][input] */
    PJRT_Buffer **outputs; /* [replica][output] */
    PJRT_Event **events;   /* [replica] */
};

static void free_buffer(struct pjrt *p, PJRT_Buffer *buffer)
{
    if (!buffer)
        return;
    PJRT_ARGS(PJRT_Buffer_Destroy_Args, destroy);
    destroy.a.buffer = buffer;
    assay_error ignored = {.size = sizeof ignored};
    pjrt_error(p, p->api->PJRT_Buffer_Destroy(&destroy.a), 0, "", &ignored);
}

/* ---- Inputs -------------------------------------------------------------- */

/* A bounded dynamic array travels with its actual sizes, packed. */
static void pack(const assay_tensor *t, int64_t bytes, char *to)
{
    int32_t rank = t->shape->rank;
    int64_t index[PJRT_RANK_MAX] = {0};
    const char *from = t->data;
    for (;;) {
        int64_t at = 0;
        for (int32_t i = 0; i < rank; i++)
            at = at * t->shape->dims[i] + index[i];
        memcpy(to, from + at * bytes, (size_t)bytes);
        to += bytes;
        int32_t i = rank - 1;
        while (i >= 0 && ++index[i] >= t->sizes[i])
            index[i--] = 0;
        if (i < 0)
            return;
    }
}

static assay_code put_input(struct run *run, const assay_tensor *t,
                            PJRT_Device *device, PJRT_Buffer **buffer,
                            assay_error *error)
{
    struct pjrt *p = run->p;
    int type = pjrt_type(t->shape->dtype);
    const void *data = t->data;
    void *packed = NULL;
    if (type < 0)
        return pjrt_say(error, ASSAY_UNSUPPORTED, "PJRT has no type %s",
                        t->shape->dtype);
    if (t->sizes && t->bytes > 0) {
        int empty = 0;
        for (int32_t i = 0; i < t->shape->rank; i++)
            empty |= t->sizes[i] == 0;
        packed = malloc(t->bytes);
        if (!packed)
            return pjrt_say(error, ASSAY_FAILED, "not enough memory");
        if (!empty)
            pack(t, pjrt_type_bytes(t->shape->dtype), packed);
        data = packed;
    }
    PJRT_ARGS(PJRT_Client_BufferFromHostBuffer_Args, from);
    from.a.client = p->client;
    from.a.data = data;
    from.a.type = (PJRT_Buffer_Type)type;
    from.a.dims = t->sizes ? t->sizes : t->shape->dims;
    from.a.num_dims = (size_t)t->shape->rank;
    from.a.host_buffer_semantics =
        PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
    from.a.device = device;
    assay_code code =
        pjrt_error(p, p->api->PJRT_Client_BufferFromHostBuffer(&from.a), 0,
                   "buffer from host", error);
    if (!code) {
        *buffer = from.a.buffer;
        code = pjrt_wait(p, from.a.done_with_host_buffer, "input event", error);
    }
    free(packed);
    return code;
}

static assay_code put_inputs(struct run *run, const assay_execution *execution,
                             assay_error *error)
{
    const assay_executable *x = run->x;
    for (size_t r = 0; r < x->replicas; r++) {
        size_t n = 0;
        for (int32_t i = 0; i < x->input_count; i++) {
            if (x->input_token[i])
                continue;
            const assay_tensor *t =
                execution->inputs[r * (size_t)x->input_count + (size_t)i];
            assay_code code =
                put_input(run, t, run->p->devices[r],
                          &run->inputs[r * x->inputs + n++], error);
            if (code)
                return code;
        }
    }
    return ASSAY_OK;
}

/* ---- Execution ----------------------------------------------------------- */

static assay_code execute(struct run *run, assay_error *error)
{
    const assay_executable *x = run->x;
    struct pjrt *p = run->p;
    PJRT_Buffer *const **arguments = calloc(x->replicas, sizeof *arguments);
    PJRT_Buffer ***results = calloc(x->replicas, sizeof *results);
    assay_code code = ASSAY_OK;
    if (!arguments || !results) {
        code = pjrt_say(error, ASSAY_FAILED, "not enough memory");
    } else {
        for (size_t r = 0; r < x->replicas; r++) {
            arguments[r] = run->inputs + r * x->inputs;
            results[r] = run->outputs + r * x->outputs;
        }
        PJRT_ARGS(PJRT_ExecuteOptions, options);
        PJRT_ARGS(PJRT_LoadedExecutable_Execute_Args, args);
        args.a.executable = x->loaded;
        args.a.options = &options.a;
        args.a.argument_lists = arguments;
        args.a.num_devices = x->replicas;
        args.a.num_args = x->inputs;
        args.a.output_lists = results;
        args.a.device_complete_events = run->events;
        code = pjrt_error(p, p->api->PJRT_LoadedExecutable_Execute(&args.a), 0,
                          "execute", error);
    }
    free(arguments);
    free(results);
    for (size_t r = 0; r < x->replicas; r++) {
        assay_error other = {.size = sizeof other};
        assay_code one = pjrt_wait(p, run->events[r], "execution event",
                                   code ? &other : error);
        code = code ? code : one;
    }
    return code;
}

/* ---- Outputs ------------------------------------------------------------- */

/* The actual sizes of a buffer with a dynamic dimension; 0 if it has none. */
static int dynamic_sizes(struct pjrt *p, PJRT_Buffer *buffer, int32_t rank,
                         int64_t *sizes)
{
    assay_error ignored = {.size = sizeof ignored};
    if (!PJRT_HAS(p, PJRT_Buffer_DynamicDimensionIndices)
        || !PJRT_HAS(p, PJRT_Buffer_UnpaddedDimensions))
        return 0;
    PJRT_ARGS(PJRT_Buffer_DynamicDimensionIndices_Args, dynamic);
    dynamic.a.buffer = buffer;
    if (pjrt_error(p, p->api->PJRT_Buffer_DynamicDimensionIndices(&dynamic.a),
                   0, "", &ignored)
        || dynamic.a.num_dynamic_dims == 0)
        return 0;
    PJRT_ARGS(PJRT_Buffer_UnpaddedDimensions_Args, unpadded);
    unpadded.a.buffer = buffer;
    if (pjrt_error(p, p->api->PJRT_Buffer_UnpaddedDimensions(&unpadded.a), 0,
                   "", &ignored)
        || unpadded.a.num_dims != (size_t)rank)
        return 0;
    for (int32_t i = 0; i < rank; i++)
        sizes[i] = unpadded.a.unpadded_dims[i];
    return 1;
}

static assay_code describe(struct pjrt *p, PJRT_Buffer *buffer,
                           assay_output *out, int *dynamic, assay_error *error)
{
    PJRT_ARGS(PJRT_Buffer_ElementType_Args, type);
    type.a.buffer = buffer;
    assay_code code = pjrt_error(p, p->api->PJRT_Buffer_ElementType(&type.a), 0,
                                 "element type", error);
    if (code)
        return code;
    PJRT_ARGS(PJRT_Buffer_Dimensions_Args, dims);
    dims.a.buffer = buffer;
    code = pjrt_error(p, p->api->PJRT_Buffer_Dimensions(&dims.a), 0,
                      "dimensions", error);
    if (code)
        return code;
    const char *name = pjrt_type_name((int)type.a.type);
    if (!name || dims.a.num_dims > (size_t)out->rank_capacity
        || dims.a.num_dims > PJRT_RANK_MAX)
        return pjrt_say(error, ASSAY_FAILED,
                        "an output has element type %d and %zu dimensions",
                        (int)type.a.type, dims.a.num_dims);
    strncpy(out->dtype, name, sizeof out->dtype - 1);
    out->rank = (int32_t)dims.a.num_dims;
    for (int32_t i = 0; i < out->rank; i++)
        out->dims[i] = out->sizes[i] = dims.a.dims[i];
    *dynamic = dynamic_sizes(p, buffer, out->rank, out->sizes);
    return ASSAY_OK;
}

/* Row-major, into dst of size bytes. */
static assay_code read_back(struct pjrt *p, PJRT_Buffer *buffer, int32_t rank,
                            void *dst, size_t size, assay_error *error)
{
    int64_t order[PJRT_RANK_MAX];
    for (int32_t i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
    PJRT_ARGS(PJRT_Buffer_MemoryLayout, layout);
    layout.a.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
    layout.a.tiled.struct_size = sizeof layout.a.tiled;
    layout.a.tiled.minor_to_major = order;
    layout.a.tiled.minor_to_major_size = (size_t)rank;
    PJRT_ARGS(PJRT_Buffer_ToHostBuffer_Args, to);
    to.a.src = buffer;
    to.a.host_layout = &layout.a;
    to.a.dst = dst;
    to.a.dst_size = size;
    assay_code code = pjrt_error(p, p->api->PJRT_Buffer_ToHostBuffer(&to.a), 0,
                                 "read back", error);
    return code ? code : pjrt_wait(p, to.a.event, "read-back event", error);
}

static int64_t product(int32_t n, const int64_t *sizes)
{
    int64_t all = 1;
    for (int32_t i = 0; i < n; i++)
        all *= sizes[i];
    return all;
}

/* Packed data of the actual sizes, to their places among the bounds. */
static void unpack(assay_output *out, const char *from, int64_t bytes)
{
    int64_t index[PJRT_RANK_MAX] = {0};
    char *to = out->data;
    for (int64_t n = product(out->rank, out->sizes); n > 0; n--) {
        int64_t at = 0;
        for (int32_t i = 0; i < out->rank; i++)
            at = at * out->dims[i] + index[i];
        memcpy(to + at * bytes, from, (size_t)bytes);
        from += bytes;
        int32_t i = out->rank - 1;
        while (i >= 0 && ++index[i] >= out->sizes[i])
            index[i--] = 0;
    }
}

static assay_code get_output(struct run *run, PJRT_Buffer *buffer,
                             assay_output *out, assay_error *error)
{
    struct pjrt *p = run->p;
    int dynamic;
    assay_code code = describe(p, buffer, out, &dynamic, error);
    if (code)
        return code;
    int64_t bytes = pjrt_type_bytes(out->dtype);
    out->bytes = (uint64_t)(product(out->rank, out->dims) * bytes);
    if (out->bytes > out->capacity)
        return ASSAY_OK; /* the host sees what is wrong */
    if (!dynamic)
        return read_back(p, buffer, out->rank, out->data, out->bytes, error);
    size_t actual = (size_t)(product(out->rank, out->sizes) * bytes);
    char *packed = malloc(actual + 1);
    if (!packed)
        return pjrt_say(error, ASSAY_FAILED, "not enough memory");
    code = read_back(p, buffer, out->rank, packed, actual, error);
    if (!code)
        unpack(out, packed, bytes);
    free(packed);
    return code;
}

static assay_code get_outputs(struct run *run, const assay_execution *execution,
                              assay_error *error)
{
    const assay_executable *x = run->x;
    for (size_t r = 0; r < x->replicas; r++) {
        size_t n = 0;
        for (int32_t i = 0; i < x->output_count; i++) {
            assay_output *out =
                execution->outputs[r * (size_t)x->output_count + (size_t)i];
            if (x->output_token[i]) {
                strncpy(out->dtype, "token", sizeof out->dtype - 1);
                out->rank = 0;
                out->bytes = 0;
                continue;
            }
            assay_code code =
                get_output(run, run->outputs[r * x->outputs + n++], out, error);
            if (code)
                return code;
        }
    }
    return ASSAY_OK;
}

assay_code pjrt_execute(assay_backend *b, assay_executable *x,
                        const assay_execution *execution, assay_error *error)
{
    struct run run = {.p = b->self, .x = x};
    if (execution->infeed && execution->infeed_start[x->replicas] > 0)
        return pjrt_say(error, ASSAY_UNSUPPORTED,
                        "the PJRT C API has no way to feed Infeed");
    run.inputs = calloc(x->replicas * x->inputs + 1, sizeof *run.inputs);
    run.outputs = calloc(x->replicas * x->outputs + 1, sizeof *run.outputs);
    run.events = calloc(x->replicas + 1, sizeof *run.events);
    assay_code code = ASSAY_OK;
    if (!run.inputs || !run.outputs || !run.events)
        code = pjrt_say(error, ASSAY_FAILED, "not enough memory");
    if (!code)
        code = put_inputs(&run, execution, error);
    if (!code)
        code = execute(&run, error);
    if (!code)
        code = get_outputs(&run, execution, error);
    for (size_t i = 0; run.inputs && i < x->replicas * x->inputs; i++)
        free_buffer(run.p, run.inputs[i]);
    for (size_t i = 0; run.outputs && i < x->replicas * x->outputs; i++)
        free_buffer(run.p, run.outputs[i]);
    free(run.inputs);
    free(run.outputs);
    free(run.events);
    return code;
}
