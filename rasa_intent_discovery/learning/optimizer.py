"""The Adam variant published with BERT, which the paper's results were obtained with.

It differs from today's AdamW in three ways: no bias correction, each parameter's gradient clipped to norm 1
on its own, and a linear warm-up followed by a linear decay. With AdamW at the same rate, the
paper's pre-training ends several points of accuracy lower.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from rasa_intent_discovery.learning.numbers import LEARNING


class BertAdam(torch.optim.Optimizer):
    """Adam without bias correction, with decoupled weight decay, as published with BERT (Devlin et al.).

    Args:
        modules: their parameters that require a gradient are trained.
        learning_rate: at its peak, after the share `LEARNING.warm_up` of all steps.
        total_steps: optimisation steps planned; the rate reaches 0 there.
    """

    def __init__(self, modules: Iterable[nn.Module], learning_rate: float, total_steps: int) -> None:
        decayed: list[nn.Parameter] = []
        plain: list[nn.Parameter] = []
        for module in modules:
            for parameter in module.parameters():
                if parameter.requires_grad:
                    # Vectors are biases and layer norms, which are not decayed.
                    (decayed if parameter.dim() > 1 else plain).append(parameter)
        groups = [
            {"params": decayed, "weight_decay": LEARNING.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]
        super().__init__(groups, {"lr": learning_rate})
        self._total_steps = max(1, total_steps)
        self._step = 0

    def rate(self) -> float:
        """The learning rate of the next step, as a share of the peak."""
        done = self._step / self._total_steps
        if done < LEARNING.warm_up:
            return done / LEARNING.warm_up
        return max(0.0, (1.0 - done) / (1.0 - LEARNING.warm_up))

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Updates every parameter that has a gradient once."""
        rate = self.rate()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group["lr"] * rate, group["weight_decay"])
        self._step += 1

    def checkpoint(self) -> dict[str, Any]:
        """The step, and the moments of each parameter, as `resume` takes them."""
        return {"step": self._step, "moments": [dict(self.state[each]) for each in self.parameters()]}

    def resume(self, kept: dict[str, Any]) -> None:
        """Goes on from where `checkpoint` was called."""
        self._step = kept["step"]
        for parameter, moments in zip(self.parameters(), kept["moments"], strict=True):
            self.state[parameter] = {name: value.to(parameter.device) for name, value in moments.items()}

    def parameters(self) -> list[nn.Parameter]:
        """All that are trained."""
        return [parameter for group in self.param_groups for parameter in group["params"]]

    def _update(self, parameter: torch.Tensor, rate: float, weight_decay: float) -> None:
        nn.utils.clip_grad_norm_([parameter], LEARNING.gradient_norm)
        state = self.state[parameter]
        if not state:
            state["mean"], state["square"] = torch.zeros_like(parameter), torch.zeros_like(parameter)
        gradient = parameter.grad
        assert gradient is not None
        state["mean"].mul_(LEARNING.beta1).add_(gradient, alpha=1 - LEARNING.beta1)
        state["square"].mul_(LEARNING.beta2).addcmul_(gradient, gradient, value=1 - LEARNING.beta2)
        update = state["square"].sqrt().add_(LEARNING.epsilon)
        torch.div(state["mean"], update, out=update)
        parameter.add_(update.add_(parameter, alpha=weight_decay), alpha=-rate)
