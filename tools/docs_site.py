"""Hooks of `mkdocs`: README, CONTRIBUTING and CHANGELOG are pages of the site too; proofs list themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
LISTED = {"Proof": "validation", "Choices": "decisions"}
LINK = re.compile(r"(\]\()(?!\w+:|#)([^)\s]+)(\))")


def on_config(config: Any) -> Any:
    """Pages of folders that grow are listed from what is there."""
    for heading, folder in LISTED.items():
        pages = sorted((ROOT / "docs" / folder).glob("*.md"))
        config.nav.append({heading: [f"{folder}/{page.name}" for page in pages]})
    return config


def on_files(files: Any, config: Any) -> Any:
    """The pages that stand at the root of the project."""
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        text = LINK.sub(_from_root, (ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links out of docs/ lead to the same pages of the site."""
    return LINK.sub(_from_docs, markdown)


def _from_root(link: re.Match[str]) -> str:
    path, anchor = _parts(link[2])
    return f"{link[1]}{PAGES.get(path, path.removeprefix('docs/'))}{anchor}{link[3]}"


def _from_docs(link: re.Match[str]) -> str:
    path, anchor = _parts(link[2])
    outside = path.replace("../", "")
    if path == outside or outside not in PAGES:
        return link[0]
    return f"{link[1]}{path.removeprefix('../').replace(outside, PAGES[outside])}{anchor}{link[3]}"


def _parts(target: str) -> tuple[str, str]:
    path, mark, anchor = target.partition("#")
    return path, mark + anchor
