"""Values that the Helm chart is rendered with, and what it then contains."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "helm" / "searchqa"
RENDERED = ROOT / "tests" / "data" / "helm"

PASSWORD = "not-for-arguments"
_URL = f"postgresql://searchqa:{PASSWORD}@db/searchqa"
_SCALED = {"autoscaling": {"enabled": True}}
_PEER = [{"ipBlock": {"cidr": "10.0.0.0/8"}}]

# As few values as there may be, and everything that can be switched on.
VALUES: dict[str, dict[str, Any]] = {
    "least": {"secrets": {"existing": "searchqa-secrets"}},
    "everything": {
        "image": {"pullSecrets": [{"name": "registry"}]},
        "secrets": {
            "create": {
                "OWNER_DATABASE_URL": _URL,
                "API_DATABASE_URL": _URL,
                "WORKER_DATABASE_URL": _URL,
                "REDIS_URL": f"rediss://:{PASSWORD}@redis:6379/0",
                "BROKER_URL": f"rediss://:{PASSWORD}@messages:6379/0",
                "API_DIRECT_DATABASE_URL": _URL,
                "API_READ_DATABASE_URL": _URL,
                "KEDA_DATABASE_URL": f"{_URL}?default_query_exec_mode=exec",
                "OPENAI_API_KEY": PASSWORD,
                "ANTHROPIC_API_KEY": PASSWORD,
                "FLOWER_BASIC_AUTH": f"operator:{PASSWORD}",
            }
        },
        "settings": {"JUDGE_MODEL": "openai:gpt-4o-mini", "MAX_IN_FLIGHT": 512},
        "env": {"OPENAI_BASE_URL": "https://models.example.com/v1"},
        "api": {**_SCALED, "service": {"annotations": {"example.com/a": "b"}}},
        "workers": {"live": _SCALED, "bulk": _SCALED},
        "keda": {"databaseKey": "KEDA_DATABASE_URL"},
        "flower": {"enabled": True},
        "metrics": {"enabled": True, "podMonitor": True},
        "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "searchqa-tls"},
        "networkPolicy": {
            **dict.fromkeys(
                ("apiFrom", "metricsFrom", "databaseTo", "redisTo", "outsideTo"), _PEER
            ),
        },
        "podAnnotations": {"example.com/team": "notes"},
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    },
}


def rendered(name: str) -> list[dict[str, Any]]:
    """The manifests that are kept for these values."""
    documents = yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text(encoding="utf-8"))
    return [document for document in documents if document]
