"""What a picture is: something that can be taken, looked through, and saved."""

import io
from dataclasses import dataclass
from typing import NamedTuple

from AnyQt.QtCore import QBuffer, QIODevice
from AnyQt.QtGui import QImage
from PIL import Image

__all__ = ["Picture", "Taken"]


class Taken(NamedTuple):
    """A picture that was taken: an image or text of an SVG, and facts about it."""

    image: QImage | str
    facts: dict

    def save(self, path):
        """Write the file; screenshots get 256 colours, which makes them small."""
        if isinstance(self.image, str):
            path.write_text(self.image, encoding="utf-8")
            return
        buffer = QBuffer()
        buffer.open(QIODevice.WriteOnly)
        self.image.save(buffer, "PNG")
        picture = Image.open(io.BytesIO(bytes(buffer.data()))).convert("RGB")
        picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


@dataclass
class Picture:
    """A picture that pages may show, by the name of its file."""

    name: str

    def take(self):
        """Return a `Taken`; its facts say all that can be read in it."""
        raise NotImplementedError

    def facts(self):
        """Return the facts alone, faster where that is possible."""
        return self.take().facts
