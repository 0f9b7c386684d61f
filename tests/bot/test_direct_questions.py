"""Questions that ask for one figure get it in the first line; constraints hold."""

import re
from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from tests.conftest import TERMINAL


def said(answering: Answering, text: str) -> str:
    """The first line of an answer."""
    return answering.answered(text, TERMINAL).view.verdict


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        # 80 layers × 8 KV heads × 128 × 2 (K, V) × 2 bytes × 131,072 tokens
        ("kv cache for 128k context llama 70b", "42.9 GB in BF16, 21.5 GB in FP8"),
        # 32 × 8 × 128 × 2 × 2 × 8,192 × 16
        ("kv cache size of llama 3.1 8b at 8k with batch 16", "17.2 GB in BF16"),
        # 80 × 8 × 128 × 2 × 2 bytes × 65,536 tokens
        ("kv cache qwen2.5 72b 64k fp16", "21.5 GB in FP16"),
        # 2.788M hours × $3.14
        ("what did training deepseek v3 cost, and the same GPU hours at today's h100 "
         "price?", "2.788M GPU-hours on H100 SXM cost $8.754M"),
        ("how big are the weights of llama 70b in fp16", "141 GB in FP16"),
        ("how much did it cost to train gpt-4", "about $78M"),
        # 46.7B parameters × 2 bytes
        ("weights of mixtral 8x7b in fp16", "93.4 GB in FP16"),
        # at AWS 8 × $6.88 an hour
        ("what does a p5.48xlarge cost per hour", "$55.04 an hour"),
        ("what did deepseek-v3 cost to train", "about $5.58M"),
        # 100M × 5 × 500 = 250B tokens a day × $2.50 = $625,000; × 30
        ("100M users 5 queries a day 500 input tokens on gpt-4o: what does it cost",
         "$18,750,000/month for input alone ($625,000 a day)"),
        ("what do -4 h100 cost", "GPU count must be at least 1"),
        ("what do 0 h100 cost", "GPU count must be at least 1"),
        ("price of an h200 at aws per hour", "in machines of 8 at $63.30/h"),
        ("h200 at aws: 1 year reserved or on demand", "in machines of 8 at $63.30/h"),
        ("spot price of g6e.24xlarge", "4 × L40S at Amazon Web Services: $10,847"),
        ("cheapest h100 per hour", "per GPU-hour. H100 PCIe from $"),
        ("price of h100 sxm", "3-year reserved (Google Cloud) per GPU-hour"),
        ("deepseek v3: minimum hardware", "Cheapest in FP8: 4 × MI300X, $"),
        ("qlora of llama 3.3 70b, 10k samples, one 48 GB card", "1 × RTX A6000 at "),
        ("qlora of llama 3.3 70b, 10k samples, one 40 GB card", "No: QLoRA of"),
        ("smallest gpu for llama 3.1 8b", "the smallest GPU for Llama 3.1 8B"),
        ("lowest latency for 70b at 5 rps", "Lowest latency at this load: "),
        ("what can I do with $5k a month", "$5,000 a month serves about"),
        ("12-month budget for gpt-oss-120b at 5M requests a month", " a year · "),
        ("what will inference cost us next year for 2,000 employees, 15 requests a "
         "day each?", "/year; with Llama 3.1 8B"),
        ("120k daily users, 10 chat turns each: cost per user per month?",
         "/user and month; with Llama 3.1 8B"),
        ("what do we save if we move our 4 always-on A100s on GCP from on-demand to a "
         "three-year commitment?", "Reserve 4 × A100 40GB SXM"),
        # 64 × 1,008 h at the price of whoever joins machines
        ("64 H100s with InfiniBand for six weeks to continue pretraining a 13B. Who "
         "sells that?", " for 42 days"),
        ("cheapest way to try DeepSeek R1 distill 32B for one day", " for 24 h ("),
        ("difference in monthly cost between FP16 and FP8 for Llama 3.1 70B at 25 "
         "rps", "The difference is $"),
        ("is serverless cheaper than keeping an A100 reserved for Mistral Nemo 12B, "
         "8am to 8pm on weekdays?", "Serverless GPUs (1 × "),
        ("TTS, 500 hours of audio a month using Kokoro or Orpheus, cost?", "orpheus: "),
        ("TTS, 500 hours of audio a month using Kokoro or MusicGen, cost?",
         "musicgen: we cannot price it"),
        ("10,000 images a day with sdxl or flux.1 dev", "flux.1-dev: "),
        ("4090 vs L4 for a 7B, power at 0.31 $/kWh", "1 × L4 $24.11/month"),
        ("Can we train an SDXL-sized diffusion model from zero for under $50k?",
         "Within $50,000, by what others took: PixArt-α about $"),
        ("DeepSeek R1 for 5 people: Mac Studio M3 Ultra vs one H100",
         "Mac Studio M3 Ultra, as published: 17–18 tokens/s"),
        ("an 8B for 100 internal users on CPUs only, or 2 L40S?", "27.8 tokens/s"),
        ("Orpheus 3B tts, 36,000 hours of audio a year vs elevenlabs",
         "By API: ElevenLabs Multilingual v2 $16,200/month"),
        ("HunyuanVideo at 10 s 720p, 260 clips a day, users wait 5 minutes max. "
         "Serverless or dedicated?", "Serverless bills only the work"),
        ("$10k budget, largest model we can fine-tune on 100M tokens?",
         "$10,000 trains the largest size here"),
        # 20 × 1.15^8 = 61.2 requests/s, × 1.15^9 = 70.4, above what they carry
        ("growing 15% month over month from 20 req/s. When do we outgrow two H100s "
         "on Llama 3.1 8B?", "You outgrow them in month 9"),
        ("spot price for g6e.12xlarge", "We know no spot price of g6e.12xlarge"),
        ("platform with 50 small 8b models isolated", "slice"),
        ("would speculative decoding help for 70b at 30 rps", "peculative decoding"),
        ("does speculative decoding pay off for a 32b at 5 rps on 2x H100",
         "Yes, for time per token: about "),
        # 43 clips a day of 18 s a GPU-hour: billed by the hours of work
        ("300 five-second 720p clips a week with Wan 2.2 14B", "/month ($"),
        ("does LoRA of an 8B on 50M tokens cost more than $50?", "No, less than $50"),
        ("buy or rent for llama 3.3 70b at 20 rps over 3 years",
         "/month over 36 months"),
        ("3-year reservation of 16 h200 or on demand: what do we save?",
         "16 × H200 SXM cost"),
        ("70b 5000 rps", "Do you mean 5,000 requests a day"),
        # 405.8 GB of weights: 50.7 GB on each of eight; four would want 101 GB
        ("how many h100 to hold llama 3.1 405b in fp8", "8 × H100 SXM hold"),
        ("fewest mi300x to load llama 405b in bf16", "8 × MI300X hold"),
        # the model's own limit, well below what the memory holds
        ("longest context of llama 3.3 70b fp8 on one h200", "131k tokens of context"),
        ("max context for llama 3.1 8b on an l4 with 4 users", "for each of 4 reques"),
        ("which models fit on one l40s?", "1 × L40S, "),
        ("4 h100 at runpod or coreweave", "% less per GPU-hour ($"),
        ("l40s or h100 for llama 8b, which is cheaper", " requests/s H100 SXM FP8 is"),
        ("at what usage does an H100 beat paying per token on fireworks for qwen3 235b",
         "Self-hosting Qwen3 235B-A22B is cheaper than"),
        ("llama 70b for 10k users, traffic is unknown: a low/high range please",
         "/month if each user sends 2 to 30 requests a day ("),
        ("llama 70b support bot, we don't know the traffic yet: what would it cost",
         "/month if 2 to 30 requests run at once ("),
        ("smallest setup that holds deepseek r1, 5 concurrent", " GB of weights), "),
        ("llama 70b on L40S at 60 rps", "Better on other GPUs, at the usual speed: "),
        ("biggest model for $5k a month and 100 users", "$5,000 a month serves 100"),
        ("we own 8 a100 80gb: llama 70b at 2 rps", "no rent, your GPUs"),
        ("tensor parallel 2 or 4 for 70b on h100 at 5 rps", "Tensor parallel by GPUs"),
        ("is nvlink needed for an 8b at 5 rps", "NVLink is not needed"),
        ("do i need nvlink for 70b across 2 gpus or is pcie fine", "No, PCIe is fine"),
        ("failover in a second region for our 4 h100s?", "A second place that always"),
        ("on 2 replicas, which uptime can we promise?", "Promise at most 99.9 %"),
        ("budget 500k per year, how many b200 is that", "keep on 9 × B200"),
        ("warn me if our gpu spend goes over 9k", "I cannot see what you spend"),
        ("how much is one b200 per hour", "$6.00 on-demand (Hyperstack)"),
        ("is it worth quantizing llama 70b to fp8 at 10 rps on h100",
         "BF16 would cost $"),
        ("tokens per second of one b200 with llama 3.1 8b",
         "1 × B200 writes about 334 tokens/s for one user alone, 13.8k in all ("),
        ("api price of llama 3.3 70b for 20k requests a day",
         "the lowest but for Novita"),
        ("llama 3.3 70b by api, 20k requests a day, monthly bill", "/month ("),
        ("what does a million tokens cost on 2 h100s with gpt-oss-120b",
         "at full load: 2 × H100 SXM"),
        ("b200 fp4 vs h100 fp8 for 70b, cost per 1M tokens", "H100 SXM in FP8: $"),
        # every side that is named has its figure
        ("Which SLA do Lambda, Crusoe and Nebius put in writing for an 8xH100 node? "
         "We need 99.5 in writing", "Nebius 99.5 %. At least 99.5 %: Nebius. Lambda "
         "and Crusoe: unknown"),
        ("compare the SLA of AWS, GCP and Azure for one 8xH100 node",
         "Amazon Web Services 99.5 %, Google Cloud 99.9 %, Microsoft Azure 99.9 %"),
        ("which uptime do Scaleway and Vultr guarantee for an H100 machine?",
         "Scaleway 99.5 %. Vultr: none for GPU machines"),
        ("does Lambda have an SLA?", "Lambda: unknown, we found no percentage"),
        ("Quel SLA garantissent Scaleway et OVH pour un H100 ?", "OVHcloud 99.99 %"),
        ("Welche SLA geben Hyperstack und Scaleway für einen H100-Server? Wir "
         "brauchen 99,5 schriftlich", "At least 99.5 %: Scaleway. Hyperstack: unk"),
        ("which clouds guarantee 99.9 uptime for an H100 machine?",
         "At least 99.9 %: OVHcloud, Google Cloud"),
        ("do CoreWeave or Nebius guarantee 99.9% uptime for B200 clusters?",
         "CoreWeave 99 %, Nebius 99.5 %. None commits to 99.9 % for one machine"),
        ("how do AWS and Azure differ in uptime guarantee for an H100 box?",
         "Amazon Web Services 99.5 %, Microsoft Azure 99.9 %"),
        ("4x H100 at lambda vs coreweave, SLA 99.95", "4 × H100 SXM at "),
        ("what is an SLA?", "An SLA is a provider's published"),
        ("price of 8 h100 with an SLA", "8 × H100 SXM at "),
        ("8x h100 at coreweave with 99.9 uptime, monthly", "8 × H100 SXM at CoreWea"),
        ("cheapest H100 with an uptime guarantee", "H100 SXM: $"),
        ("what SLA do I get with llama 70b at 10 rps on nebius?", "H100 SXM at Nebi"),
        # 1 × 450 W × 1.5 × 720 h = 486 kWh; 72 W: 78 kWh
        ("4090 vs L4 for a 7B? power matters, $0.10/kWh",
         "1 × GeForce RTX 4090 $48.60/month, 1 × L4 $7.78/month"),
        ("L40S oder L4: Stromkosten bei 0,30 $/kWh?", "L40S $113/month, 1 × L4 $"),
        ("quel coût d'électricité pour 4 A100 contre 2 H100, 0,2 $/kWh",
         "4 × A100 80GB SXM $346/month, 2 × H100 SXM $302/month"),
        ("power cost of 8 h100 at $0.10/kWh", "$605/month of electricity: 8 × H100"),
        ("TPU v6e vs H100 for Gemma 3 27B at 25 rps", "TPU v6e (Trillium): 12 would"),
        ("Trainium2 or H100 for llama 70b 20 rps", "AWS Trainium2: 10 would be enou"),
        ("Gaudi 3 gegen H100 für Llama 70B mit 10 rps", "Intel Gaudi 3: 4 would be"),
        ("TPU v5p ou H100 pour un 70B à 15 req/s", "Google TPU v5p: 24 would be eno"),
        ("GB200 NVL72 or 9 HGX B200 nodes for DeepSeek R1, 5,000 concurrent users",
         "less than 72 × GB200"),
        ("h100 vs b200 for llama 70b 20 rps", "3 × B200 FP8 at "),
        # 16 bytes a parameter; "mixed precision" is no mixed work
        ("memory needed to full finetune a 32B with AdamW bf16 mixed precision?",
         "524 GB in all before activations"),
        ("VRAM needed for a full finetune of 14B in mixed precision", " GB in all bef"),
        # a year is asked for, in whichever language
        ("jährliche Kosten für 8B mit 20 rps", " a year · "),
        ("70b 5 rps prix par an", " a year · "),
        ("24b, 20 utenti contemporanei, costo annuo?", " a year · "),
        ("roczny koszt 8b 5 rps", " a year · "),
        ("jaarlijkse kosten 70b 5 rps", " a year · "),
        ("custo anual de um 70b a 5 rps", " a year · "),
        ("70b 5 rps monthly cost", "/month"),
        # $3.14 − $2.50; 720 h
        ("price gap between H100 SXM and PCIe on the neoclouds?",
         "H100 SXM costs $0.64 more per GPU-hour than H100 PCIe, 26%: $3.14"),
        ("Preisunterschied zwischen H100 PCIe und H100 SXM bei den GPU-Clouds?",
         "H100 SXM costs $0.64 more per GPU-hour than H100 PCIe"),
        ("quelle différence de prix entre H100 SXM et H100 NVL ?", "H100 SXM costs $"),
        ("A100 80GB SXM versus PCIe, factor between the prices?", "A100 80GB SXM cos"),
        ("how much more expensive is a B200 than an H200 per hour?", "B200 costs $"),
        ("Wie groß ist der Preisabstand zwischen L40S und L4?", "L40S costs $"),
        ("premium of h200 over h100", "H200 SXM costs $"),
        ("how much more does a TPU v6e cost than an H100 per hour?",
         "No price is known for Google TPU v6e"),
        ("difference in price of H100 SXM and PCIe at Hyperstack",
         "H100 SXM costs $0.70 more per GPU-hour than H100 PCIe"),
        ("price of h100 sxm and h100 pcie", "H100 SXM: $"),
        ("h100 vs b200", "H100 SXM against B200: "),
        ("how much more do 8 h200 cost than 8 h100 a month", "8 × H100 SXM at "),
        ("how much more is a b200 than an h200 for llama 70b at 20 rps",
         "The difference is $"),
    ],
)  # fmt: skip
def test_the_figure_comes_first(answering: Answering, text: str, figure: str) -> None:
    """Whatever the question would be sized to otherwise."""
    assert figure in said(answering, text)


