"""How `pip install .` builds the module: see pyproject.toml. tools/build-python does the work."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel for the Python that asks for it; config_settings: native=1, for this machine's processor."""
    native = ["--native"] if (config_settings or {}).get("native") else []
    environment = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run([ROOT / "tools" / "build-python", *native], env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"tools/build-python ended with status {done.returncode}")
    wheel = pathlib.Path(done.stdout.splitlines()[-1])
    shutil.copy(wheel, wheel_directory)
    return wheel.name


def build_sdist(sdist_directory, config_settings=None):
    """Of the files that git knows: the whole tree, since the module is built from all of it."""
    version = subprocess.run(
        ["sed", "-n", r"s/^project(boardwright VERSION \([0-9.]*\).*/\1/p", ROOT / "CMakeLists.txt"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    name = f"boardwright-{version}"
    path = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={name}/", "-o", path, "HEAD"], check=True)
    return path.name
