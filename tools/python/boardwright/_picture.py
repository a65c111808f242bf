"""Pictures as arrays. They are drawn by what draws SVG on this machine."""

import io as _io
import shutil as _shutil
import struct as _struct
import subprocess as _subprocess
import zlib as _zlib

import numpy as _numpy

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by PNG's type of colours


def rgb_array(svg, width):
    """An SVG picture of that width, on white: uint8 of (height, width, 3)."""
    if not 1 <= width <= 8192:
        raise ValueError("width: from 1 to 8192")
    pixels = _pixels_of(_png_of(svg, width))
    if pixels.shape[2] in (1, 2):  # grey
        pixels = _numpy.concatenate([pixels[:, :, :1]] * 3 + [pixels[:, :, 1:]], axis=2)
    if pixels.shape[2] == 3:
        return pixels
    share = pixels[:, :, 3:].astype(_numpy.uint16)
    return ((pixels[:, :, :3] * share + 255 * (255 - share) + 127) // 255).astype(_numpy.uint8)


def _png_of(svg, width):
    try:
        import cairosvg
    except ImportError:
        cairosvg = None
    if cairosvg is not None:
        target = _io.BytesIO()
        cairosvg.svg2png(bytestring=svg.encode(), write_to=target, output_width=width)
        return target.getvalue()
    program = _shutil.which("rsvg-convert")
    if program is None:
        raise RuntimeError(
            "a picture as an array needs the Python package cairosvg or the program rsvg-convert (Debian: apt-get "
            "install python3-cairosvg, or librsvg2-bin); svg() needs neither"
        )
    command = [program, "--format=png", f"--width={width}", "--keep-aspect-ratio"]
    done = _subprocess.run(command, input=svg.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError("rsvg-convert: " + done.stderr.decode(errors="replace").strip())
    return done.stdout


def _pixels_of(png):
    """The pixels of a PNG of eight bits without interlacing, as those programs write it."""
    if not png.startswith(_SIGNATURE):
        raise RuntimeError("no PNG was drawn")
    at, header, packed = len(_SIGNATURE), None, b""
    while at < len(png):
        length, kind = _struct.unpack(">I4s", png[at : at + 8])
        content = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = _struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed += content
        at += length + 12
    width, height, bits, colours, _, _, interlaced = header
    if bits != 8 or colours not in _CHANNELS or interlaced:
        raise RuntimeError("a PNG of another kind was drawn")
    channels = _CHANNELS[colours]
    lines = _numpy.frombuffer(_zlib.decompress(packed), _numpy.uint8).reshape(height, 1 + width * channels)
    return _unfiltered(lines, channels).reshape(height, width, channels)


def _unfiltered(lines, channels):
    """Each line tells what is added to its bytes: nothing, or what stands left, above, between, or nearest to both."""
    pixels = _numpy.zeros((lines.shape[0], lines.shape[1] - 1), _numpy.uint8)
    above = _numpy.zeros(pixels.shape[1], _numpy.uint8)
    for number, line in enumerate(lines):
        how, now = line[0], line[1:].copy()
        if how == 1:  # sums go on within each channel, modulo 256
            for channel in range(channels):
                now[channel::channels] = _numpy.cumsum(now[channel::channels], dtype=_numpy.uint8)
        elif how == 2:
            now += above
        elif how in (3, 4):
            _add_mixed(now, above, channels, how)
        elif how != 0:
            raise RuntimeError("a PNG of another kind was drawn")
        pixels[number] = above = now
    return pixels


def _add_mixed(now, above, channels, how):
    line, over = now.tolist(), above.tolist()
    for i in range(len(line)):
        left = line[i - channels] if i >= channels else 0
        corner = over[i - channels] if i >= channels else 0
        if how == 3:
            added = (left + over[i]) // 2
        else:
            guess = left + over[i] - corner
            distances = (abs(guess - left), abs(guess - over[i]), abs(guess - corner))
            added = (left, over[i], corner)[distances.index(min(distances))]
        line[i] = (line[i] + added) & 255
    now[:] = line
