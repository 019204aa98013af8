"""The files of a bot as texts, and the texts after something was added. Touches no files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from rasa_intent_discovery.datatypes import KnownExample
from rasa_intent_discovery.drafts.contents import file_names
from rasa_intent_discovery.drafts.file_changes import FileUpdate
from rasa_intent_discovery.errors import DataError
from rasa_intent_discovery.training_data.yaml_edit import CannotEdit

T = TypeVar("T")

_EMPTY_FILE = 'version: "3.1"\n'


@dataclass(frozen=True)
class BotSources:
    """The files a bot is written in.

    Attributes:
        nlu: path -> text, of the files with NLU training data.
        stories: path -> text, of the files with stories or rules.
        domain: path -> text, of the files of the domain.
        nlu_folder: the folder for new files of training data; None where the bot is given as single files.
        rules_folder: the folder for new files of rules; None as for `nlu_folder`.
        domain_folder: the folder for new files of the domain; None where the domain is a single file.
        present: folder -> the names of its files, for these folders.
        examples: the training examples Rasa finds.
        listed: the intents that the domain lists, and those built into Rasa.
        flows: path -> text, of the files with flows.
        flows_folder: the folder for new files of flows, which need not be there; None as for `nlu_folder`,
            and where Rasa knows no flows.
    """

    nlu: Mapping[Path, str]
    stories: Mapping[Path, str]
    domain: Mapping[Path, str]
    nlu_folder: Path | None
    rules_folder: Path | None
    domain_folder: Path | None
    present: Mapping[Path, Sequence[str]]
    examples: Sequence[KnownExample]
    listed: Sequence[str]
    flows: Mapping[Path, str] = field(default_factory=dict)
    flows_folder: Path | None = None


@dataclass
class BotEdits:
    """The texts of a bot, changed step by step."""

    bot: BotSources
    texts: dict[Path, str] = field(init=False)
    _empty_file: str = field(init=False)

    def __post_init__(self) -> None:
        self.texts = self._originals()
        of_windows = sum("\r\n" in text for text in self.texts.values())
        ends = "\r\n" if 2 * of_windows > len(self.texts) else "\n"
        self._empty_file = _EMPTY_FILE.replace("\n", ends)

    def _originals(self) -> dict[Path, str]:
        return {**self.bot.nlu, **self.bot.stories, **self.bot.flows, **self.bot.domain}

    def edit(self, paths: Iterable[Path], change: Callable[[str], str], new: Path | None = None) -> Path:
        """Changes the first of the files that can take the change, or else makes a new file.

        A new one ends its lines as most files of the bot do.

        Raises:
            CannotEdit: no file can take the change, and `new` is None.
        """
        problem = CannotEdit("there is no such file")
        for path in paths:
            try:
                self.texts[path] = change(self.texts[path])
                return path
            except CannotEdit as error:
                problem = error
        if new is None:
            raise problem
        self.texts[new] = change(self._empty_file)
        return new

    def edit_domain(
        self,
        key: str,
        present: Callable[[str], Collection[str]],
        change: Callable[[str], str],
        names: Iterable[str],
    ) -> Path:
        """Adds names below a key of the domain; of several files, to the one with most names below this key.

        Raises:
            DataError: there is no domain, or they cannot be added safely.
        """
        bot = self.bot
        if not bot.domain and bot.domain_folder is None:
            raise DataError("there is no domain to list new intents in; say with --domain where it is")
        in_folder = self.most_first(bot.domain, lambda text: len(present(text)))
        try:
            paths = in_folder if bot.domain_folder else bot.domain
            return self.edit(paths, change, self.new_path(bot.domain_folder, key))
        except CannotEdit as error:
            [path] = bot.domain
            by_hand = ", ".join(names)
            raise DataError(
                f"{path}: {key} cannot be added safely ({error}); add by hand: {by_hand}"
            ) from None

    def new_path(self, folder: Path | None, name: str) -> Path | None:
        """A path that no file has, below a folder."""
        if folder is None:
            return None
        made = [path.name for path in self.texts if path.parent == folder]
        return folder / file_names([name], [*self.bot.present.get(folder, ()), *made])[0]

    def most_first(self, paths: Iterable[Path], count: Callable[[str], int]) -> list[Path]:
        """The paths of files with a count above 0, the largest count first."""
        counted = Counter({path: said(count, self.texts[path]) or 0 for path in paths})
        return [path for path, number in counted.most_common() if number]

    def changes(self) -> tuple[FileUpdate, ...]:
        """What becomes of each file that was changed or made."""
        originals = self._originals()
        return tuple(
            FileUpdate(path, originals[path].encode() if path in originals else None, text.encode())
            for path, text in self.texts.items()
            if originals.get(path) != text
        )


def said(what: Callable[[str], T], text: str) -> T | None:
    """What `what` reads in a text; None where the text has a format that only Rasa can read."""
    try:
        return what(text)
    except CannotEdit:
        return None
