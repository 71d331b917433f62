#!/usr/bin/env python3
# container.t - tools/ci/Containerfile is built, and its image judges a backend.
#
# SPDX-License-Identifier: Apache-2.0
#
# With ASSAY_CONTAINER=1 (make check-container: minutes, and the network): by podman,
# buildah or docker, or without one by following the recipe in folders that
# debootstrap makes.  Always: the recipe is well formed, and installs what the
# command is linked to.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

RECIPE = "tools/ci/Containerfile"
ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
RUN = ["run", "--backend", "native", "--filter", "Abs/rules/*"]


def read(path):
    """The recipe's instructions, (word, rest)."""
    with open(path, encoding="utf-8") as f:
        text = "".join(line for line in f if not line.startswith("#"))
    text = text.replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line]


def command(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


steps = read(RECIPE)
ok({w for w, _ in steps} <= {"FROM", "RUN", "COPY", "WORKDIR", "ENTRYPOINT"},
   "its instructions are those that the test can follow", steps)
bases = {rest.split()[0] for word, rest in steps if word == "FROM"}
ok(bases == {"debian:bookworm-slim"}, "both stages have one base", bases)

# What ldd names, but for what every Debian has, is installed by the last stage.
last = max(i for i, (word, _) in enumerate(steps) if word == "FROM")
installed = next(rest for word, rest in steps[last:] if word == "RUN").split()
needs = {}
for line in command("ldd", ASSAY).stdout.splitlines():
    found = re.match(r"\s*(lib[\w-]+)\.so\.(\d+) => (\S+)", line)
    if found and found[1] not in ("libc", "libm", "libgcc_s"):
        needs[found[1]] = command("dpkg", "-S", os.path.realpath(found[3])
                                  ).stdout.split(":")[0]
# A later Debian's names may end in t64, for its wider time; those of the
# recipe's do not.
packages = sorted({p.removesuffix("t64") for p in needs.values() if p})
lacks = [p for p in packages if p not in installed]
if packages:
    ok(not lacks, "it installs the libraries that the command is linked to",
       (lacks, needs))
else:
    ok(True, "the libraries that it installs # skip no package of Debian has"
             " those that the command is linked to")


class Folders:
    """The recipe, followed in folders."""

    def __init__(self, top):
        self.top, self.stages, self.work = top, {}, "/"
        self.root = f"{top}/base"
        done = command("unshare", "--mount", "--pid", "--fork", "debootstrap",
                       "--variant=minbase", "bookworm", self.root, *mirror())
        ok(done.returncode == 0, "debootstrap", done.stdout[-2000:])
        for file in ("/etc/resolv.conf", "/etc/hosts",
                     "/etc/ssl/certs/ca-certificates.crt"):
            if os.path.exists(file):
                os.makedirs(os.path.dirname(self.root + file), exist_ok=True)
                shutil.copy(file, self.root + file)
        with open(f"{self.root}/etc/apt/apt.conf.d/00machine", "w") as f:
            f.writelines(re.findall(r"^Acquire::https?.*\n",
                                    command("apt-config", "dump").stdout, re.M))

    def inside(self, *words):
        return command("unshare", "--mount", "--pid", "--fork", "sh", "-c",
                       'mount -t proc proc "$0/proc" && mount --rbind /dev '
                       '"$0/dev" && mount --rbind /sys "$0/sys" && exec chroot '
                       '"$0" sh -c \'cd "$0" && exec "$@"\' "$@"',
                       self.root, self.work, *words)

    def follow(self, word, rest):
        if word == "FROM":
            name = rest.split()[-1]
            self.root, self.work = f"{self.top}/{len(self.stages)}", "/"
            self.stages[name] = self.root
            return command("cp", "-a", f"{self.top}/base", self.root)
        if word == "RUN":
            return self.inside("sh", "-c", rest)
        if word == "WORKDIR":
            self.work = rest
            return command("mkdir", "-p", self.root + rest)
        if word == "COPY":
            *options, source, target = rest.split()
            stage = [o.split("=")[1] for o in options]
            source = self.stages[stage[0]] + source if stage else tree(self.top)
            os.makedirs(self.root + target, exist_ok=True)
            return command("cp", "-a", f"{source}/.", self.root + target)
        self.entry = json.loads(rest)
        return command("true")


def mirror():
    """Debian's mirror, as apt knows it."""
    done = command("apt-get", "indextargets", "--format",
                   "$(REPO_URI) $(RELEASE)", "Created-By: Packages")
    return [line.split()[0] for line in done.stdout.splitlines()
            if line.endswith(" bookworm")][:1]


def tree(top):
    """What a builder is given: the files that git tracks, as they are."""
    done = command("sh", "-c", 'mkdir "$0" && git ls-files -z | '
                   'tar --null -T - -cf - | tar -C "$0" -xf -', f"{top}/tree")
    assert done.returncode == 0, done
    return f"{top}/tree"


def builder():
    for name in ("podman", "buildah", "docker"):
        if shutil.which(name) and command(name, "info").returncode == 0:
            return name
    return None


def judge(run):
    done = run(*RUN)
    ok(done.returncode == 0 and "no failure" in done.stdout,
       "the image judges native", done.stdout + done.stderr)
    done = run("run", "--backend", "no-such-backend")
    ok(done.returncode == 2, "and knows a wrong one", done.stderr)


def by_builder(name):
    with tempfile.TemporaryDirectory() as top:
        done = command(name, "build", "-f", RECIPE, "-t", "assay-test",
                       tree(top))
    ok(done.returncode == 0, f"{name} builds it", done.stderr[-2000:])
    judge(lambda *words: command(name, "run", "--rm", "assay-test", *words))
    command(name, "rmi", "assay-test")


def by_folders():
    top = tempfile.mkdtemp()
    try:
        folders = Folders(top)
        for word, rest in steps:
            done = folders.follow(word, rest)
            if done.returncode:
                ok(False, f"{word} {rest}", done.stdout[-1000:] + done.stderr)
                return
        judge(lambda *words: folders.inside(*folders.entry, *words))
    finally:
        shutil.rmtree(top, ignore_errors=True)


if not os.environ.get("ASSAY_CONTAINER"):
    ok(True, "the image # skip minutes: make check-container builds it")
elif builder():
    by_builder(builder())
elif os.geteuid() or not shutil.which("debootstrap"):
    ok(True, "the image # skip no builder (podman, buildah, docker), and"
             " debootstrap needs root")
else:
    by_folders()
finish()
