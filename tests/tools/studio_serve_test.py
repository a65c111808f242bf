"""What tools/studio/serve.py hands out and takes, and to whom: studio_serve_test.py REPOSITORY."""
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = os.path.abspath(sys.argv.pop())


class Serving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        site = os.path.join(self.folder.name, "site")
        os.mkdir(site)
        with open(os.path.join(site, "library.json"), "w") as library:
            library.write('[{"name": "steps"}]')
        with open(os.path.join(site, "index.html"), "w") as page:
            page.write("the page")
        self.path = os.path.join(self.folder.name, "mine.yaml")
        self.write(b"game: Mine\n")
        self.server = None
        self.site = site

    def tearDown(self):
        if self.server:
            self.server.terminate()
            self.server.wait()
            self.server.stdout.close()
        self.folder.cleanup()

    def write(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def content(self):
        with open(self.path, "rb") as file:
            return file.read()

    def command(self, *arguments):
        return [sys.executable, os.path.join(ROOT, "tools/studio/serve.py"), self.site, *arguments]

    def serve(self, *arguments):
        environment = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
        self.server = subprocess.Popen(self.command("0", *arguments), stdout=subprocess.PIPE, text=True, env=environment)
        self.address = self.server.stdout.readline().strip()
        self.port = int(self.address.split(":")[2].split("/")[0])

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data

    def test_the_site_and_nothing_beside_it(self):
        self.serve(self.path)
        self.assertTrue(self.address.endswith("/#file"))
        self.assertEqual(self.ask("GET", "/"), (200, b"the page"))
        self.assertEqual(self.ask("GET", "/../mine.yaml")[0], 404)
        self.assertEqual(self.ask("GET", "/%2e%2e/mine.yaml")[0], 404)
        os.mkdir(os.path.join(self.site, "folder"))
        self.assertEqual(self.ask("GET", "/folder/")[0], 404)

    def test_the_file_is_followed(self):
        self.serve(self.path)
        status, data = self.ask("GET", "/file")
        read = json.loads(data)
        self.assertEqual((status, read["name"], read["text"]), (200, "mine.yaml", "game: Mine\n"))
        self.assertEqual(self.ask("GET", "/file", If_None_Match=read["stamp"])[0], 304)
        self.write("game: Ünsere\r\n".encode())
        self.assertEqual(json.loads(self.ask("GET", "/file", If_None_Match=read["stamp"])[1])["text"], "game: Ünsere\n")
        self.write(b"game: \xff\n")
        self.assertEqual(self.ask("GET", "/file")[0], 415)
        self.write(b" " * ((1 << 20) + 1))
        self.assertEqual(self.ask("GET", "/file")[0], 413)
        os.unlink(self.path)
        self.assertEqual(self.ask("GET", "/file")[0], 404)

    def test_the_file_is_saved_by_the_page_alone(self):
        os.chmod(self.path, 0o640)
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        ours = {"X_Boardwright": "studio"}
        self.assertEqual(self.ask("PUT", "/file", b"game: X\n", If_Match=stamp)[0], 403)
        self.assertEqual(self.ask("PUT", "/file", b"game: X\n", If_Match=stamp, Host="evil.example", **ours)[0], 403)
        self.assertEqual(self.ask("GET", "/file", Host="evil.example")[0], 403)
        self.assertEqual(self.ask("PUT", "/file", b"game: X\n", If_Match='"of old"', **ours)[0], 412)
        self.assertEqual(self.ask("PUT", "/index.html", b"game: X\n", If_Match=stamp, **ours)[0], 404)
        self.assertEqual(self.ask("PUT", "/file", b"", If_Match=stamp, Content_Length="9" * 9, **ours)[0], 413)
        self.assertEqual(self.content(), b"game: Mine\n")
        status, data = self.ask("PUT", "/file", b"game: X\n", If_Match=stamp, **ours)
        self.assertEqual((status, self.content()), (200, b"game: X\n"))
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)
        self.assertEqual(self.ask("GET", "/file", If_None_Match=json.loads(data)["stamp"])[0], 304)
        with open(self.path + "~", "rb") as former:
            self.assertEqual(former.read(), b"game: Mine\n")
        self.assertEqual(os.stat(self.path + "~").st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["mine.yaml", "mine.yaml~", "site"])

    def raw(self, request, cut=False):
        """What comes back for these bytes; with `cut` the connection is closed behind them."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(request)
            if cut:
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while part := connection.recv(1 << 16):
                    answer += part
            except ConnectionError:
                pass
            return answer

    def save(self, stamp, body, length=None):
        return (f"PUT /file HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Boardwright: studio\r\nIf-Match: {stamp}\r\n"
                f"Content-Length: {len(body) if length is None else length}\r\n\r\n").encode() + body

    def test_a_save_that_is_cut_short_changes_nothing(self):
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        request = self.save(stamp, "game: Größer\npieces: { man: w b }\n".encode())
        body = request.index(b"\r\n\r\n") + 4
        for length in range(len(request)):
            answer = self.raw(request[:length], cut=True)
            self.assertNotIn(b" 200 ", answer)
            if length >= body:
                self.assertIn(b" 400 ", answer)
            self.assertEqual(self.content(), b"game: Mine\n")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["mine.yaml", "site"])
        self.assertIn(b" 200 ", self.raw(request))

    def test_lengths_that_are_none(self):
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        for length in ["-5", "", "five", "\u0663", "1e3", "+7", "9" * 400]:
            self.assertRegex(self.raw(self.save(stamp, b"", length)), rb" 4\d\d ", length)
        chunked = self.save(stamp, b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        self.assertIn(b" 411 ", self.raw(chunked))
        self.assertEqual(self.content(), b"game: Mine\n")

    def test_of_saves_at_one_time_one_is_kept(self):
        self.serve(self.path)
        for turn in range(20):
            stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
            before, begin, told = self.content(), threading.Barrier(6), {}

            def put(number):
                begin.wait()
                text = f"game: {turn} {number}\n".encode()
                told[number] = self.ask("PUT", "/file", text, If_Match=stamp, X_Boardwright="studio")[0]

            savers = [threading.Thread(target=put, args=(number,)) for number in range(6)]
            for saver in savers:
                saver.start()
            for saver in savers:
                saver.join()
            kept = [number for number, status in told.items() if status == 200]
            self.assertEqual(sorted(told.values()), [200] + [412] * 5)
            self.assertEqual(self.content(), f"game: {turn} {kept[0]}\n".encode())
            with open(self.path + "~", "rb") as former:
                self.assertEqual(former.read(), before)

    def test_where_nothing_can_be_written_nothing_is_lost(self):
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        os.mkdir(self.path + "~")  # the former text can't be kept
        self.assertEqual(self.ask("PUT", "/file", b"game: X\n", If_Match=stamp, X_Boardwright="studio")[0], 500)
        self.assertEqual(self.content(), b"game: Mine\n")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["mine.yaml", "mine.yaml~", "site"])

    def test_what_is_no_file(self):
        os.mkfifo(os.path.join(self.site, "pipe"))
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        for path in ["/a%00b", "/pipe", "/%00", "//[", "/nothing", "/index.html/"]:
            self.assertEqual(self.ask("GET", path)[0], 404, path)
            self.assertEqual(self.ask("HEAD", path)[0], 404, path)
        for make in [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)]:
            os.unlink(self.path)
            make(self.path)
            self.assertEqual(self.ask("GET", "/file")[0], 404)
            self.assertEqual(self.ask("PUT", "/file", b"game: X\n", If_Match=stamp, X_Boardwright="studio")[0], 500)
            if os.path.isdir(self.path):
                os.rmdir(self.path)
                self.write(b"")

    def test_pages_may_do_what_ours_do(self):
        self.serve(self.path)
        for path in ["/", "/file", "/nothing"]:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request("GET", path)
            policy = connection.getresponse().headers["Content-Security-Policy"]
            connection.close()
            self.assertIn("default-src 'none'", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotRegex(policy, "script-src[^;]*'unsafe-inline'")

    def test_lines_end_as_they_did(self):
        self.write(b"game: Mine\r\n")
        self.serve(self.path)
        stamp = json.loads(self.ask("GET", "/file")[1])["stamp"]
        self.ask("PUT", "/file", b"game: X\n", If_Match=stamp, X_Boardwright="studio")
        self.assertEqual(self.content(), b"game: X\r\n")

    def test_a_game_of_the_library_or_nothing(self):
        self.serve("steps")
        self.assertTrue(self.address.endswith("/#game=steps"))
        self.assertEqual(self.ask("GET", "/file")[0], 404)
        missing = subprocess.run(self.command("0", "nothing.yaml"), capture_output=True, text=True)
        self.assertEqual(missing.returncode, 3)
        self.assertIn("no such file", missing.stderr)


if __name__ == "__main__":
    unittest.main()