GB = 1e9


def kv_gb(layers: int, heads: int, tokens: int, sequences: int = 1) -> str:
    """A 16-bit cache: keys and values of 128 numbers of two bytes each."""
    return f"{layers * heads * 128 * 2 * 2 * tokens * sequences / GB:.3g} GB in BF16"


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("how much memory does the KV cache of Qwen2.5-72B take at 32k tokens",
         kv_gb(80, 8, 32_768)),
        ("kv cache of mistral 7b at 16k context with batch 8", kv_gb(32, 8, 16_384, 8)),
        ("size of the KV cache for qwen3-32b, 8k tokens, 20 users",
         kv_gb(64, 8, 8192, 20)),
        # 126 layers × 8 KV heads × 128 × 2 × 2 bytes
        ("kv cache per token of llama 3.1 405b", f"{126 * 8 * 128 * 4 / 1e3:.3g} kB"),
        ("how large is the checkpoint of mixtral 8x7b in bf16",
         f"{46.7 * 2:.3g} GB in BF16"),
        ("DeepSeek-V3 weights: how many GB in FP8?", "GB in FP8: the weights"),
        ("size of gpt-oss-120b weights", f"{116.83 * 2:.3g} GB in BF16"),
        ("price of p4d.24xlarge", "($21.96 an hour)"),
        ("what would -2 B200 cost", "GPU count must be at least 1"),
        ("renting zero h100s for a month", "GPU count must be at least 1"),
        ("smallest card that runs qwen2.5 14b", "the smallest GPU for Qwen2.5 14B"),
        ("which gpu is the smallest for mistral 7b in int4", "(16 GB) in INT4"),
        ("lowest possible latency for 8b at 2 rps", "Lowest latency at this load"),
        ("what does $12,000 a month buy", "$12,000 a month serves about"),
        # Meta's own 30.84M GPU-hours
        ("how expensive was training llama 3.1 405b", "30.8M GPU-hours"),
        ("training cost of GPT-4", "about $78M"),
        # 1M × 3 × 800 = 2.4B tokens a day × $2.50 = $6,000; × 30
        ("1M users, 3 requests a day, 800 input tokens each on gpt-4o: monthly bill",
         f"${1e6 * 3 * 800 / 1e6 * 2.50 * 30:,.0f}/month for input alone"),
        ("30 isolated 3b models on one platform, which slices", "MIG slice"),
        ("should we buy two DGX H100 or rent them for three years",
         f"{2 * 8} × H100 SXM"),
        ("How much VRAM for QLoRA on a 70B with seq len 8192 batch 1",
         "GB on one GPU at 8,192 tokens × batch 1"),
        ("vram to LoRA a 13b at 4096 tokens, batch size 4", "4,096 tokens × batch 4"),
        ("QLoRA 32b with 16k context, micro batch 2: how many GB?", "batch 2"),
        ("does mig make sense on our A100s to run 7 small rerankers", "Yes: 7 ×"),
        ("should we use MIG on an H100 for six embedding models?", "Yes: 6 ×"),
        ("MIG for 4 classifiers on one A100 80GB, worth it?", "Yes: 4 ×"),
        ("A100 mit MIG für 5 kleine Reranker, sinnvoll?", "Yes: 5 ×"),
        ("is mig on an L40S possible for 4 rerankers", "No: L40S has no MIG"),
        ("Llama with scale to zero, 2 hours a day: is serverless cheaper than a "
         "reserved L40S?", "Use an API"),
        ("qwen on an L4, serverless or reserved, 3 hours a day?", "Use an API"),
        ("llama 5 rps", "1 × RTX 6000 Ada"),
        ("kv cache per token of qwen2.5", "57.3 kB"),
        ("train llama from scratch on 100B tokens", "I don't know"),
        ("llama-9 5 rps", "I don't know"),
        ("VRAM-Bedarf für QLoRA eines 70B, Sequenzlänge 4096, Batch 2",
         "4,096 tokens × batch 2"),
        # 50k prompts × 8 answers of 3,000 tokens, once: 1.2B tokens
        ("GRPO on a Qwen3-8B, 8 rollouts per prompt, 50k prompts, ~2k tokens per "
         "rollout. 8 H100 for a weekend?", "Yes, within 48 h"),
        # 2,000 steps × 64 prompts × 16 answers of 2,000 tokens
        ("GRPO on Qwen3 14B: 2,000 steps, 64 prompts x 16 rollouts of 2k tokens",
         "per run"),
    ],
)  # fmt: skip
def test_other_words_get_their_figure_first(
    answering: Answering, text: str, figure: str
) -> None:
    """Figures computed here, by hand or from the makers' own words."""
    assert figure in said(answering, text)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        # 32.8B × 18 bytes are 590 of 640 GB; 16-bit weights of 250B are 500
        ("we have 8 a100 80gb: how big a model can we tune on them?",
         "8 × A100 80GB SXM: All weights up to about 32B"),
        ("how many billion parameters can i full fine-tune on 2 h200?",
         "2 × H200 SXM: All weights up to about 16B"),
        ("biggest model for qlora on a 3090?", "1 × GeForce RTX 3090: QLoRA up to"),
        ("what can we fine-tune on rtx 4090s?", "1B (4B with an 8-bit optimiser)"),
        ("our cards all have 24gb, what's the largest model we can run?", ". 8 × "),
        ("what model could we serve with 1500 a month to 30 users?",
         "$1,500 a month serves 30 users"),
        ("do we really need h100s for a 14b chatbot at 3 rps?", "No: "),
        ("do i need an a100 to fine-tune a 7b with lora?", "No: "),
        ("can a 14b chat model and bge-m3 share one l40s?", "Yes: 1 × L40S"),
        ("can we put two 7b models on the same l4?", "Yes, without isolation: 2 × "),
        ("is mig on an L40S possible for 4 rerankers", "No: L40S has no MIG"),
        ("fine-tune every week on 4 a100 for 5 hours plus serving a 14b at 2 rps, "
         "what's the yearly cost?", " over 12 months: "),
        ("2k token system prompt and 300 token user messages, 14b at 20 rps, is prefix "
         "caching worth it?", "Prefix caching at 87% saves $"),
        ("what would we have to buy to run deepseek v3.1 in our own server room?",
         "8 × H200 SXM"),
        ("how long could we run 8 h200 for 15k?", "$15,000 pays for "),
        ("how many h100 hours do we get for 20k?", "$20,000 pays for "),
        ("what's our price per million tokens for qwen3 32b on one h200?",
         "at full load: 1 × H200"),
        # 32.8 GB + 50 × 1.31 / 2 + 2
        ("memory for qwen3 14b with 8k context and 50 parallel requests?",
         "51.1 GB with an FP8 cache"),
        ("serverless or a dedicated gpu for our 13b, 2000 calls a day?", "Rent GPUs: "),
        ("qlora of a 32b on one 4090?", "with samples cut to 512 tokens"),
        ("buy 4 l40s or rent them for a year?", " over 12 months"),
    ],
)  # fmt: skip
def test_the_unknown_of_a_question_is_what_is_told(
    answering: Answering, text: str, first: str
) -> None:
    """The model, the card, the hours or the money is asked for: no fleet leads."""
    assert first in said(answering, text)


