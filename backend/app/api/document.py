"""`python -m app.api.document` prints the OpenAPI document; the types of the pages are made of it.

Needs no server and no database.
"""

import json
import sys

from app.api.app import create_app

if __name__ == "__main__":
    json.dump(create_app().openapi(), sys.stdout, ensure_ascii=False, indent=1)
