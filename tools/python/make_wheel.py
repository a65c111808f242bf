"""Makes a wheel of the built package: make_wheel.py PACKAGE FOLDER. A wheel is a zip file with a list of its files."""

import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same build gives the same wheel


def version_of(package):
    sys.path.insert(0, str(package.parent))
    import boardwright

    return boardwright.__version__


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def main(package, folder):
    version = version_of(package)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    info = f"boardwright-{version}.dist-info"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    files = {}
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".typed") or path.name in ("py.typed", "_core" + suffix):
            files[f"boardwright/{path.name}"] = path.read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: boardwright\nVersion: {version}\n"
        "Summary: Board games from rule files, for programs that learn them\n"
        f"Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*\nRequires-Dist: numpy\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: boardwright\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    lines = [record_line(name, content) for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"boardwright-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(wheel)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
