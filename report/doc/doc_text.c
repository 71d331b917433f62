/* doc_text.c - the documents, from Markdown: those of spec/, the READMEs and
 * the findings.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads what the documents use: headings, paragraphs, lists, tables, indented
 * and fenced code, code spans, links and strong text; a comment is left out.  A
 * link to another document leads to its page; one to any other file is plain
 * text, because a site has only the documents.
 */
#include <ctype.h>
#include <string.h>

#include "interp/base/embed.h"
#include "report/doc/doc.h"

/* A document's page is called as its file is, a README as its folder; the first
 * one of the folder that all are in has no folder. */
static const char *page_name(struct arena *a, const char *path)
{
    static const char *const own[][2] = {{"README.md", "assay"},
                                         {"spec/README.md", "README"}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(path, own[i][0]) == 0)
            return own[i][1];
    const char *file = strrchr(path, '/') + 1;
    const char *folder = file - 1;
    while (folder > path && folder[-1] != '/')
        folder--;
    int in = (int)(file - folder) - 1, n = (int)strlen(file) - 3;
    if (strcmp(file, "README.md") == 0)
        return arena_printf(a, "%.*s", in, folder);
    return strncmp(path, "spec/", 5) == 0
               ? arena_printf(a, "%.*s", n, file)
               : arena_printf(a, "%.*s-%.*s", in, folder, n, file);
}

static bool is_document(const struct embed_file *f)
{
    size_t n = strlen(f->path);
    return n > 3 && strcmp(f->path + n - 3, ".md") == 0;
}

const char *doc_text_name(struct arena *a, int i)
{
    for (const struct embed_file *f = embed_files; f->path; f++)
        if (is_document(f) && i-- == 0)
            return page_name(a, f->path);
    return NULL;
}

static const struct embed_file *find_document(struct arena *a, const char *page)
{
    for (const struct embed_file *f = embed_files; f->path; f++)
        if (is_document(f) && strcmp(page_name(a, f->path), page) == 0)
            return f;
    return NULL;
}

/* ---- Spans ---- */

static char *copy_text(struct arena *a, const char *from, const char *to)
{
    return arena_printf(a, "%.*s", (int)(to - from), from);
}

/* A path that a document names, from the folder that all are in. */
static const char *resolve(struct arena *a, const char *document,
                           const char *target)
{
    char *path = arena_printf(a, "%s", document);
    char *end = strrchr(path, '/');
    for (*(end ? end : path) = '\0'; strncmp(target, "../", 3) == 0;
         target += 3) {
        end = strrchr(path, '/');
        *(end ? end : path) = '\0';
    }
    return arena_printf(a, "%s%s%s", path, *path ? "/" : "", target);
}

/* "abi.md#x" to "abi.html#x"; NULL if the site has no such page. */
static const char *page_target(const struct page *p, const char *target)
{
    struct arena *a = p->arena;
    if (page_is_address(target))
        return target;
    size_t n = strcspn(target, "#");
    const struct embed_file *own = find_document(a, p->file);
    const char *path = own ? own->path : "";
    if (n > 0)
        path = resolve(a, path, arena_printf(a, "%.*s", (int)n, target));
    const struct embed_file *f = embed_find(path);
    return f && is_document(f)
               ? arena_printf(a, "%s.html%s", page_name(a, f->path), target + n)
               : NULL;
}

/* [TEXT](TARGET) at text: its end, or NULL if it is something else. */
static const char *add_link(struct page *p, const char *text)
{
    const char *close = strstr(text, "](");
    const char *end = close ? strchr(close, ')') : NULL;
    if (!end || memchr(text + 1, '[', (size_t)(close - text - 1)))
        return NULL;
    char *shown = copy_text(p->arena, text + 1, close);
    const char *target = page_target(p, copy_text(p->arena, close + 2, end));
    size_t n = strlen(shown);
    bool code = n > 1 && shown[0] == '`' && shown[n - 1] == '`';
    if (code) {
        shown[n - 1] = '\0';
        shown++;
    }
    if (target)
        page_link(p, target, shown);
    else
        page_say(p, code ? PAGE_LITERAL : PAGE_PLAIN, "%s", shown);
    return end + 1;
}

/* A code span at text, which begins with a backtick. */
static const char *add_code(struct page *p, const char *text)
{
    size_t fence = strspn(text, "`");
    const char *mark = copy_text(p->arena, text, text + fence);
    const char *end = strstr(text + fence, mark);
    if (!end)
        return NULL;
    char *code = copy_text(p->arena, text + fence, end);
    /* A table's cell writes | as \|. */
    char *to = code;
    for (char *c = code; *c; c++)
        if (c[0] != '\\' || c[1] != '|')
            *to++ = *c;
    *to = '\0';
    page_say(p, PAGE_LITERAL, "%s", code);
    return end + fence;
}

/* **TEXT** or *TEXT*; a star before a blank is a product's. */
static const char *add_strong(struct page *p, const char *text)
{
    size_t n = strspn(text, "*");
    const char *mark = n == 1 ? "*" : "**";
    const char *end =
        n <= 2 && text[n] && text[n] != ' ' ? strstr(text + n, mark) : NULL;
    if (!end || end[-1] == ' ')
        return NULL;
    page_say(p, PAGE_STRONG, "%s", copy_text(p->arena, text + n, end));
    return end + n;
}

