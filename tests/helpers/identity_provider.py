"""A provider of identities as a program of its own, which checks what the standards have it check (OpenID Connect
Core 1.0, RFC 7636): client and secret, where it sends people back to, PKCE by S256, codes that work once. It can be
told to answer wrongly, so that tests see whether that is noticed.
"""

import base64
import hashlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "biombo-tests", "a secret of tests"
PEOPLE = {
    "rosa": {"sub": "111", "name": "Rosa Lins", "email": "rosa@example.org", "email_verified": True},
    "unverified": {"sub": "222", "name": "Ivo Reis", "email": "ivo@example.org", "email_verified": False},
    "taken": {"sub": "333", "name": "R. Lima", "email": "pesquisadora@demo.example", "email_verified": True},
    "staff": {"sub": "444", "name": "A. Souza", "email": "Gestora@demo.example", "email_verified": True},
    "boss": {"sub": "555", "name": "B", "email": "b@example.org", "email_verified": True, "role": "administrator"},
}
_NO_KEYS: dict[str, Any] = {"list of keys": [1], "keys no list": {"keys": 5}, "keys no objects": {"keys": [1]}}
_PAGE = '<!doctype html><title>Provider</title><form method="post">{}<button name="who" value="{}">Go</button></form>'


class Provider:
    """Keys, codes, and what it was told to get wrong."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key, self.another_key = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}
        self.wrong = ""
        self.asked: list[dict[str, str]] = []

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "jwks_uri": f"{self.address}/jwk",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def keys(self) -> Any:
        if self.wrong in _NO_KEYS:
            return _NO_KEYS[self.wrong]
        known = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**known, "kid": "one", "alg": "RS256", "use": "sig"}]}

    def authorized(self, asked: dict[str, str], who: str) -> str:
        """Where somebody is sent back to, with a code."""
        self.asked.append(asked)
        right = (
            asked.get("client_id") == CLIENT
            and asked.get("response_type") == "code"
            and asked.get("code_challenge_method") == "S256"
            and len(asked.get("code_challenge", "")) == 43
            and "openid" in asked.get("scope", "").split()
            and asked.get("nonce")
            and asked.get("state")
        )
        if not right:
            return ""
        code = secrets.token_urlsafe(16)
        self.codes[code] = {**asked, "who": who}
        state = "another" if self.wrong == "state" else asked["state"]
        if self.wrong == "cancelled":
            return f"{asked['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': state})}"
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': state})}"

    def exchanged(self, sent: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Tokens for a code, once; nothing where something does not fit."""
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        asked = self.codes.pop(sent.get("code", ""), None)
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or authorization != f"Basic {known}" or challenge != asked["code_challenge"]:
            return None
        if sent.get("redirect_uri") != asked["redirect_uri"] or sent.get("grant_type") != "authorization_code":
            return None
        token = secrets.token_urlsafe(16)
        self.tokens[token] = asked["who"]
        return {"access_token": token, "token_type": "Bearer", "expires_in": 60, "id_token": self.id_token(asked)}

    def id_token(self, asked: dict[str, str]) -> str:
        now = int(time.time())
        claims = {
            "iss": f"{self.address}/other" if self.wrong == "issuer" else self.address,
            "aud": "somebody-else" if self.wrong == "audience" else CLIENT,
            "iat": now - 7200,
            "exp": now - 3600 if self.wrong == "expired" else now + 300,
            "nonce": "another" if self.wrong == "nonce" else asked["nonce"],
            **PEOPLE[asked["who"]],
        }
        if self.wrong == "subject":
            claims["sub"] = "9" * 400
        if self.wrong == "email":
            claims["email"] = [claims["email"]]
        if self.wrong == "userinfo":
            del claims["email"]
        if self.wrong == "no nonce":
            del claims["nonce"]
        if self.wrong == "unsigned":
            return jwt.encode(claims, None, algorithm="none", headers={"kid": "one"})
        key = self.another_key if self.wrong == "signature" else self.key
        return jwt.encode(claims, key, algorithm="RS256", headers={"kid": "one"})


class _Answers(BaseHTTPRequestHandler):
    provider: Provider

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/.well-known/openid-configuration":
            self._json(self.provider.configuration())
        elif parts.path == "/jwk":
            self._json(self.provider.keys())
        elif parts.path == "/asked":
            self._json(self.provider.asked)
        elif parts.path == "/userinfo":
            who = self.provider.tokens[self.headers["Authorization"].removeprefix("Bearer ")]
            self._json([who] if self.provider.wrong == "userinfo" else PEOPLE[who])
        elif parts.path == "/authorize":
            buttons = "".join(f'<button name="who" value="{who}">{who}</button>' for who in PEOPLE)
            self._send(200, "text/html", _PAGE.format(buttons, "nobody").encode())
        else:
            self._send(200 if parts.path == "/favicon.ico" else 404, "text/plain", b"")

    def do_POST(self) -> None:
        sent = self._sent()
        if self.path == "/wrong":
            self.provider.wrong = sent.get("what", "")
            self._json({})
        elif self.path == "/token":
            told = self.provider.exchanged(sent, self.headers.get("Authorization", ""))
            self._json(told) if told is not None else self._json({"error": "invalid_grant"}, 400)
        else:
            asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            place = self.provider.authorized(asked, sent["who"])
            self.send_response(302 if place else 400)
            self.send_header("Location", place)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _sent(self) -> dict[str, str]:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        return {name: values[0] for name, values in parse_qs(content).items()}

    def _json(self, told: Any, status: int = 200) -> None:
        self._send(status, "application/json", json.dumps(told).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@dataclass(frozen=True)
class RunningProvider:
    """A provider that answers."""

    address: str

    def get_wrong(self, what: str) -> None:
        """From the next answer on."""
        with urlopen(Request(f"{self.address}/wrong", urlencode({"what": what}).encode()), timeout=20):
            pass

    def asked(self) -> list[dict[str, str]]:
        """What people were sent to it with."""
        with urlopen(f"{self.address}/asked", timeout=20) as answer:
            found: list[dict[str, str]] = json.load(answer)
            return found


@contextmanager
def running_provider() -> Iterator[RunningProvider]:
    """The provider, on a port of its own; gone at the end of the block."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield RunningProvider(process.stdout.readline().strip())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    _Answers.provider = Provider(f"http://127.0.0.1:{server.server_port}")
    print(_Answers.provider.address, flush=True)
    server.serve_forever()
