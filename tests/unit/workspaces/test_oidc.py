"""Whom an ID token names, what their groups give, and settings of the login provider."""

import json

import pytest

from app.platform.settings import Settings
from app.workspaces.oidc import identify
from cases import for_each

ISSUER = "https://login.example"
GROUPS = {
    "CN=Lab Staff": {"workspace": "lab", "scopes": ["read"]},
    "leads": {"workspace": "lab", "scopes": ["write"]},
    "owners": {"scopes": ["read", "admin", "operator"]},
}
GIVEN = {
    "SEARCHQA_PUBLIC_URL": "https://notes.example",
    "SEARCHQA_OIDC_ISSUER": ISSUER,
    "SEARCHQA_OIDC_CLIENT_ID": "searchqa",
    "SEARCHQA_OIDC_CLIENT_SECRET": "a secret",
    "SEARCHQA_OIDC_GROUPS": json.dumps(GROUPS),
}
MAIL = {"email": "mina@example.com", "email_verified": True}
# Settings and claims beside `sub`; the name and the rights.
USERS = {
    "no groups": ({}, MAIL, "mina@example.com", {}),
    "unknown groups": ({}, MAIL | {"groups": ["Lab Staff", "owner"]}, "mina@example.com", {}),
    "groups of another form": ({}, {"groups": {"owners": True}}, "m1", {}),
    "one group, as text": ({}, {"groups": "leads"}, "m1", {"lab": {"write"}}),
    "all groups of a workspace": (
        {},
        MAIL | {"groups": ["leads", "CN=Lab Staff", 7]},
        "mina@example.com",
        {"lab": {"read", "write"}},
    ),
    "several workspaces": (
        {},
        {"groups": ["owners", "leads"]},
        "m1",
        {"lab": {"write"}, "default": {"read", "admin", "operator"}},
    ),
    "another claim": (
        {"SEARCHQA_OIDC_GROUPS_CLAIM": "roles", "SEARCHQA_OIDC_NAME_CLAIM": "upn"},
        {"roles": ["leads"], "groups": ["owners"], "upn": "mina"},
        "mina",
        {"lab": {"write"}},
    ),
    "an email that nobody has verified": ({}, MAIL | {"email_verified": False}, "m1", {}),
    "an email verified in words": ({}, MAIL | {"email_verified": "true"}, MAIL["email"], {}),
    "a name that no page shows": ({}, MAIL | {"email": "a\nb@example.com"}, None, {}),
    "an email of the company": (
        {"SEARCHQA_OIDC_EMAIL_DOMAINS": "Example.com"},
        MAIL | {"groups": "leads"},
        "mina@example.com",
        {"lab": {"write"}},
    ),
    "an email of another one": (
        {"SEARCHQA_OIDC_EMAIL_DOMAINS": "example.org,ample.com"},
        MAIL | {"groups": "leads"},
        "mina@example.com",
        {},
    ),
    "an unverified email of the company": (
        {"SEARCHQA_OIDC_EMAIL_DOMAINS": "example.com"},
        MAIL | {"groups": "leads", "email_verified": None},
        "m1",
        {},
    ),
}


@for_each("case", USERS)
def test_a_user_is_who_the_claims_name(case):
    changes, claims, name, rights = USERS[case]

    user = identify(Settings(None, GIVEN | changes).oidc, {"sub": "m1"} | claims)

    assert user.subject == f"{ISSUER} m1"
    assert user.rights == rights
    assert list(user.rights) == list(rights)
    assert user.name == name if name else len(user.name) == 64


WRONG = {
    "an issuer over http": ({"SEARCHQA_OIDC_ISSUER": "http://login.example"}, "https"),
    "an issuer with a password": ({"SEARCHQA_OIDC_ISSUER": "https://a:b@login.example"}, "https"),
    "no public address": ({"SEARCHQA_PUBLIC_URL": ""}, "SEARCHQA_PUBLIC_URL"),
    "a public address over http": ({"SEARCHQA_PUBLIC_URL": "http://notes.example"}, "https"),
    "no client": ({"SEARCHQA_OIDC_CLIENT_ID": ""}, "SEARCHQA_OIDC_CLIENT_ID"),
    "no groups": ({"SEARCHQA_OIDC_GROUPS": ""}, "SEARCHQA_OIDC_GROUPS"),
    "groups that are no JSON": ({"SEARCHQA_OIDC_GROUPS": '{"a":'}, "TOML"),
    "a file that is not there": ({"SEARCHQA_OIDC_GROUPS": "groups.toml"}, "No such file"),
    "an unknown scope": ({"SEARCHQA_OIDC_GROUPS": '{"a": {"scopes": ["all"]}}'}, "scopes"),
    "a group without scopes": ({"SEARCHQA_OIDC_GROUPS": '{"a": {"scopes": []}}'}, "scopes"),
    "no openid": ({"SEARCHQA_OIDC_SCOPES": "email"}, "openid"),
}


@for_each("case", WRONG)
def test_settings_that_cannot_work_are_refused(case):
    changes, named = WRONG[case]

    with pytest.raises(ValueError, match=named) as refused:
        Settings(None, GIVEN | changes)

    assert "a secret" not in str(refused.value)


def test_groups_may_stand_in_a_file(tmp_path):
    file = tmp_path / "groups.toml"
    file.write_text('["CN=Lab Staff"]\nworkspace = "lab"\nscopes = ["read"]\n')

    groups = Settings(None, GIVEN | {"SEARCHQA_OIDC_GROUPS": str(file)}).oidc.groups

    assert groups["CN=Lab Staff"].workspace == "lab"
