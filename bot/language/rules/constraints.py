"""What is allowed: providers, regions, pricing, precision, audience, hosted APIs."""

import re
from collections.abc import Iterator

from bot.language import states
from bot.language.grammar import compiled
from bot.language.items import Item
from bot.language.reading import Reading, needs
from bot.language.subject import learns
from core.patterns import regex
from core.reference.places import lies_in, located, near

_MODALITIES = (
    ("IMAGE", "image"), ("VIDEO", "video"), ("EMBED", "embedding"), ("AUDIO", "audio"),
    ("3D", "3d"),
)  # fmt: skip
_WAYS = {"SPOTOK": "spot", "RESERVED": "reserved"}


def _distinct(items: list[Item]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(item.value) for item in items))


def _put_all(reading: Reading, field: str, places: list[int]) -> None:
    if places:
        values = _distinct([reading.items[index] for index in places])
        reading.put(field, values, min(places), max(places) + 1)


_OUTSIDE = regex(r"\b(?:outside|anywhere but)(?: of| in)?(?: the)?\s*$")
_NEAR_OUTSIDE = 40


_LEAVES = regex(
    r"\b(?:something|anything|somewhere|anywhere|anyone|who(?:'s| is)|elsewhere)\s+"
    r"(?:else\s+)?(?:that(?:'s| is)\s+)?cheaper\b|\bcheaper\s+(?:\w+\s+)?"
    r"(?:elsewhere|somewhere else|alternatives?|place|than what we)\b"
)
"""Whoever asks so names where the work is now, not where it is to be."""


_PAYS = regex(
    r"\b(?:pay|pays|paid|paying|zahlen|bezahlen|payons|pagamos|paghiamo)\s(?:\w+\s)?$"
)


def _is_paid(reading: Reading, index: int) -> bool:
    """ "We pay Azure for GPT-4.1": whose API it is, not where it is to run."""
    api = reading.has("API", "APINAME")
    start = reading.items[index].start
    return api and _PAYS.search(reading.plain, 0, start) is not None


@needs("PROVIDER")
def providers(reading: Reading) -> None:
    """Read providers wanted and ruled out: "not on aws", "anything but x and y"."""
    wanted: list[int] = []
    excluded: list[int] = []
    for match in reading.find(
        "NOT [W A ON]{0,2} PROVIDER (?:[OR AND NOT]{0,2} PROVIDER)*",
        "PROVIDER (?:[OR AND]? PROVIDER)* NOT",
    ):
        places = [
            i for i in range(*match.span()) if reading.items[i].concept == "PROVIDER"
        ]
        if not _reaches(reading, match.start(), places, match.end() - 1):
            continue
        places = _until_turn(reading, places)
        excluded += [i for i in places if i not in excluded]
        reading.use(match.start(), max(places[-1] + 1, match.start() + 1))
    nothing = [i for i in _where_nothing_runs(reading) if i not in excluded]
    excluded += nothing
    wanted += [
        i
        for i in reading.places("PROVIDER")
        if i not in excluded and not (_sums_up(reading, i) or _is_paid(reading, i))
    ]
    beside = [i for i in wanted if _is_shown_beside(reading, i)]
    wanted = [i for i in wanted if i not in beside]
    _show_beside(reading, beside)
    _put_all(reading, "provider_exclude", excluded)
    for i in nothing:
        if sold_out := _SOLD_OUT.match(reading.plain, reading.items[i].end):
            reading.stretch("provider_exclude", *sold_out.span())
        reading.become(i, "W", "")
    if not _LEAVES.search(reading.plain):
        _put_all(reading, "provider", wanted)
        _prefer(reading, wanted)


_PREFERS = states.shape("constraints_prefers")
_OPEN_TO = states.shape("constraints_open_to")
_RATHER_THAN = regex(r"\s+(?:over|to|rather than|instead of|vor|a)\b")


def _prefer(reading: Reading, wanted: list[int], field: str = "provider") -> None:
    """Note that a seller or a place is preferred, not required, with words for it."""
    for i in wanted:
        item = reading.items[i]
        before = _PREFERS.search(reading.plain, max(0, item.start - 60), item.start)
        behind = _OPEN_TO.match(reading.plain, item.end)
        if _RATHER_THAN.match(reading.plain, item.end):
            continue
        if before or behind:
            reading.aside[f"{field}_preferred"] = True
            start = before.start() if before else item.start
            reading.stretch(field, start, behind.end() if behind else item.end)


def _show_beside(reading: Reading, beside: list[int]) -> None:
    """Keep the sellers to hold against the best of all, each with its words."""
    shown = 0
    for i in beside:
        item = reading.items[i]
        named = _CLOUDS.match(reading.plain, item.start)
        if named is None:
            known = reading.aside.get("sellers_beside", ())
            reading.aside["sellers_beside"] = (*known, str(item.value))
        if item.start < shown:
            continue  # one word for several of them
        shown = item.end
        said = _CHEAPEST_AND.search(reading.plain[: item.start])
        against = _AGAINST_ALL.match(reading.plain, item.end)
        if named is None:
            end = against.end() if against else item.end
            reading.stretch("sellers_beside", item.start, end)
            if against:
                _hush(reading, against)
        if said:
            reading.stretch("picks", said.start(), named.end() if named else said.end())


def _hush(reading: Reading, said: re.Match[str]) -> None:
    """Let words that hold a seller against all others compare nothing else."""
    for index in reading.inside(*said.span()):
        reading.become(index, "W", "")
    left = {item.concept for item in reading.items}
    reading.seen -= {"VS", "COMPARE", "OR"} - left - reading.heard


def _where_nothing_runs(reading: Reading) -> list[int]:
    """The sellers of "nothing runs at AWS or Oracle", "GCP has no A100 for us"."""
    found: list[int] = []
    for i in reading.places("PROVIDER"):
        before = reading.plain[: reading.items[i].start][-_NEAR_NOTHING:]
        joined = reading.concept_at(i - 1) in ("OR", "AND") and i - 2 in found
        sold_out = _SOLD_OUT.match(reading.plain, reading.items[i].end)
        if joined or sold_out or _NOTHING_AT.search(before):
            found.append(i)
    return found


