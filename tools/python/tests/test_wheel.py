"""The wheel of the module that is tested: what is in it, and that it needs nothing of Debian's."""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import boardwright

MAKE_WHEEL = pathlib.Path(__file__).resolve().parent.parent / "make_wheel.py"
TOOLS = ["patchelf", "strip", "readelf", "ldd"]


@unittest.skipUnless(all(shutil.which(tool) for tool in TOOLS), f"one of {TOOLS} isn't installed")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        package = pathlib.Path(boardwright.__file__).parent
        command = [sys.executable, MAKE_WHEEL, package, cls.folder / "dist", "1.2.3"]
        cls.wheel = pathlib.Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
        with zipfile.ZipFile(cls.wheel) as archive:
            cls.files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
            archive.extractall(cls.folder / "site")

    def test_name_and_tag(self):
        self.assertRegex(self.wheel.name, r"^boardwright-1\.2\.3-cp3\d+-cp3\d+-manylinux_2_\d+_\w+\.whl$")
        told = self.files["boardwright-1.2.3.dist-info/WHEEL"].decode()
        tag = re.search("^Tag: (.*)$", told, re.MULTILINE)[1]
        self.assertEqual(self.wheel.name, f"boardwright-1.2.3-{tag}.whl")

    def test_the_record_is_right(self):
        record = self.files["boardwright-1.2.3.dist-info/RECORD"].decode().split()
        self.assertEqual({line.split(",")[0] for line in record}, set(self.files))
        for name, digest, size in (line.split(",") for line in record[:-1]):
            found = base64.urlsafe_b64encode(hashlib.sha256(self.files[name]).digest()).rstrip(b"=").decode()
            self.assertEqual((digest, int(size)), (f"sha256={found}", len(self.files[name])))

    def test_it_stands_alone(self):
        script = "import boardwright; print(boardwright.load('hex').playouts(10)['playouts'])\n"
        script += "print(*{line.split()[-1] for line in open('/proc/self/maps') if '.so' in line}, sep='\\n')"
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "site")}
        command = [sys.executable, "-c", script]  # elsewhere: a package in this folder would come first
        told = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder)
        self.assertEqual(told.stderr, "")
        played, *libraries = told.stdout.split()
        self.assertEqual(played, "10")
        inside = [library for library in libraries if "yaml-cpp" in library or "libfmt" in library]
        self.assertEqual(len(inside), 2)
        self.assertTrue(all(library.startswith(str(self.folder)) for library in inside), inside)


if __name__ == "__main__":
    unittest.main()
