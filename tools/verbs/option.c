/* option.c - see option.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/slow.h"
#include "runner/record.h"
#include "tools/verbs/command.h"

const char *option_program = "assay";

const char *option_line(struct arena *a, const char *verb, int argc,
                        char **argv)
{
    const char *all =
        arena_printf(a, "%s %s", record_word(a, option_program), verb);
    for (int i = 1; i < argc; i++)
        all = arena_printf(a, "%s %s", all, record_word(a, argv[i]));
    return all;
}

int64_t option_number(struct argp_state *state, const char *name,
                      const char *text, int64_t low, int64_t high)
{
    char *end;
    errno = 0;
    intmax_t n = strtoimax(text, &end, 10);
    if (errno != 0 || end == text || *end || n < low || n > high)
        argp_error(state,
                   "--%s: '%s' is not a number from %" PRId64 " to %" PRId64,
                   name, text, low, high);
    return n;
}

const char *option_glob(struct argp_state *state, const char *name,
                        const char *text)
{
    if (!glob_allowed(text))
        argp_error(state, "--%s: '%.40s...': %s", name, text, GLOB_LIMITS);
    return text;
}

int64_t option_seconds(struct argp_state *state, const char *name,
                       const char *text)
{
    char *end;
    double s = strtod(text, &end);
    if (end == text || *end || !(s >= 0.001 && s <= 1e6))
        argp_error(state,
                   "--%s: '%s' is not a time in seconds (0.001 to 1000000)",
                   name, text);
    return (int64_t)(s * 1000);
}

void option_slow(void *target, const struct option_given *g)
{
    slow_on();
}

/* ---- Tables -------------------------------------------------------------- */

enum {
    FIRST_KEY = 0x100 /* of an option without a letter */
};

/* A set while it is read. */
struct reading {
    const struct option_set *set;
    char *target;
    struct argp argp;
    struct argp_child children[OPTION_CHILDREN + 1];
    struct reading *child[OPTION_CHILDREN];
};

static int key_of(const struct option_row *o, int row)
{
    if (o->flags & OPTION_ALIAS)
        return 0;
    return o->letter ? o->letter : FIRST_KEY + row;
}

/* The place of text among the choices, which | separates. */
static int choose(const struct option_row *o, const char *text,
                  struct argp_state *state)
{
    char all[200] = "";
    size_t n = 0, length;
    const char *choice = o->choices ? o->choices : o->argument;
    for (int i = 0;; i++, choice += length + 1) {
        length = strcspn(choice, "|");
        if (strlen(text) == length && strncmp(text, choice, length) == 0)
            return i;
        const char *before = i == 0 ? "" : choice[length] ? ", " : " or ";
        if (n < sizeof all)
            n += (size_t)snprintf(all + n, sizeof all - n, "%s%.*s", before,
                                  (int)length, choice);
        if (!choice[length])
            break;
    }
    argp_error(state, "--%s: expected %s, got '%s'", o->name, all, text);
    return 0;
}

static void put_integer(void *member, size_t size, int64_t value)
{
    if (size == sizeof(bool))
        *(bool *)member = value != 0;
    else if (size == sizeof(int))
        *(int *)member = (int)value;
    else
        *(int64_t *)member = value;
}

/* Memory of the options, which lives as long as the process. */
static struct arena kept;

static void add_word(const struct option_row *o, struct option_words *w,
                     char *text, struct argp_state *state)
{
    if (w->count == o->high)
        argp_error(state, "--%s: more than %d times", o->name, (int)o->high);
    if (!w->list)
        w->list = arena_new(&kept, char *, (size_t)state->argc + 1);
    w->list[w->count++] = text;
}

