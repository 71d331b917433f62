/* number.c - see number.h.  Tests: test_data.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/data/number.h"

#include <ctype.h>
#include <mpfr.h>
#include <string.h>

#include "interp/exact/real.h"

enum {
    NUMBER_BITS = 128, /* of a truncated decimal; see real.h */
    NUMBER_DIGITS_MAX = 4096,
};

/* A sign, digits with at most one point, an exponent; or 0x and the same. */
static bool looks_numeric(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hex)
        text += 2;
    int digits = 0, points = 0;
    for (;; text++) {
        if (*text == '.')
            points++;
        else if (hex ? isxdigit((unsigned char)*text)
                     : isdigit((unsigned char)*text))
            digits++;
        else
            break;
    }
    if (digits == 0 || points > 1)
        return false;
    if (*text && strchr(hex ? "pP" : "eE", *text)) {
        text++;
        if (*text == '-' || *text == '+')
            text++;
        size_t n = strspn(text, "0123456789");
        if (n == 0)
            return false;
        text += n;
    }
    return *text == '\0';
}

static bool integer_bits(const struct real *y, enum dtype type, uint64_t *bits,
                         struct status *st)
{
    struct real whole;
    bool decided;
    if (real_to_int(y, type, bits)) {
        /* real_to_int truncates: was there a fraction? */
        whole = real_from_bits(type, *bits);
        if (!y->inexact && real_compare(&whole, y, &decided) == 0 && decided)
            return true;
        return FAIL(st, INPUT, "not an integer");
    }
    return FAIL(st, INPUT, "outside the range of %s", dtype_table[type].name);
}

bool number_read(const char *text, enum dtype type, uint64_t *bits, bool *exact,
                 struct status *st)
{
    if (strlen(text) > NUMBER_DIGITS_MAX)
        return FAIL(st, INPUT, "a number of more than %d characters",
                    NUMBER_DIGITS_MAX);
    if (!looks_numeric(text))
        return FAIL(st, INPUT, "'%.40s' is not a number", text);
    mpfr_t x;
    mpfr_init2(x, NUMBER_BITS);
    int ternary = mpfr_strtofr(x, text, NULL, 0, MPFR_RNDZ);
    struct real y = real_from_mpfr(x, ternary);
    mpfr_clear(x);

    *exact = true;
    switch (dtype_class(type)) {
    case DTYPE_FLOAT: {
        *bits = real_round(&y, type, REAL_OVERFLOW_TYPE);
        struct real back = real_from_bits(type, *bits);
        bool decided;
        *exact = !y.inexact && back.kind == y.kind
                 && real_compare(&back, &y, &decided) == 0 && decided
                 && (y.kind != REAL_ZERO || back.negative == y.negative);
        return true;
    }
    case DTYPE_PRED:
        if (y.kind == REAL_ZERO && !y.negative)
            *bits = 0;
        else if (strcmp(text, "1") == 0)
            *bits = 1;
        else
            return FAIL(st, INPUT, "expected true, false, 1 or 0");
        return true;
    case DTYPE_SINT:
    case DTYPE_UINT:
        return integer_bits(&y, type, bits, st);
    case DTYPE_COMPLEX:
        break;
    }
    return FAIL(st, INPUT, "expected a complex number [real, imaginary]");
}

