/* glob.c - see glob.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A glob with lists is not tried by backtracking, which may take exponential
 * time.  It is read once; each part maps a set of places in the name, where
 * what precedes it may end, to the set of those where it may end itself.  What
 * a list that may repeat, or that is negated, does depends on where it begins:
 * its map is computed for all places at once, as one set for each.
 */
#include "interp/base/glob.h"

#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "interp/base/arena.h"

static bool is_list(const char *glob)
{
    return glob[0] != '\0' && glob[1] == '(' && strchr("@+!?*", glob[0]);
}

static bool is_special(const char *glob)
{
    return *glob == '*' || *glob == '?' || *glob == '[' || *glob == '\\'
           || is_list(glob);
}

size_t glob_plain(const char *glob)
{
    size_t n = 0;
    while (glob[n] && !is_special(glob + n))
        n++;
    return n;
}

/* ---- One character ------------------------------------------------------- */

/* The bracket that ends a set, given what follows the one that begins it; NULL
 * if there is none: then that one stands for itself. */
static const char *set_end(const char *p)
{
    p += *p == '!' || *p == '^';
    p += *p == ']';
    for (; *p != ']'; p++) {
        const char *class =
            p[0] == '[' && p[1] == ':' ? strstr(p + 2, ":]") : NULL;
        if (class)
            p = class + 1;
        else if (*p == '\\')
            p++;
        if (*p == '\0')
            return NULL;
    }
    return p;
}

/* Is c in the class whose name begins at *at, as in [:digit:]?  Goes on to what
 * follows it. */
static bool in_class(const char **at, unsigned char c)
{
    char name[16];
    const char *end = strstr(*at, ":]");
    size_t n = (size_t)(end - *at);
    wint_t wide = btowc(c);
    memset(name, 0, sizeof name);
    if (n < sizeof name)
        memcpy(name, *at, n);
    *at = end + 2;
    wctype_t class = wctype(name);
    return class && wide != WEOF && iswctype(wide, class);
}

static unsigned char set_character(const char **at)
{
    *at += **at == '\\';
    return (unsigned char)*(*at)++;
}

/* Is c in the set from p to its end? */
static bool in_set(const char *p, const char *end, unsigned char c)
{
    bool found = false, negated = *p == '!' || *p == '^';
    for (p += negated; p < end;) {
        if (p[0] == '[' && p[1] == ':' && strstr(p + 2, ":]")) {
            p += 2;
            found |= in_class(&p, c);
            continue;
        }
        unsigned char low = set_character(&p), high = low;
        if (p[0] == '-' && p + 1 < end) {
            p++;
            high = set_character(&p);
        }
        found |= low <= c && c <= high;
    }
    return found != negated;
}

/* A part of a glob that stands for one character.  end: after it; set: the end
 * of its set, if it is one. */
struct one {
    const char *start, *end, *set;
};

static struct one one_at(const char *glob)
{
    struct one one = {glob, glob + 1, NULL};
    if (*glob == '[')
        one.set = set_end(glob + 1);
    if (one.set)
        one.end = one.set + 1;
    else if (*glob == '\\' && glob[1])
        one.end++;
    return one;
}

static bool one_matches(const struct one *one, char c)
{
    if (one->set)
        return in_set(one->start + 1, one->set, (unsigned char)c);
    return *one->start == '?' || one->end[-1] == c;
}

/* ---- Without lists ------------------------------------------------------- */

/* The last star so far takes as little as possible: any other choice leaves
 * less to the rest. */
static bool match_simple(const char *glob, const char *name)
{
    const char *star = NULL, *from = NULL;
    while (*name) {
        struct one one = one_at(glob);
        if (*glob == '*') {
            star = ++glob;
            from = name;
        } else if (*glob && one_matches(&one, *name)) {
            glob = one.end;
            name++;
        } else if (star) {
            glob = star;
            name = ++from;
        } else {
            return false;
        }
    }
    return glob[strspn(glob, "*")] == '\0';
}

/* ---- With lists ---------------------------------------------------------- */

/* The parenthesis that ends a list, given what follows the one that begins it;
 * NULL if there is none: then it is no list. */
static const char *list_end(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '[' && !(p = set_end(p + 1)))
            return NULL;
        if (*p == '\\' && p[1])
            p++;
        else if (is_list(p))
            depth++, p++;
        else if (*p == ')' && depth-- == 0)
            return p;
    }
    return NULL;
}

