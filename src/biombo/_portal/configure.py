"""Django's settings, from a portal's folder. Nothing is read from a settings module: one process serves one portal."""

import os
from collections.abc import Mapping
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from biombo._errors import UsageError
from biombo._portal.home import PortalHome

APP = "biombo._portal"
_HERE = Path(__file__).parent
_DAY = int(timedelta(days=1).total_seconds())
MOST_UPLOADED = 2 * 1024**3
"""Bytes that a request may bring, at most: tables are large."""
_MOST_IN_MEMORY = 1024**2
_MOST_FIELDS = 50_000
"""Of one form: tables have thousands of columns, each with its role."""
_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


def configure(home: PortalHome, *, testing: bool = False) -> None:
    """Make this process one of the portal's. Once; a second portal needs another process."""
    import django
    from django.conf import settings

    if not settings.configured:
        settings.configure(**settings_of(home, testing=testing))
        django.setup()
    elif settings.PORTAL_HOME.folder != home.folder:
        raise UsageError("portal.one-a-process")


def settings_of(home: PortalHome, *, testing: bool = False) -> dict[str, Any]:
    """All settings."""
    secure = home.address.startswith("https://")
    return {
        "PORTAL_HOME": home,
        "SECRET_KEY": home.secret_key,
        "DEBUG": False,
        "ALLOWED_HOSTS": sorted({str(urlsplit(home.address).hostname), "127.0.0.1", "localhost", "[::1]"}),
        "CSRF_TRUSTED_ORIGINS": [_origin(home.address)],
        "INSTALLED_APPS": [
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "whitenoise.runserver_nostatic",
            "django.contrib.staticfiles",
            "django.forms",
            "django_htmx",
            "allauth",
            "allauth.account",
            "allauth.mfa",
            "allauth.socialaccount",
            f"{APP}.app.Portal",
        ],
        "MIDDLEWARE": [
            "django.middleware.security.SecurityMiddleware",
            "csp.middleware.CSPMiddleware",
            "whitenoise.middleware.WhiteNoiseMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            f"{APP}.middleware.Language",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
            "django_htmx.middleware.HtmxMiddleware",
            "allauth.account.middleware.AccountMiddleware",
            f"{APP}.middleware.Tokens",
            f"{APP}.middleware.Access",
        ],
        "ROOT_URLCONF": f"{APP}.urls",
        "TEMPLATES": [_templates()],
        "DATABASES": {"default": database_of(home)},
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "STATIC_URL": "static/",
        "STATIC_ROOT": None,
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_AUTOREFRESH": False,
        "USE_TZ": True,
        "TIME_ZONE": "America/Sao_Paulo",
        "LANGUAGE_CODE": "pt-br",
        "LANGUAGES": [("pt-br", "Português"), ("en", "English")],
        "FORM_RENDERER": "django.forms.renderers.TemplatesSetting",
        "FILE_UPLOAD_HANDLERS": ["django.core.files.uploadhandler.TemporaryFileUploadHandler"],
        "FILE_UPLOAD_TEMP_DIR": str(home.uploads),
        "FILE_UPLOAD_PERMISSIONS": 0o600,
        "DATA_UPLOAD_MAX_MEMORY_SIZE": _MOST_IN_MEMORY,
        "DATA_UPLOAD_MAX_NUMBER_FIELDS": _MOST_FIELDS,
        "CACHES": {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "portal_cache"}},
        "SILENCED_SYSTEM_CHECKS": ["security.W004", "security.W008"],
        "LOGGING": _logging(testing),
        **_accounts(home),
        **_headers(secure=secure, behind_proxy=home.behind_proxy, provider=home.identity.get("server")),
        **_mail(home.mail),
    }


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _templates() -> dict[str, Any]:
    return {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [f"{APP}.templatetags.portal"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                f"{APP}.context.on_every_page",
            ],
        },
    }