/* Bits written in hexadecimal, at most as many as the unit type has. */
bool number_bits(const char *text, size_t length, enum dtype unit,
                 uint64_t *bits, struct status *st)
{
    uint64_t value = 0;
    if (length == 0 || length > 16)
        return FAIL(st, INPUT, "expected 1 to 16 hexadecimal digits");
    for (size_t i = 0; i < length; i++) {
        int c = tolower((unsigned char)text[i]);
        if (!isxdigit(c))
            return FAIL(st, INPUT, "'%c' is not a hexadecimal digit", text[i]);
        value = value << 4 | (uint64_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    if (value & ~dtype_mask(unit))
        return FAIL(st, INPUT, "more bits than %s has", dtype_table[unit].name);
    *bits = value;
    return true;
}

/* nan, -nan, snan, nan(0x7fc00001), inf, -inf.  False without a failure if
 * the text is none of them. */
static bool read_special(const char *text, enum dtype unit, uint64_t *bits,
                         bool *nan, struct status *st)
{
    bool negative = *text == '-';
    const char *name = text + negative;
    size_t n = strlen(name);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return false;
    if (strcmp(name, "inf") == 0) {
        if (!real_has_inf(unit))
            return FAIL(st, INPUT, "%s has no infinity",
                        dtype_table[unit].name);
        *bits = real_inf(unit, negative);
        return true;
    }
    if (strncmp(name, "nan", 3) != 0 && strcmp(name, "snan") != 0)
        return false;
    if (!real_has_nan(unit))
        return FAIL(st, INPUT, "%s has no NaN", dtype_table[unit].name);
    *bits = real_nan(unit, negative);
    if (strcmp(name, "nan") == 0) {
        *nan = !negative;
        return true;
    }
    if (strcmp(name, "snan") == 0) {
        /* The quiet bit cleared, and the lowest bit set so that it is not
         * infinity. */
        uint64_t quiet = UINT64_C(1) << (dtype_table[unit].precision - 2);
        *bits = (*bits & ~quiet) | 1;
        if (!real_is_signalling(unit, *bits))
            return FAIL(st, INPUT, "%s has no signalling NaN",
                        dtype_table[unit].name);
        return true;
    }
    if (negative || strncmp(name, "nan(0x", 6) != 0 || name[n - 1] != ')')
        return FAIL(st, INPUT, "'%.40s' is not a number", text);
    TRY(number_bits(name + 6, n - 7, unit, bits, st));
    if (!real_is_nan(unit, *bits))
        return FAIL(st, INPUT, "%s is not a NaN of %s", text,
                    dtype_table[unit].name);
    return true;
}

/* One unit from a number, true, false or a string. */
static bool read_unit(struct arena *a, const struct json *node, enum dtype unit,
                      uint64_t *bits, bool *nan, struct status *st)
{
    struct status inner = {STATUS_OK};
    bool exact = true;
    *nan = false;
    if (node->kind == JSON_BOOL) {
        if (dtype_class(unit) != DTYPE_PRED)
            return json_fail(a, node, st,
                             "true and false are valid for pred only");
        *bits = node->boolean;
        return true;
    }
    if (node->kind == JSON_STRING) {
        if (read_special(node->text, unit, bits, nan, &inner))
            return true;
        if (inner.code == STATUS_OK
            && (strncmp(node->text, "bits:", 5) == 0
                    ? number_bits(node->text + 5, node->length - 5, unit, bits,
                                  &inner)
                    : number_read(node->text, unit, bits, &exact, &inner)))
            return true;
        return json_fail(a, node, st, "%s", inner.text);
    }
    if (node->kind != JSON_NUMBER)
        return json_fail(a, node, st, "expected one %s element",
                         dtype_table[unit].name);
    if (!number_read(node->text, unit, bits, &exact, &inner))
        return json_fail(a, node, st, "%.40s: %s", node->text, inner.text);
    if (!exact)
        return json_fail(a, node, st,
                         "%.40s is not exactly a value of %s; write it as a "
                         "string, which is rounded once",
                         node->text, dtype_table[unit].name);
    return true;
}

bool number_element(struct arena *a, const struct json *node, enum dtype type,
                    uint64_t bits[2], bool *nan, struct status *st)
{
    if (dtype_class(type) != DTYPE_COMPLEX)
        return read_unit(a, node, type, bits, nan, st);
    if (node->kind != JSON_ARRAY || node->count != 2)
        return json_fail(a, node, st,
                         "expected a complex element [real, imaginary]");
    bool second;
    TRY(read_unit(a, json_at(node, 0), dtype_unit(type), &bits[0], nan, st));
    TRY(read_unit(a, json_at(node, 1), dtype_unit(type), &bits[1], &second,
                  st));
    *nan = *nan || second;
    return true;
}
