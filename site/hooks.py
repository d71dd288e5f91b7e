"""Rewrites links to files of the repository that are not part of the site, so they lead to the repository.

It also rewrites pictures in HTML, which the generator does not change: their paths are relative to the folder of the
built page.
"""

import posixpath
import re

REPOSITORY = "https://github.com/pactkit/pactkit/blob/main/"
LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")
PICTURE = re.compile(r'\b(src|srcset)="(?![a-z]+:|/)')


def on_page_markdown(markdown, page, **_):
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def replace(match):
        path = posixpath.normpath(posixpath.join(folder, match[1]))
        if path == "docs" or path.startswith("docs/"):
            return match[0]
        return f"]({REPOSITORY}{path}{match[2] or ''})"

    if page.url.strip("./"):  # the start page stays where it is
        markdown = PICTURE.sub(r'\1="../', markdown)
    return LINK.sub(replace, markdown)