_NOTHING_AT = regex(
    r"(?<!\bdo )(?<!does )(?<!did )(?<!doing )"
    r"\b(?:nothing|none of (?:it|this|that|them)|no (?:part|workload|data) of \w+)\s"
    r"(?:\w+\s){0,3}(?:at|on|in|with|to|from)\s$|"
    r"\b(?:no|can't|cannot|can not|couldn't|never|not|tough|hard|trouble|struggl\w+|"
    r"unable|denied|refused)\s(?:[\w-]+\s){0,4}(?:quota|capacity|availability|stock)\s"
    r"(?:[\w-]+\s){0,4}(?:at|on|in|with|from)\s$"
)
_SOLD_OUT = regex(
    r"(?: cloud)? (?:(?:has|have|had|offers?) (?:no|zero|none)|"
    r"(?:do|does|did)(?:n't| not) have(?: any)?|(?:is|are|was|were) (?:sold out|out of|"
    r"full\b)|ran out of|(?:won't|will not|would not|refuses to|refused to) give us)\b"
)
_NEAR_NOTHING = 90
_AMOUNT = regex(r",?\s*(?:about|around|roughly|some|approx\.?|~|ca\.?)?\s*~?\d")


def _sums_up(reading: Reading, index: int) -> bool:
    """ "together about 20 rps": a sum, and no seller."""
    item = reading.items[index]
    return reading.plain[item.start : item.end] == "together" and bool(
        _AMOUNT.match(reading.plain, item.end)
    )


_AND = (
    r"(?:\band\b|\bplus\b|\+|&|\balong with\b|\bas well as\b|\bund\b|\bet\b|\by\b|"
    r"\be\b)"
)
_CHEAPEST_AND = regex(
    r"\b(?:cheapest|best price|lowest price|best offer|am (?:gunstigsten|billigsten)|"
    r"le moins cher|(?:el |lo )?mas barato|(?:il )?piu economico)"
    r"(?: (?:offer|option|price|one|provider|seller|cloud|overall|plan|deal|anywhere|"
    r"reputable|serious|trusted|reliable|decent|known|of all|[a-z]{1,3}\d\w*))*,? ?"
    rf"(?:{_AND}|plus|as well as)(?:,? (?:also|one|an?|any|some|the|what|prices?|at|on|"
    r"from|bei|chez|en|da|in|same|would|will|does|is|it|that|this|be|cost|come|to))*\s*$"
)
_AGAINST_ALL = regex(
    r",? (?:versus|vs\.?|against|or|and|compared (?:with|to)|as opposed to|over|gegen|"
    r"contre|frente a|contra) (?:(?:all|any|the|every|everybody|everyone) )*"
    r"(?:elsewhere|anywhere else|somewhere else|"
    r"others?(?: (?:providers?|sellers?|clouds?|vendors?|places?|offers?|hosts?))?|"
    r"(?:providers|sellers|clouds) else|"
    r"rest(?: of (?:the )?(?:market|sellers|providers|clouds|field))?|"
    r"(?:open )?market|everybody else|everyone else|else|competit\w+|alternatives|"
    r"anderswo|ailleurs|en otr\w+ sitios?|altrove)\b|"
    r" (?:turned out|seems?|looks?|is|was|got|ist|est|es)(?: to be| uns)? (?:way )?"
    r"(?:too|quite|very|really|pretty|so|zu|sehr|trop|tres|demasiado|muy)"
    r" (?:expensive|pricey|costly|dear|teuer|chere?|car[oa])\b(?: for us)?"
)
"""The cheapest of all, and what this one asks: "CoreWeave versus elsewhere".

Who finds a seller too expensive wants neither it alone nor to miss the difference.
"""
_COMPARED_WITH = regex(
    r"(?: (?:option|offer|price|quote))?,?\s(?:(?:for|as an?|in) comparison|alongside|"
    r"next to (?:it|that)|beside (?:it|that)|to compare|for reference)\b"
)
_CLOUDS = regex(
    r"(?:the )?(?:hyperscalers?|(?:big|major) clouds?)"
    r"(?: (?:option|offer|price|quote)s?)?\b"
)
"""Any of them: one is shown in every answer."""
_NEAR_CHEAPEST = 70


def _is_shown_beside(reading: Reading, index: int) -> bool:
    """Whether a seller stands beside the cheapest: "cheapest and a hyperscaler"."""
    item = reading.items[index]
    before = reading.plain[max(0, item.start - _NEAR_CHEAPEST) : item.start]
    compared = _COMPARED_WITH.match(reading.plain, item.end)
    told = _CHEAPEST_AND.search(before) or (compared and reading.has("CHEAP", "NEED"))
    return bool(told or _AGAINST_ALL.match(reading.plain, item.end))


_NOT_BEFORE = regex(
    r"(?:!|ex|no|not|without|kein\w*|ohne|sans|pas|sin|sem|senza|bez)?$"
)
"""Denies what follows it; other languages deny what stands before."""
_GOVERNS = regex(r"(?:without|w/o|ohne|sans|sin|sem|senza|bez|zonder)$")
"""Denies the noun right behind it: "sin compromiso en aws"."""
_LEADS = regex(r"\b(?:on|at|from|bei|auf|chez|sur|en|em|na|no|su|da|bij|op|w|u)\s*$")
_TURNS = regex(r"\b(?:but|sondern|sino|mais|mas|ma|maar|ale)\b")
_IN_PORTUGUESE = regex(r"\b(?:por|aluguel|alugar|quanto|dias|horas|uma|custa|mes)\b")


def _reaches(reading: Reading, first: int, places: list[int], last: int) -> bool:
    """Whether a "not" before or behind names is said of them: "no discount, gcp"."""
    if reading.concept_at(first) == "NOT":
        if any(map(reading.crossed_at, range(first + 1, places[0] + 1))):
            return False
        if places[0] > first + 1:
            led = _LEADS.search(reading.between(places[0])) is not None
            return not (led and _GOVERNS.match(reading.word(first)))
        # in Portuguese it is "at"
        return reading.word(first) != "no" or not _IN_PORTUGUESE.search(reading.plain)
    return _denies_before(reading, last)


def _until_turn(reading: Reading, places: list[int]) -> list[int]:
    """Leave out of a list what is allowed after all: "no aws, gcp ok"."""
    for at, index in enumerate(places[1:], 1):
        turned = _TURNS.search(reading.between(index)) is not None
        if turned or (
            reading.crossed_at(index) and reading.concept_at(index + 1) == "OK"
        ):
            return places[:at]
    return places


def _denies_before(reading: Reading, index: int) -> bool:
    """Whether a "not" is said of what stands before it: "spot never", "aws nicht"."""
    if reading.concept_at(index) != "NOT" or reading.crossed_at(index):
        return False
    ends = index + 1 == len(reading.items) or reading.crossed_at(index + 1)
    return ends or not _NOT_BEFORE.match(reading.word(index))


