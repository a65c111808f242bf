"""How `pip install .` builds the module: see pyproject.toml. tools/build-python does the work."""

import importlib
import os
import pathlib
import re
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
    make_wheel = importlib.import_module("make_wheel")
    project = re.search(r"^project\(boardwright VERSION ([0-9.]*)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    name = f"boardwright-{project[1]}"
    path = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    about = f"--add-virtual-file={name}/PKG-INFO:{make_wheel.metadata(project[1]).decode()}"
    subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={name}/", about, "-o", path, "HEAD"], check=True)
    return path.name
