/* cmd_cover.c - assay cover: which requirements and constraints have cases?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only from the specification's tables and the case files: results of backends
 * are for assay report.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/case/case.h"
#include "interp/case/case_subst.h"
#include "report/source.h"
#include "runner/plan/plan.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/cover.h"
#include "tools/verbs/option.h"
#include "tools/verbs/walk.h"

enum form {
    TEXT,
    MARKDOWN,
    JSON,
    HTML /* of deviations, or what breaks the requirements */
};

/* The requirements and values that the cases of one operation reach. */
struct reach {
    bool *covered;  /* by requirement of the operation */
    int count;      /* of them */
    bool *violated; /* by constraint: an error case names it */
    int violations; /* of them */
    int64_t cases, errors;
    uint64_t types; /* 1 << DT_x of an operand */
};

struct cover {
    enum form form;
    bool missing;
    int64_t require; /* percent */
    struct limits limits;
    struct option_words paths;
    struct arena arena; /* as long as the program */
    struct reach *ops;
    bool by_deviations, by_requirements, by_values;
    struct option_words filters;
    struct cover_deviations deviations;
};

/* ---- Counting ------------------------------------------------------------ */

static void set_flag(bool *flag, int *count)
{
    *count += !*flag;
    *flag = true;
}

/* A case may cover what other operations than its file's require. */
static void mark(struct cover *c, const char *id, bool error)
{
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        struct reach *to = &c->ops[i];
        for (int k = 0; k < op->requirement_count; k++)
            if (strcmp(op->requirements[k].id, id) == 0)
                set_flag(&to->covered[k], &to->count);
        for (int k = 0; error && k < op->constraint_count; k++)
            if (strcmp(op->constraints[k].id, id) == 0)
                set_flag(&to->violated[k], &to->violations);
    }
}

static void count_types(struct reach *to, const struct json *inputs)
{
    for (const struct json *n = inputs ? inputs->child : NULL; n; n = n->next) {
        const struct json *shape = json_member(n, "shape");
        enum dtype type;
        if (n->kind == JSON_ARRAY)
            count_types(to, n);
        else if (shape && shape->kind == JSON_STRING
                 && dtype_parse(shape->text, strcspn(shape->text, "["), &type))
            to->types |= UINT64_C(1) << type;
    }
}

static bool count_stub(struct cover *c, const struct case_stub *stub,
                       struct status *st)
{
    struct arena a = ARENA_INIT;
    const struct json *node;
    bool good = case_subst(&a, stub, &node, st);
    const struct json *covers = good ? json_member(node, "covers") : NULL;
    bool error = good && json_member(json_member(node, "expect"), "error");
    for (const struct json *id = covers ? covers->child : NULL; id;
         id = id->next)
        mark(c, id->text, error);
    int op = cover_walk_op(stub->op);
    if (good && op >= 0) {
        c->ops[op].cases++;
        c->ops[op].errors += error;
        count_types(&c->ops[op], json_member(node, "inputs"));
    }
    arena_free(&a);
    return good;
}

static bool count_file(struct cover *c, const struct folder_file *f,
                       struct status *st)
{
    struct arena a = ARENA_INIT;
    struct case_file *file;
    bool good = case_file_read(&a, f->path, f->name, &c->limits, &file, st);
    for (int i = 0; good && i < file->stub_count; i++)
        good = count_stub(c, &file->stubs[i], st);
    if (!good)
        command_complain("cover", st, f->path);
    arena_free(&a);
    return good;
}

/* ---- Printing ------------------------------------------------------------ */

