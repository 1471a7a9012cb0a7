"""OpenID Connect: the login provider's addresses and keys, and what its ID tokens say of a user.

Authorization code flow with PKCE (RFC 7636), state and nonce. Needs searchqa[oidc].
"""

import asyncio
import base64
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from app.platform.errors import SetupError, Unauthenticated, Unavailable
from app.platform.server_settings import OidcSettings, check_https
from app.workspaces.service import MAX_NAME_CHARS
from app.workspaces.tokens import Scope

if TYPE_CHECKING:
    from httpx import Headers
    from joserfc.jwk import KeySet

logger = logging.getLogger(__name__)

CALLBACK_PATH = "/login/oidc/callback"
# Signatures that only the provider can make: neither `none` nor HMAC, whose key clients know.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
              "ES256", "ES384", "ES512", "EdDSA", "Ed25519")  # fmt: skip
_KEY_TYPES = {"RSA", "EC", "OKP"}
CLOCK_SKEW_SECONDS = 60
TIMEOUT_SECONDS = 10.0
# A key that the provider no longer lists is trusted for this long.
_CACHE_SECONDS = 3_600.0
# Keys are fetched anew for an unknown one this often, and a failing provider is asked again.
REFETCH_SECONDS = 60.0
_COOLDOWN_SECONDS = 2.0
_MAX_REPLY_BYTES = 1_000_000
_MAX_SUB_CHARS = 255

Claims = Mapping[str, Any]


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Attempt:
    """One login, known by a secret that only the cookie of its browser holds. What goes to the
    provider is derived from it, so that none of it can be used for another login."""

    def __init__(self, secret: str | None = None) -> None:
        self.secret = secret or secrets.token_urlsafe(32)
        self.state, self.nonce, self.verifier = map(self._derive, ("state", "nonce", "verifier"))

    def _derive(self, purpose: str) -> str:
        return _base64(hmac.digest(self.secret.encode(), purpose.encode(), "sha256"))

    def began(self, state: str) -> bool:
        """Whether this browser began the login with that state."""
        return hmac.compare_digest(self.state.encode(), state.encode())


@dataclass(frozen=True, slots=True)
class Identity:
    """A user of the provider. subject: issuer and `sub`, which no other user ever has. rights: the
    scopes by workspace, in the order of the settings; empty for a user without access."""

    subject: str
    name: str
    rights: Mapping[str, frozenset[Scope]]


def identify(settings: OidcSettings, claims: Claims) -> Identity:
    """The user of verified claims, with the rights that their groups give now."""
    sub = str(claims["sub"])
    subject = f"{settings.issuer} {sub}"
    # Whoever may write any address into their profile must not take another's name by it.
    is_verified = claims.get("email_verified") in (True, "true")
    email = claims.get("email") if is_verified else None
    given = email if settings.name_claim == "email" else claims.get(settings.name_claim)
    name = given.strip() if isinstance(given, str) and given.strip() else sub
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        name = hashlib.sha256(subject.encode()).hexdigest()
    domain = email.rpartition("@")[2].lower() if isinstance(email, str) else ""
    if settings.email_domains and domain not in {each.lower() for each in settings.email_domains}:
        logger.warning("Login of %r: no verified email of SEARCHQA_OIDC_EMAIL_DOMAINS", sub)
        return Identity(subject, name, {})
    groups = claims.get(settings.groups_claim)
    listed = groups if isinstance(groups, list) else [groups]
    rights: dict[str, frozenset[Scope]] = {}
    for group, gives in settings.groups.items():
        if group in listed:
            scopes = rights.get(gives.workspace, frozenset())
            rights[gives.workspace] = scopes | frozenset(map(Scope, gives.scopes))
    if not rights:
        logger.warning("Login of %r: none of its groups is in SEARCHQA_OIDC_GROUPS", sub)
    return Identity(subject, name, rights)


