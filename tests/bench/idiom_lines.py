#!/usr/bin/env python3
"""What each idiom of normalize and lowering costs: the lines of runtime/normalize, runtime/lowering and
runtime/passes that run when rule files are compiled, and no longer run without it. A line that several idioms
share counts for none of them.

    tests/bench/idiom_lines.py [--build DIR] FOLDER...

builds `boardwright_idioms` with counters for each line (in build/lines, some ten minutes once), compiles all rule
files of the folders once for each idiom, and writes idiom and lines, separated by a tab.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = re.compile(r"runtime/(?:normalize|lowering|passes)/.*")
OBJECTS = re.compile(r"/(?:normalize|lowering|passes)/")


def build(folder):
    flags = "-O0 --coverage"
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DBOARDWRIGHT_JOINED=OFF", f"-DCMAKE_CXX_FLAGS={flags}"], check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", folder, "boardwright_idioms"], check=True, stdout=sys.stderr)


def lines_run(folder, arguments):
    """The lines, as (file, number), that run when the files are compiled so."""
    with tempfile.TemporaryDirectory() as counts:
        environment = {**os.environ, "GCOV_PREFIX": counts}
        subprocess.run([folder / "tests/boardwright_idioms", "--compile", *arguments], check=True, env=environment,
                       stdout=subprocess.DEVNULL)
        run = set()
        for counted in pathlib.Path(counts).rglob("*.gcda"):
            if not OBJECTS.search(str(counted)):
                continue
            notes = pathlib.Path("/") / counted.relative_to(counts).with_suffix(".gcno")
            shutil.copy(notes, counted.with_suffix(".gcno"))
            told = subprocess.run(["gcov", "--json-format", "--stdout", counted], check=True, capture_output=True,
                                  text=True, cwd=counts)
            for text in filter(None, told.stdout.splitlines()):
                for file in json.loads(text)["files"]:
                    found = FOLDERS.search(file["file"])
                    if found:
                        run |= {(found[0], line["line_number"]) for line in file["lines"] if line["count"] > 0}
        return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/lines")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    build(options.build)
    idioms = re.findall(r'X\((\w+), "', (ROOT / "runtime/model/idioms.hpp").read_text())
    with_all = lines_run(options.build, options.folders)
    print(f"all\t{len(with_all)}")
    for idiom in idioms:
        print(f"{idiom}\t{len(with_all - lines_run(options.build, ['--idiom', idiom, *options.folders]))}", flush=True)


if __name__ == "__main__":
    main()