def _is_out(reading: Reading, index: int) -> bool:
    """Whether a word is ruled out: "no spot", "not fp8 or int8", "spot not allowed"."""
    item, before = reading.items[index], index - 1
    # "no spot and reserved for a year" rules out the first alone.
    joins = ("OR", "AND") if item.concept == "REGION" else ("OR",)
    first = max(0, index - MOST_LISTED)
    while before > first and reading.items[before].concept in (*joins, item.concept):
        before -= 1
    if before >= 0 and reading.items[before].concept == "NOT":
        return True
    if item.concept in ("PRICING", "RESERVED") and _denies_before(reading, index + 1):
        return True
    start = reading.items[before + 1].start
    if item.concept == "REGION" and _KEPT_OUT.search(reading.plain, 0, item.start):
        return True
    near = max(0, start - _NEAR_OUTSIDE)
    if item.concept == "REGION" and any(
        _NOTHING_IN.search(reading.plain, near, place) for place in (start, item.start)
    ):
        return True
    if _OUTSIDE.search(reading.plain, near, start):
        return _NOTHING.search(reading.plain, near, start) is None
    return item.concept in ("REGION", "PRICING") and _denied_before(reading, before)


_KEPT_OUT = regex(
    r"\b(?:wo(?:n't|nt)|will not|ca(?:n't|nnot)|can not|must(?: not|n't)|may not|never|"
    r"not allowed to|(?:do not|don't) want)\b[^.,;!?\n]{0,30}"
    r"\b(?:go|goes|sent|send|end up|be|sit|land|host\w*|run|stor\w+|process\w*)"
    r"(?: \w+){0,2} (?:to|in|into)\s+(?:the )?$"
)
"""Before a place to which nothing may go."""


_NONE = (
    r"(?<!have )(?<!has )(?<!had )(?<!got )(?<!find )(?<!found )(?<!see )(?<!with )"
    r"\b(?:nothing|none|nowhere|(?:no|not a single|kein\w*|aucun\w*|ningun\w*|"
    r"nessun\w*) "
    r"(?:machines?|gpus?|servers?|data ?cent(?:er|re)s?|hosts?|hosting|hardware|"
    r"instances?|"
    r"capacity|sites?|nodes?|clouds?|providers?|server|rechenzentr\w+|serveurs?|"
    r"servidor\w*|maquinas?|macchin\w+)|nichts|rien|nada|niente)\s"
    r"(?:at all |hosted |located |running |placed |that (?:is|runs|stands) )?"
)
_NOTHING_IN = regex(
    rf"{_NONE}(?:(?:in|im|en|au|aux|dans|a|from|aus)\s)?(?:de[rn] |the |la |l')?"
    r"(?:[a-z]+,? (?:or|nor|and|oder|und|ou|et|o|y|e) )?$"
)
""" "Spot is fine, but nothing in Asia"."""
_NOTHING = regex(rf"{_NONE}(?:outside|ausserhalb|hors|en dehors|fuera|fuori|beyond)\b")
""" "Nothing outside the EU": there alone."""


def _denied_before(reading: Reading, before: int) -> bool:
    """Whether a "not" stands before words that lead to a place: "won't … in"."""
    near = max(0, before - _NEAR_DENIAL)
    while before > near and reading.items[before].concept in _LED_BY:
        if reading.crossed_at(before + 1):
            return False
        if _STAYS.search(reading.word(before)):
            return False
        before -= 1
    return before >= 0 and reading.items[before].concept == "NOT"


_NEAR_DENIAL = 4
_STAYS = regex(
    r"^(?:leav\w+|exit\w*|verlass\w*|quitt\w*|sort\w*|sal[ie]r\w*|abandon\w*|sair|"
    r"lasci\w*|usc\w+|verlat\w*|opuscic|opuszcz\w*|terk|покид\w*|выход\w*)$"
)
"""What may not leave a place is in it."""
_LED_BY = frozenset("W ON IN COST PRICE NEED SERVE RUN DATA".split())
MOST_LISTED = 20
"""Words that a list of what is ruled out may be long."""
_JOINING = ("OR", "AND", "SLASH", "W")
_ZONE = regex(r"\b[a-z]{2,}-[a-z]{3,}(?:-[a-z]+)*-?\d\b(?!\.\d)")
"""A cloud's own name of a region: us-east-1, europe-west4."""


def zones(reading: Reading) -> None:
    """Read clouds' own names of regions whole, whatever their parts may mean."""
    for match in _ZONE.finditer(reading.plain) if "-" in reading.plain else ():
        on = [
            index
            for index, item in enumerate(reading.items)
            if item.start < match.end() and match.start() < item.end
        ]
        if on and located(match.group()):
            reading.use(on[0], on[-1] + 1)
            reading.become(on[0], "REGION", match.group())
            reading.items[on[0]].end = match.end()


_US = r"(?:us|u\.s\.a?\.?|usa|american|amerikanisch\w*|americaine?s?|estadounidenses?)"
_KIND = (
    r"(?:providers?|vendors?|compan(?:y|ies)|clouds?|sellers?|suppliers?|operators?|"
    r"parents?|anbieter\w*|unternehmen|fournisseurs?|entreprises?|proveedores|empresas?)"
)
_OWNED = r"(?:owned|controlled|headquartered|incorporated|parent(?:ed)?)"
_OUTSIDE_US = regex(
    rf"\b(?:no|not|never|without|avoid\w*|nothing|kein\w*|pas|sans|sin|senza|ningun)\b"
    rf"[^.;!?,]{{0,25}}?\b{_US}[- ](?:{_OWNED}(?: {_KIND})?|compan(?:y|ies)|parents?|"
    r"unternehmen)\b|"
    rf"\bnon[- ]?{_US}(?:[- ]{_OWNED})? {_KIND}\b|"
    rf"\b(?:no|kein\w*|sans|sin|senza|pas d[e']) ?{_KIND} (?:owned|controlled) by "
    rf"(?:an? )?{_US}\b|"
    r"\b(?:(?:because of|due to|wegen|subject to|outside|free of|exposed? to|"
    r"legal says|no|not|the|us|u\.s\.|du|le|al|el|vom|dem|under|immune to) )*"
    r"cloud[- ]act\b"
)
_OF_THE_EU = regex(
    rf"\b(?:eu|european|europaisch\w*)[- ]{_OWNED}(?: {_KIND})?\b|"
    r"\b(?:european )?sovereign (?:eu |european )?(?:cloud|provider|hosting)\b|"
    r"\bcloud souverain\b|\bsouverane\w* cloud\b|\bnube soberana\b"
)
_ALLOWED = regex(
    r"\b(?:fine|ok|okay|no (?:issue|problem)|does not matter|doesn't matter)\b"
)


