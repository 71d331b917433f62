/* mock_pjrt.c - a PJRT plugin that negates f32 arrays, and misbehaves on
 * demand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Built only where the official header is.  MOCK_PJRT in the environment says
 * how, in words with semicolons between them:
 *
 *   major=N minor=N   the version that it claims
 *   old               a function table that ends before the buffers' layouts
 *   lack-FUNCTION     that function is missing
 *   CALL=CODE         that call fails with PJRT's error code; CALL is one of
 *                     initialize attributes create devices compile executable
 *                     outputs input input-event execute event type dimensions
 *                     read read-event
 *   message           errors have a message of several lines
 *   outputs-are=N  dims-are=N  type-is=N    what it says about the result
 *   short=N           only N bytes are written
 *   wrong             the result is the operand itself
 *   null-table  crash  exit  hang           while it compiles, or at once
 *
 * It asks every argument struct for the size that its own header says.
 */
#include <pjrt_c_api.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct PJRT_Error {
    int code;
};

struct PJRT_Event {
    int code;
};

struct PJRT_Buffer {
    PJRT_Buffer_Type type;
    size_t rank, bytes;
    int64_t dims[8];
    char *data;
};

struct PJRT_Client {
    PJRT_Device *devices[1];
};

struct PJRT_Executable {
    int unused;
};

struct PJRT_LoadedExecutable {
    struct PJRT_Executable executable;
};

/* ---- What is asked for --------------------------------------------------- */

/* The number after "word=", fallback if it isn't there; 1 for "word". */
static long asked(const char *word, long fallback)
{
    const char *all = getenv("MOCK_PJRT");
    size_t n = strlen(word);
    for (const char *p = all ? all : ""; *p; p += *p == ';') {
        size_t length = strcspn(p, ";");
        if (strncmp(p, word, n) == 0 && p[n] == '=')
            return strtol(p + n + 1, NULL, 10);
        if (length == n && strncmp(p, word, n) == 0)
            return 1;
        p += length;
    }
    return fallback;
}

static PJRT_Error *fail(int code)
{
    PJRT_Error *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    e->code = code;
    return e;
}

/* The error that was ordered for a call, or the one of a struct that is too
 * small for this plugin. */
static PJRT_Error *check(const char *call, size_t size, size_t least)
{
    long code = asked(call, 0);
    if (size < least)
        return fail(PJRT_Error_Code_INVALID_ARGUMENT);
    return code ? fail((int)code) : NULL;
}

#define CHECK(call, TYPE) \
    do { \
        PJRT_Error *failed = check(call, args->struct_size, sizeof(TYPE)); \
        if (failed) \
            return failed; \
    } while (0)

static PJRT_Event *event(const char *call)
{
    PJRT_Event *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    e->code = (int)asked(call, 0);
    return e;
}

/* ---- Errors and events --------------------------------------------------- */

static void error_destroy(PJRT_Error_Destroy_Args *args)
{
    free(args->error);
}

static void error_message(PJRT_Error_Message_Args *args)
{
    args->message =
        asked("message", 0) ? "first line\nsecond\tline" : "as was ordered";
    args->message_size = strlen(args->message);
}

static PJRT_Error *error_code(PJRT_Error_GetCode_Args *args)
{
    args->code = (PJRT_Error_Code)args->error->code;
    return NULL;
}

static PJRT_Error *event_await(PJRT_Event_Await_Args *args)
{
    return args->event->code ? fail(args->event->code) : NULL;
}

static PJRT_Error *event_destroy(PJRT_Event_Destroy_Args *args)
{
    free(args->event);
    return NULL;
}

/* ---- Plugin and client --------------------------------------------------- */

static PJRT_Error *initialize(PJRT_Plugin_Initialize_Args *args)
{
    CHECK("initialize", PJRT_Plugin_Initialize_Args);
    return NULL;
}

