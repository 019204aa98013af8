from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasa_intent_discovery.config import DiscoveryConfig
from rasa_intent_discovery.corpus.build import build_corpus, read_into, readable
from rasa_intent_discovery.corpus.cleaning import EMPTY, excerpt, read_text
from rasa_intent_discovery.corpus.html_text import without_html
from rasa_intent_discovery.datatypes import KnownExample, LoggedMessage

GMAIL = (
    '<div dir="ltr">Where is it?<br></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
    'On Sun, 3 May 2026 at 10:12, Shop &lt;<a href="mailto:us@shop.example">us@shop.example</a>&gt; wrote:'
    '<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><p>Dear guest,</p><p>hello</p>'
    "</blockquote></div>"
)
OUTLOOK = (
    '<html xmlns:o="urn:x"><head>\n<meta name="x" content="y">\n<style><!-- p {margin:0} --></style>\n'
    '<!--[if mso]><xml><o:z v="1"/></xml><![endif]--></head>\n<body lang="EN-GB"><div class="Section1">\n'
    '<p class="MsoNormal">Where is\nit?<o:p></o:p></p>\n<p class="MsoNormal"><o:p>&nbsp;</o:p></p>\n'
    '<div style="border-top:solid"><p class="MsoNormal"><b>From:</b> us<br>\n<b>Sent:</b> Monday<br>\n'
    "<b>To:</b> you</p></div><p>Dear guest</p></div></body></html>"
)


@pytest.mark.parametrize(
    ("logged", "shown"),
    [
        ('<div dir="ltr"><p>where is it?&nbsp;<br></p></div>', "where is it?"),
        ("je n&#x27;ai jamais re&ccedil;u &quot;x&quot;", "je n'ai jamais reçu \"x\""),
        ("<p>one</p><p>two<br/>three</p>", "one\n\ntwo\nthree"),
        ("<p>I want to\ncancel <b>my</b> or<i>der</i></p>", "I want to cancel my order"),
        ("hi\nis it <b>late</b>?\n> no", "hi\nis it late?\n> no"),
        ("hi<br />\nis it late?", "hi\n\nis it late?"),
        ("<ul><li>a towel</li><li>a pillow</li></ul>", "a towel\na pillow"),
        ("<table><tr><td>Name:</td><td>Tom</td></tr><tr><td>late</td></tr></table>", "Name: Tom\nlate"),
        ("<pre>one\ntwo</pre>\n<p>one\ntwo</p>", "one\ntwo\n\none two"),
        ('<P STYLE="a>b">where</P>', "where"),
        ("<@U012AB3CD> is it <https://example.org/a|late> &amp; lost?", "is it late & lost?"),
        ("<!here> ask <#C012AB3CD|help> or <mailto:jo@x.org|Jo>", "ask or Jo"),
        ("<@!123456789012345678> <:sad:123456789012345678>it is late", "it is late"),
        ("<style>p {color: red}</style><script>if (a<b) {}</script>where", "where"),
        ("<html><head><title/></head><body>where</body></html>", "where"),
        ("where<!-- not\nshown -->?", "where?"),
        ("<div>a<blockquote>b<blockquote>c</blockquote></blockquote>d</div>", "a\n\n> b\n>\n> c\n\nd"),
        ('<p>see <a href="https://x.org/?a=1&amp;b=2">this link</a></p>', "see this link"),
        ("&lt;p&gt;where&lt;/p&gt;", "where"),
        ("&amp;lt;p&amp;gt;it&amp;#39;s&amp;lt;/p&amp;gt;", "it's"),
        ("<p>what does &lt;p&gt; mean</p>", "what does <p> mean"),
        ("<p>at <address>, i <3 it, mail <email></p>", "at <address>, i <3 it, mail <email>"),
        ('<div dir="ltr">the end was cut <a hre', "the end was cut <a hre"),
        ("<p>the end was cut", "the end was cut"),
        ('<p><img src="x.png"></p>', ""),
    ],
)  # fmt: skip
def test_html_is_read_as_a_mail_program_shows_it(logged: str, shown: str) -> None:
    assert without_html(logged) == shown
    assert without_html(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a <b and c> d",
        "a <b and c=5> d",
        "i <3 u",
        "my mail is <email>, call <phone>",
        "<name>",
        "<@ann> or <#1>, <!now>",
        "x < y and y > z",
        "use <enter> or <menu>, then <b>",
        "write to Ann <ann@example.org>",
        "see <https://example.org/?a=1&b=2>",
        "AT&T, black&white, R&D; Q&A;",
        "https://example.org/?a=1&copy=2&lt",
        "love </3 you </s>",
        "<![x[ <!-- <?xml <!doctype <",
        "two  spaces\tand\n\n\nlines",
    ],
)
def test_what_is_no_html_stays(text: str) -> None:
    assert without_html(text) == text


