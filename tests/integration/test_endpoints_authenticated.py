"""No endpoint of ours answers a stranger, whatever will be added later.

The endpoints are those that the running server has, not a list kept here. The server is asked both
ways: with its own net for unmarked endpoints, and without, where only our decorators protect.
"""

import re
import warnings

import pytest
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import JupyterServerAuthWarning
from tornado.httpclient import HTTPClientError
from tornado.web import RequestHandler

PREFIX = "jupyter-mlprof"
SAMPLE_IDS = ["0" * 32, "00000000-0000-0000-0000-000000000000"]
GROUP = re.compile(r"\((?:\?P<\w+>)?[^()]*\)")
# What a server says to a stranger: login page, 401 or 403.
REFUSALS = {302, 401, 403}


@pytest.fixture(params=[True, False], ids=["decorators alone", "with the server's own net"])
def jp_server_config(request):
    return {
        "ServerApp": {
            # The terminals' websocket is not marked, of which the server would warn.
            "jpserver_extensions": {
                "jupyter_mlprof.server": True,
                "jupyter_server_terminals": False,
            },
            "allow_unauthenticated_access": request.param,
        }
    }


def endpoints(app):
    """Yield path and handler of each rule of ours in the running application."""
    for host_rule in app.default_router.rules:
        for rule in getattr(host_rule.target, "rules", []):
            handler, regex = rule.target, rule.matcher.regex
            if f"/{PREFIX}/" in regex.pattern or handler.__module__.startswith("jupyter_mlprof."):
                yield sample_path(regex), handler


def sample_path(regex):
    """Make a path that leads to the handler: a group of the pattern becomes an id."""
    for sample in SAMPLE_IDS:
        path = GROUP.sub(sample, regex.pattern).removesuffix("$")
        if regex.fullmatch(path):
            return path
    pytest.fail(f"add to SAMPLE_IDS an id that fits {regex.pattern}")


def verbs(handler):
    """Name what a handler answers; the server's own preflight answer tells nothing."""
    for verb in handler.SUPPORTED_METHODS:
        method = getattr(handler, verb.lower())
        if method not in (RequestHandler._unimplemented_method, APIHandler.options):
            yield verb


async def ask_as_stranger(jp_fetch, path, verb, base_url):
    body = {"body": ""} if verb in ("POST", "PUT", "PATCH") else {}
    try:
        answer = await jp_fetch(
            path.removeprefix(base_url),
            method=verb,
            headers={"Authorization": ""},
            follow_redirects=False,
            allow_nonstandard_methods=True,
            **body,
        )
    except HTTPClientError as error:
        return error.code
    return answer.code


async def open_to_strangers(app, jp_fetch, base_url):
    return [
        f"{verb} {path}"
        for path, handler in endpoints(app)
        for verb in verbs(handler)
        if await ask_as_stranger(jp_fetch, path, verb, base_url) not in REFUSALS
    ]


async def test_every_endpoint_refuses_a_stranger(jp_serverapp, jp_fetch, jp_base_url):
    app = jp_serverapp.web_app
    assert [path for path, _ in endpoints(app)], "the extension registered nothing"
    assert await open_to_strangers(app, jp_fetch, jp_base_url) == []


async def test_an_endpoint_without_the_decorator_would_be_found(
    jp_serverapp, jp_fetch, jp_base_url
):
    class Open(RequestHandler):
        def get(self, name):
            self.finish(f"{name}, come in")

    path = f"{jp_base_url}{PREFIX}/open/([^/]+)"
    with warnings.catch_warnings(category=JupyterServerAuthWarning, action="ignore"):
        jp_serverapp.web_app.add_handlers(".*$", [(path, Open)])
    found = await open_to_strangers(jp_serverapp.web_app, jp_fetch, jp_base_url)
    assert found == [f"GET {jp_base_url}{PREFIX}/open/{SAMPLE_IDS[0]}"]