static PJRT_Error *attributes(PJRT_Plugin_Attributes_Args *args)
{
    static const int64_t version[] = {1, 2, 3};
    static PJRT_NamedValue value[1];
    CHECK("attributes", PJRT_Plugin_Attributes_Args);
    value[0] = (PJRT_NamedValue){.struct_size = sizeof value[0],
                                 .name = "mock_version",
                                 .name_size = 12,
                                 .type = PJRT_NamedValue_kInt64List,
                                 .value_size = 3};
    value[0].int64_array_value = version;
    args->attributes = value;
    args->num_attributes = 1;
    return NULL;
}

static PJRT_Error *client_create(PJRT_Client_Create_Args *args)
{
    CHECK("create", PJRT_Client_Create_Args);
    args->client = calloc(1, sizeof *args->client);
    return NULL;
}

static PJRT_Error *client_destroy(PJRT_Client_Destroy_Args *args)
{
    free(args->client);
    return NULL;
}

static PJRT_Error *devices(PJRT_Client_AddressableDevices_Args *args)
{
    CHECK("devices", PJRT_Client_AddressableDevices_Args);
    args->addressable_devices = args->client->devices;
    args->num_addressable_devices = (size_t)asked("devices-are", 1);
    return NULL;
}

/* ---- Executables --------------------------------------------------------- */

static PJRT_Error *compile(PJRT_Client_Compile_Args *args)
{
    CHECK("compile", PJRT_Client_Compile_Args);
    if (asked("crash", 0)) {
        fputs("mock: last words\n", stderr);
        raise(SIGABRT);
    }
    if (asked("exit", 0))
        _exit(9);
    while (asked("hang", 0))
        pause();
    args->executable = calloc(1, sizeof *args->executable);
    return NULL;
}

static PJRT_Error *loaded_destroy(PJRT_LoadedExecutable_Destroy_Args *args)
{
    free(args->executable);
    return NULL;
}

static PJRT_Error *
get_executable(PJRT_LoadedExecutable_GetExecutable_Args *args)
{
    CHECK("executable", PJRT_LoadedExecutable_GetExecutable_Args);
    args->executable = &args->loaded_executable->executable;
    return NULL;
}

static PJRT_Error *executable_destroy(PJRT_Executable_Destroy_Args *args)
{
    (void)args;
    return NULL;
}

static PJRT_Error *num_outputs(PJRT_Executable_NumOutputs_Args *args)
{
    CHECK("outputs", PJRT_Executable_NumOutputs_Args);
    args->num_outputs = (size_t)asked("outputs-are", 1);
    return NULL;
}

/* ---- Buffers ------------------------------------------------------------- */

static PJRT_Buffer *buffer_new(size_t rank, const int64_t *dims)
{
    PJRT_Buffer *b = calloc(1, sizeof *b);
    if (!b || rank > 8)
        abort();
    b->type = PJRT_Buffer_Type_F32;
    b->rank = rank;
    b->bytes = 4;
    for (size_t i = 0; i < rank; i++) {
        b->dims[i] = dims[i];
        b->bytes *= (size_t)dims[i];
    }
    b->data = calloc(b->bytes + 1, 1);
    if (!b->data)
        abort();
    return b;
}

static PJRT_Error *from_host(PJRT_Client_BufferFromHostBuffer_Args *args)
{
    CHECK("input", PJRT_Client_BufferFromHostBuffer_Args);
    args->buffer = buffer_new(args->num_dims, args->dims);
    memcpy(args->buffer->data, args->data, args->buffer->bytes);
    args->done_with_host_buffer = event("input-event");
    return NULL;
}

static PJRT_Error *execute(PJRT_LoadedExecutable_Execute_Args *args)
{
    CHECK("execute", PJRT_LoadedExecutable_Execute_Args);
    if (args->num_args != 1 || args->num_devices != 1)
        return fail(PJRT_Error_Code_INVALID_ARGUMENT);
    const PJRT_Buffer *in = args->argument_lists[0][0];
    PJRT_Buffer *out = buffer_new(in->rank, in->dims);
    memcpy(out->data, in->data, in->bytes);
    for (size_t i = 3; !asked("wrong", 0) && i < in->bytes; i += 4)
        out->data[i] = (char)(out->data[i] ^ 0x80);
    args->output_lists[0][0] = out;
    if (args->device_complete_events)
        args->device_complete_events[0] = event("event");
    return NULL;
}

