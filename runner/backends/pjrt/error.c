/* error.c - PJRT's errors and events as the suite's codes and texts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pjrt.h"

assay_code pjrt_say(assay_error *error, assay_code code, const char *format,
                    ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return code;
}

/* One line: a plugin's message often has several. */
static void flatten(char *text)
{
    for (; *text; text++)
        if (*text == '\n' || *text == '\r' || *text == '\t')
            *text = ' ';
}

/* An MLIR diagnostic is reported as UNKNOWN or INVALID_ARGUMENT. */
static assay_code map(int code, int compiling, const char *text)
{
    if (code == PJRT_Error_Code_UNIMPLEMENTED)
        return ASSAY_UNSUPPORTED;
    /* A custom call that is not registered there. */
    if (compiling && code == PJRT_Error_Code_NOT_FOUND)
        return ASSAY_UNSUPPORTED;
    if (compiling
        && (code == PJRT_Error_Code_INVALID_ARGUMENT
            || code == PJRT_Error_Code_UNKNOWN))
        return ASSAY_REJECTED;
    /* XLA's verifier passes on the code of whichever check failed. */
    if (compiling && strstr(text, "[hlo verifier]"))
        return ASSAY_REJECTED;
    return ASSAY_FAILED;
}

assay_code pjrt_error(struct pjrt *p, PJRT_Error *e, int compiling,
                      const char *what, assay_error *error)
{
    if (!e)
        return ASSAY_OK;
    int code = 0;
    PJRT_ARGS(PJRT_Error_Message_Args, message);
    message.a.error = e;
    if (PJRT_HAS(p, PJRT_Error_Message))
        p->api->PJRT_Error_Message(&message.a);
    PJRT_ARGS(PJRT_Error_GetCode_Args, get);
    get.a.error = e;
    if (PJRT_HAS(p, PJRT_Error_GetCode)) {
        PJRT_Error *inner = p->api->PJRT_Error_GetCode(&get.a);
        code = inner ? 0 : (int)get.a.code;
    }
    pjrt_say(error, 0, "%s: code %d: %.*s", what, code,
             (int)(message.a.message_size < 900 ? message.a.message_size : 900),
             message.a.message ? message.a.message : "no message");
    flatten(error->text);
    PJRT_ARGS(PJRT_Error_Destroy_Args, destroy);
    destroy.a.error = e;
    if (PJRT_HAS(p, PJRT_Error_Destroy))
        p->api->PJRT_Error_Destroy(&destroy.a);
    return map(code, compiling, error->text);
}

assay_code pjrt_wait(struct pjrt *p, PJRT_Event *event, const char *what,
                     assay_error *error)
{
    if (!event)
        return ASSAY_OK;
    PJRT_ARGS(PJRT_Event_Await_Args, await);
    await.a.event = event;
    assay_code code =
        pjrt_error(p, p->api->PJRT_Event_Await(&await.a), 0, what, error);
    PJRT_ARGS(PJRT_Event_Destroy_Args, destroy);
    destroy.a.event = event;
    assay_error ignored = {.size = sizeof ignored};
    pjrt_error(p, p->api->PJRT_Event_Destroy(&destroy.a), 0, what, &ignored);
    return code;
}
