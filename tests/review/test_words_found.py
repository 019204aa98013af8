"""The search by words in any script."""

from __future__ import annotations

import unicodedata
from types import SimpleNamespace

import pytest

from rasa_intent_discovery.review.messages.words_found import Words

TEXTS = ["パスワードを忘れた", "PIN 1234 vergessen", "où est mon café", "รหัสผ่านผิด", "איפה החבילה"]
TEXTS += ["SİPARİŞ iptali", "إلغاء الطلبية", "złożyć zamówienie", "где моя посылка и счёт"]


@pytest.mark.parametrize(
    ("asked", "row"),
    [
        ("ﾊﾟｽﾜｰﾄﾞ", 0),
        ("ぱすわーど", 0),
        ("ワスレタ", None),
        ("忘レタ", 0),
        ("ｐｉｎ １２３４", 1),
        (unicodedata.normalize("NFD", "CAFÉ"), 2),
        ("รหัส", 3),
        ("החבילה איפה", 4),
        ("cafe", 2),
        ("CAFÉ", 2),
        ("siparis", 5),
        ("SİPARİŞ", 5),
        ("IPTAL", 5),
        ("الغاء", 6),
        ("الطلبيه", 6),
        ("zlozyc zamowienie", 7),
        ("счет", 8),
    ],
)
def test_width_and_the_make_of_accents_do_not_matter(asked: str, row: int | None) -> None:
    words = Words(SimpleNamespace(messages=SimpleNamespace(texts=TEXTS)))

    assert words.search({"words": asked}).rows.tolist() == ([] if row is None else [row])
