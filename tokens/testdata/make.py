"""Writes texts in all scripts with the number of tokens that tiktoken from PyPI counts in each.

    python make.py SEED TEXTS > tiktoken.jsonl

Each text of words of a script is followed by one of what the patterns of vocabularies tell apart.
tiktoken.jsonl is made with SEED 1 and 400 TEXTS, tiktoken 0.14.0.
"""

import json
import random
import sys

import tiktoken

ENCODINGS = {name: tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")}

# Code points to draw from: assigned letters, marks, digits, signs of every plane in use.
BLOCKS = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x180, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F),
    (0x531, 0x58F), (0x591, 0x5F4), (0x600, 0x6FF), (0x700, 0x74F), (0x780, 0x7B1), (0x900, 0x97F), (0x980, 0x9FE),
    (0xA01, 0xA76), (0xA81, 0xAF1), (0xB01, 0xB77), (0xB82, 0xBFA), (0xC00, 0xC7F), (0xC80, 0xCF2), (0xD00, 0xD7F),
    (0xD81, 0xDF4), (0xE01, 0xE5B), (0xE81, 0xEDF), (0xF00, 0xFDA), (0x1000, 0x109F), (0x10A0, 0x10FF), (0x1200, 0x139F),
    (0x13A0, 0x13FD), (0x1780, 0x17F9), (0x1820, 0x18AA), (0x1E00, 0x1EFF), (0x1F00, 0x1FFE), (0x2000, 0x206F),
    (0x2070, 0x209C), (0x20A0, 0x20C0), (0x2100, 0x218B), (0x2190, 0x23FF), (0x2500, 0x27BF), (0x3001, 0x30FF),
    (0x3105, 0x318E), (0x3400, 0x3600), (0x4E00, 0x9FFF), (0xA000, 0xA48C), (0xAC00, 0xD7A3), (0xF900, 0xFAD9),
    (0xFE00, 0xFE0F), (0xFF01, 0xFFEE), (0x10330, 0x1034A), (0x12000, 0x12399), (0x1D400, 0x1D7FF), (0x1F300, 0x1FAFF),
    (0x20000, 0x20100),
]
WORDS = "the it's I'LL Don't HTTPServer x2 camelCase snake_case 3.14 2026-01-31 1234567 {\"role\": \"user\"} <|endoftext|> https://a.b/c?d=e".split(" ")
SPACES = [" ", " ", " ", "  ", "\n", "\r\n", "\t", "\n\n", " \n", "\u00a0", "\u3000", ""]

SIGNS = ["a", "Z", "é", "ſ", "ǅ", "ʰ", "ª", "語", "한", "\u0301", "\u0903", "\u20dd", "0", "7", "٣", "Ⅷ", "½", " ", " ", "\t", "\n", "\r", "\u0085",
         "\u00a0", "\u2028", "\u3000", "\v", "\x1c", "\u200b", "\ufeff", "'", "'s", "'T", "'re", "'VE", "'lL", "'ſ", "'r", "’s", "/", "//", ".", "!", "_",
         "😀", "\ufffd", "\x00", " quick", "HTTPServer", "        ", "a" * 42, "=" * 96]


def signs(r: random.Random) -> str:
    return "".join(r.choice(SIGNS) for _ in range(r.randrange(1, 13)))


def text(r: random.Random) -> str:
    parts = []
    block = r.choice(BLOCKS)
    for _ in range(r.randrange(1, 12)):
        if r.random() < 0.2:
            parts.append(r.choice(WORDS))
        else:
            if r.random() < 0.2:
                block = r.choice(BLOCKS)
            parts.append("".join(chr(r.randint(*block)) for _ in range(r.randrange(1, 9))))
        parts.append(r.choice(SPACES))
    return "".join(parts)


def main(seed: int, texts: int) -> None:
    r = random.Random(seed)
    for _ in range(texts):
        for line in {"text": text(r)}, {"text": signs(r)}:
            for name, encoding in ENCODINGS.items():
                line[name] = len(encoding.encode(line["text"], disallowed_special=()))
            print(json.dumps(line))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