static PJRT_Error *buffer_destroy(PJRT_Buffer_Destroy_Args *args)
{
    free(args->buffer->data);
    free(args->buffer);
    return NULL;
}

static PJRT_Error *element_type(PJRT_Buffer_ElementType_Args *args)
{
    CHECK("type", PJRT_Buffer_ElementType_Args);
    args->type = (PJRT_Buffer_Type)asked("type-is", (long)args->buffer->type);
    return NULL;
}

static PJRT_Error *dimensions(PJRT_Buffer_Dimensions_Args *args)
{
    CHECK("dimensions", PJRT_Buffer_Dimensions_Args);
    if (args->buffer->rank > 0)
        args->buffer->dims[0] = asked("dims-are", (long)args->buffer->dims[0]);
    args->dims = args->buffer->dims;
    args->num_dims = args->buffer->rank;
    return NULL;
}

static PJRT_Error *to_host(PJRT_Buffer_ToHostBuffer_Args *args)
{
    CHECK("read", PJRT_Buffer_ToHostBuffer_Args);
    size_t bytes = args->src->bytes;
    size_t most = (size_t)asked("short", (long)bytes);
    if (args->dst_size < bytes && args->dst)
        bytes = args->dst_size;
    if (args->dst)
        memcpy(args->dst, args->src->data, most < bytes ? most : bytes);
    args->dst_size = bytes;
    args->event = event("read-event");
    return NULL;
}

/* ---- The table ----------------------------------------------------------- */

static PJRT_Api api = {
    .PJRT_Error_Destroy = error_destroy,
    .PJRT_Error_Message = error_message,
    .PJRT_Error_GetCode = error_code,
    .PJRT_Plugin_Initialize = initialize,
    .PJRT_Plugin_Attributes = attributes,
    .PJRT_Event_Await = event_await,
    .PJRT_Event_Destroy = event_destroy,
    .PJRT_Client_Create = client_create,
    .PJRT_Client_Destroy = client_destroy,
    .PJRT_Client_AddressableDevices = devices,
    .PJRT_Client_Compile = compile,
    .PJRT_Client_BufferFromHostBuffer = from_host,
    .PJRT_LoadedExecutable_GetExecutable = get_executable,
    .PJRT_LoadedExecutable_Execute = execute,
    .PJRT_LoadedExecutable_Destroy = loaded_destroy,
    .PJRT_Executable_NumOutputs = num_outputs,
    .PJRT_Executable_Destroy = executable_destroy,
    .PJRT_Buffer_ElementType = element_type,
    .PJRT_Buffer_Dimensions = dimensions,
    .PJRT_Buffer_ToHostBuffer = to_host,
    .PJRT_Buffer_Destroy = buffer_destroy,
};

__attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi(void);

const PJRT_Api *GetPjrtApi(void)
{
    if (asked("null-table", 0))
        return NULL;
    api.struct_size = sizeof api;
    if (asked("old", 0))
        api.struct_size =
            offsetof(PJRT_Api, PJRT_Buffer_OpaqueDeviceMemoryDataPointer);
    api.pjrt_api_version.struct_size = sizeof api.pjrt_api_version;
    api.pjrt_api_version.major_version = (int)asked("major", PJRT_API_MAJOR);
    api.pjrt_api_version.minor_version = (int)asked("minor", PJRT_API_MINOR);
#define LACK(FUNCTION) \
    if (asked("lack-" #FUNCTION, 0)) \
    api.PJRT_##FUNCTION = NULL
    LACK(Client_Compile);
    LACK(LoadedExecutable_Execute);
    LACK(Buffer_ToHostBuffer);
    LACK(Event_Await);
    LACK(Plugin_Attributes);
    LACK(Plugin_Initialize);
    LACK(Error_GetCode);
    LACK(Error_Message);
#undef LACK
    return &api;
}
