"""Memory of training: bytes per parameter, activations, what never grows backwards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.training import TrainingRequest, estimate, smallest_fit
from core.estimate.training_layout import arrange, read_layout
from core.estimate.training_memory import (
    Demand,
    base_weight_bytes,
    layer_activation_bytes,
    settle,
    usable_bytes,
)
from core.estimate.training_shape import generic_decoder, shape_of
from core.reference.load import reference
from core.units import GB

KNOWN = reference()
CARDS = ("rtx4090", "a100-80gb-sxm", "h200-sxm", "b200")
SIZES = ("llama-3.2-1b", "llama-2-7b", "llama-2-13b", "llama-3.1-70b")


def run(name: str, card: str, gpus: int, **stated: object) -> TrainingRequest:
    """Return a fine-tuning run, one sequence at a time, every layer recomputed."""
    base = TrainingRequest(
        model=KNOWN.models[name],
        gpu=KNOWN.gpus[card],
        gpus=gpus,
        task="finetune",
        micro_batch=1,
        checkpointing=True,
        lean=False,
    )
    return replace(base, **stated)  # type: ignore[arg-type]


def test_mixed_precision_adam_holds_18_bytes_per_parameter() -> None:
    """Weights 2, gradients 4, master copy and moments 12."""
    parts = estimate(run("llama-3.2-1b", "h200-sxm", 1)).memory_parts_gb
    held = parts["weights"] + parts["gradients"] + parts["optimiser"]
    assert pytest.approx(18 * 1.236, rel=0.001) == held


def test_full_sharding_divides_16_bytes_per_parameter() -> None:
    """ZeRO-3 over 8 GPUs holds an eighth of 16 bytes on each."""
    asked = run("llama-3.1-70b", "b200", 8, parallelism="FSDP")
    parts = estimate(asked).memory_parts_gb
    held = parts["weights"] + parts["gradients"] + parts["optimiser"]
    assert pytest.approx(16 * 70.55 / 8, rel=0.01) == held


def test_qlora_weights_take_four_and_a_half_bits() -> None:
    """A 7B model is under 4.5 GB with its embeddings in 16 bits."""
    shape = shape_of(KNOWN.models["llama-2-7b"])
    found = base_weight_bytes(shape, "qlora", "bf16") / GB
    assert 3.8 <= found <= 4.3
    assert (
        pytest.approx(13.5, rel=0.01) == base_weight_bytes(shape, "lora", "bf16") / GB
    )


def test_qlora_of_a_70b_fits_one_48_gb_card_at_short_sequences() -> None:
    """As published: arxiv.org/abs/2305.14314 (65B on 48 GB), and about 41 GB at least
    by unsloth.ai/docs/get-started/fine-tuning-for-beginners/unsloth-requirements."""
    short, long = (
        estimate(run("llama-3.3-70b", "rtxa6000", 1, method="qlora", sequence=tokens))
        for tokens in (512, 32_768)
    )
    assert short.fits
    assert 41 <= short.memory_gb_per_gpu <= 50
    assert not long.fits


def test_activations_follow_korthikanti() -> None:
    """A GPT layer keeps about 34·h bytes per token; ours is without dropout masks."""
    shape = shape_of(generic_decoder(6.7))
    per_hidden = layer_activation_bytes(shape) / shape.hidden
    assert 28 <= per_hidden <= 40


def test_layers_are_recomputed_only_where_room_is_short() -> None:
    """The same batch keeps its activations on 141 GB and recomputes some on 80 GB."""
    shape = shape_of(KNOWN.models["llama-3.1-8b"])
    steps = arrange(
        read_layout("FSDP", "", "fsdp"),
        gpus=8,
        sequence=8192,
        micro_batch=2,
        global_batch=16,
        usual_tokens=1e6,
    )

    def demand(card: str) -> Demand:
        return Demand(
            shape=shape,
            gpu=KNOWN.gpus[card],
            gpus=8,
            tuning="full",
            precision="bf16",
            steps=steps,
            checkpointing=None,
            lora_rank=16,
        )

    assert 0 == settle(demand("h200-sxm")).recomputed
    assert 0 < settle(demand("h100-80gb-sxm")).recomputed < 1


def test_leaner_optimisers_are_named_where_only_they_fit() -> None:
    """A 7B full fine-tune on one A100 fits as all-bf16 Adam, and the answer says so."""
    found = estimate(run("llama-2-7b", "a100-80gb-sxm", 1, lean=True))
    assert found.fits
    assert "all-bf16 Adam (8 B/parameter)" in found.why
    assert not estimate(run("llama-2-7b", "a100-80gb-sxm", 1)).fits


def test_dpo_holds_the_reference_model_too() -> None:
    """Two more bytes per parameter than plain full fine-tuning."""
    plain = estimate(run("llama-3.2-1b", "h200-sxm", 1))
    dpo = estimate(run("llama-3.2-1b", "h200-sxm", 1, method="dpo"))
    more = dpo.memory_parts_gb["weights"] - plain.memory_parts_gb["weights"]
    assert pytest.approx(2 * 1.236, rel=0.01) == more


@given(st.sampled_from(SIZES), st.sampled_from(CARDS), st.sampled_from((512, 4096)))
@settings(max_examples=40, deadline=None)
def test_methods_that_train_less_never_need_more(
    name: str, card: str, sequence: int
) -> None:
    """Full fine-tuning needs at least what LoRA needs, and LoRA what QLoRA needs."""
    full, lora, qlora = (
        estimate(run(name, card, 1, method=method, sequence=sequence))
        for method in ("full", "lora", "qlora")
    )
    assert full.memory_gb_per_gpu >= lora.memory_gb_per_gpu >= qlora.memory_gb_per_gpu
    assert qlora.fits or not lora.fits
    assert lora.fits or not full.fits


@given(st.sampled_from(SIZES), st.sampled_from(("full", "lora", "qlora")))
@settings(max_examples=20, deadline=None)
def test_longer_sequences_never_need_less_memory(name: str, method: str) -> None:
    """Activations grow with the sequence, all else equal."""
    needs = [
        estimate(
            run(name, "b200", 1, method=method, sequence=sequence)
        ).memory_gb_per_gpu
        for sequence in (512, 2048, 8192, 32768)
    ]
    assert sorted(needs) == needs


@given(
    st.sampled_from(SIZES[:3]),
    st.sampled_from(("lora", "qlora")),
    st.sampled_from(("rank", "batch")),
    st.sampled_from((True, False, None)),
)
@settings(max_examples=40, deadline=None)
def test_larger_ranks_and_batches_never_need_less_memory(
    name: str, method: str, grown: str, checkpointing: bool | None
) -> None:
    """Adapters grow with their rank, activations and logits with the batch.

    While there is room: what is short of it recomputes, and then holds less.
    """
    field = {"rank": "lora_rank", "batch": "micro_batch"}[grown]
    needs = [
        estimate(
            run(
                name, "b200", 1, method=method, sequence=512,
                checkpointing=checkpointing, **{field: size},
            )
        ).memory_gb_per_gpu
        for size in (1, 2, 4, 8, 16)
    ]  # fmt: skip
    assert sorted(needs) == needs


@given(st.sampled_from(SIZES), st.sampled_from(("full", "lora", "qlora")))
@settings(max_examples=20, deadline=None)
def test_larger_cards_never_need_more_of_them(name: str, method: str) -> None:
    """The smallest count falls, or stays, from 80 to 141 to 180 GB."""
    counts = [
        (smallest_fit(run(name, card, 1, method=method)) or (10**9,))[0]
        for card in ("a100-80gb-sxm", "h200-sxm", "b200")
    ]
    assert sorted(counts, reverse=True) == counts


def test_parts_add_up_to_the_total() -> None:
    """The parts, the allocator's waste among them, make the memory reported."""
    found = estimate(run("llama-2-7b", "h200-sxm", 4))
    assert pytest.approx(sum(found.memory_parts_gb.values())) == (
        found.memory_gb_per_gpu
    )


