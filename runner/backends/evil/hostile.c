/* hostile.c - whatever it says is meant for a terminal, a parser or an eye to
 * trip over: its name, properties, element types, errors and last words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

/* ESC and BEL, a byte that is not UTF-8, C1, both ends of every kind of
 * bidirectional control, separators, what ends an attribute, an element, a
 * CDATA section, a table's cell or a TAP description. */
#define HOSTILE \
    "\033[31m\a\xff\xc2\x9b\xd8\x9c\xe2\x80\xae\xe2\x80\x8f\xe2\x81\xa6" \
    "\xe2\x80\xa8\xe2\x80\xa9\r\n]]>\"'<script>alert(1)</script>&|`# TODO\\"

static int has(const assay_program *p, const char *op)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            if (strcmp(p->computations[i]->instructions[k]->op, op) == 0)
                return 1;
    return 0;
}

/* Rev is refused with a long text, of which every cut hits a character of
 * several bytes; ConvertElementType kills. */
static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    if (has(p, "Rev")) {
        snprintf(error->text, sizeof error->text, "%s", HOSTILE);
        for (size_t n = strlen(error->text); n + 3 < sizeof error->text; n += 3)
            memcpy(error->text + n, "\xe2\x82\xac", 4);
        return ASSAY_FAILED;
    }
    if (has(p, "ConvertElementType")) {
        fprintf(stderr, "FATAL: %s\n", HOSTILE);
        abort();
    }
    return evil_compile(b, p, x, error);
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        memcpy(e->outputs[k]->dtype, HOSTILE, sizeof e->outputs[k]->dtype);
    return code;
}

static int32_t property(assay_backend *b, int32_t i, const char **key,
                        const char **value)
{
    (void)b;
    *key = *value = i == 0 ? HOSTILE : NULL;
    return i == 0;
}

EVIL_MAKE(hostile, e)
{
    e->compile = compile;
    e->execute = execute;
    e->backend.property = property;
    e->backend.name = "evil" HOSTILE;
    e->backend.version = "1" HOSTILE;
}
