"""An agent of LlamaIndex that reads verdicts through SearchQA's MCP server.

Needs `pip install llama-index-tools-mcp`; SEARCHQA_URL and SEARCHQA_TOKEN say where to ask.
"""

import asyncio
import os

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main() -> None:
    url = os.environ.get("SEARCHQA_URL", "http://127.0.0.1:8765")
    headers = {"Authorization": f"Bearer {os.environ['SEARCHQA_TOKEN']}"}
    tools = await McpToolSpec(BasicMCPClient(f"{url}/mcp", headers=headers)).to_tool_list_async()
    by_name = {tool.metadata.name: tool for tool in tools}
    print("Tools:", ", ".join(sorted(by_name)))
    # An agent chooses and calls them itself: FunctionAgent(tools=tools, llm=…).
    print(await by_name["find_verdicts"].acall(order="worst", limit=3))


asyncio.run(main())