def owners(reading: Reading) -> None:
    """Read "no US-owned provider (CLOUD Act)", "a sovereign cloud": whose company."""
    for home, words in (("eu", _OF_THE_EU), ("outside us", _OUTSIDE_US)):
        for found in words.finditer(reading.plain):
            if _ALLOWED.search(reading.plain, found.end(), found.end() + 25):
                continue
            reading.aside.setdefault("owners", home)
            reading.told("owners", found)
            for index, item in enumerate(reading.items):
                inside = found.start() <= item.start < found.end()
                if inside and item.concept == "REGION":
                    reading.become(index, "W", "")


_OF_OWNERS = regex(r"[- ](?:owned|controlled|headquartered|incorporated|parent)\b")


_OF_A_CLOCK = regex(
    r"(?:er|s)?[- ](?:local |business |office |working |standard )?"
    r"(?:time(?!line|s)|timezone|zeit|zeitzone|hours)\b"
)
_CLOCK_OF = regex(
    r"\b(?:heures?|hora|horario|ora|orario|tijd|czas\w*) (?:de|del|di|d')? ?$"
)
""" "9 to 6 UK time", "heure de Paris": when people are there, not where it runs."""


@needs("REGION")
def region(reading: Reading) -> None:
    """Read where: one place, or several of which any will do."""
    places: list[int] = []
    out: list[int] = []
    for index in reading.places("REGION"):
        housed = reading.plain[
            max(0, reading.items[index].start - 30) : reading.items[index].start
        ]
        if reading.has("BUYORRENT") and _OF_A_COLO.search(housed):
            reading.leave(index, index + 1, "where machines of one's own would stand")
            continue
        if _is_no_place(reading, index, housed):
            continue
        (out if _is_out(reading, index) else places).append(index)
    if out:
        reading.aside["region_exclude"] = _distinct([reading.items[i] for i in out])
        for index in out:
            denied = reading.concept_at(index - 1) == "NOT"
            reading.span("region_exclude", index - denied, index + 1)
    places = _of_hosts(reading, places)
    named, places = places, _meant(reading, places)
    at_places = [reading.items[index] for index in places]
    for index in places[:1]:
        kept = _KEPT.search(reading.plain, 0, reading.items[index].start)
        reading.put("region", reading.items[index].value, index, places[-1] + 1)
        if kept:
            reading.stretch("region", kept.start(), reading.items[index].end)
        _around(reading, named, str(reading.items[index].value))
        _prefer(reading, [index], "region")
        spread = any(near(place) != place for place in _distinct(at_places))
        if (
            spread
            and _of_users(reading, index)
            and not _resides(reading, named, places)
        ):
            reading.aside["users_there"] = True
    also = _distinct(at_places)[1:]
    if also:
        reading.aside["region_also"] = also


_AGAINST = regex(
    r"\b(?:vs\.?|versus|than|compared|against|instead|rather|gegenuber|als|que|contre|"
    r"contra|che)\b"
)
_DIFFERENCE = regex(
    r"\b(?:differ\w*|cheaper|dearer|pricier|costlier|compar\w+|(?:more|less) expensive|"
    r"(?:price|cost)s? gap|teurer|billiger|gunstiger|moins cher\w*|plus cher\w*|"
    r"mas (?:barat|car)\w+|piu (?:economic|car)\w+|unterschied\w*|diferencia|"
    r"(?:sur|up)charge|cheapest (?:for |in |of )?each)\b"
)
_EITHER = regex(r"\b(?:or|and|oder|und|ou|et|o|y|e)\b")


def _held_against(reading: Reading, places: list[int]) -> bool:
    """Note places whose prices are compared: "us vs eu", "cheaper in A than in B"."""
    each = _distinct([reading.items[index] for index in places])
    if len(each) < 2:
        return False
    ends = [reading.items[places[0]].end, reading.items[places[-1]].start]
    against = _AGAINST.search(reading.plain, *ends)
    either = _EITHER.search(reading.plain, *ends) and ends[1] - ends[0] < _CLOSE
    asked = either and _DIFFERENCE.search(reading.plain)
    if against or asked:
        reading.aside["places_compared"] = each
        reading.span("places_compared", places[0], places[-1] + 1)
    return bool(against or asked)


_CLOSE = 20
"""Letters between two places that one "or" joins."""


def _meant(reading: Reading, places: list[int]) -> list[int]:
    """All that are compared, else the first with those named in one breath."""
    if _held_against(reading, places):
        return places
    return _joined(reading, _narrowest(reading, places))


def _is_no_place(reading: Reading, index: int, before: str) -> bool:
    """Whether a country tells whose time or whose company, not where it runs."""
    end = reading.items[index].end
    if _OF_A_CLOCK.match(reading.plain, end) or _CLOCK_OF.search(before):
        reading.use(index, index + 1)
        return True
    if _OF_OWNERS.match(reading.plain, end):
        reading.leave(index, index + 1, "whose company another seller is")
        return True
    return False


_ONE_FOR_ALL = regex(
    r"\b(?:one|single|shared|eine?|einziges|un seul|una? sol[ao]|um so)\s(?:\w+\s)?"
    r"(?:deployment|cluster|endpoint|fleet|setup|installation|despliegue|deploiement)\b"
    r"[^.;!?]{0,40}\b(?:both|all|them|beide|alle|les deux|ambos|entrambi)\b|"
    r"\bshar(?:e|es|ing)\s(?:one|a single|a|the same)\s(?:\w+\s)?"
    r"(?:deployment|cluster|endpoint|fleet|setup)\b"
)
""" "One deployment serves both": the places named are those of its users."""
_HOUSED = regex(
    r"\b(?:deployment|cluster|endpoint|fleet|setup|installation|hosted|runs?|running|host|"
    r"region)\s(?:it\s)?(?:in|at)\s(?:the\s)?$"
)
_IN = regex(r"\b(?:in|at|from|bei|aus|en|a)\s(?:the\s)?$")


_WHO = regex(
    r"\b(?:users|customers|people|offices?|teams?|shops?|stores?|sites?|branches|staff|"
    r"colleagues|nutzer|buros?|bureaux|oficinas?|uffici|kantoren)\b[^.;!?]{0,40}$"
)


