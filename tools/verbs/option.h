/* option.h - the options of a verb as a table, from which they are read.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each row has what --help prints and where the value goes: a member of the
 * verb's own structure, its target.  argp reads the command line; the manual
 * and the shells' completions are made of --help.
 */
#ifndef TOOLS_OPTION_H
#define TOOLS_OPTION_H

#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"

enum option_kind {
    OPTION_AS_FLAG,    /* bool: true */
    OPTION_AS_TEXT,    /* const char *: the argument */
    OPTION_AS_GLOB,    /* likewise, within the limits of interp/base/glob.h */
    OPTION_AS_NUMBER,  /* an integer from low to high */
    OPTION_AS_SECONDS, /* int64_t: milliseconds */
    OPTION_AS_CHOICE,  /* an enum or bool: the place in choices */
    OPTION_AS_JOINED,  /* const char *, "" at first: with commas */
    OPTION_AS_LIST,    /* struct option_words, at most high times */
    OPTION_AS_GLOBS,   /* the same, of globs */
    OPTION_AS_CALL     /* what read() does with it */
};

/* An option as it was given. */
struct option_given {
    const char *name; /* NULL: an argument that is no option */
    char *text;       /* NULL: it takes none */
    struct argp_state *state;
};

/* Read it into the target; argp_error() ends the program. */
typedef void option_read(void *target, const struct option_given *g);

struct option_row {
    const char *name;
    int letter;           /* 0: none */
    const char *argument; /* NULL: none */
    int flags;            /* argp's */
    const char *help;
    int group;
    enum option_kind kind;
    size_t at, size; /* of the member */
    int64_t low, high;
    const char *choices; /* "text|html"; NULL: those of argument */
    option_read *read;
};

/* The rest of a row after group; of is the target's type.  A member of another
 * type than the kind says, or too small for high, does not compile. */
#define OPTION_SIZE(of, member) sizeof(((of *)NULL)->member)
#define OPTION_HAS(of, member, type) \
    _Generic(((of *)NULL)->member, type : 1, default : 0)
#define OPTION_MEMBER(of, member, fits) \
    offsetof(of, member), \
        OPTION_SIZE(of, member) * sizeof(char[(fits) ? 1 : -1])
#define OPTION_WORD(kind, of, member) \
    kind, OPTION_MEMBER(of, member, OPTION_HAS(of, member, const char *)), 0, \
        0, NULL, NULL
#define OPTION_WORDS(kind, of, member, most) \
    kind, \
        OPTION_MEMBER(of, member, \
                      OPTION_HAS(of, member, struct option_words)), \
        0, most, NULL, NULL
#define OPTION_FLAG(of, member) \
    OPTION_AS_FLAG, OPTION_MEMBER(of, member, OPTION_HAS(of, member, bool)), \
        0, 0, NULL, NULL
#define OPTION_TEXT(of, member) OPTION_WORD(OPTION_AS_TEXT, of, member)
#define OPTION_GLOB(of, member) OPTION_WORD(OPTION_AS_GLOB, of, member)
#define OPTION_NUMBER(of, member, low, high) \
    OPTION_AS_NUMBER, \
        OPTION_MEMBER( \
            of, member, \
            OPTION_SIZE(of, member) == sizeof(int64_t) \
                || (OPTION_HAS(of, member, int) && (high) <= INT_MAX)), \
        low, high, NULL, NULL
#define OPTION_SECONDS(of, member) \
    OPTION_AS_SECONDS, \
        OPTION_MEMBER(of, member, OPTION_HAS(of, member, int64_t)), 0, 0, \
        NULL, NULL
#define OPTION_CHOICE(of, member, choices) \
    OPTION_AS_CHOICE, \
        OPTION_MEMBER(of, member, \
                      OPTION_HAS(of, member, bool) \
                          || OPTION_SIZE(of, member) == sizeof(int)), \
        0, 0, choices, NULL
#define OPTION_JOINED(of, member) OPTION_WORD(OPTION_AS_JOINED, of, member)
#define OPTION_LIST(of, member, most) \
    OPTION_WORDS(OPTION_AS_LIST, of, member, most)
#define OPTION_GLOBS(of, member, most) \
    OPTION_WORDS(OPTION_AS_GLOBS, of, member, most)
#define OPTION_CALL(read) OPTION_AS_CALL, 0, 0, 0, 0, NULL, read

/* Several arguments, as long as the process; a NULL at the end of the list, or
 * no list. */
struct option_words {
    int count;
    char **list;
};

enum {
    OPTION_CHILDREN = 5
};

/* A verb, or options that several verbs share. */
struct option_set {
    const struct option_row
        *options;                 /* a row without a name or flag ends them */
    const char *arguments, *help; /* of --help; only of a verb */
    /* The message if there is no argument; NULL: there may be none. */
    const char *missing;
    /* For a verb of one argument: what is said of a second one, and the const
     * char * to which the first goes. */
    const char *surplus;
    size_t word;
    /* For a verb of several: where its struct option_words is. */
    bool several;
    size_t words;
    /* Instead of both: reads each argument, which has no name. */
    option_read *read;
    /* After all are read: check what depends on several. */
    void (*check)(void *target, struct argp_state *state);
    struct option_child {
        const struct option_set *set;
        size_t at; /* where its target is in this one's */
    } children[OPTION_CHILDREN];
};

/* Read a command line into the target; ends the program if it is wrong, or
 * asks for --help. */
void option_parse(const struct option_set *set, int argc, char **argv,
                  void *target);

/* The program as it was started, argv[0] of main: "assay" or a path. */
extern const char *option_program;

/* The command as it was started, so that what is printed can be entered again:
 * the program, the verb, and the arguments from argv[1] on, quoted where the
 * shell needs it. */
const char *option_line(struct arena *a, const char *verb, int argc,
                        char **argv);
/* The number that text is, from low to high; else argp_error() about option
 * --name, which ends the program. */
int64_t option_number(struct argp_state *state, const char *name,
                      const char *text, int64_t low, int64_t high);
/* A glob, within the limits of interp/base/glob.h; else argp_error() about
 * option --name. */
const char *option_glob(struct argp_state *state, const char *name,
                        const char *text);
/* Seconds, also parts of them, from 0.001 to a million; in milliseconds. */
int64_t option_seconds(struct argp_state *state, const char *name,
                       const char *text);

/* No fast path from now on; any target. */
option_read option_slow;

#endif
