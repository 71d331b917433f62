/* test_plan.c - which cases a run has, in which order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected results follow from the names of spec/tiers.json and the rules in
 * spec/case-format.md, for a folder of cases that is written here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/plan/plan.h"

#define X32 "{\"shape\": \"f32[2]\", \"data\": [1, 2]}"
#define ANY "{\"shape\": \"$T[$N]\", \"data\": {\"splat\": 1}}"
#define FILE_OF(cases) \
    "{\"format\": \"assay-case/1\", \"op\": \"Abs\", \"cases\": [" cases "]}"
#define CASE(id, members) \
    "{\"id\": \"" id "\", \"why\": \"a test\", " members "}"

static char folder[] = "/tmp/assay-plan-XXXXXX";
static struct arena arena;

static void put_file(const char *name, const char *text)
{
    char *path = arena_printf(&arena, "%s/%s", folder, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    (void)mkdir(path, 0700);
    *slash = '/';
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        exit(2);
}

static bool make(struct plan_options o, struct plan *p, struct status *st)
{
    static const struct limits limits = LIMITS_DEFAULT;
    *st = (struct status){0};
    o.cases = o.cases ? o.cases : folder;
    return plan_make(&arena, &o, &limits, p, st);
}

/* The names of a plan, with spaces between them; without those of the covering
 * array, which test_form.c checks. */
static const char *names(struct plan_options o)
{
    struct plan p;
    struct status st;
    const char *all = "";
    if (!make(o, &p, &st))
        return arena_text(&arena, st.text);
    for (int64_t i = 0; i < p.count; i++)
        if (o.form_count || !p.cases[i].form
            || strcmp(p.cases[i].form, "constant") == 0)
            all = arena_printf(&arena, "%s%s%s", all, all[0] ? " " : "",
                               plan_name(&arena, &p.cases[i]));
    return all;
}

static void write_folder(void)
{
    put_file("B/rules.json",
             FILE_OF(CASE("second", "\"inputs\": [" X32 "]") ", " CASE(
                 "first", "\"inputs\": [" X32 "]")));
    put_file(
        "A/rules.json",
        FILE_OF(CASE("t", "\"each\": {\"T\": [\"f32\", \"f64\"], \"N\": [1, "
                          "2]}, \"inputs\": [" ANY "]")));
    put_file("A/shapes.json", FILE_OF(CASE("s", "\"inputs\": [" X32 "]")));
    put_file("A/exhaustive-8.json",
             FILE_OF(CASE("e", "\"inputs\": [" X32 "]")));
    put_file(
        "A/errors.json",
        FILE_OF(CASE("bad", "\"inputs\": [{\"shape\": \"pred[]\", \"data\": "
                            "true}], \"expect\": {\"error\": \"type\"}")));
    put_file(
        "A/profile.json",
        FILE_OF(CASE("p", "\"inputs\": [" X32 "], \"profile\": \"strict\"")));
    put_file("A/.hidden.json", "no case");
    put_file("A/notes.txt", "no case");
}

static void check_choice(void)
{
    static const char everything[] =
        "A/errors/bad A/exhaustive-8/e A/exhaustive-8/e#constant "
        "A/profile/p A/profile/p#constant "
        "A/rules/t@T=f32,N=1 A/rules/t@T=f32,N=1#constant A/rules/t@T=f32,N=2 "
        "A/rules/t@T=f64,N=1 A/rules/t@T=f64,N=1#constant A/rules/t@T=f64,N=2 "
        "A/shapes/s "
        "B/rules/second B/rules/second#constant "
        "B/rules/first B/rules/first#constant";
    const char *two[] = {"B/rules/first", "A/rules/*N=2"};
    const char *constant[] = {"*#constant"};
    const char *none[] = {"C/*"};
    EQ_STR(names((struct plan_options){0}), everything,
           "files by name, cases as they stand, a constant form of the first "
           "of each type");
    EQ_STR(names((struct plan_options){.filters = two, .filter_count = 2}),
           "A/rules/t@T=f32,N=2 A/rules/t@T=f64,N=2 B/rules/first",
           "two filters, in the plan's order");
    EQ_STR(names((struct plan_options){.filters = constant,
                                       .filter_count = 1,
                                       .profile = "spec",
                                       .tier = "default"}),
           "A/rules/t@T=f32,N=1#constant A/rules/t@T=f64,N=1#constant "
           "B/rules/second#constant B/rules/first#constant",
           "not what is exhaustive, nor a case of another profile");
    EQ_STR(names((struct plan_options){.tier = "default", .profile = "strict"}),
           "A/errors/bad A/profile/p A/profile/p#constant "
           "A/rules/t@T=f32,N=1 A/rules/t@T=f32,N=1#constant "
           "A/rules/t@T=f32,N=2 "
           "A/rules/t@T=f64,N=1 A/rules/t@T=f64,N=1#constant "
           "A/rules/t@T=f64,N=2 A/shapes/s "
           "B/rules/second B/rules/second#constant "
           "B/rules/first B/rules/first#constant",
           "the default tier, under the profile of a case");
    EQ_STR(names((struct plan_options){.filters = none, .filter_count = 1}), "",
           "a filter that nothing matches");
    EQ_STR(names((struct plan_options){.tier = "slow"}),
           "unknown tier 'slow'; expected one of quick, default, full",
           "an unknown tier");
}