def test_reinforcement_learning_writes_steps_by_prompts_by_rollouts(
    answering: Answering,
) -> None:
    """Twice the rollouts, or twice the steps, cost about twice as much."""

    def usd(steps: int, rollouts: int) -> float:
        text = f"grpo qwen3 14b: {steps} steps, 64 prompts x {rollouts} rollouts of 2k"
        shown = figures(answering.answered(f"{text} tokens on 8 h100", TERMINAL))
        paid: float = shown["recommendation"]["usd_per_run"]
        return paid

    assert 1.8 < usd(1000, 16) / usd(500, 16) < 2.2
    assert 1.7 < usd(500, 32) / usd(500, 16) < 2.3


@pytest.mark.parametrize(
    ("text", "hours", "count"),
    [
        ("what do 16 h200 cost for a weekend", 48, 16),
        ("cost of 8 h100 for 3 weeks", 504, 8),
        ("4 lambda h100 for 10 days", 240, 4),
        ("24 h100 for a week", 168, 24),
        ("what do 3 H100 cost for 5 days", 120, 3),
        ("bill for 8 B200 over a weekend", 48, 8),
        ("12 h200 for two weeks at nebius", 336, 12),
        ("what do 4 A100 cost for 36 hours", 36, 4),
    ],
)
def test_a_bill_has_the_count_and_the_span_that_were_said(
    answering: Answering, text: str, hours: int, count: int
) -> None:
    """GPUs × price × hours, in the first line."""
    found = figures(answering.answered(text, TERMINAL))["recommendation"]

    assert count == found["count"]
    rental = found["usd_per_hour"] * hours
    assert f"${rental:,.0f} for" in said(answering, text)


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("8b 40 rps on consumer cards, no marketplaces", {"marketplace", "community"}),
        ("70b 5 rps only on hyperscalers", {"direct", "reseller", "marketplace"}),
        ("70b 5 rps no resellers no hyperscalers", {"reseller", "hyperscaler"}),
    ],
)
def test_kinds_of_sellers_are_held(
    answering: Answering, text: str, forbidden: set[str]
) -> None:
    """What is ruled out is nowhere among the fleets."""
    shown = figures(answering.answered(text, TERMINAL))
    rows = [shown["recommendation"], *shown["alternatives"]]

    assert rows[0]
    assert not forbidden & {row["seller_kind"] for row in rows}


