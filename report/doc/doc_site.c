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
    bool listed; /* something is in it */
};

static bool open_file(const struct site *s, const char *name,
                      struct whole_file *w, struct status *st)
{
    const char *path = arena_printf(s->doc->arena, "%s/%s", s->folder, name);
    return whole_file_open(w, path, st);
}

static void list_entry(struct site *s, const char *title, const char *target,
                       const char *text)
{
    fputs(s->listed ? ",\n[" : "[", s->index);
    s->listed = true;
    format_json(s->index, title);
    putc(',', s->index);
    format_json(s->index, target);
    putc(',', s->index);
    format_json(s->index, text);
    putc(']', s->index);
}

/* A page, its headings and its rules are found by their own text. */
static void list_page(struct site *s, const struct page *p)
{
    struct arena *a = s->doc->arena;
    list_entry(s, p->title, arena_printf(a, "%s.html", p->file), p->summary);
    for (const struct page_node *n = p->nodes; n; n = n->next) {
        const char *target;
        if (n->kind == PAGE_HEADING && n->id && n->spans
            && strcmp(p->file, n->spans->text) != 0) {
            target = arena_printf(a, "%s.html#%s", p->file, n->id);
            list_entry(s, arena_printf(a, "%s: %s", p->title, n->spans->text),
                       target, "");
        }
        for (const struct page_node *i = n->child; i; i = i->next) {
            if (n->kind != PAGE_LIST || !i->id)
                continue;
            target = arena_printf(a, "%s.html#%s", p->file, i->id);
            list_entry(s, i->id, target, i->spans->next->text + 2);
        }
    }
}

static bool write_page(struct site *s, struct page *p, struct status *st)
{
    struct whole_file w;
    TRY(open_file(s, arena_printf(s->doc->arena, "%s.html", p->file), &w, st));
    list_page(s, p);
    page_html(w.to, p, true);
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

bool doc_site(const struct doc *d, const char *folder, struct status *st)
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
    return whole_file_close(&index, good, st);
}
