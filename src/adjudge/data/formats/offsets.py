"""Places in a text: what they count, told by the text that a span repeats.

Code points, or UTF-16 units, of which a sign beyond the first 65,536 has two: one emoji moves every later span.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudge.data.formats.base import NOTHING, RaterAnswers, refused


@dataclass
class Offsets:
    """Spans of a file as they are met: which way of counting fits, and the places by either."""

    name: str
    fits: dict[str, int] = field(default_factory=lambda: {"code points": 0, "UTF-16 units": 0})
    odd: int = 0

    def seen(self, text: str | None, spans: list[list[object]]) -> list[list[object]]:
        """Spans of [label, start, end, covered text] as [label, start, end, start, end], by code points and UTF-16."""
        offsets = []
        for label, start, end, covered in spans:
            if not isinstance(start, int) or not isinstance(end, int) or isinstance(start, bool):
                raise refused(
                    self.name,
                    "place its spans by whole numbers",
                    "one is not so placed",
                    "Spans of HTML, audio and images cannot be read.",
                )
            other = (start, end) if text is None else (code_point(text, start), code_point(text, end))
            if text is not None and isinstance(covered, str):
                by_points, by_units = text[start:end] == covered, text[other[0] : other[1]] == covered
                self.fits["code points"] += by_points
                self.fits["UTF-16 units"] += by_units
                self.odd += not (by_points or by_units)
            offsets.append([label, start, end, *other])
        return offsets

    def settled(self, judgements: RaterAnswers) -> RaterAnswers:
        """The spans by the way of counting that fits most; refused where none does."""
        if self.odd and not any(self.fits.values()):
            raise refused(
                self.name,
                "place its spans in the text",
                "their places fit neither its characters nor its UTF-16 units",
                "Export it again with its texts.",
            )
        units = self.fits["UTF-16 units"] > self.fits["code points"]
        judgements.answers = {
            key: (time, spans if spans is NOTHING else [[s[0], *(s[3:5] if units else s[1:3])] for s in spans])
            for key, (time, spans) in judgements.answers.items()
        }
        return judgements


def code_point(text: str, unit: int) -> int:
    """The place in code points of a place in UTF-16 units.

    >>> code_point("a😀b", 3)
    2
    """
    if text.isascii():
        return unit
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * unit].decode("utf-16-le", "ignore"))
