/* doc_site.c - all pages as a folder of files that needs no server.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A browser refuses to fetch a file for a page that is itself a file, so the
 * search index is a script that sets one variable.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/base/embed.h"
#include "report/doc/doc.h"
#include "report/format.h"
#include "report/whole_file.h"

struct site {
    const struct doc *doc;
    const char *folder;
    FILE *index; /* search-index.js */
    int pages, entries;
};

enum {
    SHOWN = 160 /* bytes of an entry's text, about */
};

static const struct {
    const char *page, *words;
} others[] = {
#define WORDS(page, words) {page, words},
#include "report/doc/words.def"
#undef WORDS
};

static bool open_file(const struct site *s, const char *name,
                      struct whole_file *w, struct status *st)
{
    const char *path = arena_printf(s->doc->arena, "%s/%s", s->folder, name);
    return whole_file_open(w, path, st);
}

/* Other names for it (words.def); target is a page's, "verdicts.html#time". */
static const char *other_words(struct arena *a, const char *target)
{
    const char *text = "";
    size_t n = strcspn(target, ".");
    const char *place = target + n + strcspn(target + n, "#");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t own = strcspn(others[i].page, "#");
        if (own == n && strncmp(others[i].page, target, n) == 0
            && strcmp(others[i].page + own, place) == 0)
            text = arena_printf(a, "%s %s", text, others[i].words);
    }
    return text;
}

/* The first words of a text. */
static const char *cut(struct arena *a, const char *text)
{
    size_t n = SHOWN;
    if (strlen(text) <= n)
        return text;
    while (text[n] && text[n] != ' ')
        n++;
    return text[n] ? arena_printf(a, "%.*s ...", (int)n, text) : text;
}

/* The beginning of text is shown; names, which rank before it, and the rest are
 * only searched. */
static void list_entry(struct site *s, const char *title, const char *target,
                       const char *text, const char *names)
{
    struct arena *a = s->doc->arena;
    const char *shown = cut(a, text);
    fputs(s->entries++ ? ",\n[" : "[", s->index);
    format_json(s->index, title);
    putc(',', s->index);
    format_json(s->index, target);
    putc(',', s->index);
    format_json(s->index, shown);
    putc(',', s->index);
    format_json(s->index,
                arena_printf(a, "%s%s", names, other_words(a, target)));
    putc(',', s->index);
    format_json(s->index, shown == text ? "" : text + strlen(shown) - 4);
    putc(']', s->index);
}

static const char *add_text(struct arena *a, const char *text,
                            const struct page_node *n)
{
    for (const struct page_span *x = n->spans; x; x = x->next)
        if (x->tone != PAGE_PICTURE)
            text = arena_printf(a, "%s%s", text, x->text);
    text = *text ? arena_printf(a, "%s ", text) : text;
    for (const struct page_node *c = n->child; c; c = c->next)
        text = add_text(a, text, c);
    return text;
}

/* The text after a heading, up to the next one that can be linked to. */
static const char *section_text(struct arena *a,
                                const struct page_node *heading)
{
    const char *text = "";
    for (const struct page_node *n = heading->next;
         n && !(n->kind == PAGE_HEADING && n->id); n = n->next)
        text = add_text(a, text, n);
    return text;
}

/* A rule's sentence: what follows its id, its kind and a colon. */
static const char *sentence(const struct page_node *item)
{
    for (const struct page_span *x = item->spans; x; x = x->next)
        if (x->tone == PAGE_PLAIN && strncmp(x->text, ": ", 2) == 0)
            return x->text + 2;
    return "";
}

static void list_rules(struct site *s, const struct page *p,
                       const struct page_node *list)
{
    for (const struct page_node *i = list->child; i; i = i->next)
        if (list->kind == PAGE_LIST && i->id)
            list_entry(
                s, i->id,
                arena_printf(s->doc->arena, "%s.html#%s", p->file, i->id),
                sentence(i), "");
}

/* A page, its headings and its rules are found by their own text, those of a
 * document by all that is below them. */
static void list_page(struct site *s, const struct page *p)
{
    struct arena *a = s->doc->arena;
    const struct spec_op *op = spec_op_find(p->file);
    const char *lead = op ? op->summary : section_text(a, p->nodes);
    list_entry(s, p->title, arena_printf(a, "%s.html", p->file),
               *p->summary ? p->summary : lead,
               op && op->stablehlo ? op->stablehlo : "");
    for (const struct page_node *n = p->nodes; n; n = n->next) {
        list_rules(s, p, n);
        if (n->kind != PAGE_HEADING || !n->id || !n->spans
            || strcmp(p->file, n->spans->text) == 0)
            continue;
        const char *target = arena_printf(a, "%s.html#%s", p->file, n->id);
        list_entry(s, arena_printf(a, "%s: %s", p->title, add_text(a, "", n)),
                   target, op ? "" : section_text(a, n), "");
    }
}

static bool write_page(struct site *s, struct page *p, struct status *st)
{
    struct whole_file w;
    TRY(open_file(s, arena_printf(s->doc->arena, "%s.html", p->file), &w, st));
    list_page(s, p);
    page_html(w.to, p, true);
    s->pages++;
    return whole_file_close(&w, true, st);
}

static bool write_pages(struct site *s, struct status *st)
{
    const struct doc *d = s->doc;
    const char *name;
    struct page *p;
    TRY(doc_index(d, &p, st));
    TRY(write_page(s, p, st));
    for (int i = 0; i < spec_op_count(); i++) {
        TRY(doc_op(d, spec_op_at(i), &p, st));
        TRY(write_page(s, p, st));
    }
    TRY(doc_policies(d, &p, st));
    TRY(write_page(s, p, st));
    for (const char *const *n = profile_names(d->arena); *n; n++) {
        TRY(doc_profile(d, *n, &p, st));
        TRY(write_page(s, p, st));
    }
    for (int i = 0; (name = doc_text_name(d->arena, i)); i++)
        if ((p = doc_text(d, name)))
            TRY(write_page(s, p, st));
    return true;
}

/* An embedded file, or two of them one after the other. */
static bool write_copy(struct site *s, const char *name, const char *first,
                       const char *second, struct status *st)
{
    struct whole_file w;
    const struct embed_file *x = embed_find(first);
    const struct embed_file *y = second ? embed_find(second) : NULL;
    TRY(open_file(s, name, &w, st));
    fputs(x ? x->text : "", w.to);
    fputs(y ? y->text : "", w.to);
    return whole_file_close(&w, true, st);
}

bool doc_site(const struct doc *d, const char *folder, int *pages,
              struct status *st)
{
    struct site s = {.doc = d, .folder = folder};
    struct whole_file index;
    TRY(spec_load(st));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return FAIL(st, INPUT, "%.200s: cannot be created: %s", folder,
                    strerror(errno));
    TRY(write_copy(&s, "style.css", "report/report.css", "report/doc/doc.css",
                   st));
    TRY(write_copy(&s, "search.js", "report/doc/search.js", NULL, st));
    TRY(open_file(&s, "search-index.js", &index, st));
    s.index = index.to;
    fputs("const searchIndex = [\n", s.index);
    bool good = write_pages(&s, st);
    fputs("\n];\n", s.index);
    *pages = s.pages;
    return whole_file_close(&index, good, st);
}
