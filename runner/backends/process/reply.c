/* reply.c - the members of a reply.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A reply that is a frame with invalid contents is the backend's error, and the
 * next call may go well: the case is refused with what is wrong with it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

static const struct {
    const char *name;
    assay_code code;
} codes[] = {
#define STATUS(code, name, meaning)
#define STATUS_CLASS(code, name, meaning) {name, ASSAY_##code},
#include "interp/base/status.def"
    {"failed", ASSAY_FAILED},
    {"rejected", ASSAY_REJECTED},
};

static int by_name(const void *a, const void *b)
{
    const cJSON *const *x = a, *const *y = b;
    return strcmp((*x)->string, (*y)->string);
}

/* Which of two values would count?  So a name is not given twice, in any
 * object. */
static assay_code check_names(const cJSON *node, assay_error *error)
{
    const cJSON *m;
    size_t count = 0;
    assay_code code = ASSAY_OK;
    cJSON_ArrayForEach(m, node)
    {
        count++;
        code = check_names(m, error);
        if (code)
            return code;
    }
    if (!cJSON_IsObject(node) || count < 2)
        return ASSAY_OK;
    const cJSON **all = malloc(count * sizeof *all);
    if (!all)
        return process_say(error, ASSAY_FAILED, "not enough memory");
    count = 0;
    cJSON_ArrayForEach(m, node) all[count++] = m;
    qsort(all, count, sizeof *all, by_name);
    for (size_t i = 1; i < count && !code; i++)
        if (by_name(&all[i - 1], &all[i]) == 0)
            code = process_say(error, ASSAY_FAILED,
                               "the reply's header has the member '%.40s' "
                               "twice",
                               all[i]->string);
    free(all);
    return code;
}

static assay_code check_body(uint64_t body, assay_error *error)
{
    if (body == 0)
        return ASSAY_OK;
    return process_say(
        error, ASSAY_FAILED,
        "the reply's body has %" PRIu64 " bytes, its header describes 0", body);
}

assay_code process_empty(const cJSON *reply, uint64_t body, assay_error *error)
{
    assay_code code = process_error(reply, body, error);
    return code ? code : check_body(body, error);
}

assay_code process_error(const cJSON *reply, uint64_t body, assay_error *error)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(reply, "error");
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(reply, "text");
    assay_code code = check_names(reply, error);
    if (!code && node)
        code = check_body(body, error);
    if (code || !node)
        return code;
    for (size_t i = 0;
         cJSON_IsString(node) && i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(node->valuestring, codes[i].name) == 0)
            return process_say(error, codes[i].code, "%s",
                               cJSON_IsString(text) ? text->valuestring
                                                    : "no reason given");
    return process_say(
        error, ASSAY_FAILED,
        "the reply's error is '%.40s', which is not an error class",
        cJSON_IsString(node) ? node->valuestring : "?");
}

/* The bytes of an element; 0: no such type. */
static uint64_t element_bytes(const char *dtype)
{
    static const struct {
        const char *name;
        int bits;
    } types[] = {
#define DTYPE(name, class, bits, precision, emin, emax, bias, special, unit, \
              mlir, pjrt) \
    {#name, bits},
#include "interp/base/dtype.def"
#undef DTYPE
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, dtype) == 0)
            return types[i].bits <= 8 ? 1 : (uint64_t)types[i].bits / 8;
    return 0;
}

static int read_size(const cJSON *node, int64_t *size)
{
    double most = 9007199254740992.0; /* 2^53 */
    if (!cJSON_IsNumber(node) || !(node->valuedouble >= 0)
        || node->valuedouble > most)
        return 0;
    *size = (int64_t)node->valuedouble;
    return (double)*size == node->valuedouble;
}

/* A list of sizes, of which there are *rank unless that is -1. */
static int read_sizes(const cJSON *list, int64_t *sizes, int32_t *rank)
{
    int32_t n = 0;
    const cJSON *node;
    if (!cJSON_IsArray(list))
        return 0;
    cJSON_ArrayForEach(node, list)
    {
        if (n == 64 || !read_size(node, &sizes[n++]))
            return 0;
    }
    if (*rank >= 0 && n != *rank)
        return 0;
    *rank = n;
    return 1;
}

assay_code process_array(const cJSON *node, const char *list, int number,
                         struct process_array *to, assay_error *error)
{
    const cJSON *dtype = cJSON_GetObjectItemCaseSensitive(node, "dtype");
    const cJSON *dims = cJSON_GetObjectItemCaseSensitive(node, "dims");
    const cJSON *sizes = cJSON_GetObjectItemCaseSensitive(node, "sizes");
    const cJSON *replica = cJSON_GetObjectItemCaseSensitive(node, "replica");
    int64_t row = 0;
    memset(to, 0, sizeof *to);
    to->rank = -1;
    if (!cJSON_IsString(dtype)
        || strlen(dtype->valuestring) >= sizeof to->dtype)
        return process_say(error, ASSAY_FAILED,
                           "the reply's %s[%d].dtype is not an element type",
                           list, number);
    memcpy(to->dtype, dtype->valuestring, strlen(dtype->valuestring));
    if (replica && (!read_size(replica, &row) || row > INT32_MAX))
        return process_say(error, ASSAY_FAILED,
                           "the reply's %s[%d].replica is not a number", list,
                           number);
    to->replica = (int32_t)row;
    if (strcmp(to->dtype, "token") == 0) {
        to->rank = 0;
        return ASSAY_OK;
    }
    to->bytes = element_bytes(to->dtype);
    if (to->bytes == 0)
        return process_say(error, ASSAY_FAILED,
                           "the reply's %s[%d].dtype is '%s', not an element "
                           "type such as f32",
                           list, number, to->dtype);
    if (!read_sizes(dims, to->dims, &to->rank)
        || (sizes && !read_sizes(sizes, to->sizes, &to->rank)))
        return process_say(error, ASSAY_FAILED,
                           "the reply's %s[%d].%s is not a list of sizes", list,
                           number, to->rank < 0 ? "dims" : "sizes");
    if (!sizes)
        memcpy(to->sizes, to->dims, sizeof to->sizes);
    for (int32_t i = 0; i < to->rank; i++) {
        if (to->dims[i] > 0
            && to->bytes > PROCESS_BODY_MAX / (uint64_t)to->dims[i])
            return process_say(error, ASSAY_FAILED,
                               "the reply's %s[%d] has more than %d bytes",
                               list, number, PROCESS_BODY_MAX);
        to->bytes *= (uint64_t)to->dims[i];
    }
    return ASSAY_OK;
}
