/* whole_file.c - see whole_file.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_whole_file.c tests this.
 */
#include "report/whole_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void open_part(struct whole_file *w, const char *path)
{
    struct stat about;
    bool plain = stat(path, &about) != 0 || S_ISREG(about.st_mode);
    w->path = path;
    w->part[0] = '\0';
    w->to = NULL;
    errno = ENAMETOOLONG;
    if (plain
        && snprintf(w->part, sizeof w->part, "%s.part-%ld", path,
                    (long)getpid())
               >= (int)sizeof w->part)
        return;
    /* The folder may allow what the file does not. */
    if (plain && access(path, W_OK) != 0 && errno != ENOENT)
        return;
    w->to = fopen(plain ? w->part : path, "w");
}

static void drop(struct whole_file *w)
{
    if (w->part[0])
        unlink(w->part);
}

bool whole_file_check(const char *option, const char *path, struct status *st)
{
    struct whole_file w;
    open_part(&w, path);
    if (!w.to)
        return FAIL(st, INPUT, "%s: %.200s: %s", option, path, strerror(errno));
    fclose(w.to);
    drop(&w);
    return true;
}

bool whole_file_open(struct whole_file *w, const char *path, struct status *st)
{
    open_part(w, path);
    return w->to || FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
}

/* An earlier write failed, and errno has changed since: the next one to that
 * file, which is dropped anyway, fails for the same reason. */
static int reason_again(const struct whole_file *w)
{
    errno = 0;
    return w->part[0] && write(fileno(w->to), "", 1) < 0 ? errno : 0;
}

bool whole_file_close(struct whole_file *w, bool good, struct status *st)
{
    errno = 0;
    bool written = fflush(w->to) == 0 && ferror(w->to) == 0;
    int why = errno;
    if (!written && why == 0)
        why = reason_again(w);
    if (fclose(w->to) != 0 && written) {
        written = false;
        why = errno;
    }
    if (good && written && w->part[0] && rename(w->part, w->path) != 0) {
        written = false;
        why = errno;
    }
    if (!good || !written)
        drop(w);
    if (good && !written)
        return FAIL(st, SYSTEM, "%.200s: cannot be written%s%s", w->path,
                    why ? ": " : "", why ? strerror(why) : "");
    return good;
}
