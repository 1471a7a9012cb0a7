"""An agent of LlamaIndex with SearchQA's tools: it has an answer judged, then lists verdicts.

Needs `pip install llama-index-tools-mcp`; SEARCHQA_URL and SEARCHQA_TOKEN say where to ask.
"""

import asyncio
import os

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

NOTES = ["출장 숙박비는 1박에 15만 원까지 정산한다."]


async def main() -> None:
    url = os.environ.get("SEARCHQA_URL", "http://127.0.0.1:8765")
    headers = {"Authorization": f"Bearer {os.environ['SEARCHQA_TOKEN']}"}
    tools = await McpToolSpec(BasicMCPClient(f"{url}/mcp", headers=headers)).to_tool_list_async()
    # An agent chooses and calls them itself: FunctionAgent(tools=tools, llm=…).
    by_name = {tool.metadata.name: tool for tool in tools}
    question = "출장 숙박비는 얼마까지 정산되나요?"
    answer = "1박에 15만 원까지 정산됩니다."
    print(await by_name["judge"].acall(question=question, answer=answer, notes=NOTES))
    print(await by_name["find_verdicts"].acall(order="worst", limit=3))


asyncio.run(main())