static int count_bits(uint64_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* No case covers it, and none could. */
static bool is_untestable(const struct cover *c, int i, int k)
{
    return spec_op_at(i)->requirements[k].untestable && !c->ops[i].covered[k];
}

static bool is_missing(const struct cover *c, int i, int k)
{
    return !spec_op_at(i)->requirements[k].untestable && !c->ops[i].covered[k];
}

static void print_ids(const struct cover *c, int i, const char *member,
                      bool (*is)(const struct cover *c, int i, int k))
{
    const struct spec_op *op = spec_op_at(i);
    printf(", \"%s\": [", member);
    for (int k = 0, n = 0; k < op->requirement_count; k++)
        if (is(c, i, k))
            printf("%s\"%s\"", n++ ? ", " : "", op->requirements[k].id);
    printf("]");
}

static void print_op(const struct cover *c, int i)
{
    const struct spec_op *op = spec_op_at(i);
    const struct reach *r = &c->ops[i];
    int rules = op->requirement_count, types = count_bits(r->types);
    int constraints = op->constraint_count;
    if (c->form == TEXT)
        printf("%-22s %6d %6d %8d %7d %8" PRId64 " %7" PRId64 " %6d\n",
               op->name, rules, r->count, constraints, r->violations, r->cases,
               r->errors, types);
    else if (c->form == MARKDOWN)
        printf("| %s | %d | %d | %d | %d | %" PRId64 " | %" PRId64 " | %d |\n",
               op->name, rules, r->count, constraints, r->violations, r->cases,
               r->errors, types);
    else
        printf("  {\"op\": \"%s\", \"requirements\": %d, \"covered\": %d, "
               "\"constraints\": %d, \"violated\": %d, \"cases\": %" PRId64
               ", \"error_cases\": %" PRId64 ", \"types\": %d",
               op->name, rules, r->count, constraints, r->violations, r->cases,
               r->errors, types);
    if (c->form != JSON)
        return;
    print_ids(c, i, "missing", is_missing);
    print_ids(c, i, "untestable", is_untestable);
    printf(", \"not_violated\": [");
    for (int k = 0, n = 0; k < constraints; k++)
        if (!r->violated[k])
            printf("%s\"%s\"", n++ ? ", " : "", op->constraints[k].id);
    printf("]}%s\n", i + 1 < spec_op_count() ? "," : "");
}

static void print_missing(const struct cover *c)
{
    struct arena words = {0};
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < spec_op_at(i)->requirement_count; k++) {
            const struct spec_requirement *r = &spec_op_at(i)->requirements[k];
            const char *dot = c->form == MARKDOWN ? "- " : "";
            const char *source = source_words(&words, r->source);
            if (is_missing(c, i, k))
                printf("%s%s (%s): %s\n", dot, r->id, source, r->text);
            else if (is_untestable(c, i, k))
                printf("%s%s (%s): not testable: %s\n", dot, r->id, source,
                       r->untestable);
        }
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < spec_op_at(i)->constraint_count; k++) {
            const struct spec_constraint *r = &spec_op_at(i)->constraints[k];
            if (!c->ops[i].violated[k])
                printf("%s%s (%s): no error case: %s\n",
                       c->form == MARKDOWN ? "- " : "", r->id,
                       source_words(&words, r->source), r->text);
        }
    arena_free(&words);
}

static void print_head(const struct cover *c)
{
    if (c->form == TEXT)
        printf("%-22s %6s %6s %8s %7s %8s %7s %6s\n", "operation", "rules",
               "cover", "constr", "violate", "cases", "errors", "types");
    else if (c->form == MARKDOWN)
        puts("| operation | requirements | covered | constraints | violated | "
             "cases | error cases | element types |\n| --- | ---: | ---: | "
             "---: | ---: | ---: | ---: | ---: |");
    else
        puts("{\"format\": \"assay-cover/1\", \"operations\": [");
}

