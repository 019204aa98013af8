"""The names of the published methods, and what each changes of the settings of preset `paper`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.methods.published.cdac_plus import cdac_plus
from benchmarks.methods.published.dac import dac
from benchmarks.methods.published.dcn import dcn
from benchmarks.methods.published.dec import dec
from benchmarks.methods.published.dtc import dtc
from benchmarks.methods.published.dwgf import dwgf
from benchmarks.methods.published.kcl import kcl
from benchmarks.methods.published.mcl import mcl
from benchmarks.methods.published.pck_means import pck_means
from benchmarks.methods.published.sae_k_means import sae_k_means
from benchmarks.methods.published.task import Fitted, Task
from benchmarks.methods.published.usnid import usnid


@dataclass(frozen=True)
class Method:
    """A published method.

    Attributes:
        fit: learns from a task.
        settings: of preset `paper` that it changes.
    """

    fit: Callable[[Task], Fitted]
    settings: dict[str, Any] = field(default_factory=dict)


_UNTRAINED = {"trained_layers": 0, "dense": False, "pretraining": "none"}
# Some labelled texts in each batch: of 128 drawn from all, hardly two would be of one known intent.
_WITH_LABELS = {"labeled_share": 0.25}
# As many labelled texts as others in each batch: so does USNID.
_HALF_WITH_LABELS = {"labeled_share": 0.5}

#: Name -> the method; a file of results has the name.
PUBLISHED: dict[str, Method] = {
    "sae-k-means": Method(sae_k_means, _UNTRAINED),
    "dec": Method(dec, _UNTRAINED),
    "dcn": Method(dcn, _UNTRAINED),
    "dac": Method(dac, {"pretraining": "none"}),
    "pck-means": Method(pck_means, _UNTRAINED),
    "kcl": Method(kcl, _WITH_LABELS),
    "mcl": Method(mcl, _WITH_LABELS),
    "dtc": Method(dtc),
    "cdac+": Method(cdac_plus, {"pretraining": "none"}),
    "usnid": Method(usnid, _HALF_WITH_LABELS),
    "dwgf": Method(dwgf, {**_HALF_WITH_LABELS, "dense": False}),
}
