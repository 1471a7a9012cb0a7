"""The same in asyncio: many answers at once, and each change of one as it happens."""

import asyncio

from searchqa_client import AsyncSearchQA

NOTES = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]
ANSWERS = {
    "출장 숙박비는 얼마까지 정산되나요?": "1박에 15만 원까지 정산됩니다. [노트 1]",
    "숙박비에 한도가 있나요?": "1박에 30만 원까지 정산됩니다. [노트 1]",
}


async def main() -> None:
    async with AsyncSearchQA() as searchqa:
        submitting = (searchqa.submit(asked, answer, NOTES) for asked, answer in ANSWERS.items())
        first, second = await asyncio.gather(*submitting)
        async for event in first.events():
            print(event)
        verdict = await second.wait()
        print(verdict.status, verdict.qa_evaluation)


asyncio.run(main())
