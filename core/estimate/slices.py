"""The isolated slices that a GPU can be cut into (MIG and its like)."""

from core.hardware import GpuSpec


def mig_slices(gpu: GpuSpec) -> tuple[GpuSpec, ...]:
    """Return the isolated slices that a GPU can be cut into, the smallest first.

    NVIDIA's seven-way MIG has 1, 2 or 3 of 7 compute slices with 1, 2 or 4 of 8 memory
    slices (MIG user guide, supported profiles); other partitions are equal shares.
    Slices share no link: a model must fit in one.
    """
    parts = gpu.mig_instances
    if not parts:
        return ()
    profiles = [(1, 1), (2, 2), (3, 4)] if parts == 7 else [(1, 1)]
    memory_parts = 8 if parts == 7 else parts
    return tuple(
        _slice(gpu, compute, compute / parts, memory / memory_parts)
        for compute, memory in profiles
    )


def _slice(gpu: GpuSpec, parts: int, compute: float, memory: float) -> GpuSpec:
    usable = gpu.usable_memory_gib
    return gpu.model_copy(
        update={
            "id": f"{gpu.id}-{parts}g",
            "name": f"{gpu.name} ({parts}g slice)",
            "memory_gb": gpu.memory_gb * memory,
            "usable_memory_gib": None if usable is None else usable * memory,
            "bandwidth_gb_s": gpu.bandwidth_gb_s * memory,
            "tflops": {name: rate * compute for name, rate in gpu.tflops.items()},
            "link_gb_s": 0.0,
            "gpus_per_node": 1,
            "mig_instances": None,
        }
    )
