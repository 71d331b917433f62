/* faulty.c - plants one fault of faults.def in native's programs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * native.c's entry point is compiled here under another name, and its
 * program_read is replaced: each instruction that the fault is about gets a row
 * of its own, which runs native's with the fault around it.  Such an
 * instruction also gets the values that its operands were made of.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define assay_backend_open native_open
#define program_read       faulty_read
#include "../native/backend.c"
#undef assay_backend_open
#undef program_read

#include "fourteenth.h"

assay_code program_read(struct memory *m, const assay_program *from,
                        struct program **program, assay_error *error);
ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error);

/* ---- The table ----------------------------------------------------------- */

struct fault {
    const char *name, *class, *ops, *text;
    int before;
    int (*when)(const struct look *x);
    void (*wrong)(struct look *x);
};

#define FAULT(CLASS, NAME, OPS, TIME, TEXT, WHEN, WRONG) \
    static int when_##NAME(const struct look *x) \
    { \
        return (WHEN) != 0; \
    } \
    static void wrong_##NAME(struct look *x) \
    { \
        WRONG; \
    }
#include "faults.def"
#undef FAULT

enum {
    AFTER,
    BEFORE
};

static const struct fault faults[] = {
#define FAULT(CLASS, NAME, OPS, TIME, TEXT, WHEN, WRONG) \
    {#NAME, CLASS, OPS, TEXT, TIME, when_##NAME, wrong_##NAME},
#include "faults.def"
#undef FAULT
};

enum {
    FAULTS = sizeof faults / sizeof *faults,
    OPS_MAX = 200
};

/* The one that is planted, and in which operations; or none, and a file to
 * record where the condition of each holds. */
static const struct fault *fault;
static const char *concerned;
static int64_t executions;
static FILE *record;
/* A file to record which programs' results the fault changes; then each is
 * executed first without it, while idle. */
static FILE *changed;
static int idle;

static int is_about(const char *ops, const char *op)
{
    return strcmp(op, "Parameter") != 0
           && (has_word(ops, op) || strcmp(ops, "*") == 0);
}

/* ---- Running ------------------------------------------------------------- */

/* A loop counts the calls of its condition anew. */
static void count_calls(struct planted *p, const struct run *r)
{
    if (p->execution != executions) {
        p->calls = 0;
        p->executions++;
    }
    p->execution = executions;
    const struct attribute *a = attribute_find(&p->node, "condition");
    if (a != NULL && a->count == 1) {
        struct computation *c = &r->machine->program->computations[a->ints[0]];
        const struct node *root = &c->nodes[c->root];
        if (root->op->least == -1)
            ((struct planted *)(void *)root->op)->calls = 0;
    }
}

static struct look look_at(struct run *r)
{
    struct planted *p = (struct planted *)(void *)r->node->op;
    struct look x = {p, r, r->operands + p->node.count, NULL};
    if (!idle)
        count_calls(p, r);
    r->node = &p->node;
    struct value **operands =
        memory_new(r->memory, (size_t)p->node.count + 1, sizeof *operands);
    memcpy(operands, r->operands, (size_t)p->node.count * sizeof *operands);
    r->operands = operands;
    return x;
}

/* A line for the first time that a condition holds at an instruction. */
static void note(const struct look *x, int before)
{
    const struct planted *p = x->planted;
    for (int i = 0; i < FAULTS; i++)
        if (p->about[i] && faults[i].before == before && faults[i].when(x)) {
            p->about[i] = 0;
            fprintf(record, "%s\t%s\t%s\n", faults[i].name, p->node.op->name,
                    p->program);
        }
}

static void apply(struct look *x, int before)
{
    if (record != NULL && (before || x->run->result != NULL))
        note(x, before);
    if (record != NULL || idle)
        return;
    if (fault->before != before || !x->planted->concerned
        || (!before && x->run->result == NULL) || !fault->when(x))
        return;
    if (!before)
        x->run->result = value_copy(x->run->memory, x->run->result);
    fault->wrong(x);
}

static assay_code faulty_run(struct run *r)
{
    struct look x = look_at(r);
    x.planted->calls += !idle;
    apply(&x, BEFORE);
    assay_code code =
        x.planted->node.dynamic ? dynamic_run(r) : r->node->op->run(r);
    if (code == ASSAY_OK)
        apply(&x, AFTER);
    return code;
}

static assay_code faulty_run_group(struct group *g)
{
    struct look *looks = memory_new(g->memory, (size_t)g->count, sizeof *looks);
    struct planted *p = (struct planted *)(void *)g->node->op;
    p->calls += !idle;
    for (int i = 0; i < g->count; i++) {
        looks[i] = look_at(&g->runs[i]);
        looks[i].all = g;
        apply(&looks[i], BEFORE);
    }
    g->node = g->runs[0].node;
    assay_code code = p->node.op->run_group(g);
    for (int i = 0; code == ASSAY_OK && i < g->count; i++)
        apply(&looks[i], AFTER);
    return code;
}

/* ---- Planting ------------------------------------------------------------ */

/* Is the fault about instructions of this operation? */
static int concerns(const struct node *n)
{
    return strcmp(n->op->name, "Parameter") != 0
           && (record != NULL || is_about(concerned, n->op->name));
}

/* For each fault, whether it is about this operation. */
static unsigned char *about(struct memory *m, const struct op *op)
{
    static struct {
        const struct op *op;
        unsigned char about[FAULTS];
    } known[OPS_MAX];
    int k = 0;
    while (k < OPS_MAX - 1 && known[k].op != NULL && known[k].op != op)
        k++;
    for (int i = 0; known[k].op != op && i < FAULTS; i++)
        known[k].about[i] = (unsigned char)is_about(faults[i].ops, op->name);
    known[k].op = op;
    unsigned char *own = memory_new(m, FAULTS, 1);
    memcpy(own, known[k].about, FAULTS);
    return own;
}

/* An earlier instruction of this operation on the same operands. */
static int find_twin(const struct computation *c, int k)
{
    const struct node *n = &c->nodes[k];
    for (int i = 0; i < k; i++) {
        const struct node *o = &c->nodes[i];
        if (strcmp(o->op->name, n->op->name) == 0
            && shape_equal(o->shape, n->shape) && n->count <= o->count
            && (n->count == 0
                || memcmp(o->operands, n->operands,
                          (size_t)n->count * sizeof *n->operands)
                       == 0))
            return i;
    }
    return -1;
}

static void plant(struct memory *m, const char *program, struct computation *c,
                  int k)
{
    struct node *n = &c->nodes[k];
    struct planted *p = memory_new(m, 1, sizeof *p);
    p->op = *n->op;
    p->op.least = -1; /* marks it */
    p->op.run = n->op->run != NULL ? faulty_run : NULL;
    p->op.run_group = n->op->run_group != NULL ? faulty_run_group : NULL;
    p->node = *n;
    p->at = k;
    p->concerned = concerns(n);
    p->program = program;
    p->about = record != NULL ? about(m, n->op) : NULL;
    p->in = c;
    p->twin = find_twin(c, k);
    int room = n->count + 1;
    for (int i = 0; i < n->count; i++)
        room += c->nodes[n->operands[i]].count;
    int32_t *operands = memory_new(m, (size_t)room, sizeof *operands);
    memcpy(operands, n->operands, (size_t)n->count * sizeof *operands);
    int next = n->count;
    for (int i = 0; i < n->count && i < GRAND_MAX; i++) {
        const struct node *maker = &c->nodes[n->operands[i]];
        int own = maker->op->least == -1
                      ? ((struct planted *)(void *)maker->op)->node.count
                      : maker->count;
        p->made[i] = next - n->count;
        for (int j = 0; j < own; j++)
            operands[next++] = maker->operands[j];
    }
    if (p->twin >= 0)
        operands[next++] = p->twin;
    p->extra = next - n->count;
    n->operands = operands;
    n->count = next;
    n->dynamic = 0;
    n->op = &p->op;
}

assay_code faulty_read(struct memory *m, const assay_program *from,
                       struct program **program, assay_error *error)
{
    TRY(program_read(m, from, program, error));
    const char *name = memory_text(m, from->name != NULL ? from->name : "");
    /* Loops are planted, too, so that what they call can be counted. */
    for (int i = 0; i < (*program)->count; i++)
        for (int k = 0; k < (*program)->computations[i].count; k++)
            if (concerns(&(*program)->computations[i].nodes[k])
                || attribute_find(&(*program)->computations[i].nodes[k],
                                  "condition")
                       != NULL)
                plant(m, name, &(*program)->computations[i], k);
    return ASSAY_OK;
}

/* ---- The entry point ----------------------------------------------------- */

static void list_faults(void)
{
    for (int i = 0; i < FAULTS; i++)
        printf("%s\t%s\t%s\t%s\n", faults[i].name, faults[i].class,
               faults[i].ops, faults[i].text);
}

ASSAY_EXPORT void faulty_list(void);
void faulty_list(void)
{
    list_faults();
    fflush(stdout);
}

/* The outputs of an execution, as one number. */
struct given {
    const assay_execution *execution;
    uint64_t digest;
};

static void digest(struct given *g, const void *data, uint64_t bytes)
{
    const unsigned char *p = data;
    for (uint64_t i = 0; i < bytes; i++)
        g->digest = (g->digest ^ p[i]) * UINT64_C(0x100000001b3);
}

static void outfed(void *context, int32_t replica, const assay_tensor *value)
{
    struct given *g = context;
    digest(g, value->data, value->bytes);
    if (!idle && g->execution->outfeed != NULL)
        g->execution->outfeed(g->execution->outfeed_context, replica, value);
}

/* The name of a program, of which an instruction is planted. */
static const char *name_of(const struct program *p)
{
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->computations[i].count; k++) {
            const struct op *op = p->computations[i].nodes[k].op;
            if (op->least == -1)
                return ((const struct planted *)(const void *)op)->program;
        }
    return "";
}

