"""The numbers of this room that decide what a user gets, each with its reason and where it was chosen.

What a user may want to change is a setting (`config.DiscoveryConfig`); these are not.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearningNumbers:
    """Numbers of the encoder, the two trained stages and the recogniser.

    Attributes:
        classifier_dropout: before the classifier, the paper's and BERT's own (Devlin et al., 2019).
        held_out_share: of each known intent's examples, to choose the epoch by. An intent of `held_out_from`
            examples or more gives one at least: of fewer, none can be spared. By hand, not tuned.
        clusters_per_new_intent: clusters beside the known intents, for each new intent that is expected:
            small talk needs some, too, or it ends in those of real intents. Chosen on BANKING77 and CLINC150.
        trusted_stability: a cluster less stable than this would only be taught its own mistakes. By hand.
        outside: a message belongs to no intent when it is farther from its centre than all but this share of
            the intent's own messages. The usual level of one in twenty; not tuned.
        narrow: up to this hidden width a layer is done with a message before another thread is awake. Between
            MiniLM's 384, where it was seen, and BERT-base's 768.
        tokens_per_batch: with padding, when everything is read. By hand: enough for any core, little memory.
        longest_to_shortest, texts_at_a_time: in a batch that is learnt from, texts of alike length are read
            together: the longest is at most so many times the shortest, and they are so many or a multiple,
            since oneDNN prepares another program for every new number of tokens. Measured on two cores.
        hub_seconds: how long the hub may take to say whether it knows an encoder. By hand.
        warm_up: share of the steps over which the learning rate rises; weight_decay, gradient_norm, beta1,
            beta2, epsilon: all of BERT's optimiser as published, on which the paper's figures rest.
    """

    classifier_dropout: float = 0.1
    held_out_share: float = 0.1
    held_out_from: int = 5
    clusters_per_new_intent: float = 1.5
    trusted_stability: float = 0.3
    outside: float = 0.05
    narrow: int = 512
    tokens_per_batch: int = 4096
    longest_to_shortest: float = 1.4
    texts_at_a_time: int = 16
    hub_seconds: float = 10.0
    warm_up: float = 0.1
    weight_decay: float = 0.01
    gradient_norm: float = 1.0
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-6


LEARNING = LearningNumbers()
