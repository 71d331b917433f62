#!/usr/bin/python3
# wheel.t - tools/makers/make-wheel: what is in it, and that it is a wheel.
#
# SPDX-License-Identifier: Apache-2.0
#
# Of a made-up installation; `make wheel` makes the real one, and auditwheel
# says whether its platform tag is right, if `make audit-wheel` was run.  The
# rules are those of the format of wheels: a RECORD with a hash of every file.
import base64
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from tap import finish, ok  # noqa: E402

AUDIT = f"{ROOT}/build/auditwheel/bin/auditwheel"
FILES = {"bin/assay": "#!/bin/sh\necho command $1\n",
         "lib/assay/libassay.so": "library", "share/assay/cases/x.json": "{}",
         "share/man/man1/assay.1": "not in it"}


def build(folder):
    for name, text in FILES.items():
        path = folder / "installed" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if name.startswith("bin/") else 0o644)
    (folder / "libmpfr.so.6").write_text("another")
    (folder / "libraries").write_text(f"{folder}/libmpfr.so.6\n")
    (folder / "out").mkdir()
    done = subprocess.run(
        [sys.executable, f"{ROOT}/tools/makers/make-wheel", folder / "installed",
         folder / "libraries", folder / "out"], capture_output=True, text=True)
    made = list((folder / "out").glob("assay-*-py3-none-*.whl"))
    ok(done.returncode == 0 and len(made) == 1, "a wheel", done.stderr)
    first = made[0].read_bytes()
    time.sleep(2.1)  # the times in an archive count two seconds
    subprocess.run(done.args, capture_output=True)
    ok(made[0].read_bytes() == first, "the same files are the same wheel later")
    return made[0]


def check(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        data = {n: archive.read(n) for n in names}
        modes = {i.filename: i.external_attr >> 16 & 0o777
                 for i in archive.infolist()}
        archive.extractall(folder / "site")
    info = next(n for n in names if n.endswith("/RECORD")).split("/")[0]
    ok({"assay/native/bin/assay", "assay/native/lib/assay/libassay.so",
        "assay/native/share/assay/cases/x.json", "assay/reference.py",
        "assay/native/lib/deps/libmpfr.so.6", "assay/tables.json",
        "assay/py.typed", "assay/backends/numpy.py", f"{info}/METADATA",
        f"{info}/WHEEL", f"{info}/entry_points.txt"} <= set(names),
       "its files", names)
    ok(not any("man1" in n or "__pycache__" in n for n in names),
       "and no others")
    ok(modes["assay/native/bin/assay"] == 0o755
       and modes["assay/reference.py"] == 0o644, "modes", modes)
    rows = list(csv.reader(data[f"{info}/RECORD"].decode().splitlines()))
    ok([r[0] for r in rows] == names, "RECORD lists every file", rows)
    wrong = [n for n, digest, size in rows if n != f"{info}/RECORD" and (
        int(size) != len(data[n]) or digest != "sha256=" + base64
        .urlsafe_b64encode(hashlib.sha256(data[n]).digest()).decode()
        .rstrip("="))]
    ok(not wrong, "with its hash", wrong)
    tag = wheel.name[:-4].split("-", 2)[2]
    ok(f"Tag: {tag}" in data[f"{info}/WHEEL"].decode(), "the tag")
    ok("Requires-Dist: numpy" in data[f"{info}/METADATA"].decode(), "NumPy")


def check_platform(folder):
    """The newest version that an ELF file asks for; texts ask for none."""
    for name, text in (("bin/assay", b"\x7fELF..\0GLIBC_2.17\0GLIBC_2.34\0"),
                       ("lib/assay/libassay.so", b"\x7fELF..\0GLIBC_2.4\0"),
                       ("share/assay/cases/x.json", b"{} \0GLIBC_2.99\0")):
        (folder / "installed" / name).write_bytes(text)
    done = subprocess.run(
        [sys.executable, f"{ROOT}/tools/makers/make-wheel", folder / "installed",
         folder / "libraries", folder / "out"], capture_output=True, text=True)
    ok("-py3-none-manylinux_2_34_" in done.stdout, "PEP 600's tag of a platform",
       done.stdout + done.stderr)
    made = [p.name for p in (folder / "out").glob("*.whl")]
    ok(len(made) == 1, "it takes the place of one with another tag", made)


def check_command(folder):
    (folder / "site/assay/native/bin/assay").chmod(0o755)
    start = [sys.executable, "-c", "from assay.command import main; main()"]
    site = {**os.environ, "PYTHONPATH": str(folder / "site")}
    done = subprocess.run([*start, "run"], capture_output=True, text=True,
                          env=site)
    ok(done.stdout == "command run\n", "the command", done.stderr)
    (folder / "site/assay/native/bin/assay").unlink()
    done = subprocess.run(start, capture_output=True, text=True, env=site)
    ok(done.returncode == 1 and "make wheel" in done.stderr,
       "a package without it", done.stderr)


def audited(wheel):
    """The platform tag that auditwheel reads off the wheel's libraries."""
    done = subprocess.run([AUDIT, "show", wheel], capture_output=True,
                          text=True)
    text = " ".join(done.stdout.split())
    found = re.search(r'consistent with the following platform tag: "(.*?)"',
                      text)
    return found[1] if found else text + done.stderr


def check_audit(folder):
    made = sorted(pathlib.Path(f"{ROOT}/build").glob("assay-*.whl"))
    if not os.path.exists(AUDIT) or not made:
        ok(True, "auditwheel # SKIP make audit-wheel was not run")
        return
    tag = made[-1].name[:-4].split("-")[-1]
    said = audited(made[-1])
    ok(said == tag, "auditwheel reads the same platform tag", f"{said} {tag}")
    # The control: the same files under the tag of an older C library.
    older = folder / made[-1].name.replace(tag, "manylinux_2_17_x86_64")
    shutil.copy(made[-1], older)
    said = audited(older)
    ok(said != "manylinux_2_17_x86_64", "and not an older one", said)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check(build(folder), folder)
        check_command(folder)
        check_platform(folder)
        check_audit(folder)
    finish()


main()