@pytest.mark.parametrize("mail", [GMAIL, OUTLOOK])
def test_of_a_mail_in_html_the_quotation_is_taken_off(mail: str) -> None:
    assert readable(mail, DiscoveryConfig()) == ("Where is it?", "Where is it?")


PIECES = (
    "<p> </p> <br> <b x='1'> < > <b </ <!-- --> <style> </style> <title/> <blockquote> </blockquote> <pre> "
    "<td> <o:p> <![if x]> &amp; &lt; &#0; &#x110000; &#xd800; & ; \" ' = a"
).split()


@given(st.lists(st.sampled_from([*PIECES, "\n", " "])).map("".join))
def test_broken_html_is_read_somehow(text: str) -> None:
    read_text(text, DiscoveryConfig())


@pytest.mark.parametrize(
    "part",
    [
        "<",
        "<b ",
        '<b a="',
        "<b a='\"",
        "<!--",
        "<![if",
        "<p>",
        "</p>",
        "<b>x",
        "<title>",
        "<pre>",
        "&",
        "&amp;",
    ],
)
def test_a_long_text_is_read_once(part: str) -> None:
    # Where each tag is looked for from all others on, this takes minutes.
    begun = perf_counter()
    without_html("<br>" + part * 50_000)
    without_html("<b a=" + part[:1] + " " * 50_000)
    assert perf_counter() - begun < 10


def test_messages_are_read_without_html_and_examples_as_they_are() -> None:
    example = "make it <b>bold</b>"
    logged = [
        "<p>where is it?</p>",
        "where is it?",
        "<div>/greet</div>",
        "<p>12<b>3</b></p>",
        "<hr>",
        "a&#98;c d",
    ]
    reasons = {"": "empty", "/greet": "bot payload", "123": "only a number"}
    corpus = build_corpus(
        [KnownExample(example, "format")], [LoggedMessage(text) for text in logged], DiscoveryConfig()
    )
    assert corpus.texts == (example, "where is it?", "abc d")
    assert corpus.spellings[1:] == ((("where is it?", 2),), (("abc d", 1),))
    assert {one.text: one.reason for one in corpus.set_aside} == reasons
    assert corpus.shortened == 0, "nothing was quoted"
    assert [row for _, row, _ in read_into(corpus, logged, DiscoveryConfig())] == [1, 1, None, None, None, 2]


def test_quotations_in_html_are_counted_as_such() -> None:
    corpus = build_corpus([], [LoggedMessage(text) for text in (GMAIL, "<p>hello</p>")], DiscoveryConfig())
    assert corpus.shortened == 1


def test_a_picture_alone_is_an_empty_message() -> None:
    assert read_text('<p><img src="x.png"></p>', DiscoveryConfig()) == ("", "", {}, EMPTY)


def test_personal_data_is_found_in_html() -> None:
    config = DiscoveryConfig(max_characters=60)
    mail = '<p>write to <a href="mailto:ann@example.org">ann&#64;<b>example</b>.org</a></p>'
    assert read_text(mail, config) == ("write to <email>", "write to <email>", {"email": 1}, None)
    assert excerpt(mail, config, 300) == "write to <email>"
    long = read_text(mail + "<p>" + "please " * 20, config)[0]
    assert long.startswith("write to <email>")


def test_a_long_turn_is_shown_without_html() -> None:
    shown = excerpt("<p>hello &amp; welcome</p>" * 200, DiscoveryConfig(), 300)
    assert shown.startswith("hello & welcome\nhello") and shown.endswith("…") and "<" not in shown
