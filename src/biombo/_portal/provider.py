"""People who come by a provider of identities (OpenID Connect; gov.br is one).

The library that speaks with the provider trusts what comes over HTTPS; here the ID token is checked as the standard
says (OpenID Connect Core 1.0, 3.1.3.7): signature, issuer, audience, time, and the nonce of this very login.
"""

import hmac
import secrets
from collections.abc import Mapping
from typing import Any

import jwt
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from biombo._addresses import holds_password
from biombo._i18n import text
from biombo._portal.accounts import refuse_odd_address
from biombo._portal.models import Person, TrailEntry
from biombo._portal.typed import one_line

PROVIDER = "agency"
"""By what the one provider of a portal is known."""
_SIGNED_BY = ("RS256", "PS256", "ES256")
_NEEDED = ("iss", "sub", "aud", "exp", "iat", "nonce")
_SECONDS_APART = 30
"""So much may two clocks differ."""
_CONNECT = "connect"
_LONGEST_SUBJECT, _LONGEST_ADDRESS = 191, 254
"""What the database keeps."""


class ProviderAnswers(OpenIDConnectOAuth2Adapter):
    """Reads what the provider answers, and believes what was checked."""

    nonce = ""
    """That of this login."""

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **told: Any) -> Any:
        """Who came."""
        claims = self._checked(str(told["response"].get("id_token") or ""), app)
        told_apart = {} if claims.get("name") and claims.get("email") else _object(self._fetch_user_info(token.token))
        if told_apart and told_apart.get("sub") != claims["sub"]:
            raise OAuth2Error("somebody else")
        by_whom = claims if claims.get("email") else told_apart
        return self.get_provider().sociallogin_from_response(
            request,
            {
                "sub": str(claims["sub"]),
                "name": one_line(str(claims.get("name") or told_apart.get("name") or "")),
                "email": _address(by_whom.get("email")),
                "email_verified": by_whom.get("email_verified") in (True, "true"),
            },
        )

    def _checked(self, id_token: str, app: Any) -> dict[str, Any]:
        """The claims of an ID token, or an error."""
        config = self.openid_config
        if str(config["issuer"]).rstrip("/") != str(app.settings["server_url"]).rstrip("/"):
            raise OAuth2Error("another issuer")
        try:
            keys = jwt.PyJWKSet.from_dict(_object(self._fetched(config["jwks_uri"]), members="keys"))
            named = jwt.get_unverified_header(id_token).get("kid")
            key = next(each for each in keys.keys if named is None or each.key_id == named)
            claims: dict[str, Any] = jwt.decode(
                id_token,
                key,
                algorithms=list(_SIGNED_BY),
                audience=app.client_id,
                issuer=config["issuer"],
                leeway=_SECONDS_APART,
                options={"require": list(_NEEDED)},
            )
        except (jwt.PyJWTError, StopIteration) as error:
            raise OAuth2Error("no valid ID token") from error
        if not self.nonce or not hmac.compare_digest(str(claims["nonce"]).encode(), self.nonce.encode()):
            raise OAuth2Error("another nonce")
        if len(str(claims["sub"])) > _LONGEST_SUBJECT:
            raise OAuth2Error("a name too long")
        if claims.get("azp", app.client_id) != app.client_id:
            raise OAuth2Error("for somebody else")
        return claims

    def _fetched(self, address: str) -> Any:
        with get_adapter().get_requests_session() as session:
            answer = session.get(address)
            answer.raise_for_status()
            return answer.json()

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        """As the provider knows it: by the address of the portal, whatever a browser says that it is."""
        del request, app
        return f"{settings.PORTAL_HOME.address}{reverse('provider-callback')}"


def _object(told: Any, *, members: str | None = None) -> dict[str, Any]:
    """An object, as the standards have it, or an error; with a list of objects in it."""
    inner = [] if members is None or not isinstance(told, dict) else told.get(members)
    if not isinstance(told, dict) or not isinstance(inner, list) or not all(isinstance(each, dict) for each in inner):
        raise OAuth2Error("no object")
    return told


def _address(told: Any) -> str | None:
    """An address that letters can be sent to; nothing where it is none."""
    try:
        validate_email(told)
        refuse_odd_address(told)
    except (ValidationError, TypeError):
        return None
    return str(told) if len(told) <= _LONGEST_ADDRESS else None


class IdentityProvider(OpenIDConnectProvider):
    """The provider, asked with PKCE (S256), a state and a nonce; of what it tells nothing is kept but who it is."""

    id = PROVIDER
    oauth2_adapter_class = ProviderAnswers

    def redirect(self, request: HttpRequest, process: str, next_url: Any = None, data: Any = None, **told: Any) -> Any:
        """To the provider; the nonce is remembered with the state of this login."""
        nonce = secrets.token_urlsafe(32)
        return super().redirect(
            request,
            process,
            next_url,
            data,
            auth_params={**self.get_auth_params(), "nonce": nonce},
            nonce=nonce,
            **told,
        )

    def extract_extra_data(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Nothing."""
        del data
        return {}


provider_classes = [IdentityProvider]


class Callback(OAuth2CallbackView):
    """Where people come back to."""

    def _get_state(self, request: HttpRequest, provider: Any) -> Any:
        state, answer = super()._get_state(request, provider)
        if state is not None:
            self.adapter.nonce = str(state.get("nonce") or "")
        return state, answer


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Whoever comes by a provider is a requester, and nothing else."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Refuse whom the provider cannot speak for: nobody's account is taken over, and no account of the agency."""
        connecting = sociallogin.state.get("process") == _CONNECT
        if connecting or sociallogin.is_existing:
            person = request.user if connecting else sociallogin.user
            if not person.is_authenticated or person.role != "requester":
                raise ImmediateHttpResponse(refused(request, "staff"))
            return
        addresses = [each.email for each in sociallogin.email_addresses if each.verified]
        if not addresses:
            raise ImmediateHttpResponse(refused(request, "no-address"))
        unproved = Person.objects.unproved(addresses[0])
        if Person.objects.filter(email__iexact=addresses[0]).difference(unproved).exists():
            raise ImmediateHttpResponse(refused(request, "taken"))
        if holds_password(sociallogin.user.name):
            raise ImmediateHttpResponse(refused(request, "odd-name"))
        unproved.delete()

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Mapping[str, Any]) -> Person:
        """As the provider calls them."""
        person: Person = sociallogin.user
        person.email = str(data.get("email") or "").lower()
        person.name = str(data.get("name") or person.email)[:200]
        person.language = getattr(request, "language", "pt")
        return person

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Person:
        """A new account, of a requester."""
        sociallogin.user.role = "requester"
        made: Person = super().save_user(request, sociallogin, form)
        TrailEntry.add("registered", made)
        return made

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        """Back to where it was asked for."""
        del socialaccount
        TrailEntry.add("provider-connected", request.user)
        return str(reverse("account"))

    def on_authentication_error(self, request: HttpRequest, provider: Any, **told: Any) -> None:
        """One sentence, whatever was wrong."""
        del provider, told
        raise ImmediateHttpResponse(refused(request, "failed"))


def refused(request: HttpRequest, why: str) -> HttpResponse:
    """Nobody is logged in, and why, in a sentence."""
    said = text(f"portal.provider.{why}", provider=settings.PORTAL_HOME.identity.get("name", "gov.br"))
    return render(request, "portal/message.html", {"title": said}, status=403)
