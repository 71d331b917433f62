/* extension.c - see extension.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A worker has one plugin and compiles one program at a time, so what the
 * extensions need to know is in one place of the process.
 */
#include "runner/plugin/extension.h"

#include <assay/ext/earlier.h>
#include <assay/ext/program_json.h>
#include <assay/ext/stablehlo_text.h>
#include <stdio.h>
#include <string.h>

#include "interp/case/case_write.h"
#include "interp/stablehlo/stablehlo.h"
#include "runner/plugin/custom_call.h"
#include "runner/plugin/plugin_state.h"

static struct {
    struct arena *arena;
    const struct program *program;
    void (*leave)(void);
} current;

static assay_code fail(const struct status *st, assay_error *error)
{
    snprintf(error->text, sizeof error->text, "%s",
             current.program ? st->text : "no program is being compiled");
    return st->code == STATUS_UNSUPPORTED ? ASSAY_UNSUPPORTED : ASSAY_FAILED;
}

static assay_code text(const assay_host *host, const assay_program *program,
                       const char **out, assay_error *error)
{
    struct status st = {STATUS_OK};
    (void)host;
    (void)program;
    plugin_state_enter();
    bool good = current.program
                && stablehlo_text(current.arena, current.program, out, &st);
    plugin_state_leave();
    return good ? ASSAY_OK : fail(&st, error);
}

static assay_code json(const assay_host *host, const assay_program *program,
                       const char **out, assay_error *error)
{
    const struct status none = {STATUS_OK};
    (void)host;
    if (!current.program)
        return fail(&none, error);
    plugin_state_enter();
    *out = case_write(current.arena, current.program, program->name,
                      program->outputs == NULL);
    plugin_state_leave();
    return ASSAY_OK;
}

static void leave(const assay_host *host)
{
    (void)host;
    if (current.leave)
        current.leave();
}

static const assay_stablehlo_text stablehlo = {sizeof stablehlo, text};
static const assay_program_json program_json = {sizeof program_json, json};
static const assay_earlier earlier = {sizeof earlier, leave};

const void *extension_find(const char *id)
{
    if (strcmp(id, ASSAY_CUSTOM_CALL) == 0)
        return &custom_call_extension;
    if (strcmp(id, ASSAY_EARLIER) == 0)
        return &earlier;
    if (strcmp(id, ASSAY_PROGRAM_JSON) == 0)
        return &program_json;
    return strcmp(id, ASSAY_STABLEHLO_TEXT) == 0 ? &stablehlo : NULL;
}

void extension_program(struct arena *a, const struct program *program)
{
    current.arena = a;
    current.program = program;
}

void extension_leave(void (*leave_process)(void))
{
    current.leave = leave_process;
}