static assay_code execute(assay_backend *backend, assay_executable *x,
                          struct given *g, assay_error *error)
{
    assay_execution own = *g->execution;
    own.outfeed = outfed;
    own.outfeed_context = g;
    assay_code code = native_execute(backend, x, &own, error);
    const struct program *p = x->program;
    const struct computation *entry = &p->computations[p->entry];
    int n = p->replicas * p->partitions
            * shape_leaves(entry->nodes[entry->root].shape);
    for (int i = 0; code == ASSAY_OK && i < n; i++) {
        const assay_output *o = own.outputs[i];
        digest(g, o->data, o->bytes < o->capacity ? o->bytes : o->capacity);
        if (o->sizes != NULL)
            digest(g, o->sizes, (uint64_t)o->rank * sizeof *o->sizes);
    }
    return code;
}

static assay_code faulty_execute(assay_backend *backend, assay_executable *x,
                                 const assay_execution *execution,
                                 assay_error *error)
{
    struct given right = {execution, 0}, wrong = {execution, 0};
    if (changed != NULL) {
        idle = 1;
        assay_code code = execute(backend, x, &right, error);
        idle = 0;
        if (code != ASSAY_OK)
            return code;
    }
    executions++;
    if (changed == NULL)
        return native_execute(backend, x, execution, error);
    assay_code code = execute(backend, x, &wrong, error);
    if (code != ASSAY_OK || right.digest != wrong.digest)
        fprintf(changed, "%s\n", name_of(x->program));
    return code;
}

