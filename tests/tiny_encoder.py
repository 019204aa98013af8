"""A real encoder of two layers with random weights, for tests in which weights do not matter."""

from __future__ import annotations

from pathlib import Path

WORDS = "please the my a i is do you can not for when what how hello bye invoice password order open".split()


def write_tiny_encoder(folder: Path, seed: int = 0) -> str:
    """Writes a BERT that knows `WORDS` and spells everything else; the same weights for a seed each time."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*special, *letters, *(f"##{letter}" for letter in letters), *WORDS]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)) + "\n", encoding="utf-8")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=len(dict.fromkeys(vocabulary)),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
        )
        BertModel(config).save_pretrained(folder)
    return str(folder)
