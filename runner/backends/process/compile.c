/* compile.c - a program on its way to the backend, and its release.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

/* The texts that were requested; NULL for one that was not, or is not
 * available. */
struct texts {
    const char *json, *stablehlo;
    char lacks[1024]; /* why StableHLO cannot express it, or empty */
};

static assay_code make_texts(struct process *p, const assay_program *program,
                             struct texts *to, assay_error *error)
{
    assay_code code = ASSAY_OK;
    if (p->json)
        code = p->json->text(p->host, program, &to->json, error);
    if (code || !p->stablehlo)
        return code;
    code = p->stablehlo->text(p->host, program, &to->stablehlo, error);
    /* Then the JSON is used. */
    if (code != ASSAY_UNSUPPORTED || !to->json)
        return code;
    to->stablehlo = NULL;
    snprintf(to->lacks, sizeof to->lacks, "%s", error->text);
    return ASSAY_OK;
}

/* {"stablehlo": why}, quoted; free() it. */
static char *print_lacks(const struct texts *texts)
{
    cJSON *lacks = cJSON_CreateObject();
    char *text = NULL;
    if (cJSON_AddStringToObject(lacks, "stablehlo", texts->lacks))
        text = cJSON_PrintUnformatted(lacks);
    cJSON_Delete(lacks);
    return text;
}

static int send_compile(struct process *p, uint64_t number,
                        const struct texts *texts)
{
    const char *const all[] = {texts->json, texts->stablehlo};
    static const char *const names[] = {"json", "stablehlo"};
    char header[8192];
    uint64_t body = 0;
    int n = snprintf(header, sizeof header,
                     "\"executable\":%" PRIu64 ",\"parts\":[", number);
    for (int i = 0; i < 2; i++) {
        if (!all[i])
            continue;
        n += snprintf(header + n, sizeof header - (size_t)n,
                      "%s{\"form\":\"%s\",\"bytes\":%zu}", body ? "," : "",
                      names[i], strlen(all[i]));
        body += strlen(all[i]);
    }
    char *lacks = *texts->lacks ? print_lacks(texts) : NULL;
    snprintf(header + n, sizeof header - (size_t)n, "]%s%s",
             lacks ? ",\"lacks\":" : "", lacks ? lacks : "");
    free(lacks);
    if (!process_begin(p, "compile", header, body))
        return 0;
    for (int i = 0; i < 2; i++)
        if (all[i] && !process_put(p, all[i], strlen(all[i])))
            return 0;
    return 1;
}

assay_code process_compile(assay_backend *b, const assay_program *program,
                           assay_executable **executable, assay_error *error)
{
    struct process *p = b->self;
    struct texts texts = {.json = NULL};
    assay_code code = make_texts(p, program, &texts, error);
    if (code)
        return code;
    assay_executable *x = calloc(1, sizeof *x);
    if (!x)
        return process_say(error, ASSAY_FAILED, "not enough memory");
    x->number = p->next++;
    x->rows = program->replicas * program->partitions;
    x->input_count = program->input_count;
    x->output_count = program->output_count;
    cJSON *reply = NULL;
    uint64_t body;
    if (!send_compile(p, x->number, &texts) || !process_reply(p, &reply, &body)
        || !process_skip(p, body) || !process_finish(p))
        process_die(p);
    code = process_empty(reply, body, error);
    cJSON_Delete(reply);
    if (code) {
        free(x);
        return code;
    }
    *executable = x;
    return ASSAY_OK;
}

/* Has no reply: it is sent with the next call. */
void process_release(assay_backend *b, assay_executable *x)
{
    struct process *p = b->self;
    char header[64];
    if (!x)
        return;
    snprintf(header, sizeof header, "\"executable\":%" PRIu64, x->number);
    if (!process_begin(p, "release", header, 0))
        process_die(p);
    free(x);
}