/* Percent of what a case can cover that is covered, rounded down. */
static int64_t print(const struct cover *c)
{
    int64_t all = 0, covered = 0, untestable = 0, cases = 0;
    int64_t constraints = 0, violated = 0;
    print_head(c);
    for (int i = 0; i < spec_op_count(); i++) {
        print_op(c, i);
        all += spec_op_at(i)->requirement_count;
        covered += c->ops[i].count;
        cases += c->ops[i].cases;
        constraints += spec_op_at(i)->constraint_count;
        violated += c->ops[i].violations;
        for (int k = 0; k < spec_op_at(i)->requirement_count; k++)
            untestable += is_untestable(c, i, k);
    }
    int64_t can = all - untestable;
    int64_t percent = can > 0 ? 100 * covered / can : 100;
    if (c->form == JSON)
        printf("], \"requirements\": %" PRId64 ", \"covered\": %" PRId64
               ", \"untestable\": %" PRId64 ", \"constraints\": %" PRId64
               ", \"violated\": %" PRId64 ", \"cases\": %" PRId64 "}\n",
               all, covered, untestable, constraints, violated, cases);
    else
        printf("\n%" PRId64 " of %" PRId64 " requirements of %d operations are "
               "covered, by %" PRId64 " cases; %" PRId64
               " not testable, with reason; %" PRId64 " missing\n%" PRId64
               " of %" PRId64 " constraints have an error case\n",
               covered, all, spec_op_count(), cases, untestable, can - covered,
               violated, constraints);
    if (c->missing && c->form != JSON)
        print_missing(c);
    return percent;
}

/* ---- The command --------------------------------------------------------- */

static void read_deviations(void *target, const struct option_given *g)
{
    struct cover *c = target;
    c->by_deviations = true;
    c->deviations.name =
        g->text ? option_glob(g->state, g->name, g->text) : NULL;
}

static void read_count(void *target, const struct option_given *g)
{
    struct cover *c = target;
    c->deviations.count =
        g->text ? option_number(g->state, g->name, g->text, 1, INT64_MAX)
                : INT64_MAX;
}

static const struct option_row options[] = {
    {"format", 'f', "text|markdown|json|html", 0,
     "Output format (text); html with --deviations or --requirements", 0,
     OPTION_CHOICE(struct cover, form, NULL)},
    {"missing", 'm', NULL, 0,
     "Also list requirements without a case, with the reason for those that "
     "cannot be tested, and constraints without an error case",
     0, OPTION_FLAG(struct cover, missing)},
    {"require", 0, "PERCENT", 0,
     "Exit with 1 if fewer than PERCENT of the requirements are covered (with "
     "--deviations: of the deviations that make a difference are rejected; "
     "with "
     "--requirements: have a deviation)",
     0, OPTION_NUMBER(struct cover, require, 0, 100)},
    {"deviations", 0, "GLOB", OPTION_ARG_OPTIONAL,
     "Evaluate deviations instead (all, or those whose names match GLOB; "
     "@(A|B) matches either), and report for each operation which ones no case "
     "rejects; takes minutes for "
     "the whole suite",
     0, OPTION_CALL(read_deviations)},
    {"requirements", 0, NULL, 0,
     "Evaluate deviations on the cases that cover each requirement, and report "
     "which ones break it, with the first case that shows so",
     0, OPTION_FLAG(struct cover, by_requirements)},
    {"values", 0, NULL, 0,
     "Count the cases of the plan by class of value and by rank, scalar beside "
     "an array and constant, for each operation; report the empty cells that "
     "the operation could fill",
     0, OPTION_FLAG(struct cover, by_values)},
    {"count", 0, "N", OPTION_ARG_OPTIONAL,
     "With --deviations: count all rejecting cases, or the first N, not only "
     "the first one; JSON names them",
     0, OPTION_CALL(read_count)},
    {"places", 0, NULL, 0,
     "With --deviations: also of each deviation at each place of "
     "spec/places.json, such as beside a scalar operand or in a loop",
     0, OPTION_FLAG(struct cover, deviations.places)},
    {"profile", 0, "NAME|FILE", 0,
     "With --deviations or --requirements: profile to judge by (spec)", 0,
     OPTION_TEXT(struct cover, deviations.profile)},
    {"tier", 0, "quick|default|full", 0,
     "With --deviations, --requirements or --values, and without files: tier "
     "of the suite (default)",
     0, OPTION_TEXT(struct cover, deviations.tier)},
    {"filter", 0, "GLOB", 0,
     "With --deviations, --requirements or --values, and without files: only "
     "cases whose names match; may be repeated",
     0, OPTION_GLOBS(struct cover, filters, INT32_MAX)},
    {0}};

