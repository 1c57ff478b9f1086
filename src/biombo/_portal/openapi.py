"""The API as OpenAPI describes it."""

from typing import Any

from biombo._negotiate import ACTS
from biombo._portal.askable import LONGEST
from biombo._portal.models import Inquiry

_PAGES_ALONE = ("ask", "erase")
ACTS_FOR_PROGRAMS = frozenset(each.name for each in ACTS) - {*_PAGES_ALONE}
"""What programs may do; asking has a route of its own, and erasing only a page."""

DECISIONS = ("approve", "reject")

_WRONG = {
    "400": "What was sent cannot be read.",
    "401": "No token, or one that is over.",
    "403": "Not for this role.",
    "404": "Not there, or not for you.",
    "405": "Not this method.",
    "409": "Not now.",
    "413": "More than may be sent.",
    "422": "What was sent makes no sense.",
    "429": "Enough for today.",
}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 2**31}
_OBJECT: dict[str, Any] = {"type": "object"}
_ERROR = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
_ACT = {
    "type": "object",
    "required": ["act"],
    "properties": {
        "act": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "propertyNames": {"enum": sorted(ACTS_FOR_PROGRAMS)},
        },
        "head": {"type": "string", "maxLength": 64},
    },
}
_ASKED = {
    "type": "object",
    "required": ["data_set", "request"],
    "properties": {"data_set": {"type": ["integer", "null"]}, "request": _OBJECT},
}

_WORDS: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": LONGEST}
_QUESTION = {
    "type": "object",
    "required": ["purpose"],
    "additionalProperties": False,
    "properties": {
        "by": {"type": "object", "additionalProperties": {"type": ["integer", "string"]}},
        "where": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        },
        "mean": {"type": ["string", "null"]},
        "totals": {"type": "boolean"},
        "purpose": _WORDS,
    },
}
_STATE = {"name": "state", "in": "query", "schema": {"type": "string", "enum": [*Inquiry.STATES]}}
_DECISION = {
    "type": "object",
    "required": ["decision"],
    "additionalProperties": False,
    "properties": {"decision": {"enum": [*DECISIONS]}, "reason": _WORDS},
}


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Biombo",
            "version": "1",
            "description": "Requests, negotiations and questions, for programs.",
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {
            "/api/requests": {
                "get": _route("requests", "200", "Those that one may see."),
                "post": _route("ask", "202", "Asked for; a worker begins it.", _ASKED),
            },
            "/api/requests/{number}": {
                "parameters": [_in_path("number")],
                "get": _route("request", "200", "What one may see of it."),
            },
            "/api/requests/{number}/acts": {
                "parameters": [_in_path("number")],
                "post": _route("act", "202", "A worker does it.", _ACT),
            },
            "/api/requests/{number}/jobs/{job}": {
                "parameters": [_in_path("number"), _in_path("job")],
                "get": _route("job", "200", "How far it is."),
            },
            "/api/questions": {
                "parameters": [_STATE],
                "get": _route("questions", "200", "Those that one may see, and the tables that take some."),
            },
            "/api/data/{data_set}/ask": {
                "parameters": [_in_path("data_set")],
                "get": _route("offered", "200", "By which columns and levels it may be asked, and for which means."),
                "post": _route("question", "202", "Asked; it waits for a manager.", _QUESTION),
            },
            "/api/questions/{question}": {
                "parameters": [_in_path("question")],
                "get": _route("one-question", "200", "What one may see of it; once it was answered, the answer."),
            },
            "/api/questions/{question}/decision": {
                "parameters": [_in_path("question")],
                "post": _route("decide", "200", "Decided; if approved, a worker answers it.", _DECISION),
            },
        },
    }


def _route(name: str, code: str, what: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answers = {code: _answer(what, _OBJECT), **{each: _answer(why, _ERROR) for each, why in _WRONG.items()}}
    sent = (
        {} if body is None else {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}
    )
    return {"operationId": name, **sent, "responses": answers}


def _answer(what: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _NUMBER}