/* The first choice of a list ends here: at a bar, or with the list. */
static const char *choice_end(const char *p, const char *end)
{
    for (; p < end && *p != '|'; p++) {
        if (*p == '[')
            p = set_end(p + 1);
        else if (*p == '\\')
            p++;
        else if (is_list(p))
            p = list_end(p + 2);
    }
    return p;
}

enum {
    WORD = 64,
    SETS_PER_LIST = 4, /* in numbers of places; and one set */
    FEW = 4096         /* words that need no memory of their own */
};

struct matching {
    const char *name;
    size_t places, words; /* of a set */
    uint64_t *free;       /* where the next sets go */
};

/* Sets of places, one after the other. */
struct sets {
    size_t count;
    uint64_t *bits;
};

static bool has(const uint64_t *set, size_t place)
{
    return set[place / WORD] >> place % WORD & 1;
}

static void set_bit(uint64_t *set, size_t place)
{
    set[place / WORD] |= UINT64_C(1) << place % WORD;
}

static void unite(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= from[i];
}

static struct sets take_sets(struct matching *m, size_t count)
{
    struct sets s = {count, m->free};
    m->free += count * m->words;
    memset(s.bits, 0, count * m->words * sizeof *s.bits);
    return s;
}

/* A star: all places from the first one on. */
static void pass_any(const struct matching *m, struct sets *s)
{
    for (size_t r = 0; r < s->count; r++) {
        uint64_t *set = s->bits + r * m->words;
        size_t first = 0;
        while (first < m->places && !has(set, first))
            first++;
        for (; first < m->places; first++)
            set_bit(set, first);
    }
}

static struct sets take_union(struct matching *m, const struct sets *s)
{
    struct sets all = take_sets(m, 1);
    for (size_t r = 0; r < s->count; r++)
        unite(all.bits, s->bits + r * m->words, m->words);
    return all;
}

/* One character: the places after those where it is.  False: there are none. */
static bool pass_one(struct matching *m, struct sets *s, const struct one *one)
{
    struct sets found = take_union(m, s);
    uint64_t any = 0;
    for (size_t i = 0; i < m->words; i++)
        for (uint64_t left = found.bits[i]; left; left &= left - 1) {
            size_t place = i * WORD + (size_t)__builtin_ctzll(left);
            if (place + 1 == m->places || !one_matches(one, m->name[place]))
                found.bits[i] ^= left & -left;
        }
    for (size_t r = 0; r < s->count; r++) {
        uint64_t *set = s->bits + r * m->words, carry = 0;
        for (size_t i = 0; i < m->words; i++) {
            uint64_t here = set[i] & found.bits[i];
            set[i] = here << 1 | carry;
            carry = here >> (WORD - 1);
            any |= set[i];
        }
    }
    m->free = found.bits;
    return any != 0;
}

static void pass(struct matching *m, const char *p, const char *end,
                 struct sets *s);

/* Add to "to" where the choices of a list lead to; work is overwritten. */
static void pass_choices(struct matching *m, const char *p, const char *end,
                         const struct sets *from, struct sets *work,
                         struct sets *to)
{
    size_t words = from->count * m->words;
    for (;; p++) {
        const char *next = choice_end(p, end);
        memcpy(work->bits, from->bits, words * sizeof *work->bits);
        pass(m, p, next, work);
        unite(to->bits, work->bits, words);
        p = next;
        if (p == end)
            break;
    }
}

/* A map of places, repeated: each leads on only, so the last ones are done
 * first. */
static void repeat(const struct matching *m, struct sets *map, bool none)
{
    for (size_t from = m->places; from-- > 0;) {
        uint64_t *set = map->bits + from * m->words;
        for (size_t to = from + 1; to < m->places; to++)
            if (has(set, to))
                unite(set, map->bits + to * m->words, m->words);
        if (none)
            set_bit(set, from);
    }
}

/* Only of these places. */
static void negate(const struct matching *m, const uint64_t *of,
                   struct sets *map)
{
    for (size_t from = 0; from < m->places; from++) {
        uint64_t *set = map->bits + from * m->words;
        for (size_t to = from; has(of, from) && to < m->places; to++)
            set[to / WORD] ^= UINT64_C(1) << to % WORD;
    }
}