/* The value of an option, or NULL; the options are gone when the backend is
 * open. */
static const char *option(const char *options, const char *name)
{
    size_t n = strlen(name);
    for (const char *o = options; o != NULL; o = strchr(o, ',')) {
        o += *o == ',';
        if (strncmp(o, name, n) == 0 && o[n] == '=')
            return strndup(o + n + 1, strcspn(o + n + 1, ","));
    }
    return NULL;
}

/* A file that is added to, line by line; NULL if none is named. */
static FILE *lines(const char *name, int *failed)
{
    FILE *file = name != NULL ? fopen(name, "a") : NULL;
    *failed |= name != NULL && file == NULL;
    if (file != NULL)
        setvbuf(file, NULL, _IOLBF, BUFSIZ);
    return file;
}

assay_code assay_backend_open(const assay_host *host, const char *options,
                              assay_backend **backend, assay_error *error)
{
    const char *name = option(options, "fault");
    size_t length = name != NULL ? strcspn(name, "/") : 0;
    for (int i = 0; name != NULL && i < FAULTS; i++)
        if (strncmp(faults[i].name, name, length) == 0
            && faults[i].name[length] == '\0')
            fault = &faults[i];
    int failed = 0;
    record = lines(option(options, "record"), &failed);
    changed = lines(option(options, "changed"), &failed);
    if (failed || (fault == NULL && record == NULL))
        return memory_fail(error, ASSAY_FAILED,
                           "expected fault=NAME or fault=NAME/OPERATION, with "
                           "or without changed=FILE, or record=FILE, and files "
                           "that can be written; got '%s'",
                           options != NULL ? options : "");
    if (record == NULL)
        concerned = name[length] == '/' ? name + length + 1 : fault->ops;
    assay_code code = native_open(host, "", backend, error);
    if (code == ASSAY_OK)
        (*backend)->execute = faulty_execute;
    return code;
}
