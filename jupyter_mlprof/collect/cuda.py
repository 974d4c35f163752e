"""GPUs that torch uses in this process. Nothing is initialised by asking."""

import sys

from jupyter_mlprof.model.profile import Gpu


def gpus_in_use() -> tuple[Gpu, ...]:
    """Return torch's CUDA devices, or nothing where torch or CUDA is not in use."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is None or not cuda.is_initialized():
        return ()
    properties = [cuda.get_device_properties(index) for index in range(cuda.device_count())]
    return tuple(
        Gpu(i, one.name, one.total_memory, float(f"{one.major}.{one.minor}"))
        for i, one in enumerate(properties)
    )
