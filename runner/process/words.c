/* words.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interp/base/text.h"
#include "runner/process/child.h"

enum {
    EACH = (WORDS_SHOWN - 3) / 2 /* of two lines that share the text */
};

/* How libraries begin or word their last message: Abseil and glog, assert(),
 * the C++ and Rust runtimes, LLVM, glibc's checks of its heap and of the stack,
 * the sanitizers. */
static const char *const fatal_marks[] = {
    "Check fail", "CHECK fail",     "Assertion ",      "terminate called",
    "what():",    "panicked at",    "LLVM ERROR",      "FATAL",
    "atal error", "runtime error:", "ERROR: ",         "free():",
    "malloc",     "corrupt",        "fastbin",         "smashing detected",
    "CUDA_ERROR", "out of memory",  "RESOURCE_EXHAUST"};

/* "F0612 13:45:01.123456 4711 literal.cc:99] Check failed: ...": what precedes
 * the file differs from run to run.  The length of that, or 0. */
static size_t stamp(const char *line)
{
    if (line[0] != 'F' || strspn(line + 1, "0123456789") < 4)
        return 0;
    size_t n = 1 + strspn(line + 1, "0123456789");
    size_t all = n + strspn(line + n, "0123456789:. \t");
    return line[n] == ' ' && strchr(line + all, ']') ? all : 0;
}

static bool is_fatal(const char *line)
{
    if (stamp(line) > 0)
        return true;
    /* "*** Check failure stack trace: ***" only announces it. */
    if (strstr(line, "stack trace"))
        return false;
    for (size_t i = 0; i < sizeof fatal_marks / sizeof fatal_marks[0]; i++)
        if (strstr(line, fatal_marks[i]))
            return true;
    return false;
}

static bool is_frame(const char *line)
{
    line += strspn(line, " \t");
    return *line == '@' || strncmp(line, "***", 3) == 0
           || strncmp(line, "PC: @", 5) == 0
           || (*line == '#' && isdigit((unsigned char)line[1]));
}

/* Append to the end of a text, of which the beginning goes. */
static void append(char *to, const char *line)
{
    char both[2 * WORDS_SHOWN + WORDS_LINE];
    size_t n = (size_t)snprintf(both, sizeof both, "%s%s%s", to,
                                *to ? " | " : "", line);
    size_t from = n > WORDS_SHOWN ? n - WORDS_SHOWN : 0;
    memcpy(to, both + from, n - from + 1);
}

static void end_line(struct words *w)
{
    int n = w->length;
    while (n > 0 && isspace((unsigned char)w->line[n - 1]))
        n--;
    w->line[n] = '\0';
    w->length = 0;
    const char *line = w->line + strspn(w->line, " \t");
    if (*line == '\0')
        return;
    if (is_fatal(line)) {
        char *to = w->first[0] ? w->last : w->first;
        snprintf(to, WORDS_LINE + 1, "%s", line + stamp(line));
    } else if (!is_frame(line)) {
        append(w->other, line);
    }
}

void words_add(struct words *w, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == WORDS_BEGIN)
            *w = (struct words){0};
        else if (bytes[i] == '\n')
            end_line(w);
        else if (w->length < WORDS_LINE)
            w->line[w->length++] = bytes[i] ? bytes[i] : '?';
    }
}

const char *words_text(struct words *w)
{
    end_line(w);
    bool two = w->last[0] && strcmp(w->first, w->last) != 0;
    bool cut = strlen(w->first) + 3 + strlen(w->last) > WORDS_SHOWN;
    const char *shown = w->first[0] ? w->first : w->other;
    int n = two && cut ? EACH : WORDS_SHOWN;
    int length = snprintf(w->text, sizeof w->text, "%.*s", n, shown);
    if (two)
        snprintf(w->text + length, sizeof w->text - (size_t)length, " | %.*s",
                 n, w->last);
    text_clean(w->text, sizeof w->text, w->text);
    return w->text;
}
