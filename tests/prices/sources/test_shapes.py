"""Shapes beside the usual one in which the sources' own lists were met."""

import json
from typing import Any

import pytest

from tests.prices.feeds import MOMENT, READERS

RUNPOD = ("runpod.json", {"data": {"gpuTypes": [
    {"id": "NVIDIA H200 NVL", "displayName": "H200 NVL", "memoryInGb": 143,
     "securePrice": 3.79, "communityPrice": 0.5},
    {"id": "NVIDIA RTX A6000", "displayName": "RTX A6000", "memoryInGb": 48,
     "securePrice": 0.53, "communityPrice": 0.33},
    {"id": "NVIDIA GeForce RTX 4080", "displayName": "RTX 4080", "memoryInGb": 16,
     "securePrice": 0.5, "communityPrice": 0.27},
]}})  # fmt: skip
AZURE = ("azure-retail.json", [
    {"armSkuName": "Standard_ND96isr_H200_v5", "armRegionName": "uksouth",
     "retailPrice": 106.0, "unitOfMeasure": "1 Hour", "meterName": meter,
     "productName": "Virtual Machines NDsrH200v5 Series", "type": "Consumption"}
    for meter in ("ND96isrH200v5", "ND96isrH200v5 Spot", "ND96isrH200v5 Low Priority")
])  # fmt: skip
VAST = ("vast.json", [
    {"gpu_name": "B200", "gpu_ram": 183359, "num_gpus": "2", "dph_total": "12.5"},
    *({"gpu_name": "B200", "gpu_ram": 183359, "num_gpus": 2, "dph_total": 3.0} | more
      for more in ({"is_bid": True, "min_bid": 3.0}, {"rented": True},
                   {"rentable": False}, {"verified": False})),
])  # fmt: skip
LIUM = ("lium.json", [
    {"machine_name": "NVIDIA B300 SXM6 AC", "price_per_gpu": 7.97, "gpu_count": 8,
     "available_gpu_count": 8, "min_gpu_count_for_rental": None, "tier": "secure",
     "location": {"country_code": "US"}},
    {"machine_name": "NVIDIA H200", "price_per_gpu": 3.1, "gpu_count": 8,
     "available_gpu_count": 4, "min_gpu_count_for_rental": 1, "tier": "spot",
     "location": {"country_code": "IN"}},
])  # fmt: skip
LAMBDA = ("lambda.json", {"data": {"gpu_8x_b200": {
    "instance_type": {"name": "gpu_8x_b200", "description": "8x NVIDIA B200",
                      "gpu_description": "NVIDIA B200 (180 GB SXM)",
                      "price_cents_per_hour": 3200, "specs": {"gpus": 8}},
}}})  # fmt: skip
SHADEFORM = ("shadeform.json", {"instance_types": [
    {"cloud": "lambdalabs", "shade_instance_type": "B200x8", "gpu_type": "B200",
     "num_gpus": 8, "hourly_price": 5352, "interconnect": "sxm6", "availability": [
         {"region": "dulles-usa-1", "available": True, "rental_type": "on_demand"},
         {"region": "dulles-usa-1", "available": True, "rental_type": "spot",
          "hourly_price": "26.76"},
         {"region": "dulles-usa-1", "available": True, "rental_type": "reserved"},
     ]},
]})  # fmt: skip
TENSORDOCK = ("tensordock.json", {"data": {"locations": [
    {"country": "Iceland", "gpus": [
        {"displayName": "H200 SXM 141GB", "max_count": 0, "price_per_hr": 1.0},
        {"displayName": "L40 48GB", "max_count": 4, "price_per_hr": 0.9}]},
]}})  # fmt: skip
PRIME = ("primeintellect.json", {"items": [
    {"cloudId": "", "gpuType": "CPU_NODE", "provider": "hyperstack", "gpuCount": 1,
     "prices": {"onDemand": 0.4}},
    {"cloudId": "", "gpuType": "L40_48GB", "provider": "hyperstack", "gpuCount": "2",
     "gpuMemory": 96, "security": "community_cloud",
     "prices": {"onDemand": None, "communityPrice": 1.8}},
]})  # fmt: skip
DROPLETS = ("digitalocean.json", {"sizes": [
    {"slug": "gpu-h200x8-1128gb-contracted", "price_hourly": 20.0,
     "regions": ["nyc2"], "gpu_info": {"count": 8, "model": "nvidia_h200"}},
]})  # fmt: skip
HYPERSTACK = ("hyperstack.json", [
    {"name": "H200-141G-SXM5-reserved", "value": "2.5"},
    {"name": "RTX-PRO6000-SE", "value": "1.8"},
])  # fmt: skip


def product(name: str, price: float) -> dict[str, Any]:
    """One part of Oracle's list."""
    priced = {"model": "PAY_AS_YOU_GO", "value": price}
    in_dollars = [{"currencyCode": "USD", "prices": [priced]}]
    return {
        "displayName": name,
        "metricName": "GPU Per Hour",
        "currencyCodeLocalizations": in_dollars,
    }


OCI = ("oci-list.json", {"items": [
    product("Compute - Bare Metal GPU Standard - X7", 1.275),
    product("Compute - GPU Standard - V2", 2.95),
    product("Compute - GPU - E3", 3.05),
    product("Oracle Compute Cloud@Customer - Compute - GPU.L40S", 3.5),
]})  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "offers"),
    [
        (RUNPOD, [("h200-nvl", 1, "on_demand", "", 3.79),
                  ("rtxa6000", 1, "on_demand", "", 0.53),
                  ("rtxa6000", 1, "on_demand", "", 0.33),
                  ("rtx4080", 1, "on_demand", "", 0.27)]),
        (AZURE, [("h200-sxm", 8, "on_demand", "uksouth", 13.25)]),
        (VAST, [("b200", 2, "on_demand", "", 6.25)]),
        (LIUM, [("b300", 8, "on_demand", "US", 7.97),
                ("h200-sxm", 4, "spot", "IN", 3.1)]),
        (LAMBDA, [("b200", 8, "on_demand", "", 4.0)]),
        (SHADEFORM, [("b200", 8, "on_demand", "dulles-usa-1", 6.69),
                     ("b200", 8, "spot", "dulles-usa-1", 3.345)]),
        (TENSORDOCK, [("l40", 1, "on_demand", "Iceland", 0.9)]),
        (PRIME, [("l40", 2, "on_demand", "", 0.9)]),
        (DROPLETS, [("h200-sxm", 8, "reserved", "nyc2", 2.5)]),
        (HYPERSTACK, [("h200-sxm", 1, "reserved", "", 2.5),
                      ("rtxpro6000-server", 1, "on_demand", "", 1.8)]),
        (OCI, [("p100-16gb", 2, "on_demand", "", 1.275),
               ("v100-sxm2-16gb", 1, "on_demand", "", 2.95),
               ("a100-40gb-sxm", 8, "on_demand", "", 3.05)]),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_list_is_read_in_each_shape_that_it_was_met_in(
    sent: tuple[str, Any], offers: list[tuple[str, int, str, str, float]]
) -> None:
    """Bare lists, trimmed rows, flags and memory left out; no price is invented."""
    file, payload = sent
    reading = READERS[file](json.dumps(payload).encode(), MOMENT)

    assert not reading.refused
    assert offers == [
        (p.gpu, p.gpu_count, p.pricing, p.region, float(p.usd_per_gpu_hour))
        for p in reading.points
    ]