def test_picks_carry_what_a_buyer_asks(answering: Answering) -> None:
    """Role, reason, seller, evidence, stock, machine, uptime, replicas and link."""
    shown = figures(answering.answered("70b chat 20 rps in production", TERMINAL))

    keys = {
        "role", "why", "seller_kind", "evidence", "stock", "machine_gpus",
        "sla_percent", "replicas", "url", "usd_per_month",
    }  # fmt: skip
    assert ["best_price", "with_sla", "hyperscaler"] == [
        one["role"] for one in shown["picks"]
    ]
    assert all(keys <= one.keys() for one in shown["picks"])
    assert "with_sla" == shown["starred"]
    assert shown["recommendation"]["sla_percent"] is not None
    assert keys - {"role", "why"} <= shown["recommendation"].keys()


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("idle cost of 8 a100 used 4 hours a day", "17% used"),  # 4 / 24
        ("idle cost of 8 h100 on azure, busy 10 hours a day on weekdays", "30% used"),
        # with a use beside them, the hours are those that are paid for
        ("4 h100 at 20% utilisation, 12 hours a day, idle cost", "20% used"),
    ],
)
def test_gpus_idle_in_the_hours_in_which_they_do_not_work(
    answering: Answering, text: str, used: str
) -> None:
    """They are paid for around the clock unless their use in paid hours is said."""
    assert used in said(answering, text)


