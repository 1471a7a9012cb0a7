"""Marks off text that is material, not instruction, in the prompts that write for readers."""

import re


def quote(tag: str, text: str) -> str:
    """The text between <tag> and </tag>, each on its own line. Tags of that name inside the
    text are broken, so that it cannot end its own quotation."""
    inside = re.sub(rf"<(?=/?\s*{tag}\b)", "‹", text, flags=re.IGNORECASE)
    return f"<{tag}>\n{inside}\n</{tag}>"


def quoted(tag: str, prompt: str) -> list[str]:
    """The texts that `quote` put into a prompt."""
    return re.findall(rf"^<{tag}>\n(.*?)\n</{tag}>$", prompt, flags=re.DOTALL | re.MULTILINE)


def one_line(title: str) -> str:
    """A title that cannot look like more than one line of the prompt."""
    return " ".join(title.split())
