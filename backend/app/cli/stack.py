"""The stack that runs on the data folder, and its database, without SQLAlchemy."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.errors import UndefinedColumn, UndefinedTable

from app.cli.language import translated
from app.operations.embedded.data_dir import StackInfo, running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings


def database_url() -> str:
    """DATABASE_DIRECT_URL, else DATABASE_URL, else the database of the stack that runs on the data
    folder.

    Raises SetupError when there is neither.
    """
    return get_settings().database.session_url or stack_on_data_dir("DATABASE_URL").database_url


def stack_on_data_dir(setting: str) -> StackInfo:
    """Raises SetupError when none runs; `setting` names what to set instead."""
    data_dir = get_settings().stack.data_dir
    running = running_stack(data_dir)
    if running is None:
        raise SetupError(
            translated(
                f"No stack runs on {data_dir}; start it with `searchqa up`, or set {setting}.",
                f"{data_dir}에서 실행 중인 스택이 없습니다. `searchqa up`으로 시작하거나"
                f" {setting}을(를) 설정하세요.",
            )
        )
    return running


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Raises SetupError when the database cannot be used."""
    try:
        yield
    except (UndefinedTable, UndefinedColumn) as error:
        raise not_migrated(error) from None
    except psycopg.Error as error:
        raise not_usable(error) from None


def not_migrated(error: BaseException) -> SetupError:
    return SetupError(f"The database is not ready ({_first_line(error)}); run `searchqa migrate`.")


def not_usable(error: BaseException) -> SetupError:
    return SetupError(
        f"PostgreSQL cannot be used ({_first_line(error)}); check DATABASE_URL and that it runs."
    )


def _first_line(error: BaseException) -> str:
    """The driver's message, without its details."""
    return str(error).strip().partition("\n")[0]