def test_break_even_is_said_in_requests_a_day(answering: Answering) -> None:
    """1,200 tokens a request: so many tokens a day are so many requests."""
    line = said(
        answering, "how many requests a day before self hosting 8b beats an api"
    )
    found = re.search(r"([\d.]+)M tokens/day \(([\d.]+)k requests/day\)", line)
    assert found is not None
    tokens, requests = found.groups()

    assert float(tokens) * 1e6 / 1200 == pytest.approx(float(requests) * 1e3, rel=0.02)


def test_the_hours_in_use_weigh_in_a_commitment(answering: Answering) -> None:
    """At 60 % in use the hourly bill is 60 % of that of a full month."""
    text = "is a 3-year commitment worth it for 32 h200"
    full = answering.answered(text, TERMINAL)
    part = answering.answered(f"{text} at 60% utilisation", TERMINAL)
    hour, share = (one.figures.ways[0].money.month for one in (full, part))

    assert share == hour * Decimal("0.6")
    assert "In use 60% of the hours" in part.view.why


def test_passes_are_said_first_of_what_is_assumed(answering: Answering) -> None:
    """Three passes cost three times one: "epochs 1" is in the short form."""
    found = answering.answered("dpo llama 8b 30k pairs", TERMINAL)

    assert "epochs 1" in at_a_glance(found.view).read_as