static void add_spans(struct page *p, const char *text)
{
    const char *plain = text;
    for (const char *c = text;; c++) {
        const char *end = NULL;
        if (*c && !strchr("`[*\\", *c))
            continue;
        if (c > plain)
            page_say(p, PAGE_PLAIN, "%.*s", (int)(c - plain), plain);
        plain = c;
        if (!*c)
            return;
        if (*c == '\\' && ispunct((unsigned char)c[1])) {
            plain = c + 1;
            c++;
            continue;
        }
        end = *c == '`'   ? add_code(p, c)
              : *c == '[' ? add_link(p, c)
                          : add_strong(p, c);
        if (end) {
            plain = end;
            c = end - 1;
        }
    }
}

/* ---- Blocks ---- */

struct reader {
    struct page *p;
    const char *next; /* the line after */
    const char *text; /* of a paragraph or item that is being read; or NULL */
    enum page_kind kind;
    bool listed, tabled;
};

static void end_block(struct reader *r)
{
    if (!r->text)
        return;
    page_open(r->p, r->kind);
    add_spans(r->p, r->text);
    r->text = NULL;
}

/* A heading's id, as GitHub makes it. */
static const char *heading_id(struct arena *a, const char *text)
{
    char *id = arena_text(a, text), *to = id;
    for (const char *c = text; *c; c++)
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_')
            *to++ = (char)tolower((unsigned char)*c);
        else if (*c == ' ')
            *to++ = '-';
    *to = '\0';
    return id;
}

static void read_heading(struct reader *r, const char *line)
{
    int level = (int)strspn(line, "#");
    const char *text = line + level + strspn(line + level, " ");
    if (level == 1)
        return; /* the page's title */
    struct page_node *n = page_open(r->p, PAGE_HEADING);
    n->level = level < 4 ? level : 4;
    n->id = heading_id(r->p->arena, text);
    add_spans(r->p, text);
}

static void read_row(struct reader *r, const char *line)
{
    if (!r->tabled)
        page_open(r->p, PAGE_TABLE);
    else if (strspn(line, "|-: ") == strlen(line))
        return;
    r->tabled = true;
    page_open(r->p, PAGE_ROW);
    for (const char *c = line + 1; *c;) {
        const char *end = c;
        while (*end && !(*end == '|' && end[-1] != '\\'))
            end++;
        const char *stop = end;
        while (*c == ' ')
            c++;
        while (stop > c && stop[-1] == ' ')
            stop--;
        page_open(r->p, PAGE_CELL);
        add_spans(r->p, copy_text(r->p->arena, c, stop));
        c = *end ? end + 1 : end;
        if (!c[strspn(c, " ")])
            break;
    }
}

static const char *take_line(struct reader *r)
{
    const char *line = r->next;
    size_t n = strcspn(line, "\n");
    r->next = line + n + (line[n] == '\n');
    return copy_text(r->p->arena, line, line + n);
}

/* Indented lines, and blank ones between them; or what a fence encloses. */
static void read_code(struct reader *r, const char *line)
{
    struct arena *a = r->p->arena;
    bool fenced = strncmp(line, "```", 3) == 0;
    const char *text = fenced ? "" : arena_printf(a, "%s\n", line + 4);
    while (*r->next) {
        const char *before = r->next, *next = take_line(r);
        if (fenced && strncmp(next, "```", 3) == 0)
            break;
        bool blank = !*next && strncmp(r->next, "    ", 4) == 0;
        if (!fenced && strncmp(next, "    ", 4) != 0 && !blank) {
            r->next = before;
            break;
        }
        text =
            arena_printf(a, "%s%s\n", text, fenced || blank ? next : next + 4);
    }
    page_open(r->p, PAGE_CODE);
    page_say(r->p, PAGE_PLAIN, "%s", text);
}

/* The text behind "- " or "1. "; NULL if the line begins no item. */
static const char *item_text(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    if (digits && strncmp(line + digits, ". ", 2) == 0)
        return line + digits + 2;
    return (*line == '-' || *line == '*') && line[1] == ' ' ? line + 2 : NULL;
}

static void read_line(struct reader *r, const char *line)
{
    struct arena *a = r->p->arena;
    const char *item = item_text(line);
    if (strncmp(line, "<!--", 4)
        == 0) /* a mark for tools/makers/make-findings */
        line = "";
    bool code = strncmp(line, "```", 3) == 0
                || (!r->text && !r->listed && strncmp(line, "    ", 4) == 0);
    if (!*line || *line == '#' || *line == '|' || item || code)
        end_block(r);
    if (*line != '|')
        r->tabled = false;
    if (*line && !item && !r->text)
        r->listed = false;
    if (item) {
        if (!r->listed)
            page_open(r->p, PAGE_LIST);
        r->listed = true;
        r->kind = PAGE_ITEM;
        r->text = item;
    } else if (*line == '#') {
        read_heading(r, line);
    } else if (*line == '|') {
        read_row(r, line);
    } else if (code) {
        read_code(r, line);
    } else if (*line && r->text) {
        r->text = arena_printf(a, "%s %s", r->text, line + strspn(line, " "));
    } else if (*line) {
        r->kind = PAGE_PARAGRAPH;
        r->text = line;
    }
}

struct page *doc_text(const struct doc *d, const char *name)
{
    struct arena *a = d->arena;
    const struct embed_file *f = find_document(a, name);
    if (!f || strncmp(f->text, "# ", 2) != 0)
        return NULL;
    const char *end = f->text + strcspn(f->text, "\n");
    struct page *p =
        page_new(a, arena_text(a, name), copy_text(a, f->text + 2, end), "");
    struct reader r = {.p = p, .next = f->text};
    while (*r.next)
        read_line(&r, take_line(&r));
    end_block(&r);
    return p;
}
