"""Constants of this package that affect results, each with its reason and how it was chosen.

Values that a user may want to change are settings (`config.DiscoveryConfig`) instead.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LearningNumbers:
    """Constants of the encoder, the two training stages and the recogniser.

    "By hand" means that a value was chosen by judgement and not tuned.

    Attributes:
        classifier_dropout: dropout before the classifier, as in the paper and BERT (Devlin et al., 2019).
        held_out_share: share of each known intent's examples that is held out to choose the epoch. By hand.
        held_out_from: an intent with at least so many examples has at least one held out. By hand.
        most_remembered: of the examples, so many are held against every batch in training. Bounded by time,
            and more than most bots have.
        start_of_known: where K is estimated by size, K' is at least so many times the known intents: the
            paper's is twice the true number.
        start_by_size, start_by_agreement: K' beside the known intents, in parts of the square root of the
            logged messages: more messages hold more intents, but not as many more. By hand; by agreement it
            is the most intents looked for, and where the estimate is as high, it looks further.
        texts_for_intent: by agreement no more new intents are looked for than there are with so many
            different messages each: where known intents have few examples, nothing else holds the estimate
            down. By hand.
        clusters_per_new_intent: clusters for each new intent that is expected. More than 1, since small talk
            would otherwise end up in the clusters of real intents. Chosen on BANKING77 and CLINC150.
        trusted_stability: less stable clusters are not used as labels, as many would be wrong. By hand.
        narrow: up to this hidden width, a layer is done with a message before a second thread wakes up, so
            one thread is used. Between MiniLM's 384, where this was measured, and BERT-base's 768.
        tokens_per_batch: tokens, with padding, of a batch outside training: enough to keep all cores busy
            with little memory. By hand.
        texts_per_shard: texts, or somewhat more, whose vectors are kept in one file: they are what an
            interrupted run loses, and many small files would be slow. By hand.
        vectors_share: share of the cache that the vectors of one run may take; the rest is for what an
            interrupted run has done. By hand.
        texts_per_block: texts that were not learnt from and are placed together: what an interrupted run
            loses, and the step of the bar. By hand.
        longest_to_shortest: a training batch is computed in parts of similar length, in which the longest
            text has at most about so many times the tokens of the shortest. Measured on two cores.
        texts_at_a_time: the number of texts in such a part is a multiple of this, since oneDNN compiles a
            kernel for every new number of tokens. Measured on two cores.
        largest_part: such a part has at most about this share of the tokens of a batch, so that several
            processes can divide them. Measured on two cores: with a quarter, training takes as long as with
            parts of any size, with an eighth 15 to 20 % longer.
        gpu_longest_to_shortest, gpu_largest_part: the same two on a GPU. Measured on an H200: an epoch of 40
            batches takes 0.84 to 1.07 s with 2.5 and parts of any size, 1.41 s with the parts of the CPU.
            One half, so that two GPUs can share a batch: by hand.
        least_beside_prompt: tokens that the encoder has to have left for a text beside the prompt: as many as
            the least `max_tokens`. By hand.
        hub_seconds: timeout of the request that checks whether the hub can be reached. By hand.
        parts_per_worker: parts of the messages on their way to each worker of a cluster: while one is read,
            the next is there. By hand.
        lost_again: how often a part is sent anew when the workers that had what it needs are lost. By hand.
        worker_seconds: how long a cluster may have no workers while something waits for one. By hand: one
            that is started again is there by then.
        cluster_seconds: how long a Dask cluster may take to answer. By hand.
        warm_up: share of the steps over which the learning rate rises; as in BERT's published optimiser,
            which the paper uses.
        weight_decay, gradient_norm, beta1, beta2, epsilon: from the same optimiser.
    """

    classifier_dropout: float = 0.1
    held_out_share: float = 0.1
    held_out_from: int = 5
    most_remembered: int = 8192
    start_of_known: float = 2.0
    start_by_size: float = 1.0
    start_by_agreement: float = 2.0
    texts_for_intent: int = 5
    clusters_per_new_intent: float = 1.5
    trusted_stability: float = 0.3
    narrow: int = 512
    tokens_per_batch: int = 4096
    texts_per_shard: int = 2048
    vectors_share: float = 0.9
    texts_per_block: int = 4096
    longest_to_shortest: float = 1.4
    texts_at_a_time: int = 16
    largest_part: float = 1 / 4
    gpu_longest_to_shortest: float = 2.5
    gpu_largest_part: float = 1 / 2
    least_beside_prompt: int = 8
    hub_seconds: float = 10.0
    parts_per_worker: int = 2
    lost_again: int = 5
    worker_seconds: float = 60.0
    cluster_seconds: float = 10.0
    warm_up: float = 0.1
    weight_decay: float = 0.01
    gradient_norm: float = 1.0
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-6


LEARNING = LearningNumbers()
