/* embed.c - turn files into one C array, for the build.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     embed FILE... >embedded.c
 *
 * The output defines embed_files (interp/base/embed.h).
 */
#include <stdio.h>
#include <stdlib.h>

static int write_file(const char *path, int number)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 1;
    }
    printf("static const unsigned char data_%d[] = {", number);
    int c;
    for (long n = 0; (c = getc(f)) != EOF; n++)
        printf("%s%d,", n % 24 == 0 ? "\n" : "", c);
    printf("0};\n");
    int bad = ferror(f);
    fclose(f);
    return bad;
}

int main(int argc, char **argv)
{
    puts("/* Made by tools/makers/embed.c. */\n"
         "#include \"interp/base/embed.h\"\n");
    for (int i = 1; i < argc; i++)
        if (write_file(argv[i], i) != 0)
            return EXIT_FAILURE;
    puts("const struct embed_file embed_files[] = {");
    for (int i = 1; i < argc; i++)
        printf("    {\"%s\", (const char *)data_%d, sizeof data_%d - 1},\n",
               argv[i], i, i);
    puts("    {0, 0, 0}};");
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
