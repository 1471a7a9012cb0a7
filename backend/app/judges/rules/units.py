"""Units, months, weekdays, shares: the words that make a number a value."""

# dimension: (factor, spellings), …
UNITS: dict[str, tuple[tuple[float, str], ...]] = {
    "m": (
        (1e-9, "nm 나노미터"),
        (1e-6, "µm μm um 마이크로미터"),
        (1e-3, "mm 밀리미터 millimeter millimeters millimetre millimetres"),
        (1e-2, "cm 센티미터 센티 centimeter centimeters centimetre centimetres"),
        (1, "m 미터 meter meters metre metres"),
        (1e3, "km 킬로미터 킬로 kilometer kilometers kilometre kilometres"),
    ),
    "in": ((1, "inch inches in. 인치"), (12, "feet foot ft 피트"), (63360, "mile miles 마일")),
    "g": (
        (1e-9, "ng 나노그램"),
        (1e-6, "µg μg ug mcg 마이크로그램 microgram micrograms"),
        (1e-3, "mg 밀리그램 milligram milligrams"),
        (1, "g 그램 gram grams"),
        (1e3, "kg 킬로그램 kilogram kilograms"),
        (1e6, "톤 tonne tonnes"),
    ),
    "lb": ((1, "ounce ounces oz"), (16, "pound pounds lb lbs 파운드")),
    "l": (
        (1e-6, "µl μl ul 마이크로리터 microliter microliters microlitre microlitres"),
        (1e-3, "ml cc 밀리리터 milliliter milliliters millilitre millilitres"),
        (1, "l 리터 liter liters litre litres"),
    ),
    "s": (
        (1e-3, "ms 밀리초 millisecond milliseconds"),
        (1, "초 s sec secs second seconds"),
        (60, "분 min mins minute minutes"),
        (3600, "시간 h hr hrs hour hours"),
        (86400, "일 day days"),
        (604800, "주 주일 주간 week weeks"),
    ),
    "mo": (
        (1, "개월 달 month months"),
        (12, "년 해 year years yr yrs"),
        (120, "decade decades"),
        (1200, "세기 century centuries"),
    ),
    "deg": ((1, "도 ℃ °c c degrees degree"),),
    "degf": ((1, "℉ °f f"),),
    "%": ((1, "% 퍼센트 percent per\xa0cent 프로"),),
    "krw": ((1, "원 won"),),
    "usd": ((1, "달러 dollars dollar usd"), (0.01, "cents cent 센트")),
    "eur": ((1, "유로 euro euros eur"),),
    "bp": ((1, "bp"), (1e3, "kb"), (1e6, "mb")),
    "mol": ((1e-6, "µm μm"), (1e-3, "mm"), (1, "m")),
    "psi": ((1, "psi"),),
    "person": ((1, "명 사람 인 people persons person"),),
    "times": ((1, "번 회 차례 times time"),),
    "piece": ((1, "개 알 정 tablet tablets piece pieces"),),
    "vehicle": ((1, "대"),),
    "fold": ((1, "배 fold"),),
}
# Spellings that mean another dimension elsewhere: M is molar as µM and mM only by its capital.
UNIT_OF: dict[str, tuple[str, float]] = {}
for _dimension, _members in UNITS.items():
    for _factor, _spellings in _members:
        for _name in _spellings.split(" "):
            UNIT_OF.setdefault(_name, (_dimension, _factor))

MONTHS = {
    name: n
    for n, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {f"{day}요일": n for n, day in enumerate("월화수목금토일")}
WEEKDAYS |= {
    day: n
    for n, day in enumerate(
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    )
}
SHARES = {
    word: share
    for share, words in (
        (1.0, "모두 모든 전부 전체 전원 언제나 항상 all every whole entire always everyone"),
        (0.9, "대부분 대다수 most majority mostly"),
        (0.5, "절반 half"),
        (0.2, "일부 몇몇 some several few"),
        (0.0, "none"),
    )
    for word in words.split()
}
DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8}
DAYS |= {"아흐레": 9, "열흘": 10, "보름": 15}
TIMES = {"once": 1, "twice": 2, "thrice": 3}
