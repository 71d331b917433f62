/* custom.c - CustomCall: functions from outside the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assay/ext/custom_call.h>
#include <string.h>

#include "native.h"

/* Its only operand, whatever it is, needs no function. */
static int is_identity(const struct node *n)
{
    return strcmp(attribute_string(n, "call_target_name"), "assay.identity")
           == 0;
}

static assay_code check_leaves(struct check *c, const struct shape *s)
{
    TRY(shape_check(s, c->error));
    if (s->kind == ASSAY_ARRAY && s->dynamic != NULL)
        return program_fail(c, ASSAY_UNSUPPORTED, "dynamic dimensions");
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++)
        TRY(check_leaves(c, s->elements[i]));
    return ASSAY_OK;
}

assay_code custom_check(struct check *c)
{
    const struct attribute *a;
    TRY(attribute_need(c, "shape", &a));
    c->result = a->shape;
    if (attribute_string(c->node, "call_target_name")[0] == '\0')
        return program_fail(c, ASSAY_ATTRIBUTE, "call_target_name is empty");
    if (is_identity(c->node)) {
        if (c->count != 1)
            return program_fail(c, ASSAY_STRUCTURE, "%d operands", c->count);
        if (!shape_equal(a->shape, c->operands[0]))
            return program_fail(c, ASSAY_SHAPE,
                                "the operand has another shape");
        return ASSAY_OK;
    }
    for (int i = 0; i < c->count; i++)
        TRY(check_leaves(c, c->operands[i]));
    return check_leaves(c, a->shape);
}

/* The representation of a value: its data, or a list of those of its elements.
 * */
static void *pointer(struct memory *m, const struct value *v)
{
    if (v->shape->kind != ASSAY_TUPLE)
        return v->data;
    void **list = memory_new(m, (size_t)v->shape->rank + 1, sizeof *list);
    for (int i = 0; i < v->shape->rank; i++)
        list[i] = pointer(m, v->elements[i]);
    return list;
}

static assay_code find_function(struct run *r, assay_custom_function **function)
{
    const char *name = attribute_string(r->node, "call_target_name");
    const assay_host *host = r->machine->host;
    const assay_custom_call *calls = NULL;
    assay_error error = {.size = sizeof error};
    *function = NULL;
    if (host->extension != NULL)
        calls = host->extension(host, ASSAY_CUSTOM_CALL);
    if (calls != NULL)
        *function = calls->find(host, name, &error);
    if (*function != NULL)
        return ASSAY_OK;
    if (error.text[0] != '\0')
        return memory_fail(r->machine->error, ASSAY_FAILED, "%s", error.text);
    return memory_fail(r->machine->error, ASSAY_UNSUPPORTED,
                       "no function registered for '%s'", name);
}

/* The function is given copies: other instructions use the operands too. */
assay_code custom_run(struct run *r)
{
    assay_custom_function *function;
    if (is_identity(r->node)) {
        r->result = r->operands[0];
        return ASSAY_OK;
    }
    if (linalg_is_getrf(r))
        return linalg_run_getrf(r);
    TRY(find_function(r, &function));
    size_t count = (size_t)r->node->count;
    const void **in = memory_new(r->memory, count + 1, sizeof *in);
    for (size_t i = 0; i < count; i++)
        in[i] = pointer(r->memory, value_copy(r->memory, r->operands[i]));
    struct value *out = machine_result(r);
    function(pointer(r->memory, out), in);
    return ASSAY_OK;
}
