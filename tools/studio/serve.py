"""serve.py SITE PORT [FILE]: serves the studio to this machine, and one rule file, which the page follows and saves.

Pages of other sites can't read or write the file: they are told nothing unless the address is this server's own
(a name that points here won't do), and who writes must send a header that such pages can't send.

A save is kept whole or not at all: its text is read to the end before anything is done, one save is looked at at a
time, and the file is replaced in one step. What it replaced stands beside it, in FILE~.
"""
import hashlib
import http.server
import json
import os
import shutil
import stat
import sys
import tempfile
import threading
import webbrowser

MOST_BYTES = 1 << 20  # as the loader has it (dsl/yaml.hpp)
MOST_SECONDS = 30  # that somebody may take to say what he wants, or to hear the answer

# What a page of this server may do: nothing from elsewhere, and nobody puts it into a page of his own. The engine is
# WebAssembly in workers that are made of text; the editor writes its style into the page.
POLICY = "; ".join([
    "default-src 'none'",
    "script-src 'self' blob: 'wasm-unsafe-eval'{inline}",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
])
ALL_IN_ONE = "/studio.html"  # has its scripts in itself


def stamp_of(data):
    return '"' + hashlib.sha256(data).hexdigest()[:32] + '"'


def content_of(path, most=-1):
    """Of a file as files are: whoever opened a pipe would wait for somebody to write to it."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as known:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("no file")
        return known.read(most)


def replace(path, data, like):
    """Another content, all of it or nothing, that those may read who may read another file."""
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".boardwright-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(handle)  # a disk that is full says so before the file is replaced
        shutil.copymode(like, new)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def save(path, before, data):
    """A link stays a link; what stood there stands in FILE~."""
    path = os.path.realpath(path)
    replace(path + "~", before, path)
    replace(path, data, path)


class Handler(http.server.SimpleHTTPRequestHandler):
    server_version = "Boardwright"
    extensions_map = {
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".wasm": "application/wasm",
        ".json": "application/json",
        "": "application/octet-stream",
    }
    file = None
    saving = threading.Lock()
    timeout = MOST_SECONDS

    def do_GET(self):
        if not self.is_for_us():
            return self.send_error(403)
        if self.path == "/file":
            return self.give_file()
        return super().do_GET()

    def do_HEAD(self):
        if not self.is_for_us():
            return self.send_error(403)
        return super().do_HEAD()

    def do_PUT(self):
        if not self.is_for_us() or self.headers.get("X-Boardwright") != "studio":
            return self.send_error(403)
        if self.path != "/file" or not self.file:
            return self.send_error(404)
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            return self.send_error(411)
        if len(length) > 8 or int(length) > MOST_BYTES:
            return self.send_error(413)
        data = self.rfile.read(int(length))
        if len(data) != int(length):
            return self.send_error(400)
        try:
            with self.saving:
                stamp = self.take(data)
        except OSError:
            return self.send_error(500)
        return self.give({"stamp": stamp}) if stamp else self.send_error(412)

    def take(self, data):
        """The stamp of what was saved; nothing where the file isn't what the page has changed."""
        before = content_of(self.file)
        if stamp_of(before) != self.headers.get("If-Match"):
            return None
        if b"\r\n" in before:  # the page has lines that end as they do everywhere else
            data = data.replace(b"\n", b"\r\n")
        save(self.file, before, data)
        return stamp_of(data)

    def send_head(self):
        """Files of the site: nothing that isn't one is opened, and no name that no file can have."""
        try:
            path = self.translate_path(self.path)
            is_file = os.path.isfile(os.path.join(path, "index.html") if os.path.isdir(path) else path)
        except ValueError:
            is_file = False
        return super().send_head() if is_file else self.send_error(404)

    def is_for_us(self):
        port = self.server.server_address[1]
        return self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")

    def give_file(self):
        if not self.file:
            return self.send_error(404)
        try:
            data = content_of(self.file, MOST_BYTES + 1)
        except OSError:
            return self.send_error(404)
        if len(data) > MOST_BYTES:
            return self.send_error(413)
        stamp = stamp_of(data)
        if self.headers.get("If-None-Match") == stamp:
            self.send_response(304)
            return self.end_headers()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:  # what can't be shown as it is must not be saved as it is shown
            return self.send_error(415)
        return self.give({"name": os.path.basename(self.file), "text": text.replace("\r\n", "\n"), "stamp": stamp})

    def give(self, answer):
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        inline = " 'unsafe-inline'" if getattr(self, "path", "").partition("?")[0] == ALL_IN_ONE else ""
        self.send_header("Content-Security-Policy", POLICY.format(inline=inline))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path):
        return self.send_error(404)

    def log_message(self, format, *arguments):  # one line a second would be for nobody
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):  # whoever asked has gone
            super().handle_error(request, address)


def server_at(port):
    try:
        return Server(("127.0.0.1", port), Handler)
    except OSError:
        return Server(("127.0.0.1", 0), Handler)


def library(site):
    with open(os.path.join(site, "library.json"), encoding="utf-8") as known:
        return {game["name"] for game in json.load(known)}


def main():
    site, port, name = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
    hash_part = ""
    if name and os.path.isfile(name):
        Handler.file = os.path.abspath(name)
        hash_part = "#file"
    elif name in library(site):
        hash_part = f"#game={name}"
    elif name:
        print(f"boardwright: {name}: there is no such file, and no game so called", file=sys.stderr)
        return 3
    os.chdir(site)
    with server_at(port) as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/{hash_part}"
        print(address, flush=True)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