class OidcProvider:
    """The provider of the settings. Nothing is asked before the first login.

    Methods raise Unavailable while the provider cannot be asked or does not fit the settings, and
    Unauthenticated for a login that it or its ID token refutes. Reasons are logged, secrets never.
    """

    def __init__(self, settings: OidcSettings, public_url: str) -> None:
        """Raises SetupError where the extra is not installed."""
        try:
            import joserfc  # noqa: F401
        except ImportError:
            raise SetupError(
                "SEARCHQA_OIDC_ISSUER needs joserfc: install searchqa[oidc], or unset it."
            ) from None
        import httpx

        self.settings = settings
        self._public_url = public_url.rstrip("/")
        self._client = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
        self._lock = asyncio.Lock()
        self._metadata: Claims = {}
        self._metadata_until = self._down_until = 0.0
        self._keys: KeySet | None = None
        self._keys_until = self._renew_from = 0.0

    async def aclose(self) -> None:
        await self._client.aclose()

    async def authorization_url(self, attempt: Attempt) -> str:
        """Where the browser goes to log in."""
        challenge = _base64(hashlib.sha256(attempt.verifier.encode()).digest())
        return await self._address(
            "authorization_endpoint",
            response_type="code",
            client_id=self.settings.client_id,
            redirect_uri=self._public_url + CALLBACK_PATH,
            scope=self.settings.scopes,
            state=attempt.state,
            nonce=attempt.nonce,
            code_challenge=challenge,
            code_challenge_method="S256",
        )

    async def logout_url(self) -> str | None:
        """Where the browser ends its session at the provider; None where that is not offered."""
        if "end_session_endpoint" not in await self._discover():
            return None
        return await self._address(
            "end_session_endpoint",
            client_id=self.settings.client_id,
            post_logout_redirect_uri=f"{self._public_url}/ui/",
        )

    async def identity(self, code: str, issuer: str | None, attempt: Attempt) -> Identity:
        """Redeems the code of a login. issuer: whom the redirect names (RFC 9207)."""
        metadata = await self._discover()
        must_name = metadata.get("authorization_response_iss_parameter_supported") is True
        if issuer != self.settings.issuer and (must_name or issuer is not None):
            raise _refused("the redirect names another issuer")
        reply = await self._redeem(code, attempt)
        claims = await self._verified(reply.get("id_token"), attempt)
        wanted = {self.settings.groups_claim, self.settings.name_claim}
        if not wanted <= set(claims) and "userinfo_endpoint" in metadata:
            claims = {**await self._userinfo(reply.get("access_token"), claims["sub"]), **claims}
        return identify(self.settings, claims)

    async def check(self) -> tuple[int, float]:
        """How many keys are usable, and how many seconds the provider's clock is ahead of ours."""
        metadata = await self._discover()
        _, headers = await self._ask("GET", metadata["jwks_uri"])
        keys = await self._key_set()
        now = time.time()
        date = headers.get("date")
        return len(keys.keys), (parsedate_to_datetime(date).timestamp() if date else now) - now

    async def _address(self, endpoint: str, **query: str | None) -> str:
        address = (await self._discover())[endpoint]
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def _discover(self) -> Claims:
        async with self._lock:
            now = time.monotonic()
            if now >= self._metadata_until:
                with self._cooling():
                    self._metadata = await self._load_metadata()
                self._metadata_until = now + _CACHE_SECONDS
            return self._metadata

    @contextmanager
    def _cooling(self) -> Iterator[None]:
        """Around what everybody waits for: after a failure it is not tried again for a moment, so
        that those who wait do not each wait for the timeout of their own."""
        if time.monotonic() < self._down_until:
            raise Unavailable.worded("login-provider-away")
        try:
            yield
        except Unavailable:
            self._down_until = time.monotonic() + _COOLDOWN_SECONDS
            raise

    async def _load_metadata(self) -> Claims:
        issuer = self.settings.issuer or ""
        found, _ = await self._ask(
            "GET", f"{issuer.removesuffix('/')}/.well-known/openid-configuration"
        )
        if found.get("issuer") != issuer:
            raise _away(f"its issuer is {found.get('issuer')!r}, SEARCHQA_OIDC_ISSUER {issuer!r}")
        addresses = {"authorization_endpoint", "token_endpoint", "jwks_uri"}
        for name in addresses | (found.keys() & {"userinfo_endpoint", "end_session_endpoint"}):
            try:
                check_https(str(found.get(name)))
            except ValueError as error:
                raise _away(f"its {name} {error}") from None
        return found

    async def _redeem(self, code: str, attempt: Attempt) -> Claims:
        metadata, settings = await self._discover(), self.settings
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._public_url + CALLBACK_PATH,
            "client_id": settings.client_id or "",
            "code_verifier": attempt.verifier,
        }
        headers = {"Accept": "application/json"}
        if settings.client_secret is not None:
            secret = settings.client_secret.get_secret_value()
            methods = metadata.get("token_endpoint_auth_methods_supported")
            if methods is None or "client_secret_basic" in methods:
                pair = f"{quote(form['client_id'], safe='')}:{quote(secret, safe='')}"
                headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
            else:
                form["client_secret"] = secret
        reply, _ = await self._ask("POST", metadata["token_endpoint"], data=form, headers=headers)
        if "error" in reply:
            raise _refused(f"the token endpoint replied {str(reply['error'])[:100]!r}")
        return reply

    async def _userinfo(self, access_token: object, sub: str) -> Claims:
        headers = {"Authorization": f"Bearer {access_token}"}
        found, _ = await self._ask("GET", self._metadata["userinfo_endpoint"], headers=headers)
        if found.get("sub") != sub:
            raise _refused("userinfo is about somebody else")
        return found

    async def _verified(self, id_token: object, attempt: Attempt) -> Claims:
        """The claims of an ID token that this provider signed, for us and for this attempt."""
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError

        if not isinstance(id_token, str):
            raise _refused("there is no ID token")
        client = self.settings.client_id or ""
        rules = jwt.JWTClaimsRegistry(
            leeway=CLOCK_SKEW_SECONDS,
            iss={"essential": True, "value": self.settings.issuer or ""},
            sub={"essential": True},
            aud={"essential": True, "value": client},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": attempt.nonce},
        )
        try:
            try:
                claims = jwt.decode(id_token, await self._key_set(), ALGORITHMS).claims
            except (InvalidKeyIdError, BadSignatureError):
                # The provider may have changed its keys.
                claims = jwt.decode(id_token, await self._key_set(renew=True), ALGORITHMS).claims
            rules.validate(claims)
        except (JoseError, ValueError, TypeError) as error:
            raise _refused(f"the ID token is not valid: {error}") from None
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", None if several else client) != client:
            raise _refused("the ID token is for another client (azp)")
        if not isinstance(claims["sub"], str) or not 1 <= len(claims["sub"]) <= _MAX_SUB_CHARS:
            raise _refused("the ID token names no sub")
        return claims

    async def _key_set(self, *, renew: bool = False) -> "KeySet":
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        metadata = await self._discover()
        async with self._lock:
            now = time.monotonic()
            if now >= (self._renew_from if renew else self._keys_until):
                with self._cooling():
                    found, _ = await self._ask("GET", metadata["jwks_uri"])
                    listed = found.get("keys")
                    usable = [
                        key
                        for key in (listed if isinstance(listed, list) else ())
                        if isinstance(key, dict)
                        and key.get("kty") in _KEY_TYPES
                        and key.get("use", "sig") == "sig"
                    ]
                    try:
                        self._keys = KeySet.import_key_set({"keys": usable})
                    except (JoseError, ValueError) as error:
                        raise _away(f"its keys are not readable: {error}") from None
                self._keys_until = now + _CACHE_SECONDS
                self._renew_from = now + REFETCH_SECONDS * renew
            assert self._keys is not None
            return self._keys

    async def _ask(self, method: str, url: str, **given: Any) -> "tuple[Claims, Headers]":
        """The JSON object of a reply of the provider."""
        import httpx

        body = b""
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._client.stream(method, url, **given) as response,
            ):
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _MAX_REPLY_BYTES:
                        raise _away(f"{url} replied more than {_MAX_REPLY_BYTES} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise _away(f"{url}: {error or type(error).__name__}") from None
        try:
            reply = httpx.Response(200, content=body).json()
        except ValueError:
            reply = None
        # A refusal of the token endpoint is a reply; its status is 400 or 401.
        is_refusal = method == "POST" and 400 <= response.status_code < 500
        if not isinstance(reply, dict) or not (response.is_success or is_refusal):
            raise _away(f"{url} replied {response.status_code}")
        if is_refusal:
            reply = {"error": "invalid_request", **reply}
        return reply, response.headers


def _refused(reason: str) -> Unauthenticated:
    logger.warning("Login failed: %s", reason)
    return Unauthenticated.worded("login-failed")


def _away(reason: str) -> Unavailable:
    logger.warning("The login provider cannot be used: %s", reason)
    error = Unavailable.worded("login-provider-away")
    # For operators, not for those who log in.
    error.add_note(reason)
    return error