@pytest.mark.parametrize(
    "text", ["32 h100 at coreweave for 2 weeks", "how much is g6e.12xlarge per month"]
)
def test_a_product_that_is_shown_multiplies_out(
    answering: Answering, text: str
) -> None:
    """The price of a GPU has the digits that its bill takes."""
    why = answering.answered(text, TERMINAL).view.why
    sums = re.findall(r"(\d+) × \$([\d.]+) × ([\d,]+) h = \$([\d,]+)", why)

    assert sums
    for gpus, price, hours, total in sums:
        product = int(gpus) * Decimal(price) * int(hours.replace(",", ""))
        assert abs(product - int(total.replace(",", ""))) <= Decimal("0.5"), why


@pytest.mark.parametrize("ask", ["8 h100 at {}", "what do 8 h100 cost at {}"])
def test_each_named_seller_gets_its_bill(answering: Answering, ask: str) -> None:
    """Of "at azure, aws and google" the lowest alone is no answer."""
    view = answering.answered(ask.format("azure, aws and google"), TERMINAL).view

    assert view.table is not None
    rows = [" ".join(cell.text for cell in row) for row in view.table.rows]
    for seller in ("Amazon Web Services", "Microsoft Azure", "Google Cloud"):
        assert [row for row in rows if seller in row], rows