def database_of(home: PortalHome) -> dict[str, Any]:
    """Where tables of the portal are: SQLite in its folder, or PostgreSQL."""
    if home.database is None:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(home.folder / "portal.sqlite3"),
            "CONN_MAX_AGE": 600,
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
            },
        }
    parts = urlsplit(home.database)
    if parts.scheme not in ("postgresql", "postgres"):
        raise UsageError("portal.database")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or os.environ.get("PGPASSWORD", "")),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def _accounts(home: PortalHome) -> dict[str, Any]:
    """Who may come in: passwords by Argon2, a second factor for whoever wants one, one provider of identities."""
    settings: dict[str, Any] = {
        "AUTH_USER_MODEL": "portal.Person",
        "AUTHENTICATION_BACKENDS": ["allauth.account.auth_backends.AuthenticationBackend"],
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.Argon2PasswordHasher"],
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
            {
                "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
                "OPTIONS": {"min_length": 10},
            },
            {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
        ],
        "LOGIN_URL": "account_login",
        "LOGIN_REDIRECT_URL": "home",
        "ACCOUNT_LOGOUT_REDIRECT_URL": "catalogue",
        "ACCOUNT_USER_MODEL_USERNAME_FIELD": None,
        "ACCOUNT_LOGIN_METHODS": {"email"},
        "ACCOUNT_SIGNUP_FIELDS": ["email*", "password1*", "password2*"],
        "ACCOUNT_FORMS": {
            "login": f"{APP}.accounts.LoginForm",
            "reset_password": f"{APP}.accounts.ResetForm",
        },
        "ACCOUNT_ADAPTER": f"{APP}.accounts.Adapter",
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory" if home.mail else "none",
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": "Biombo: ",
        "ACCOUNT_PREVENT_ENUMERATION": True,
        "ACCOUNT_USER_DISPLAY": attrgetter("email"),  # letters go to addresses not proved: no names that somebody chose
        "ACCOUNT_SESSION_REMEMBER": False,
        "ACCOUNT_RATE_LIMITS": {
            "login": "60/m/ip",
            "login_failed": "10/m/ip,5/5m/key",
            "signup": "20/m/ip",
            "registration": "30/d/ip",
            "registration_by_letter": "100/d/ip",
            "registration_again": "10/d/key",
            "address_letter": "1/3m/key",
            "address_letters": "20/d/key",
            "prove_address": "10/m/ip",
            "reset_password": "20/m/ip",
            "reset_password_again": "5/d/key",
        },
        "MFA_SUPPORTED_TYPES": ["totp", "recovery_codes"],
        "MFA_TOTP_ISSUER": "Biombo",
        "SESSION_COOKIE_AGE": _DAY,
        "SESSION_EXPIRE_AT_BROWSER_CLOSE": True,
    }
    settings["SOCIALACCOUNT_ADAPTER"] = f"{APP}.provider.ProviderAdapter"
    settings["SOCIALACCOUNT_PROVIDERS"] = {"agency": _provider(home.identity)} if home.identity else {}
    return settings


def _provider(identity: Mapping[str, Any]) -> dict[str, Any]:
    """The one provider: asked by PKCE, over HTTPS unless it is on this machine."""
    parts = urlsplit(str(identity.get("server", "")))
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _THIS_MACHINE)
    if not is_safe or not identity.get("client"):
        raise UsageError("portal.identity")
    more = {name: identity[name] for name in ("scope", "token_auth_method") if name in identity}
    return {
        "OAUTH_PKCE_ENABLED": True,
        "APPS": [
            {
                "provider_id": "agency",
                "name": identity.get("name", "gov.br"),
                "client_id": identity["client"],
                "secret": os.environ.get("BIOMBO_PORTAL_OIDC_SECRET", ""),
                "settings": {"server_url": identity["server"], "oauth_pkce_enabled": True, **more},
            }
        ],
    }


def _headers(*, secure: bool, behind_proxy: bool, provider: str | None) -> dict[str, Any]:
    """What browsers are told, and what of a proxy is believed. A form may lead to the provider of identities."""
    nothing, own = ["'none'"], ["'self'"]
    reached = own if provider is None else [*own, _origin(provider)]
    settings: dict[str, Any] = {
        "CONTENT_SECURITY_POLICY": {
            "DIRECTIVES": {
                "default-src": nothing,
                "script-src": own,
                "style-src": own,
                "img-src": [*own, "data:"],
                "font-src": own,
                "connect-src": own,
                "form-action": reached,
                "frame-ancestors": nothing,
                "base-uri": nothing,
            }
        },
        "X_FRAME_OPTIONS": "DENY",
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_HTTPONLY": True,
        "CSRF_FAILURE_VIEW": f"{APP}.pages.entrance.refused",
        "CSRF_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": secure,
        "CSRF_COOKIE_SECURE": secure,
        "LANGUAGE_COOKIE_SECURE": secure,
        "SECURE_HSTS_SECONDS": 365 * _DAY if secure else 0,
    }
    if behind_proxy:
        settings["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https")
        settings["USE_X_FORWARDED_HOST"] = False
        settings["ALLAUTH_TRUSTED_PROXY_COUNT"] = 1  # or all who log in would share one limit
    return settings


def _mail(mail: Mapping[str, Any]) -> dict[str, Any]:
    if not mail:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    return {
        "EMAIL_BACKEND": f"{APP}.letters.Outbox",
        "EMAIL_HOST": mail.get("host", "localhost"),
        "EMAIL_PORT": int(mail.get("port", 25)),
        "EMAIL_HOST_USER": mail.get("user", ""),
        "EMAIL_HOST_PASSWORD": os.environ.get("BIOMBO_PORTAL_MAIL_PASSWORD", ""),
        "EMAIL_USE_TLS": bool(mail.get("tls", False)),
        "EMAIL_TIMEOUT": 20,
        "DEFAULT_FROM_EMAIL": mail.get("sender", "biombo@localhost"),
    }


def _logging(testing: bool) -> dict[str, Any]:
    """Errors go to standard error, without what was sent: forms hold personal data. What readers of files say of a file
    goes nowhere: it may quote it.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": f"{APP}.logs.Discreet"}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "filters": ["discreet"]},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "django": {"handlers": ["stderr"], "level": "ERROR", "propagate": testing},
            "biombo.portal": {"handlers": ["stderr"], "level": "INFO", "propagate": testing},
            **{reader: {"handlers": ["nowhere"], "propagate": False} for reader in ("calamine", "fastexcel")},
        },
    }
