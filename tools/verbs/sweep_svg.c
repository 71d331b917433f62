/* sweep_svg.c - see sweep_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "interp/data/show.h"
#include "interp/exact/real.h"
#include "tools/verbs/sweep_options.h"

enum {
    WIDTH = 960,
    HEIGHT = 440,
    LEFT = 80,
    RIGHT = 20,
    TOP = 40,
    BOTTOM = 60,
    X_TICKS = 8,
};

struct picture {
    FILE *f;
    const struct sweep *s;
    int64_t low, high; /* keys */
    int top;           /* the axis ends at 10^top ulps; it begins at 10^-2 */
};

enum {
    DECADE_FIRST = -2
};

static double x_of(const struct picture *p, int64_t key)
{
    double span = (double)p->high - (double)p->low;
    double at = span > 0 ? ((double)key - (double)p->low) / span : 0.5;
    return LEFT + at * (WIDTH - LEFT - RIGHT);
}

/* log10 of millionths of an ulp, less 6; linear inside a decade's tenth is
 * good enough for a point of two pixels. */
static double decades(int64_t error)
{
    uint64_t e = (uint64_t)llabs(error);
    double d = -6;
    double m = (double)e;
    if (e == 0)
        return DECADE_FIRST;
    for (; m >= 10; d++)
        m /= 10;
    static const double logs[] = {0,     0,     0.301, 0.477, 0.602, 0.699,
                                  0.778, 0.845, 0.903, 0.954, 1};
    int i = (int)m;
    d += logs[i] + (m - i) * (logs[i + 1] - logs[i]);
    return d < DECADE_FIRST ? DECADE_FIRST : d;
}

static double y_of(const struct picture *p, double decade)
{
    return HEIGHT - BOTTOM
           - (decade - DECADE_FIRST) / (p->top - DECADE_FIRST)
                 * (HEIGHT - TOP - BOTTOM);
}

static bool plottable(const struct sweep *s, const struct sweep_part *part)
{
    enum dtype t = s->options->type;
    return part->done && part->has_error
           && !(dtype_class(t) == DTYPE_FLOAT
                && real_is_nan(t, part->worst_input));
}

static void find_range(struct picture *p)
{
    const struct sweep *s = p->s;
    bool any = false;
    p->top = 1;
    for (int64_t i = 0; i < s->part_count; i++) {
        if (!plottable(s, &s->parts[i]))
            continue;
        int64_t key = real_key(s->options->type, s->parts[i].worst_input);
        p->low = any && p->low < key ? p->low : key;
        p->high = any && p->high > key ? p->high : key;
        any = true;
        while (p->top < 18 && decades(s->parts[i].error) > p->top)
            p->top++;
    }
}

static void axes(const struct picture *p)
{
    struct arena a = ARENA_INIT;
    const struct sweep *s = p->s;
    enum dtype t = s->options->type;
    for (int d = DECADE_FIRST; d <= p->top; d++) {
        double y = y_of(p, d);
        fprintf(p->f,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                "stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">1e%d</text>\n",
                LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, d);
    }
    uint64_t span = (uint64_t)p->high - (uint64_t)p->low;
    for (int i = 0; i <= X_TICKS; i++) {
        int64_t key =
            (int64_t)((uint64_t)p->low + span / X_TICKS * (uint64_t)i);
        double x = x_of(p, key);
        char text[24];
        snprintf(text, sizeof text, "%s",
                 show_decimal(&a, t, real_from_key(t, key)));
        fprintf(p->f,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
                "stroke=\"#eee\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">%s</text>\n",
                x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, text);
    }
    fprintf(p->f,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">input (%s, in the "
            "order of its bit patterns)</text>\n<text transform=\"translate(18 "
            "%d) rotate(-90)\" text-anchor=\"middle\">error in ulps, log scale"
            "</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, dtype_table[t].name,
            (TOP + HEIGHT - BOTTOM) / 2);
    arena_free(&a);
}

static void points(const struct picture *p)
{
    const struct sweep *s = p->s;
    for (int64_t i = 0; i < s->part_count; i++) {
        const struct sweep_part *part = &s->parts[i];
        if (!plottable(s, part))
            continue;
        fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\"%s/>\n",
                x_of(p, real_key(s->options->type, part->worst_input)),
                y_of(p, decades(part->error)),
                part->bad > 0 ? " fill=\"#c00\"" : "");
    }
}

void sweep_svg(FILE *f, const struct sweep *s)
{
    struct picture p = {.f = f, .s = s};
    find_range(&p);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"11\" fill=\"#024\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"20\" font-size=\"14\">%s %s on %s, %s: the "
            "worst error of each part (red: outside its set)</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, s->options->op,
            dtype_table[s->options->type].name, s->backend, s->variant);
    axes(&p);
    points(&p);
    fputs("</svg>\n", f);
}