def _of_hosts(reading: Reading, places: list[int]) -> list[int]:
    """Leave out where people are, of whom all share one deployment."""
    shared = _ONE_FOR_ALL.search(reading.plain) if places else None
    if not shared or (len(places) == 1 and not _of_people(reading, places[0])):
        return places
    hosts = [i for i in places if _houses(reading, i, shared.end())]
    for index in set(places) - set(hosts):
        reading.leave(index, index + 1, "where people are, not where it runs")
    return hosts


def _of_people(reading: Reading, index: int) -> bool:
    """Whether the one place known is where people are: "teams in Berlin and Mumbai"."""
    start = reading.items[index].start
    return _WHO.search(reading.plain, max(0, start - 60), start) is not None


def _houses(reading: Reading, index: int, shared: int) -> bool:
    """Whether a place is where it runs: "one deployment in Frankfurt"."""
    start = reading.items[index].start
    near = reading.plain, max(0, start - 40), start
    behind = start >= shared and _IN.search(*near)
    return bool(behind or _HOUSED.search(*near)) or _is_kept_in(reading, index)


_USERS = regex(
    r"\b(?:users|customers|people|offices?|teams?|shops?|stores?|branches|staff|clients|"
    r"colleagues|employees|workers|members|subscribers|visitors|readers|players|students|"
    r"pupils|patients|citizens|consumers|shoppers|developers|devs|audience|"
    r"nutzer\w*|anwender\w*|kund(?:en|innen)|mitarbeiter\w*|kolleg\w+|filialen|buros?|"
    r"utilisateurs|employes|bureaux|usuarios|clientes|empleados|oficinas?|utenti|clienti|"
    r"dipendenti|uffici|gebruikers|klanten|medewerkers|kantoren|utilizadores|"
    r"funcionarios|uzytkowni\w+|klien\w+|pracowni\w+|"
    r"we(?:'re| are)(?: all)?)\b(?P<between>[^.,;:!?\d\n]{0,30})$"
)
_STANDS = regex(
    r"\b(?:host\w*|runs?|running|deploy\w*|serv(?:ed|ing)|stor\w+|keep\w*|kept|stays?|"
    r"must|only|data|servers?|gpus?|machines?|clusters?|clouds?|regions?|zones?|"
    r"rent\w*|buy\w*|soil|nur|gehostet|heberg\w*|solo|seulement|alojad\w*)\b"
)
_ONLY = regex(
    r"[ ,(]*(?:only|alone|nur|ausschliesslich|seulement|uniquement|solo|apenas)\b"
)


def _of_users(reading: Reading, index: int) -> bool:
    """Whether a place is where users are, which no more says where it is to run."""
    item = reading.items[index]
    found = _USERS.search(reading.plain, max(0, item.start - 60), item.start)
    if found is None or _is_kept_in(reading, index):
        return False
    said = f"{found['between']} {reading.plain[item.start : item.end]}"
    return not (_STANDS.search(said) or _ONLY.match(reading.plain, item.end))


_RESIDES = regex(
    r"\b(?:stay|stays|remain|remains|kept|keep|stored?|hosted?|processed|held|live)\b"
    r"[^.;!?]{0,25}\b(?:there|locally|(?:in|within|inside) "
    r"(?:the|that|this|their|its|our) (?:own )?"
    r"(?:country|state|land|jurisdiction|borders?))\b|"
    r"\b(?:leav(?:e|es|ing)|exit\w*|cross\w*)\b[^.;!?]{0,15}\b(?:the|that|this|their|its|"
    r"our) (?:country|state|land|jurisdiction|borders?)\b|\bin[- ]country\b|"
    r"\b(?:data )?(?:residency|sovereign\w*|locali[sz]ation)\b|"
    r"\blocal(?:ly)? (?:hosted|hosting|stored|storage|data ?cent\w*|servers?)\b|"
    r"\b(?:land|landes|inland)\b[^.;!?]{0,20}\b(?:verlassen|bleib\w*|gehostet|gespeichert)\b|"
    r"\b(?:quitter|sortir)\b[^.;!?]{0,15}\b(?:pays|territoire)\b|"
    r"\b(?:salir|salgan)\b[^.;!?]{0,15}\bpais\b|\busc\w+\b[^.;!?]{0,15}\bpaese\b"
)
"""That data stay where people are, with no name of the place."""


def _resides(reading: Reading, named: list[int], places: list[int]) -> bool:
    """Whether it must run where its users are: said so, or the place named again."""
    if _RESIDES.search(reading.plain):
        return True
    there = [str(reading.items[index].value) for index in places]
    again = (index for index in named if index not in places)
    return any(
        not _of_users(reading, index)
        and any(lies_in(str(reading.items[index].value), one) for one in there)
        for index in again
    )


_OF_A_COLO = regex(
    r"\b(?:colo\w*|data ?cent(?:er|re)s?|racks?|cage|hosting|server room)(?: \w+)?"
    r" (?:in|at) (?:the )?$"
)


def _around(reading: Reading, named: list[int], narrow: str) -> None:
    """Note that a wider place is met: "in the EU (Frankfurt or Paris)"."""
    for index in named:
        item = reading.items[index]
        if not lies_in(narrow, str(item.value)):
            continue
        kept = _KEPT.search(reading.plain, 0, item.start)
        reading.stretch("region", kept.start() if kept else item.start, item.end)


_KEPT = regex(
    r"(?:(?<=[.;,!?(\n])|^)[^.;,!?(\n]*\b(?:leav(?:e|es|ing)|stays?|remains?|kept|keep)\b"
    r"[^.;,!?\n\d]{0,25}$"
)
"""The clause before a place in which something has to stay."""


def _narrowest(reading: Reading, places: list[int]) -> list[int]:
    """Leave out what holds another: "in the EU, best in Germany" is Germany."""
    if places and _has_gpus(reading, places[0]):  # a law is kept in its countries
        starts = {index: reading.items[index].start for index in places}
        places = [i for i in places if not reading.plain.startswith("gdpr", starts[i])]
    kept = [index for index in places if _is_kept_in(reading, index)]
    places = kept or places
    said = {str(reading.items[index].value) for index in places}
    wide = {
        one for one in said if any(one != two and lies_in(two, one) for two in said)
    }
    return [index for index in places if reading.items[index].value not in wide]


_KEPT_IN = regex(
    r"\b(?:stay|stays|remain|remains|leave|kept|keep|must|has to|have to|needs? to|"
    r"hosted|only|residency|bleiben|bleibt|rester|reste|quedarse|restare|blijven)\b[^.;!?\n]{0,25}$"
)
"""Before a place in which something has to be: no "a hospital group in Germany"."""


