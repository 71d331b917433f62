/* compile.c - a program, as StableHLO text, through PJRT's compiler.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "pjrt.h"

/* Marks the leaves that are tokens: StableHLO's main has none of them. */
static unsigned char *find_tokens(const assay_shape *const *shapes,
                                  int32_t count, size_t *others)
{
    unsigned char *token = calloc((size_t)count + 1, 1);
    *others = 0;
    for (int32_t i = 0; token && i < count; i++) {
        token[i] = shapes[i]->kind == ASSAY_TOKEN;
        *others += !token[i];
    }
    return token;
}

static assay_code compile_text(struct pjrt *p, const assay_program *program,
                               const char *text, PJRT_LoadedExecutable **loaded,
                               assay_error *error)
{
    size_t size;
    char *options =
        pjrt_compile_options(p, program->replicas, program->partitions, &size);
    if (!options)
        return pjrt_say(error, ASSAY_FAILED, "not enough memory");
    PJRT_ARGS(PJRT_Program, module);
    module.a.code = (char *)(uintptr_t)text;
    module.a.code_size = strlen(text);
    module.a.format = "mlir";
    module.a.format_size = 4;
    PJRT_ARGS(PJRT_Client_Compile_Args, compile);
    compile.a.client = p->client;
    compile.a.program = &module.a;
    compile.a.compile_options = options;
    compile.a.compile_options_size = size;
    assay_code code = pjrt_error(p, p->api->PJRT_Client_Compile(&compile.a), 1,
                                 "compile", error);
    free(options);
    *loaded = compile.a.executable;
    return code;
}

/* Does the plugin's executable have as many results as are expected? */
static assay_code check_outputs(struct pjrt *p, assay_executable *x,
                                assay_error *error)
{
    PJRT_ARGS(PJRT_LoadedExecutable_GetExecutable_Args, get);
    get.a.loaded_executable = x->loaded;
    assay_code code =
        pjrt_error(p, p->api->PJRT_LoadedExecutable_GetExecutable(&get.a), 0,
                   "get executable", error);
    if (code)
        return code;
    PJRT_ARGS(PJRT_Executable_NumOutputs_Args, count);
    count.a.executable = get.a.executable;
    code = pjrt_error(p, p->api->PJRT_Executable_NumOutputs(&count.a), 0,
                      "number of outputs", error);
    PJRT_ARGS(PJRT_Executable_Destroy_Args, destroy);
    destroy.a.executable = get.a.executable;
    assay_error ignored = {.size = sizeof ignored};
    pjrt_error(p, p->api->PJRT_Executable_Destroy(&destroy.a), 0, "", &ignored);
    if (!code && x->output_count > 0 && count.a.num_outputs != x->outputs)
        return pjrt_say(error, ASSAY_FAILED,
                        "the executable has %zu outputs, the program %zu",
                        count.a.num_outputs, x->outputs);
    if (!code)
        x->outputs = count.a.num_outputs;
    return code;
}

void pjrt_release(assay_backend *b, assay_executable *x)
{
    struct pjrt *p = b->self;
    assay_error ignored = {.size = sizeof ignored};
    if (!x)
        return;
    if (x->loaded) {
        PJRT_ARGS(PJRT_LoadedExecutable_Destroy_Args, destroy);
        destroy.a.executable = x->loaded;
        pjrt_error(p, p->api->PJRT_LoadedExecutable_Destroy(&destroy.a), 0, "",
                   &ignored);
    }
    free(x->input_token);
    free(x->output_token);
    free(x);
}

/* The C API has no host's side of a feed: a program would wait for ever. */
static assay_code check_feeds(const assay_program *p, assay_error *error)
{
    static const char *const feeds[] = {"Infeed", "Outfeed", "Send", "Recv"};
    for (int32_t i = 0; i < p->computation_count; i++)
        for (int32_t k = 0; k < p->computations[i]->instruction_count; k++)
            for (size_t f = 0; f < sizeof feeds / sizeof feeds[0]; f++)
                if (strcmp(p->computations[i]->instructions[k]->op, feeds[f])
                    == 0)
                    return pjrt_say(error, ASSAY_UNSUPPORTED,
                                    "the PJRT C API has no other side of %s",
                                    feeds[f]);
    return ASSAY_OK;
}

assay_code pjrt_compile(assay_backend *b, const assay_program *program,
                        assay_executable **executable, assay_error *error)
{
    struct pjrt *p = b->self;
    const char *text;
    if ((size_t)(program->replicas * program->partitions) > p->device_count)
        return pjrt_say(
            error, ASSAY_UNSUPPORTED, "%d replicas, the client has %zu devices",
            program->replicas * program->partitions, p->device_count);
    assay_code code = check_feeds(program, error);
    if (!code)
        code = p->text->text(p->host, program, &text, error);
    if (code)
        return code;
    assay_executable *x = calloc(1, sizeof *x);
    if (!x)
        return pjrt_say(error, ASSAY_FAILED, "not enough memory");
    x->replicas = (size_t)(program->replicas * program->partitions);
    x->input_count = program->input_count;
    x->output_count = program->output_count;
    x->input_token =
        find_tokens(program->inputs, program->input_count, &x->inputs);
    x->output_token =
        find_tokens(program->outputs, program->output_count, &x->outputs);
    if (!x->input_token || !x->output_token)
        code = pjrt_say(error, ASSAY_FAILED, "not enough memory");
    else
        code = compile_text(p, program, text, &x->loaded, error);
    if (!code)
        code = check_outputs(p, x, error);
    if (code) {
        pjrt_release(b, x);
        return code;
    }
    *executable = x;
    return ASSAY_OK;
}
