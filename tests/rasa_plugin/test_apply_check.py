"""The last look before files are changed: what Rasa would read in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rasa_world import needs_flows

from rasa_intent_discovery.drafts.apply import AppliedIntent, Plan
from rasa_intent_discovery.drafts.apply_replies import FLOW, RULE, AddedReplies
from rasa_intent_discovery.drafts.bot_sources import BotSources
from rasa_intent_discovery.drafts.file_changes import FileUpdate
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.rasa_plugin.apply_check import check_plan
from rasa_intent_discovery.training_data.replies import Reply

NLU = "nlu:\n- intent: greet\n  examples: |\n    - hello\n"
DOMAIN = "intents:\n- greet\nresponses:\n  utter_greet:\n  - text: Hi\n"
RULES = "rules:\n- rule: Greet\n  steps:\n  - intent: greet\n  - action: utter_greet\n"
FLOWS = "flows:\n  greet:\n    description: Greets.\n    steps:\n    - action: utter_greet\n"
MORE_FLOWS = FLOWS + (
    "  bye:\n    description: Says bye.\n    nlu_trigger: [{intent: bye}]\n"
    "    steps: # as it says\n    - action: utter_bye\n"
)
NLU_YML, DOMAIN_YML, RULES_YML, FLOWS_YML = map(Path, ("nlu.yml", "domain.yml", "rules.yml", "flows.yml"))
BOT = BotSources(
    nlu={NLU_YML: NLU},
    stories={RULES_YML: RULES},
    domain={DOMAIN_YML: DOMAIN},
    nlu_folder=None,
    rules_folder=None,
    domain_folder=None,
    present={},
    examples=(),
    listed=("greet",),
    flows={FLOWS_YML: FLOWS},
)
NOT_AS_MEANT = "Rasa would not read in it what was accepted, so nothing was changed; add it by hand"


def planned(path: Path, old: str, new: str) -> Plan:
    """A file that changes, to add an example, or an intent and its response, or its rule or flow."""
    return Plan(
        outcomes=(AppliedIntent("greet", True, ("hi",), NLU_YML),),
        changes=(FileUpdate(path, old.encode(), new.encode()),),
        listed=("bye",),
        domain=DOMAIN_YML,
        replies=(
            AddedReplies(RULE, RULES_YML, (Reply("Answer bye", "bye", "utter_bye"),)),
            AddedReplies(FLOW, FLOWS_YML, (Reply("bye", "bye", "utter_bye", "Says bye."),)),
        ),
        responses=("utter_bye",),
        responses_path=DOMAIN_YML,
    )


RIGHT = [
    (NLU_YML, NLU, NLU + "    - hi\n"),
    (DOMAIN_YML, DOMAIN, DOMAIN.replace("greet\n", "greet\n- bye\n", 1) + "  utter_bye:\n  - text: Bye\n"),
    (RULES_YML, RULES, RULES + "- rule: Answer bye\n  steps:\n  - intent: bye\n  - action: utter_bye\n"),
]


@needs_flows
def test_flows_as_rasa_reads_them() -> None:
    check_plan(planned(FLOWS_YML, FLOWS, MORE_FLOWS), BOT)
    for new in (
        FLOWS,
        MORE_FLOWS.replace("Greets.", "Waves."),
        MORE_FLOWS.replace("Says bye.", "Waves."),
        MORE_FLOWS.replace("- action: utter_bye", "- action: utter_greet"),
        MORE_FLOWS + "  more:\n    description: More.\n    steps:\n    - action: utter_x\n",
    ):
        with pytest.raises(DataError, match=NOT_AS_MEANT):
            check_plan(planned(FLOWS_YML, FLOWS, new), BOT)


@pytest.mark.parametrize(("path", "old", "new"), RIGHT)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_is_as_meant_passes(path: Path, old: str, new: str, line_end: str) -> None:
    check_plan(planned(path, old.replace("\n", line_end), new.replace("\n", line_end)), BOT)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (NLU_YML, NLU, NLU),
        (NLU_YML, NLU, NLU.replace("hello", "hi")),
        (NLU_YML, NLU, NLU + "    - hi\n    - hi there\n"),
        (DOMAIN_YML, DOMAIN, DOMAIN.replace("- greet", "- bye") + "  utter_bye:\n  - text: Bye\n"),
        (DOMAIN_YML, DOMAIN, DOMAIN.replace("greet\n", "greet\n- bye\n", 1)),
        (RULES_YML, RULES, RULES.replace("Greet", "Answer bye")),
    ],
)
def test_what_is_not_as_meant_is_refused(path: Path, old: str, new: str) -> None:
    with pytest.raises(DataError) as caught:
        check_plan(planned(path, old, new), BOT)
    assert str(caught.value) == f"{path}: {NOT_AS_MEANT}"


def test_what_rasa_cannot_read_is_refused() -> None:
    with pytest.raises(DataError, match="^nlu.yml, line 2: .*: what was accepted would make this file unre"):
        check_plan(planned(NLU_YML, NLU, NLU + "  status: x\n"), BOT)