@pytest.mark.parametrize("gpus", [1, 2, 4, 8])
def test_full_sharding_divides_adapters_and_frozen_weights(gpus: int) -> None:
    """FSDP holds one share of everything on each card; 16 bytes an adapter weight."""
    shape = shape_of(KNOWN.models["llama-3.1-70b"])
    asked = run(
        "llama-3.1-70b", "b200", gpus, method="qlora", parallelism="FSDP", lora_rank=64
    )
    parts = estimate(asked).memory_parts_gb
    held = parts["weights"] + parts["gradients"] + parts["optimiser"]
    frozen = base_weight_bytes(shape, "qlora", "bf16")
    everything = (frozen + 16 * shape.adapter_params(64)) / GB

    assert pytest.approx(everything / gpus, rel=0.001) == held


def test_zero_1_and_2_divide_what_they_say_they_divide() -> None:
    """ZeRO-1 the optimiser, ZeRO-2 the gradients too, neither of them the weights."""
    shape = shape_of(KNOWN.models["llama-3.1-8b"])
    adapters = shape.adapter_params(16) / GB
    parts = {
        stage: estimate(
            run("llama-3.1-8b", "b200", 4, method="lora", parallelism=stage)
        ).memory_parts_gb
        for stage in ("ZeRO-1", "ZeRO-2")
    }

    assert parts["ZeRO-1"]["weights"] == parts["ZeRO-2"]["weights"]
    assert pytest.approx(2 * adapters, rel=0.01) == parts["ZeRO-1"]["gradients"]
    assert pytest.approx(2 * adapters / 4, rel=0.01) == parts["ZeRO-2"]["gradients"]
    assert pytest.approx(12 * adapters / 4, rel=0.01) == parts["ZeRO-1"]["optimiser"]


def test_lora_of_a_70b_on_eight_a100_takes_what_torchtune_measured() -> None:
    """27.6 GB a card in torchtune's table (2 sequences of 2,048, FSDP)."""
    asked = run(
        "llama-3.1-70b", "a100-80gb-sxm", 8, method="lora", parallelism="FSDP",
        sequence=2048, micro_batch=2, lora_rank=16,
    )  # fmt: skip

    assert pytest.approx(27.6, rel=0.2) == estimate(asked).memory_gb_per_gpu


@pytest.mark.parametrize("card", ["rtx3090", "rtx4090"])
def test_qlora_of_a_70b_on_two_24_gb_cards_needs_its_weights_in_host_memory(
    card: str,
) -> None:
    """As published: FSDP and QLoRA with CPU offload (answer.ai, 2024-03-06).

    On the cards alone it is a few GB too much; without the frozen weights, it fits.
    """
    asked = run(
        "llama-2-70b", card, 2, method="qlora", parallelism="FSDP", sequence=512,
        lean=True,
    )  # fmt: skip
    found = estimate(asked)
    card_gb = usable_bytes(KNOWN.gpus[card]) / GB

    assert not found.fits
    assert card_gb < found.memory_gb_per_gpu < card_gb + 3
    assert found.memory_gb_per_gpu - found.memory_parts_gb["weights"] < card_gb / 2


def test_four_such_cards_hold_it() -> None:
    """Each then holds a quarter of 40 GB."""
    asked = run(
        "llama-2-70b", "rtx4090", 4, method="qlora", parallelism="FSDP", sequence=512
    )

    assert estimate(asked).fits