def test_a_rental_is_priced_whole_in_every_pick(answering: Answering) -> None:
    """Fourteen days are 336 hours, beside the verdict as well."""
    found = answering.answered("what do 8 h100 cost for two weeks", TERMINAL)
    assert found.figures is not None
    priced = [pick.way for pick in found.figures.picks if pick.way]
    assert priced
    for way in priced:
        assert way.money.hour is not None
        assert way.money.headline == (way.money.hour * 336, " for 14 days")


def test_a_doubted_answer_stars_nothing(answering: Answering) -> None:
    """The question back stands first; no offer is recommended beside it."""
    view = answering.answered("llama 3.1 8b for 5,000,000 users", TERMINAL).view
    assert view.verdict.startswith("Do you mean")
    for table in (view.picks, view.table):
        assert table is not None
        assert table.winner is None


def test_a_crowd_of_named_cards_yields_a_little_patience(answering: Answering) -> None:
    """Four L40S over PCIe carry what a hundred in pairs would at half the wait."""
    found = answering.answered("llama 70b on l40s at 3 rps", TERMINAL)
    assert found.figures is not None
    assert found.figures.ways[0].gpus <= 16
    assert any("Slower than chat usually is" in note for note in found.view.notes)


def test_a_side_that_only_unstated_limits_refuse_is_priced(
    answering: Answering,
) -> None:
    """Nobody set a limit: the slower side has its price, and what it makes wait."""
    found = answering.answered("l40s or h100 for llama 70b at 5 rps", TERMINAL)
    assert found.figures is not None
    priced = {way.offer.gpu for way in found.figures.ways if way.offer}
    assert {"l40s", "h100-80gb-sxm"} <= priced
    assert any("L40S" in n and "Slower than chat" in n for n in found.view.notes)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("What do the weights of Kimi K2 take in GB in FP8 and in int4?",
         r"^1,030 GB in FP8, 564 GB in INT4"),
        # 8 × $40,000 of the reference, servers and network a third more
        ("What does an 8x B200 server cost to buy at the moment?",
         r"^Buying 8 × B200 costs about \$432,000"),
        ("Air-gapped, 50 users chat with Llama 3.3 70B: what hardware do I quote?",
         r"^Buy \d+ × .* for \$"),
        ("OCR with Qwen2.5-VL-7B, 90k pages per day. Which GPU is cheapest per page?",
         r" · \$0\.\d+ per 1,000 pages$"),
        ("70b, 8 rps, 2k/400, what does int4 give us?", r"INT4"),
        ("Llama 70B 10 rps on H100, is fp8 kv cache worth it?", r"FP8 KV cache"),
        ("Llama 70B 25 rps, 4x that in Black Friday week",
         r"^Together .* for 25 requests/s and .* 75 requests/s · 168 hours"),
        ("Can I run DeepSeek V3.1 on 8x MI300X, and how much room is left for KV "
         "cache?", r"^Yes: DeepSeek V3.1"),
        ("What do we need to host Kimi K2 for 4 developers?", r"^8 × .*/month"),
    ],
)  # fmt: skip
def test_what_users_ask_leads(answering: Answering, text: str, first: str) -> None:
    """The first line has what was asked for, not a fleet beside it."""
    assert re.search(first, said(answering, text))