static void read_row(const struct option_row *o, char *target, char *text,
                     struct argp_state *state)
{
    void *member = target + o->at;
    switch (o->kind) {
    case OPTION_AS_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_AS_TEXT:
        *(const char **)member = text;
        break;
    case OPTION_AS_GLOB:
        *(const char **)member = option_glob(state, o->name, text);
        break;
    case OPTION_AS_NUMBER:
        put_integer(member, o->size,
                    option_number(state, o->name, text, o->low, o->high));
        break;
    case OPTION_AS_SECONDS:
        *(int64_t *)member = option_seconds(state, o->name, text);
        break;
    case OPTION_AS_CHOICE:
        put_integer(member, o->size, choose(o, text, state));
        break;
    case OPTION_AS_JOINED:
        if (**(const char **)member)
            text = arena_printf(&kept, "%s,%s", *(const char **)member, text);
        *(const char **)member = text;
        break;
    case OPTION_AS_GLOBS:
        option_glob(state, o->name, text);
        add_word(o, member, text, state);
        break;
    case OPTION_AS_LIST:
        add_word(o, member, text, state);
        break;
    case OPTION_AS_CALL:
        o->read(target, &(struct option_given){o->name, text, state});
    }
}

static error_t read_word(const struct reading *r, char *text,
                         struct argp_state *state)
{
    const struct option_set *s = r->set;
    if (s->read) {
        s->read(r->target, &(struct option_given){NULL, text, state});
        return 0;
    }
    if (!s->surplus)
        return ARGP_ERR_UNKNOWN;
    const char **word = (void *)(r->target + s->word);
    if (*word)
        argp_error(state, "%s", s->surplus);
    *word = text;
    return 0;
}

static error_t read_key(int key, char *text, struct argp_state *state)
{
    const struct reading *r = state->input;
    const struct option_set *s = r->set;
    switch (key) {
    case ARGP_KEY_INIT:
        for (int i = 0; i < OPTION_CHILDREN && r->child[i]; i++)
            state->child_inputs[i] = r->child[i];
        return 0;
    case ARGP_KEY_ARG:
        return read_word(r, text, state);
    case ARGP_KEY_ARGS:
        if (!s->several)
            return ARGP_ERR_UNKNOWN;
        *(struct option_words *)(void *)(r->target + s->words) =
            (struct option_words){state->argc - state->next,
                                  state->argv + state->next};
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (s->missing)
            argp_error(state, "%s", s->missing);
        return 0;
    case ARGP_KEY_END:
        if (s->check)
            s->check(r->target, state);
        return 0;
    default:
        for (int i = 0; s->options[i].name; i++)
            if (key_of(&s->options[i], i) == key) {
                read_row(&s->options[i], r->target, text, state);
                return 0;
            }
        return ARGP_ERR_UNKNOWN;
    }
}

/* Prepares what argp needs of a set and its children. */
static struct reading *prepare(struct arena *a, const struct option_set *set,
                               void *target)
{
    struct reading *r = arena_new(a, struct reading, 1);
    int n = 0;
    while (set->options[n].name)
        n++;
    struct argp_option *rows = arena_new(a, struct argp_option, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const struct option_row *o = &set->options[i];
        rows[i] = (struct argp_option){o->name,  key_of(o, i), o->argument,
                                       o->flags, o->help,      o->group};
    }
    *r = (struct reading){.set = set, .target = target};
    r->argp = (struct argp){.options = rows,
                            .parser = read_key,
                            .args_doc = set->arguments,
                            .doc = set->help,
                            .children = r->children};
    for (int i = 0; i < OPTION_CHILDREN && set->children[i].set; i++) {
        const struct option_child *c = &set->children[i];
        r->child[i] = prepare(a, c->set, r->target + c->at);
        r->children[i].argp = &r->child[i]->argp;
    }
    return r;
}

void option_parse(const struct option_set *set, int argc, char **argv,
                  void *target)
{
    struct arena a = ARENA_INIT;
    struct reading *r = prepare(&a, set, target);
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&r->argp, argc, argv, 0, NULL, r) != 0)
        exit(COMMAND_USAGE);
    arena_free(&a);
}