/* A list whose map is needed: one that repeats, or is negated.  The first may
 * go on from any place. */
static void pass_map(struct matching *m, char kind, const char *p,
                     const char *end, const struct sets *s, struct sets *to)
{
    struct sets of = take_union(m, s), from = take_sets(m, m->places);
    struct sets work = take_sets(m, m->places), map = take_sets(m, m->places);
    for (size_t i = 0; i < m->places; i++)
        if (kind != '!' || has(of.bits, i))
            set_bit(from.bits + i * m->words, i);
    pass_choices(m, p, end, &from, &work, &map);
    if (kind == '!')
        negate(m, of.bits, &map);
    else
        repeat(m, &map, kind == '*');
    for (size_t r = 0; r < s->count; r++)
        for (size_t i = 0; i < m->places; i++)
            if (has(s->bits + r * m->words, i))
                unite(to->bits + r * m->words, map.bits + i * m->words,
                      m->words);
}

static void pass_list(struct matching *m, char kind, const char *p,
                      const char *end, struct sets *s)
{
    struct sets to = take_sets(m, s->count);
    size_t words = s->count * m->words;
    if (kind == '?')
        unite(to.bits, s->bits, words);
    if (kind == '?' || kind == '@') {
        struct sets work = take_sets(m, s->count);
        pass_choices(m, p, end, s, &work, &to);
    } else {
        pass_map(m, kind, p, end, s, &to);
    }
    memcpy(s->bits, to.bits, words * sizeof *s->bits);
    m->free = to.bits;
}

static void pass(struct matching *m, const char *p, const char *end,
                 struct sets *s)
{
    while (p < end) {
        const char *close = is_list(p) ? list_end(p + 2) : NULL;
        struct one one = one_at(p);
        if (close)
            pass_list(m, *p, p + 2, close, s);
        else if (*p == '*')
            pass_any(m, s);
        else if (!pass_one(m, s, &one))
            return;
        p = close ? close + 1 : *p == '*' ? p + 1 : one.end;
    }
}

static bool match_lists(const char *glob, const char *name, size_t length,
                        size_t lists)
{
    uint64_t few[FEW];
    struct arena own = ARENA_INIT;
    struct matching m = {.name = name, .places = length + 1};
    m.words = length / WORD + 1;
    size_t depth = lists < GLOB_DEPTH ? lists : GLOB_DEPTH;
    size_t room = (depth * (SETS_PER_LIST * m.places + 1) + 2) * m.words;
    m.free = room <= FEW ? few : arena_new(&own, uint64_t, room);
    struct sets s = take_sets(&m, 1);
    set_bit(s.bits, 0);
    pass(&m, glob, glob + strlen(glob), &s);
    bool found = has(s.bits, length);
    arena_free(&own);
    return found;
}

/* ---- All ----------------------------------------------------------------- */

/* Lists that do not end count, too: no list lies in more of them. */
bool glob_allowed(const char *glob)
{
    int depth = 0;
    const char *p = glob + glob_plain(glob);
    if (*p == '\0')
        return true;
    for (; *p && p - glob < GLOB_BYTES && depth <= GLOB_DEPTH; p++) {
        const char *set = *p == '[' ? set_end(p + 1) : NULL;
        if (set)
            p = set;
        else if (*p == '\\' && p[1])
            p++;
        else if (is_list(p))
            depth++;
        else if (*p == ')' && depth > 0)
            depth--;
    }
    return *p == '\0' && p - glob <= GLOB_BYTES && depth <= GLOB_DEPTH;
}

static size_t count_lists(const char *glob)
{
    size_t n = 0;
    for (; *glob; glob++)
        n += is_list(glob);
    return n;
}

bool glob_match(const char *glob, const char *name)
{
    /* Most names differ before the first special character. */
    for (; *glob && !is_special(glob); glob++, name++)
        if (*glob != *name)
            return false;
    if (strcmp(glob, name) == 0)
        return true;
    if (!*glob || !glob_allowed(glob))
        return false;
    size_t lists = count_lists(glob), length = strlen(name);
    if (lists == 0)
        return match_simple(glob, name);
    return length <= GLOB_NAME && match_lists(glob, name, length, lists);
}

bool glob_match_any(const char *const *globs, const char *name)
{
    bool found = !globs || !*globs;
    for (; !found && *globs; globs++)
        found = glob_match(*globs, name);
    return found;
}