/* The tier quick names cases of the suite: of others it has all. */
static void check_chosen(void)
{
    const char *own = names((struct plan_options){.tier = "quick"});
    EQ_STR(own, names((struct plan_options){.tier = "default"}),
           "of other cases than the suite's quick has the whole tier");
    struct plan_names some = {0};
    static const char *const all[] = {"A/x#b",     "A/x",    "A/x#a",
                                      "A/x,N=1#c", "A/xy#d", "B/x#e"};
    for (int i = 0; i < 6; i++)
        plan_names_add(&arena, &some, all[i]);
    plan_names_end(&arena, &some);
    int64_t first = plan_names_form(&some, "A/x", 0);
    EQ_STR(some.names[first], "A/x#a", "the first form of a case");
    int64_t next = plan_names_form(&some, "A/x", first + 1);
    EQ_STR(some.names[next], "A/x#b", "the next one");
    EQ_INT(plan_names_form(&some, "A/x", next + 1), -1, "and no other");
    EQ_INT(plan_names_form(&some, "A/y", 0), -1, "none of another case");
}

static void check_types(void)
{
    struct plan p;
    struct status st;
    const char *rules[] = {"A/rules/*N=2"}, *one[] = {"B/rules/first"};
    OK(make((struct plan_options){.filters = rules, .filter_count = 1}, &p,
            &st),
       "planned");
    EQ_STR(plan_type(&arena, p.cases[1].stub), "f64", "the type that $T is");
    OK(make((struct plan_options){.filters = one, .filter_count = 1}, &p, &st),
       "planned");
    EQ_STR(plan_type(&arena, p.cases[0].stub), "f32",
           "without $T that of the first input");
}

/* The hash names the set of cases: bytes and names of all files read. */
static void check_hash(void)
{
    struct plan before, after, renamed;
    struct status st;
    OK(make((struct plan_options){0}, &before, &st), "planned");
    EQ_INT(before.file_count, 6, "six files");
    put_file("A/shapes.json", FILE_OF(CASE("s", "\"inputs\": [" X32 "] ")));
    OK(make((struct plan_options){0}, &after, &st), "planned again");
    OK(strcmp(before.suite, after.suite) != 0, "another byte is another set");
    char *from = arena_printf(&arena, "%s/A/shapes.json", folder);
    if (rename(from, arena_printf(&arena, "%s/A/shapes2.json", folder)) != 0)
        exit(2);
    OK(make((struct plan_options){0}, &renamed, &st), "and once more");
    OK(strcmp(renamed.suite, after.suite) != 0, "another name is another set");
}

static void check_errors(void)
{
    struct plan p;
    struct status st;
    OK(!make((struct plan_options){.cases = "/nowhere"}, &p, &st),
       "no such folder");
    EQ_INT(st.code, STATUS_INPUT, "is bad input");
    OK(strstr(st.text, "/nowhere") != NULL, "that names it: %s", st.text);
    put_file("A/bad.json", "{\"format\": \"assay-case/1\",\n \"op\": 3}");
    OK(!make((struct plan_options){0}, &p, &st), "a bad file");
    EQ_INT(st.code, STATUS_INPUT, "is bad input");
    EQ_INT(st.line, 2, "with its line");
    const char *b[] = {"B/*"};
    OK(make((struct plan_options){.filters = b, .filter_count = 1}, &p, &st),
       "which a filter of another folder does not read");
    char *deep = arena_printf(&arena, "%s/B", folder);
    for (int i = 0; i < 20; i++) {
        deep = arena_printf(&arena, "%s/d", deep);
        (void)mkdir(deep, 0700);
    }
    OK(!make((struct plan_options){.filters = b, .filter_count = 1}, &p, &st)
           && strstr(st.text, "too deeply"),
       "folders without end: %s", st.text);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    write_folder();
    check_choice();
    check_chosen();
    check_types();
    check_hash();
    check_errors();
    char *remove = arena_printf(&arena, "rm -rf %s", folder);
    if (system(remove) != 0)
        return 2;
    arena_free(&arena);
    return tap_done();
}
