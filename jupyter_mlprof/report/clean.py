"""HTML of a notebook made harmless: what runs, loads or covers something is taken out.

It is kept by a list of what is allowed, so that nothing new gets in. The page's own security policy
stands behind it: see `page`.
"""

from __future__ import annotations

import re

from jupyter_mlprof.report.markup import Html

# fmt: off
TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "col", "colgroup", "dd", "del",
    "details", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp",
    "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "tt", "u", "ul", "var",
})
STYLES = frozenset({
    "text-align", "color", "background-color", "font-weight", "font-style", "font-size",
    "white-space", "width", "height", "max-width", "vertical-align", "border-collapse",
})
# fmt: on
# Their text goes, too.
DROPPED = re.compile(
    r"<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
COMMON = frozenset({"title", "lang", "dir", "colspan", "rowspan", "scope", "align", "start"})
SIZES = frozenset({"width", "height"})
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*\Z")
LINK = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
MOST = 2_000_000


def clean_html(text: str) -> Html:
    """Return the HTML with tables, text and inline pictures, and without anything else."""
    import bleach
    from bleach.css_sanitizer import CSSSanitizer

    if len(text) > MOST:
        return Html()
    kept = bleach.clean(
        DROPPED.sub("", text),
        tags=TAGS,
        attributes=_is_allowed,
        protocols={"http", "https", "mailto", "data"},
        css_sanitizer=CSSSanitizer(allowed_css_properties=STYLES),
        strip=True,
        strip_comments=True,
    )
    return Html(kept)


def _is_allowed(tag: str, name: str, value: str) -> bool:
    """Names of our own classes and anchors cannot be taken: `class` and `id` go."""
    if name in COMMON or name == "style":
        return True
    if tag == "img":
        return name == "alt" or name in SIZES or (name == "src" and bool(PICTURE.match(value)))
    return tag == "a" and name == "href" and bool(LINK.match(value))
