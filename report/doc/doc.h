/* doc.h - the pages: operations, policies, profiles, documents.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Their content comes from the tables of spec/, the case files and results
 * databases; there is no other text.
 */
#ifndef REPORT_DOC_DOC_H
#define REPORT_DOC_DOC_H

#include "interp/specification/profile.h"
#include "interp/specification/spec.h"
#include "report/doc/page.h"
#include "report/report.h"

struct doc {
    struct arena *arena; /* of the pages */
    const char *cases;   /* folder of the suite, for examples; NULL: none */
    int report_count;    /* runs of backends, to say what they do */
    struct report *reports;
    const struct json *figures, *atlas; /* the findings; NULL: not loaded */
};

/* Make the page of that name: an operation, "policies", "profile NAME" as two
 * words or "profile-NAME", a document of spec/ ("verdicts"), or "" for the list
 * of operations.  Fails with INPUT and the nearest name. */
bool doc_page(const struct doc *d, const char *name, struct page **p,
              struct status *st);
/* Write all pages, style and search into a folder, which is created if missing;
 * *pages is how many.  Fails with SYSTEM. */
bool doc_site(const struct doc *d, const char *folder, int *pages,
              struct status *st);

bool doc_op(const struct doc *d, const struct spec_op *op, struct page **p,
            struct status *st);
/* The start page: what this is, the operations by group, and the other pages.
 */
bool doc_index(const struct doc *d, struct page **p, struct status *st);
bool doc_policies(const struct doc *d, struct page **p, struct status *st);
bool doc_profile(const struct doc *d, const char *name, struct page **p,
                 struct status *st);
/* A document by its page's name ("abi", "assay", "findings-numpy"); NULL if
 * there is none. */
struct page *doc_text(const struct doc *d, const char *name);
/* The i-th document's name; NULL after the last. */
const char *doc_text_name(struct arena *a, int i);

/* ---- Parts --------------------------------------------------------------- */

/* Where a rule comes from: the document, by its name, and the section. */
void doc_sources_add(struct page *p, const char *source);
/* The public pages of all that an operation's page cites; NULL: of all. */
void doc_sources(struct page *p, const struct spec_op *op);
/* A policy's text, source, choices, and what each profile makes of it. */
bool doc_policies_one(struct page *p, const char *name, int level,
                      struct status *st);
/* The choice that a profile makes for the policy of that name. */
const char *doc_policies_choice(const struct profile *p, const char *policy);
/* Some small cases of an operation, as headings and code. */
bool doc_example(const struct doc *d, struct page *p, const struct spec_op *op,
                 struct status *st);
/* Findings about the operation on known backends. */
bool doc_known_load(struct doc *d, struct status *st);
bool doc_known(const struct doc *d, struct page *p, const struct spec_op *op,
               struct status *st);
/* Results of the backends in the databases. */
bool doc_backend(const struct doc *d, struct page *p, const struct spec_op *op,
                 struct status *st);

#endif
