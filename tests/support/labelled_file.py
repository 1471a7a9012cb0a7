"""A file of labelled answers, for judge benches."""

import json
from pathlib import Path

# Written for this test: a dish of cells, a machine and a form, each asked about twice.
PASSAGES = {
    "배양기": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다. 물은 매주 월요일에 간다.",
    "Centrifuge": "The centrifuge is balanced to 0.1 g. Its rotor is cleaned every seven days.",
    "휴가": "휴가 신청서는 사흘 전에 팀장에게 낸다. 반차는 당일에도 낼 수 있다.",
}
ANSWERS = [
    ("배양기", "배양기는 몇 도인가요?", "배양기는 37도로 맞춥니다.", False),
    ("배양기", "배양기 물은 언제 가나요?", "물은 매일 금요일 14시에 갈고 소독제를 넣습니다.", True),
    ("Centrifuge", "How often is the rotor cleaned?", "It is cleaned every seven days.", False),
    ("Centrifuge", "How is it balanced?", "It is balanced to 25 kg by Dr. Marlowe.", True),
    ("휴가", "휴가 신청서는 언제 내나요?", "휴가 신청서는 사흘 전에 팀장에게 냅니다.", False),
    ("휴가", "반차는 언제 내나요?", "반차는 한 달 전에 인사과 포털로만 냅니다.", True),
]


def write_labelled(file: Path, *extra: str) -> Path:
    lines = [
        {
            "question": question,
            "passages": [PASSAGES[about]],
            "answer": answer,
            "hallucinated": wrong,
            "spans": [[0, len(answer)]] if wrong else [],
        }
        for about, question, answer, wrong in ANSWERS
    ]
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("\n".join([*texts, *extra]) + "\n", encoding="utf-8")
    return file
