"""A login provider as companies run: Django OAuth Toolkit with users, groups, PKCE and logout.

`running_provider` starts it as a process. What a broken provider does, a test asks for by
`configure`: claims of the ID token, another issuer, new keys, HMAC instead of RSA.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

_LOGIN_PAGE = "<form method=post>{% csrf_token %}{{ form }}<button>Log in</button></form>"
CLIENT, SECRET = "searchqa", "a secret & more, of 32 bytes at least"
HOME = "http://localhost:8765"


@dataclass
class LoginProvider:
    issuer: str
    process: subprocess.Popen[str]

    def configure(self, **changes: Any) -> None:
        """id_token: claims that replace those of each ID token. issuer: in the metadata. new_key:
        the next tokens are signed by it. algorithm: RS256 or HS256. groups: of the user mina."""
        reply = httpx.put(f"{self.issuer.removesuffix('/o')}/configure", json=changes)
        assert reply.status_code == 200, reply.text


@contextmanager
def running_provider() -> Iterator[LoginProvider]:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", __file__],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": ""},
        )
        try:
            assert process.stdout is not None
            yield LoginProvider(process.stdout.readline().strip(), process)
        finally:
            process.kill()
            process.communicate()


def _new_key() -> str:
    from jwcrypto.jwk import JWK

    return (
        JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None).decode()
    )


def _settings() -> dict[str, Any]:
    return {
        "SECRET_KEY": "of-tests-alone",
        "DEBUG": True,
        "ALLOWED_HOSTS": ["*"],
        "ROOT_URLCONF": "__main__",
        "USE_TZ": True,
        "DATABASES": {
            "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path("provider.sqlite")}
        },
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "INSTALLED_APPS": [
            *("django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"),
            "oauth2_provider",
        ],
        "MIDDLEWARE": [
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "loaders": [
                        ("django.template.loaders.locmem.Loader", {"login.html": _LOGIN_PAGE}),
                        "django.template.loaders.app_directories.Loader",
                    ]
                },
            }
        ],
        "LOGIN_URL": "/accounts/login/",
        "OAUTH2_PROVIDER": {
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": _new_key(),
            "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
            "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
            "OAUTH2_VALIDATOR_CLASS": "__main__.Validator",
            "PKCE_REQUIRED": True,
            "SCOPES": {"openid": "", "email": "", "profile": ""},
        },
    }


_replaced: dict[str, Any] = {}


def _configure(request: Any) -> Any:
    from django.conf import settings
    from django.contrib.auth.models import Group, User
    from django.core.signals import setting_changed
    from django.http import HttpResponse
    from oauth2_provider.models import Application

    changes = json.loads(request.body)
    provider = settings.OAUTH2_PROVIDER
    if "id_token" in changes:
        _replaced.clear()
        _replaced.update(changes["id_token"])
    if "issuer" in changes:
        provider["OIDC_ISS_ENDPOINT"] = changes["issuer"]
    if changes.get("new_key"):
        provider["OIDC_RSA_PRIVATE_KEY"] = _new_key()
    if "algorithm" in changes:
        Application.objects.update(algorithm=changes["algorithm"])
    if "groups" in changes:
        named = [Group.objects.get_or_create(name=name)[0] for name in changes["groups"]]
        User.objects.get(username="mina").groups.set(named)
    setting_changed.send(sender=None, setting="OAUTH2_PROVIDER", value=provider, enter=True)
    return HttpResponse()


def _serve() -> None:
    import django
    from django.conf import settings

    settings.configure(**_settings())
    django.setup()

    from socketserver import ThreadingMixIn
    from threading import Thread
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

    from django.contrib.auth.models import User
    from django.contrib.auth.views import LoginView
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application
    from django.urls import include, path
    from oauth2_provider.models import Application
    from oauth2_provider.oauth2_validators import OAuth2Validator

    class Validator(OAuth2Validator):
        oidc_claim_scope = None

        def get_additional_claims(self, request: Any) -> dict[str, Any]:
            user = request.user
            return {
                "sub": f"id-of-{user.username}",
                "email": user.email,
                "email_verified": True,
                "groups": [group.name for group in user.groups.all()],
            }

        def get_id_token_dictionary(self, *about: Any) -> tuple[dict[str, Any], Any]:
            claims, expires = super().get_id_token_dictionary(*about)
            return claims | _replaced, expires

    globals().update(
        Validator=Validator,
        urlpatterns=[
            path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
            path("accounts/login/", LoginView.as_view(template_name="login.html")),
            path("configure", _configure),
        ],
    )
    call_command("migrate", verbosity=0)
    User.objects.create_user("mina", "mina@example.com", "password")
    Application.objects.create(
        client_id=CLIENT,
        client_secret=SECRET,
        hash_client_secret=False,
        client_type="confidential",
        authorization_grant_type="authorization-code",
        redirect_uris=f"{HOME}/login/oidc/callback",
        post_logout_redirect_uris=f"{HOME}/ui/",
        skip_authorization=True,
        algorithm="RS256",
    )

    class Threaded(ThreadingMixIn, WSGIServer):
        daemon_threads = True

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    # It ends with the test, however that ends: then its input does.
    Thread(target=lambda: os._exit(len(sys.stdin.read())), daemon=True).start()
    server = make_server("localhost", 0, get_wsgi_application(), Threaded, Quiet)
    sys.stdout.write(f"http://localhost:{server.server_port}/o\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _serve()