def _is_kept_in(reading: Reading, index: int) -> bool:
    start = reading.items[index].start
    return _KEPT_IN.search(reading.plain, max(0, start - 60), start) is not None


def _has_gpus(reading: Reading, index: int) -> bool:
    """Whether GPUs are looked for in a place of the EU: "H100 in Germany"."""
    place = reading.items[index]
    before = (reading.plain[gpu.end : place.start] for gpu in reading.all("GPU"))
    return any(map(_GPU_IN.fullmatch, before)) and lies_in(str(place.value), "eu")


_GPU_IN = regex(r"s?,?\s(?:in|from)\s(?:the\s)?")


def _joined(reading: Reading, places: list[int]) -> list[int]:
    """Keep the first place and those that follow it in one breath."""
    kept = places[:1]
    for index in places[1:]:
        end = reading.items[kept[-1]].end
        between = [i for i in reading.items[kept[-1] + 1 : index] if i.start >= end]
        if all(item.concept in _JOINING for item in between):
            kept.append(index)
    return kept


_OF_STRANGERS = (
    r"(?:community|market ?places?|strangers|peer[- ]to[- ]peer|p2p)\b"
    r"(?: (?:hosts?|hosting|clouds?|sellers?|providers?|offers?|machines?|gpus?))?"
)
_NO_STRANGERS = regex(
    r"\b(?:no|not|isn't|isnt|aren't|without|excluding|exclude|avoid(?:ing)?|except|"
    r"never|won't|other than|(?:anything|everything|anywhere|all) but) "
    rf"(?:on |to |any |the |an? |allow |use |using |from |with )*{_OF_STRANGERS}"
    rf"(?:,? (?:or|and|nor) (?:on |any |the |an? |from |no )*{_OF_STRANGERS})*|"
    r"\b(?:secure|certified|professional)(?: cloud| hosts?)? only\b|"
    r"\bdata ?cent(?:er|re)s? (?:gpus? |hosts? )?only\b|"
    r"\bonly (?:on |in |from )?(?:secure|real|professional|data ?cent(?:er|re)s?)\b"
)


def tiers(reading: Reading) -> None:
    """Read "no community hosts", "secure cloud only": no machines of strangers."""
    if said := _NO_STRANGERS.search(reading.plain):
        reading.aside["tier_exclude"] = ("community",)
        reading.stretch("tier_exclude", *said.span())


_WEIGHED = regex(
    r"\b(?:should|shall|do|can|could) (?:we|i|they) "
    r"(?:really |even |need to |have to )?reserve\b|"
    r"\bworth (?:it |us )?(?:to )?reserv|"
    r"\breserv(?:e|ing) (?:the |a |our |some )?"
    r"(?:base|part|portion|share|fraction|steady)|"
    r"\bbase(?:line)?(?: load)? reserved\b|"
    r"\b(?:would|does|do) (?:a |any )?(?:reserv\w+|commit\w*) "
    r"(?:make sense|pay|help|save)|"
    r"\b(?:when|from when(?: on)?|how soon|at (?:what|which) (?:point|load|size|volume|"
    r"month)|as of when)\b[^.;?!]{0,40}"
    r"\b(?:reserv\w*|commit\w*|term|savings plan|cuds?)\b|"
    r"\bab wann\b[^.;?!]{0,40}\b(?:reserv\w*|laufzeit)|"
    r"\ba partir de quand\b[^.;?!]{0,40}\breserv\w*|"
    r"\b(?:a partir de cuando|cuando)\b[^.;?!]{0,40}\breserv\w*|"
    r"\b(?:da quando|quando)\b[^.;?!]{0,40}\b(?:riserv|prenot)\w*"
)
"""Whether to reserve, and how many, is the question: not all of them are to be."""


_OR_A_TERM = compiled("[VS OR] [W A]{0,2} NUM TIME|NUM TIME [VS OR]")


@needs("PRICING SPOTOK RESERVED")
def pricing(reading: Reading) -> None:
    """Read how it may be paid: spot, on demand, reserved; "no spot" states neither."""
    found, out = _ways_to_pay(reading)
    if out:
        reading.aside["pricing_exclude"] = tuple(dict.fromkeys(out))
        found = [one for one in found if one[1] not in out]
    if set(out) == {"reserved"} and not found:
        index = reading.places("RESERVED")[0]
        reading.put("pricing", ("on_demand",), max(index - 1, 0), index + 1)
    if [way for _, way in found] == ["reserved"]:
        found += ((index, "on_demand") for index in _by_the_hour(reading))
        if _OR_NOT.search(reading.plain):
            found.append((found[0][0], "on_demand"))
    if [way for _, way in found] == ["on_demand"] and "term_months" in reading.fields:
        terms = _OR_A_TERM.search(reading.whole)
        found += [(terms.start(), "reserved")] if terms else []
    if found:
        values = tuple(dict.fromkeys(value for _, value in found))
        reading.put("pricing", values, found[0][0], found[0][0] + 1)
        for index, *_ in found[1:]:
            reading.span("pricing", index, index + 1)
        _weigh_terms(reading, values)


def _ways_to_pay(reading: Reading) -> tuple[list[tuple[int, str]], list[str]]:
    """The ways to pay that are named, each with its place, and those ruled out."""
    found: list[tuple[int, str]] = []
    out: list[str] = []
    borne = _BORNE.search(reading.plain)
    for index in reading.places("PRICING", "SPOTOK", "RESERVED"):
        item = reading.items[index]
        way = _WAYS.get(item.concept, str(item.value))
        spot = way == "spot"
        if spot and borne and borne.start() <= item.start < borne.end():
            found.append((index, way))
        elif _is_out(reading, index) or (
            spot and _MAY_NOT_HAVE.search(reading.plain, 0, item.start)
        ):
            out.append(way)
            reading.span("pricing_exclude", max(index - 1, 0), index + 1)
        else:
            found.append((index, way))
    return found, out


