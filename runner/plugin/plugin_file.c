/* plugin_file.c - see plugin_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The headers are those of the System V ABI, chapter 4 and 5 (elf.h).
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/plugin/plugin_private.h"

static const struct {
    int number;
    const char *name;
} machines[] = {{EM_X86_64, "x86-64"},   {EM_386, "i386"},
                {EM_AARCH64, "AArch64"}, {EM_ARM, "ARM"},
                {EM_RISCV, "RISC-V"},    {EM_PPC64, "PowerPC64"},
                {EM_S390, "S/390"}};

/* A machine's name, or its number in text. */
static const char *machine_name(int number, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].number == number)
            return machines[i].name;
    snprintf(text, size, "machine %d", number);
    return text;
}

/* The headers of the running program, for what is loadable here. */
static bool own_header(ElfW(Ehdr) * own)
{
    FILE *f = fopen("/proc/self/exe", "rb");
    bool good = f && fread(own, sizeof *own, 1, f) == 1;
    if (f)
        fclose(f);
    return good;
}

static bool check_kind(const char *path, const ElfW(Ehdr) * h,
                       struct status *st)
{
    ElfW(Ehdr) own;
    char a[32], b[32];
    if (!own_header(&own))
        return true;
    if (h->e_machine != own.e_machine)
        return FAIL(st, INPUT, "%.100s: built for %s; this machine is %s", path,
                    machine_name(h->e_machine, a, sizeof a),
                    machine_name(own.e_machine, b, sizeof b));
    if (memcmp(h->e_ident + EI_CLASS, own.e_ident + EI_CLASS, 2) != 0)
        return FAIL(st, INPUT,
                    "%.100s: built for another word size or byte order than "
                    "this machine's",
                    path);
    if (h->e_type != ET_DYN)
        return FAIL(st, INPUT,
                    "%.100s: not a shared object (link it with -shared)", path);
    return true;
}

/* Does the file hold all that its headers name? */
static bool check_length(const char *path, FILE *f, const ElfW(Ehdr) * h,
                         int64_t size, struct status *st)
{
    uint64_t end = h->e_phoff + (uint64_t)h->e_phnum * sizeof(ElfW(Phdr));
    if (h->e_phentsize == sizeof(ElfW(Phdr)) && h->e_phoff < (uint64_t)size
        && fseek(f, (long)h->e_phoff, SEEK_SET) == 0) {
        ElfW(Phdr) p;
        for (int i = 0; i < h->e_phnum && fread(&p, sizeof p, 1, f) == 1; i++)
            if (p.p_type == PT_LOAD && p.p_offset + p.p_filesz > end)
                end = p.p_offset + p.p_filesz;
    }
    if (end > (uint64_t)size)
        return FAIL(st, INPUT,
                    "%.100s: truncated: %" PRId64
                    " bytes; its headers describe %" PRIu64,
                    path, size, end);
    return true;
}

bool plugin_file_check(const char *path, struct status *st)
{
    ElfW(Ehdr) h;
    struct stat about;
    FILE *f = fopen(path, "rb");
    if (!f)
        return FAIL(st, INPUT, "%.100s: %s", path, strerror(errno));
    if (fstat(fileno(f), &about) != 0 || !S_ISREG(about.st_mode)) {
        fclose(f);
        return FAIL(st, INPUT, "%.100s: not a regular file", path);
    }
    size_t got = fread(&h, 1, sizeof h, f);
    bool ok;
    if (got < SELFMAG || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0)
        ok = FAIL(st, INPUT, "%.100s: not a shared object: %s", path,
                  got == 0 ? "empty" : "no ELF header");
    else if (got < sizeof h)
        ok = FAIL(st, INPUT, "%.100s: truncated: %zu bytes", path, got);
    else
        ok = check_kind(path, &h, st)
             && check_length(path, f, &h, about.st_size, st);
    fclose(f);
    return ok;
}
