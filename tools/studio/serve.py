"""serve.py SITE PORT [FILE]: serves the studio to this machine, and one rule file, which the page follows and saves.

Pages of other sites can't read or write the file: they are told nothing unless the address is this server's own
(a name that points here won't do), and who writes must send a header that such pages can't send.
"""
import hashlib
import http.server
import json
import os
import shutil
import sys
import tempfile
import webbrowser

MOST_BYTES = 1 << 20  # as the loader has it (dsl/yaml.hpp)


def stamp_of(data):
    return '"' + hashlib.sha256(data).hexdigest()[:32] + '"'


def replace(path, data):
    """Another content, all of it or nothing; a link stays a link, and who may read it stays the same."""
    path = os.path.realpath(path)
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".boardwright-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        shutil.copymode(path, new)
        os.replace(new, path)
    except OSError:
        os.unlink(new)
        raise


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
        if not length.isdecimal():
            return self.send_error(411)
        if len(length) > 8 or int(length) > MOST_BYTES:
            return self.send_error(413)
        data = self.rfile.read(int(length))
        try:
            with open(self.file, "rb") as known:
                before = known.read()
            if stamp_of(before) != self.headers.get("If-Match"):
                return self.send_error(412)
            if b"\r\n" in before:  # the page has lines that end as they do everywhere else
                data = data.replace(b"\n", b"\r\n")
            replace(self.file, data)
        except OSError:
            return self.send_error(500)
        return self.give({"stamp": stamp_of(data)})

    def is_for_us(self):
        port = self.server.server_address[1]
        return self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")

    def give_file(self):
        if not self.file:
            return self.send_error(404)
        try:
            with open(self.file, "rb") as known:
                data = known.read(MOST_BYTES + 1)
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
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path):
        return self.send_error(404)

    def log_message(self, format, *arguments):  # one line a second would be for nobody
        pass


def server_at(port):
    server = http.server.ThreadingHTTPServer
    try:
        return server(("127.0.0.1", port), Handler)
    except OSError:
        return server(("127.0.0.1", 0), Handler)


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