_BORNE = regex(
    r"\b(?:(?:do(?:es)?(?:n't|nt| not)|not|never|nobody|no one)\s+(?:really\s+)?"
    r"(?:care(?:s|d)?|mind(?:s|ed)?|worried|bothered|fussed|concerned|afraid|scared)"
    r"(?:\s+(?:too much|much))?(?:\s+(?:about|if|by|of))?\s+"
    r"(?:(?:the|a|an|any|it|gets?|is|being|occasional|getting)\s+)*"
    r"(?:spot|interrupt\w*|pre-?empt\w*|evict\w*)|"
    r"(?:spot|interruptions?|pre-?emptions?|evictions?)"
    r"(?:\s+(?:interruptions?|evictions?|pre-?emptions?|instances?|kills?))?\s+"
    r"(?:do(?:es)?(?:n't|nt| not) (?:matter|hurt|bother)|(?:is|are)(?:n't|nt| not|"
    r" no) (?:an? )?(?:issue|problem|concern|deal|big deal)))"
)
"""Spot may be used: "we don't care about spot interruptions"."""
_MAY_NOT_HAVE = regex(
    r"\b(?:ca(?:n't|nnot|nt)|can not|must(?:n't| not| never)|may not|wo(?:n't|nt)|"
    r"(?:are|is)(?:n't| not) allowed to)\s+(?:\w+\s+)?"
    r"(?:have|use|run on|rely on|take|go|touch|afford|accept|do|be on|live with)\s+"
    r"(?:any\s+|with\s+|on\s+)?$"
)


def _weigh_terms(reading: Reading, values: tuple[str, ...]) -> None:
    """Whether, when and for how many a term pays is asked: it is no wish for one."""
    asked = compiled("HOWMANY [W GPU GPUWORD OK NEED CANI WHEN]{0,5} RESERVED")
    weighed = asked.search(reading.whole) or _WEIGHED.search(reading.plain)
    both = set(values) == {"reserved", "on_demand"}
    if both and reading.stated("rps", "users") and _WHEN.search(reading.plain):
        # how it is paid today is no wish either
        reading.fields["pricing"] = values = ("reserved",)
    if values == ("reserved",) and weighed:
        reading.aside["part_reserved"] = True


_WHEN = regex(
    r"\b(?:when (?:should|do|does|would|will|is|can|could)|from when|how soon|"
    r"at (?:what|which) (?:point|load|size|volume|month)|ab wann|"
    r"a partir de (?:quand|cuando)|cuando|da quando)\b"
)
_OR_NOT = regex(r"\b(?:reserv|commit)\w* or not\b")


def _by_the_hour(reading: Reading) -> Iterator[int]:
    """Where renting by the hour stands against a term: "reserve or pay by the hour"."""
    for shape in _HOURLY:
        for match in compiled(shape).finditer(reading.whole):
            if reading.value(match, "t") == "hour":
                yield match.start("t")
                return


_BETWEEN = (
    "[W A ON PER NEED DUR PRICE COST NUM TIME CANI IN SPEND GPU GPUWORD TIMES XCOUNT]"
    "{0,6}?"
)
_HOURLY = (
    f"RESERVED {_BETWEEN} [OR VS] {_BETWEEN} [PER DEADLINE] <t>TIME",
    f"[PER DEADLINE] <t>TIME {_BETWEEN} [OR VS] {_BETWEEN} RESERVED",
)


@needs("PREC BIT QUANT")
def precision(reading: Reading) -> None:
    """Read number formats and quantisation schemes; "4-bit" is int4."""
    found: list[tuple[int, str]] = []
    out: list[str] = []
    for i in reading.places("PREC"):
        said = str(reading.items[i].value)
        if _is_out(reading, i) and not _is_what_runs(reading, i):
            out.append(said)
            reading.span("precision_exclude", max(i - 1, 0), i + 1)
        else:
            found.append((i, said))
    if out:
        reading.aside["precision_exclude"] = tuple(dict.fromkeys(out))
    bits = {4: "int4", 8: "int8", 16: "fp16", 32: "fp32"}
    for match in reading.find("<n>NUM [DASH]? BIT"):
        if (name := bits.get(int(reading.value(match)))) is not None:
            found.append((match.start(), name))
            reading.use(*match.span())
    schemes = reading.places("QUANT")
    written = {str(reading.items[i].value) for i in schemes}
    if any(scheme.startswith("gguf-") for scheme in written):
        schemes = [i for i in schemes if reading.items[i].value != "gguf"]
    _put_all(reading, "quant_method", schemes)
    four_bit = [i for i in schemes if reading.items[i].value in ("awq", "gptq")]
    if four_bit and not found:
        found.append((four_bit[0], "int4"))
    found.sort()
    found = _without_a_change(reading, found)
    if found:
        values = tuple(dict.fromkeys(value for _, value in found))
        reading.put("precision", values, found[0][0], found[-1][0] + 1)


_SAVES = regex(
    r"\b(?:sav(?:es?|ed|ings?)|cheaper|worth|pays? off|gains?|benefits?|difference|"
    r"how much less|brings?|cuts?|reduc\w+)\b"
)
_INTO = regex(
    r"(?:\b(?:in|down)?to|→|[-=]>|\bgo(?:ing)?|\buse|\busing)\s*(?:weights in\s+)?$"
)
_OVER = regex(r"\s*(?:weights\s+)?(?:instead of|rather than|over|in place of)\s*")
_QUANTISED = frozenset(("int4", "int8", "fp8", "fp4"))


def _is_what_runs(reading: Reading, index: int) -> bool:
    """Whether the saving of another format is asked about: "fp8 instead of bf16"."""
    before = [i for i in reading.places("PREC") if i < index]
    if not before or not _SAVES.search(reading.plain):
        return False
    start, end = reading.items[before[-1]].end, reading.items[index].start
    return _OVER.fullmatch(reading.plain, start, end) is not None


def _without_a_change(
    reading: Reading, found: list[tuple[int, str]]
) -> list[tuple[int, str]]:
    """The format that weights are in, where the saving of another one is asked about.

    "From bf16 to fp8", "bf16 → fp8", "fp8 instead of bf16": the other is a technique.
    """
    if len(found) != 2 or learns(reading) or not _SAVES.search(reading.plain):
        return found
    (first, now), (second, then) = found
    if _is_what_runs(reading, second):
        (first, now), (second, then) = found[::-1]
    elif not _INTO.search(reading.plain, 0, reading.items[second].start):
        return found
    if then not in _QUANTISED or now == then:
        return found
    reading.aside["techniques"] = (then,)
    reading.span("techniques", second, second + 1)
    if reading.concept_at(second) == "PREC":
        reading.become(second, "W", "")
    return [(first, now)]