def test_a_load_on_8_gpu_machines_takes_whole_ones(answering: Answering) -> None:
    """ "On 8xH200 nodes" says how large a machine is, not how many GPUs there are."""
    line = said(answering, "DeepSeek V3 at 40 rps, price on 8xH200 nodes")
    gpus = int(re.match(r"(\d+) × H200", line)[1])  # type: ignore[index]
    assert gpus > 8
    assert gpus % 8 == 0


def test_thinking_that_is_off_makes_a_chat(answering: Answering) -> None:
    """Answers are as long as in a chat, and no thinking tokens are warned of."""
    off, on = (
        answering.answered(f"Qwen3-32B{words}, 10 rps", TERMINAL).view
        for words in (" with thinking off", "")
    )
    assumed = {chip.field: chip.value for chip in off.chips}
    assert ("1,000 tokens", "200 tokens") == (
        assumed["input_tokens"],
        assumed["output_tokens"],
    )
    assert not any("thinking tokens" in note for note in off.notes)
    assert off.verdict != on.verdict


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("8 h100 at nebius versus elsewhere", "You also named: 8 × H100 SXM at Nebius"),
        ("8b 20 rps reserved at oracle for two years",
         "We know no price at Oracle Cloud for 24 months"),
        ("lora of qwen3 14b on 40M tokens, with a 20% margin for restarts",
         "With the 20% that you add: "),
        ("api or self-host llama 70b, 500M tokens a day, including an engineer's time",
         "your own GPUs come to "),
        ("how much memory do the weights of llama 70b take in fp8, and how many l40s",
         "Fewest L40S whose memory holds them: 2 in FP8"),
    ],
)  # fmt: skip
def test_what_is_asked_beside_is_told_first(
    answering: Answering, text: str, note: str
) -> None:
    """The other load, the named seller, and what comes on top; none is ignored."""
    view = answering.answered(text, TERMINAL).view

    assert note in view.notes[0]
    assert view.not_used == ()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Teuken 7B, 4 rps", "We do not know teuken-7b: it is counted as a typical 7B"),
        ("fit of FooChat-12B on an l40s", "We do not know foochat-12b: it is counted"),
        ("lowest latency for 70b at 5 rps", "Faster still on the same GPUs: specul"),
    ],
)
def test_the_first_note_says_what_the_figure_hangs_on(
    answering: Answering, text: str, note: str
) -> None:
    """A model that is not known, and what would be quicker than the lowest latency."""
    view = answering.answered(text, TERMINAL).view
    assert view.notes[0].startswith(note)


def test_a_size_that_a_known_family_never_had_is_asked_about(
    answering: Answering,
) -> None:
    """It is a slip rather than a model of that size."""
    assert "Did you mean" in said(answering, "llama 5 70b at 5 rps")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "how many requests/s of llama 70b do 2 h100 sxm at scaleway serve",
            "pay for 4",
        ),
        ("whisper large-v3 1000 hours on 1 h100 sxm at scaleway", "pay for 4"),
        ("price of 4 h200 at aws", "in machines of 8: you asked for 4 and pay for 8"),
        ("price of 8 h200 at aws", ""),
        ("how many requests/s of llama 70b do 2 h100 serve", ""),
        ("our own 2 h100, how many requests/s of llama 70b", ""),
    ],
)
def test_whole_machines_are_paid_for_and_said(
    answering: Answering, text: str, note: str
) -> None:
    """More GPUs than were asked for are billed where nobody rents fewer there."""
    notes = " ".join(answering.answered(text, TERMINAL).view.notes)

    assert note in notes if note else "pay for" not in notes


@pytest.mark.parametrize(
    "text",
    [
        "8x H100 SXM, dual EPYC 9654, 2 TB RAM: llama 70b at 5 rps?",
        "qlora of a 70b with CPU offload on 2 3090",
        "llama 70b 5 rps on h100",
        "train 7b on 1T tokens on 64 h100",
    ],
)
def test_a_machine_around_gpus_is_no_machine_of_its_own(
    answering: Answering, text: str
) -> None:
    """Only where it is weighed against GPUs, or there are none."""
    assert "as published" not in said(answering, text)
