"""Makes a wheel of the built package: make_wheel.py PACKAGE FOLDER VERSION.

The wheel stands alone, by the rules that Python's packages for Linux go by (PEP 600): libraries that not every Linux has
are put into it under names of their own, and its tag says how new the system's C library must be. Needs patchelf and
strip (Debian: patchelf, binutils).
"""

import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same build gives the same wheel
# Every Linux that PEP 600 speaks of has these; what else the module needs is put into the wheel.
EVERYWHERE = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|ld-linux.*)\.so(\.\d+)?$")
# The C library that systems have at least, by the newest version of the compiler's library that is asked for.
C_LIBRARY_OF = {28: 31, 29: 34, 30: 35, 31: 37, 32: 38, 33: 39}
OLDEST_C_LIBRARY = 17
# Debian's packages that are a part of the module, for their licences.
INSIDE = ["libasmjit-dev", "pybind11-dev", "libfmt9", "libyaml-cpp0.7", "libexpected-dev", "libboost-dev", "nlohmann-json3-dev"]

DESCRIPTION = """\
# Boardwright

Rules of board games, written as text, become states, batches of games and planes of numbers for Python: nothing is
built for a game.

    import boardwright

    rules = boardwright.load("breakthrough", columns=6, rows=6)
    batch = rules.batch(1024, threads=2, seed=1)
    for _ in range(100):
        planes, mask = batch.observe(), batch.mask()
        rewards, terminated, truncated = batch.step(batch.sample())
"""


def tell(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", tell("readelf", "-d", str(library)))


def found_at(library):
    """Where the loader finds each library that this one needs."""
    return dict(re.findall(r"^\s*(\S+) => (\S+)", tell("ldd", str(library)), re.MULTILINE))


def newest(library, name):
    """The last part of the newest version of `name` that the library asks of others: 34 for GLIBC_2.34."""
    versions = re.findall(rf"\b{name}_(\d+)\.(\d+)(?:\.(\d+))?", tell("readelf", "--version-info", "--wide", str(library)))
    return max((int(parts[-1] or parts[-2]) if name == "GLIBCXX" else int(parts[1]) for parts in versions), default=0)


def least_c_library(libraries):
    """The C library that all of them can do with: N for 2.N."""
    compiler = max(newest(library, "GLIBCXX") for library in libraries)
    least = max(newest(library, "GLIBC") for library in libraries)
    of_compiler = [c_library for version, c_library in C_LIBRARY_OF.items() if version >= compiler]
    if not of_compiler:
        raise SystemExit(f"GLIBCXX_3.4.{compiler}: no system is known to have it")
    return max(least, min(of_compiler), OLDEST_C_LIBRARY)


def make_alone(module, folder):
    """Copies what the module needs into the folder, and has it look there. Gives all that was written."""
    libraries, waiting, written = {}, [module], [module]
    places = found_at(module)
    while waiting:
        for name in needed(waiting.pop()):
            if EVERYWHERE.match(name) or name in libraries:
                continue
            content = pathlib.Path(places[name]).read_bytes()
            stem, _, rest = name.partition(".so")
            new = f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}.so{rest}"
            copy = folder / new
            folder.mkdir(exist_ok=True)
            copy.write_bytes(content)
            copy.chmod(0o755)
            libraries[name] = new
            waiting.append(copy)
            written.append(copy)
    for library in written:
        tell("strip", "--strip-unneeded", str(library))
        for old, new in libraries.items():
            if old in needed(library):
                tell("patchelf", "--replace-needed", old, new, str(library))
        if library is not module:
            tell("patchelf", "--set-soname", library.name, "--set-rpath", "$ORIGIN", str(library))
        elif libraries:
            tell("patchelf", "--set-rpath", f"$ORIGIN/../{folder.name}", str(library))
    return written


def licences():
    text = [(ROOT / "LICENSE").read_text(encoding="utf-8")]
    text.append("The module holds parts of the following libraries, each as it is in Debian.\n")
    for package in INSIDE:
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        if path.exists():
            text.append(f"==== {package}\n\n{path.read_text(encoding='utf-8')}")
    return "\n".join(text).encode()


def metadata(version):
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    fields = f"""\
Metadata-Version: 2.1
Name: boardwright
Version: {version}
Summary: Board games from rule files, for programs that learn them
License: MIT
License-File: LICENSE
Keywords: board games,reinforcement learning,game rules,self-play
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: {python}
Classifier: Topic :: Games/Entertainment :: Board Games
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Requires-Python: =={python}.*
Requires-Dist: numpy
Provides-Extra: pettingzoo
Requires-Dist: pettingzoo; extra == "pettingzoo"
Requires-Dist: gymnasium; extra == "pettingzoo"
Provides-Extra: open-spiel
Requires-Dist: open_spiel; extra == "open-spiel"
Provides-Extra: dask
Requires-Dist: distributed; extra == "dask"
Description-Content-Type: text/markdown

"""
    return (fields + DESCRIPTION).encode()


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def main(package, folder, version):
    files = {}
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            files[f"boardwright/{path.name}"] = path.read_bytes()
    with tempfile.TemporaryDirectory() as scratch:
        module = pathlib.Path(scratch) / ("_core" + suffix)
        shutil.copy(package / module.name, module)
        written = make_alone(module, pathlib.Path(scratch) / "boardwright.libs")
        c_library = least_c_library(written)
        files[f"boardwright/{module.name}"] = module.read_bytes()
        for library in written[1:]:
            files[f"boardwright.libs/{library.name}"] = library.read_bytes()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    machine = sysconfig.get_platform().split("-")[-1].replace("-", "_")
    tag = f"{python}-{python}-manylinux_2_{c_library}_{machine}"
    info = f"boardwright-{version}.dist-info"
    files[f"{info}/LICENSE"] = licences()
    files[f"{info}/METADATA"] = metadata(version)
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: boardwright\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    lines = [record_line(name, content) for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("boardwright-*.whl"):  # of other builds
        old.unlink()
    wheel = folder / f"boardwright-{version}-{tag}.whl"
    write_zip(wheel, files)
    print(wheel)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3])