_SOUNDS = tuple(
    (name, regex(rf"\b(?:{words})\b"))
    for name, words in (
        ("voice cloning", r"voice[ -]clon\w+|clon\w+ (?:of )?(?:a |the |my )?voices?"),
        ("voice conversion", r"voice (?:conversion|changer|changing)"),
        ("dubbing", "dubbing|dub"),
        ("music", "music|songs?"),
        ("speaker diarization", r"diari[sz]\w+"),
        ("speech enhancement", r"denois\w+|noise \w+|speech enhancement"),
        ("tts", "tts|text[ -]to[ -]speech|speech synthesis|voice ?overs?"),
    )
)
"""What is done with sound that is no transcription."""


@needs("IMAGE VIDEO EMBED AUDIO 3D")
def modality(reading: Reading) -> None:
    """Read what is made, where it is not text."""
    for concept, name in _MODALITIES:
        heard = reading.stated("audio_hours") and reading.has("AUDIO")
        if not reading.has(concept) or (heard and name == "video"):
            continue
        gone = {m.end() - 1 for m in reading.find(f"[NOT DROPV STOPV] W? {concept}")}
        if places := [i for i in reading.places(concept) if i not in gone]:
            reading.put("modality", name, places[0], places[0] + 1)
            if name == "audio":
                _sound(reading)
            return


def _sound(reading: Reading) -> None:
    """Name what is done with sound, where nobody hears it to write it down."""
    for name, shape in _SOUNDS:
        if shape.search(reading.plain):
            reading.aside["sound"] = name
            return


def audience(reading: Reading) -> None:
    """Read who it is for."""
    for concept, name in (("INTERNAL", "internal"), ("EXTERNAL", "external")):
        for index in reading.places(concept)[:1]:
            if name == "external" and reading.concept_at(index - 1) == "NOT":
                name = "internal"
            reading.put("audience", name, index, index + 1)
    served = _CUSTOMERS.search(reading.plain) if reading.is_service() else None
    if served and "audience" not in reading.fields:
        reading.fields["audience"] = "external"
        reading.stretch("audience", *served.span())
    if reading.stated("users", "requests_per_user_per_day"):
        if team := _OWN_TEAM.search(reading.plain):
            reading.fields.setdefault("audience", "internal")
            reading.stretch("audience", *team.span())
        for index in reading.places("USER"):
            if _EMPLOYED.fullmatch(reading.word(index)):
                reading.put("audience", "internal", index, index + 1)


_CUSTOMERS = regex(
    r"\bcustomers(?= (?:are )?(?:all )?(?:in|from|across) )(?! in (?:the|our)\b)"
)
""" "Customers in NL and BE": whom the service answers."""
_OWN_TEAM = regex(
    r"\b(?:for|to|fur|pour|para|per|voor|dla)\s+(?:the|our|my|das|unser|notre|l'|nuestro|el|il|"
    r"nostro|o|nosso|het|ons)\s*(?:[a-z-]+\s+)?(?:team|teams|department|dept|equipe|equipo|"
    r"abteilung|afdeling)\b(?:,?\s+(?:of\s+)?(?=\d))"
)
_EMPLOYED = regex(
    r"employees?|staff|colleagues|coworkers|teammates|workforce|headcount|"
    r"mitarbeiter\w*|kolleg\w+|employes|salaries|empleados|empregados|funcionarios|"
    r"colaboradores|dipendenti|colleghi|medewerkers|collega's|pracowni\w+|calisan\w*|"
    r"сотрудник\w*|员工|社員|従業員|직원"
)
"""People of the company itself."""


@needs("APINAME")
def apis(reading: Reading) -> None:
    """Read the hosted APIs that are compared with."""
    _put_all(reading, "compare_api", reading.places("APINAME"))


_ELSE = regex(
    r",? (?:or|ou|oder|o|of) (?:at least|if not|failing that|au moins|sinon|a defaut|"
    r"wenigstens|mindestens|al menos|almeno|ten ?minste)\b|"
    r",? (?:ideally|if possible|preferably|preferred|a nice to have|idealement|"
    r"de preference|idealerweise|si possible|si es posible)\b"
)
""" "SecNumCloud or at least OVH": wished for, and another seller will do."""


@needs("CERT")
def certificates(reading: Reading) -> None:
    """Read HIPAA, SOC 2 and their like; "compliant" beside one is no other."""
    for index in reading.places("CERT"):
        if _ELSE.match(reading.plain, reading.items[index].end):
            reading.leave(index, index + 1, "a certificate that is only preferred")
            reading.become(index, "W", "")
    found = _distinct(reading.all("CERT"))
    if found:
        reading.aside["compliance"] = tuple(c for c in found if c != "any") or found
        for index in reading.places("CERT"):
            reading.span("compliance", index, index + 1)


def interruptible(reading: Reading) -> None:
    """Read "spot ok", "interruptible is fine": spot may be used, and need not be."""
    said = _BORNE.search(reading.plain)
    out = reading.aside.get("pricing_exclude", ())
    if said and "spot" not in out and "pricing" not in reading.fields:
        reading.fields["pricing"] = ("spot",)
        reading.stretch("pricing", said.start(), said.end())
    borne = said or reading.has("SPOTOK") or reading.first("PRICING W? OK")
    if _ASKS_FOR_SPOT.search(reading.plain):
        return
    if borne and reading.fields.get("pricing") == ("spot",):
        reading.aside["interruptible"] = True


_ASKS_FOR_SPOT = regex(
    r"\b(?:is|are|would|will|could)(?: \w+)? spot(?: \w+)? (?:be )?"
    r"(?:ok(?:ay)?|fine|safe|good enough|enough)\b"
)
""" "Is spot ok for a job of 4 hours": whether it may be used is what is asked."""


@needs("OFFLINE REALTIME")
def latency_class(reading: Reading) -> None:
    """Read whether somebody waits for the answers."""
    for concept, name in (("OFFLINE", "offline"), ("REALTIME", "interactive")):
        for index in reading.places(concept)[: 0 if reading.has("IDLE") else 1]:
            reading.put("latency_class", name, index, index + 1)
            rare = {i.value for i in reading.all("TIME")} & {"week", "month", "year"}
            night = reading.word(index) == "overnight" and not rare
            if night and reading.has(*_COUNTED):
                reading.fields.setdefault("deadline_hours", NIGHT_HOURS)


_COUNTED = ("DOC", "REQ", "SAMPLE", "AUDIO", "EPOCH", "FINETUNE")
NIGHT_HOURS = 12.0
"""From one evening to the next morning."""


RULES = (
    owners, providers, region, tiers, pricing, precision, modality, audience, apis,
    latency_class, certificates, interruptible,
)  # fmt: skip
EARLY_RULES = (zones,)