/* Options that contradict each other. */
static void check(void *target, struct argp_state *state)
{
    const struct cover *c = target;
    const char *name = c->by_deviations ? "deviations" : "requirements";
    bool evaluates = c->by_deviations || c->by_requirements;
    if (c->by_deviations + c->by_requirements + c->by_values > 1)
        argp_error(state, "expected one of --deviations, --requirements and "
                          "--values");
    if (c->by_values
        && (c->paths.count || (c->form != TEXT && c->form != JSON)))
        argp_error(state, "--values: expected no file, and --format text or "
                          "json");
    if (c->deviations.places && !c->by_deviations)
        argp_error(state, "--places: expected --deviations");
    if (evaluates && c->form == MARKDOWN)
        argp_error(state, "--%s: expected --format text, json or html", name);
    if (!evaluates && c->form == HTML)
        argp_error(state,
                   "--format html: expected --deviations or --requirements");
}

static const struct option_set set = {
    .options = options,
    .arguments = "[FILE|FOLDER...]",
    .help = "Count the requirements and constraints of each operation that "
            "case files cover (by default the suite's own, as `assay run` "
            "finds them).\vExit status: 0 success, 1 coverage below --require, "
            "2 usage error or invalid input.",
    .several = true,
    .words = offsetof(struct cover, paths),
    .check = check,
    .children = {CASE_OPTIONS(struct cover)}};

static bool count_all(struct cover *c, struct status *st)
{
    struct walk walk = {0};
    int n = c->paths.count ? c->paths.count : 1;
    TRY(spec_load(st));
    c->ops = arena_new(&c->arena, struct reach, (size_t)spec_op_count());
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        c->ops[i].covered =
            arena_new(&c->arena, bool, (size_t)op->requirement_count);
        c->ops[i].violated =
            arena_new(&c->arena, bool, (size_t)op->constraint_count);
    }
    for (int i = 0; i < n; i++)
        if (!walk_add(&c->arena, &walk,
                      c->paths.count ? c->paths.list[i]
                                     : plan_folder(&c->arena),
                      st)) {
            command_complain("cover", st, NULL);
            return false;
        }
    for (int i = 0; i < walk.count; i++)
        TRY(count_file(c, &walk.files[i], st));
    return true;
}

static int evaluate(struct cover *c)
{
    struct status st = {STATUS_OK};
    int64_t percent;
    c->deviations.json = c->form == JSON;
    c->deviations.html = c->form == HTML;
    c->deviations.progress = isatty(STDERR_FILENO);
    c->deviations.path_count = c->paths.count;
    c->deviations.paths = c->paths.list;
    if (c->by_deviations
            ? cover_deviations(&c->deviations, &c->limits, &percent, &st)
            : cover_requirements(&c->deviations, &c->limits, &percent, &st))
        return percent >= c->require ? COMMAND_OK : COMMAND_FAILED;
    return command_complain("cover", &st, NULL);
}

static int count_values(struct cover *c)
{
    struct status st = {0};
    const struct cover_deviations *d = &c->deviations;
    struct cover_values x = {.tier = d->tier ? d->tier : "default",
                             .filter_count = d->filter_count,
                             .filters = d->filters,
                             .limits = &c->limits,
                             .json = c->form == JSON,
                             .to = stdout};
    if (!cover_values(&x, &st))
        return command_complain("cover", &st, NULL);
    int64_t percent = x.cells > 0 ? 100 * (x.cells - x.empty) / x.cells : 100;
    return percent >= c->require ? COMMAND_OK : COMMAND_FAILED;
}

int cmd_cover(int argc, char **argv)
{
    struct cover c = {.limits = LIMITS_DEFAULT, .arena = ARENA_INIT};
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &c);
    c.deviations.filter_count = c.filters.count;
    c.deviations.filters = (const char **)c.filters.list;
    int code = COMMAND_USAGE;
    if (c.by_values)
        code = count_values(&c);
    else if (c.by_deviations || c.by_requirements)
        code = evaluate(&c);
    else if (count_all(&c, &st))
        code = print(&c) >= c.require ? COMMAND_OK : COMMAND_FAILED;
    arena_free(&c.arena);
    return code;
}
