"""Words that look like part of a workload and are none: trains, laptops, salaries.

"My train leaves at 5" trains nothing, "gunicorn with 4 workers" has no users, and a
flight to Tokyo is no place to run in. What stands beside a word tells; it then means
nothing, and no rule needs to know.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from msgspec import Struct

from bot.language.items import Item
from core.patterns import regex

_NEAR = 60
"""Letters before a word in which it is told what it is."""


class Decoy(Struct, frozen=True):
    """When a word of a concept means nothing: all that is given must hold."""

    said: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    beside: str = ""
    """What must come by the time: requests that are "asked", pictures "drawn"."""
    becomes: str = "W"

    def holds(self, item: Item, plain: str) -> bool:
        """Whether the words around an item say that it is one."""
        start, end = item.start, item.end
        return (
            (self.said is None or self.said.fullmatch(plain, start, end) is not None)
            and (self.behind is None or self.behind.match(plain, end) is not None)
            and (
                self.before is None
                or self.before.search(plain, max(0, start - _NEAR), start) is not None
            )
        )


_TRAIN = regex("train")
_RIDE = regex(
    r"\s+(?:(?:is|was|'s)\s+(?:late|delayed|cancelled|full|here|coming)|ride|rides|"
    r"station|journey|home|arrives?|leaves|departs|goes\s+at|ticket)\b"
)
_MINE = regex(
    r"\b(?:my|our|next|night|morning|evening|first|last|missed\s+(?:the|a)|(?:on|in|from|inside)\s+the|a)\s$"
)
_NO_RUN = regex(
    r"(?!\s*-|\s+(?:set|split|runs?|jobs?|loss|data|costs?|budget|script|loop|phase|time|"
    r"cluster|config|pipeline|batch|size|on\s+\d|an?|the|our|my|\d)\b)"
)
_OF_THINGS = regex(
    r"\s+of\s+(?:about\s+)?\d{1,3}\s+(?!(?:requests?|prompts?|samples?|examples?|"
    r"sequences?|seqs?|tokens?|docs?|documents?|images?|pictures?|per|and|with|on|for|at|"
    r"in|or|to|tickets?|emails?|pages?|files?|calls?|queries|videos?|clips?|rows?|"
    r"records?)\b)[a-z]\w+"
)
_TESTED = regex(
    r"\b(?:evals?|evaluation|benchmark\w*|bench|golden\s+set|test\s+set|tested\s+on|"
    r"a/b\s+test|spot[- ]checked|validation|testfall\w*)\b[^.;!?\n]*$"
)
_STORED = regex(
    r"\b(?:stores?|storing|stored|holds?|index|archive|archiv|wiki|knowledge\s+base|"
    r"database|catalogue|catalog|corpus|library|wissensdatenbank|bibliothek|datenbank|"
    r"base\s+de\s+(?:datos|donnees|connaissances)|archivo|archivio)\b"
    r"[^.;!?\n]{0,25}?\d[\d.,]*\s?\w*\s(?:\w+\s)?$"
)
_SOFTWARE = regex(
    r"\b(?:g?unicorn|uvicorn|hypercorn|celery|puma|nginx|sidekiq|data ?loader|ray|cpu|"
    r"rq|airflow|spark|dask|web|api|background|async|http)\b[^.;!?]{0,20}$"
)
_BUILDERS = regex(
    r"\s+(?:\w+ly\s+)?(?:built|maintain\w*|wrote|developed|designed|owns?|look(?:s|ing)?\s+"
    r"after|babysit|operate|costs?\s+(?:about\s+)?[$€£]?\d+k|work(?:s|ing)?\s+on\s+(?:the|our|this)\s+"
    r"(?:platform|bot|service|product|project|app|backend|cluster))\b"
)
_PERSON = regex(r"(?:person|people|man|men|strong|head)")
_SIZE_OF_A_TEAM = regex(
    r"\s+(?:[a-z-]+\s+){0,2}?(?:team|squad|crew|group|unit|department|startup|start-up|"
    r"company|shop|agency|firm|studio|lab|office|outfit|org|business)\b"
    r"(?!\s+(?:(?:who|that|which|will|would|can|should|all|to|and)\s+){0,2}"
    r"(?:use|uses|using|chat|ask|talk|quer)\w*)"
)
"""Behind the "person" of "our 9-person infra squad"."""
_IN_A_TEAM = regex(
    r"(?:\b(?:team|squad|crew|project|rota|meeting|channel|call|startup|start-up|shop|"
    r"agency|firm|studio|lab|outfit)\s+of\s+\d+\s+|"
    r"团队(?:有|共)?\s?\d+\s?(?:个|名|位)?\s?|参加者は\s?\d*\s?|팀은\s?\d*\s?)$"
)
_OF_A_TEAM = regex(
    r"\s+(?:im|in (?:the|our|my)|on (?:the|our|my)|no|na|en el|nel|w|в|dans l'?|in het|"
    r"in de)"
    r"\s*(?:team|squad|project|projekt|projeto|proyecto|progetto|equipo|equipe|zespole|"
    r"команде|meeting|call)\b(?!\s+(?:use|chat|talk|work|ask))"
)
_TEND_IT = regex(
    r"\s+(?:on\s+call|on\s+duty|on\s+(?:the\s+)?(?:ops|rota)|(?:on|in)\s+(?:the|our|my)\s+"
    r"[\w-]+\s+(?:team|squad|crew|rota)|(?:look\w*\s+after|run(?:ning)?|own|"
    r"maintain\w*)\s+(?:this|it)|die\s+(?:das|es)\s+(?:betreib|betreu)\w+)\b"
    r"(?!\s+(?:use|chat|talk|ask|at\s+once|in\s+parallel|all\s|daily|every))"
)
"""Behind people who look after it."""
_WE_ARE = regex(
    r"\b(?:we\s?'?re|we\s+are|there\s+are|there'?s|us|only|just)\s+(?:\w+\s+){0,2}?[\w.]+\s+$"
)
_ON_THIS = regex(
    r"\s+on\s+(?:this|it)(?:\s+(?:project|thing|product|service))?\b"
    r"(?!\s+(?:at\s+once|in\s+parallel|bot|model|all\s|daily|every|use))"
)
_TO_BUILD = regex(
    r"\s+(?:(?:and|with|und|et|y|e)\s+(?:\w+\s+){1,2}(?:days?|weeks?|months?|sprints?|"
    r"quarters?|tage|wochen|monate?|jours|semaines|mois|dias|semanas|mes(?:es)?|"
    r"settimane|giorni|mesi)\s*,?\s+)?(?:"
    r"to\s+(?:ship|build|deliver|deploy|launch(?!\s+with)|roll\s+(?:this|it)?\s*out|"
    r"set\s+(?:this|it)?\s*up|go\s+live|(?:get|bring|put|make|finish)\s+(?:this|it|that))\b|"
    r"um\s+(?:das|es|den|die)\b|pour\s+(?:le|la|les|tout)?\s*(?:mettre|lancer|livrer)\b|"
    r"para\s+(?:pon\w+|lanz\w+|lanc\w+|coloc\w+|entreg\w+)|per\s+(?:metter\w+|lanci\w+))"
)
"""Behind those who set it up: "3 SREs and 2 weeks to get this live"."""
_OF_A_GROUP = regex(
    r"[\s-]+(?:\w+\s+)?(?:team|teams|squad|group|department|dept|crew|guild|unit|"
    r"folks|guys|abteilung|gruppe|equipe|equipo|afdeling)\b"
)
_GROUP_OF = regex(
    r"\b(?:equipe|equipo|squadra|reparto|departement|people\s+(?:in|from)|folks\s+(?:in|from)|"
    r"(?:guys|colleagues)\s+(?:in|from))\s+(?:de\s+|d'|di\s+)?$"
)
_LONGER = regex(r"\s+(?:more|longer)\s+than\b|\s+(?:over|beyond)\s+\d")
"""Behind "nobody sits waiting", of which the time tells how fast it must be."""
_GONE = regex(
    r"\s+(?:(?:have|has|had|just|all|are|is|were)\s+)*(?:left|quit|resigned|leaving|sick|"
    r"on\s+(?:leave|holidays?|vacation))\b|\s+(?:ekib|ekip|takim)\w*"
)
_MET = regex(
    r"\b(?:stand-?up|meeting|call(?!\s*-?cent)|sync|retro|lunch|dinner|workshop)\b"
    r"[^.;?!]{0,20},\s+[\w.]+\s+$"
)
_SOLD = regex(
    r"\b(?:sold|sells?|selling|shipped|ships?|printed|bought|buys?)\s+(?:about\s+|some\s+)?"
    r"\d[\w.,]*\s+$"
)
_JUDGES = regex(
    r"[\s-]+(?:eval\w*|judg\w+|scores?|scored|baseline|benchmark\w*|generated|label+ed|"
    r"distilled|synthetic|as\s+(?:an?\s+|the\s+)?(?:judge|grader))\b"
)
"""Behind an API that only grades, or has written examples."""
_NOBODY = regex(
    r"(?:no-?\s?(?:body|one|user)|niemand|keiner|personne|nadie|nessuno|ninguem|nikt)\b.*"
)
_LEST = regex(
    r"(?:(?<![,;.])\sso|\b(?:so\s+that|that|sure|ensure|guarantee|damit|dass|(?:pour|para)\s+qu[e']|"
    r"affinche|zodat|zeby))\s+$"
)
"""Before "nobody waits", which is then what is wanted: "so that nobody waits"."""
_A_TUNED = regex(
    r"\s+(?:of\s+ours\s+)?(?:now\s+)?(?:gets?|has\s+to|needs?|is|runs?|serves?|does|sees|"
    r"handles?|at)\b|\s*[,:]\s*(?:(?:it|now)\b|\d[\d.]*\s*(?:rps|qps|req))"
)
_OF_A_SIZE = regex(r"\d(?:\.\d)?b\s$")
"""Around a fine-tune that there is: "our 32b finetune gets 18 rps"."""
_BOARDED = regex(r"\b(?:flight|train|bus|tram|gate|boarding)\s+(?:[a-z]{2,3}\s+)?$")
_IN_MINUTES = regex(
    r"\s+in\s+(?:\d+|an?|half\s+an?)\s*(?:min|mins|minutes?|h|hrs?|hours?)\b"
)
_GAVE = regex(r"\b(?:gave|handed|took|bought)\s+(?:\w+\s+){0,3}$")
"""Before the "back" of machines: what an answer is comes back, or is sent."""
_ONE_OF_OURS = regex(
    r"\b(?:one|two|three|four|five|six|another|some|several|a\s+(?:few|couple)|[1-9])\s+of\s+(?:our|my|the|"
    r"their|your)\s+(?:[\w-]+\s+){0,2}$"
)
_SAYS = regex(
    r"\s+(?:in\s+\w+\s+|from\s+\w+\s+|just\s+|now\s+|also\s+|here\s+)?(?:told|tells?|says?|"
    r"said|claim(?:s|ed)?|thinks?|thought|promis(?:es?|ed)|swears?|swore|insists?|insisted|"
    r"believes?|believed|wants?|wanted|asks?|asked|asking|complain(?:s|ed)?|reckons?|"
    r"reckoned|mention(?:s|ed)|suggest(?:s|ed)?|argues?|argued|heard|read|wrote|writes?|"
    r"sent|quoted|offered|wonders?|keeps?|likes?|would\s+like|has\s+(?:asked|told|heard))\b"
)
"""Around who says something: "one of our sales people told a prospect that"."""
_IF = regex(
    r"\b(?:if|where|wherever|when|whenever|(?:as|so)\s+\w+\s+as|si|wenn|falls|se|als|waar|"
    r"jesli)\s+(?:(?:at\s+all|somehow|it'?s|it\s+is|that'?s|still|es|c'?est|e|het)\s+)?$"
)
_POSSIBLE = regex(
    r"(?:possible|feasible|doable|moglich|machbar|possibile|posible|mogelijk)"
)
_IF_WE = regex(r"\b(?:if|where|wherever|when|whenever)\s+(?:we|you|i|they|one)\s+$")
_GET = regex(
    r"\s+(?:still\s+)?(?:get|find|have|rent|source|book|afford|secure|obtain)\b"
)
"""Around what is wished for, not asked: "H200 if possible", "if we can get them"."""
_TAG = regex("tag")
_WE = regex(r"\b(?:we|i|they|you|to|and|then|will|must|should|that|which|it)\s+$")
"""Before the "tag" of what is done with documents, no German day."""
_IN_THOSE_DAYS = regex(
    r"\s+(?:then|when)\b|\s+(?:in|at|around)\s+(?:(?:early|late|mid|the|"
    r"last)[ -])?(?:q[1-4]|"
    r"20\d\d|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|spring|summer|"
    r"autumn|fall|winter|day|days|beginning|start)\b"
)
"""Behind the "back" of times: "we paid 3.19 back in Q2"."""
_PUBLIC_BODY = regex(
    r"\s+(?:[a-z]+\s+)?(?:insurers?|insurance|hospitals?|clinics?|universit\w+|schools?|"
    r"broadcaster|authorit\w+|agenc\w+|bod(?:y|ies)|sector|transport|administration|"
    r"institut\w+|compan\w+|health\w*|librar\w+|utilit\w+|office|ministry|banks?|"
    r"tenders?|procurement|money|clouds?|safety|housing|holidays?|employer|prosecutor\w*|"
    r"records?|law|works|funds?|funding|purse|debt)\b"
)
"""Behind the "public" of who owns it, not of who uses it."""
_REPORT = regex("reports?")
_WRITTEN = regex(
    r"(?:\b(?:tokens?|words?|pages?|long|full|final|written|audit|medical|lab|financial|police|"
    r"annual|incident|inspection|radiology|test)[\s-]+|\b(?:writes?|writing|generates?|"
    r"drafts?|reads?|summari[sz]es?|produces?)\s+(?:an?\s+|the\s+|one\s+)?(?:[a-z-]+\s+)?)$"
)
"""Before a report that is written or read; of prices, it is sent."""
_THAT_WRITES = regex(
    r"\s(?:assistants?|bots?|writers?|generators?|generation|drafting|summar\w+|"
    r"tool|runs?|jobs?|pipeline|model)\b"
)
"""Behind the report that something writes."""
_HAS_A_PRICE = regex(
    r"\s+(?:is|are|costs?(?: us)?|of|at|runs at|comes to)\s+(?:about |around |~ ?)?"
    r"[$€£]?\s?\d"
)
"""Behind "the subscription": "costs us 900 euros a month"."""
_SOLD_BY_THE_MONTH = regex(
    r"\b(?:azure|aws|gcp|google|cloud|api|chatgpt|openai|claude|copilot|github|office|"
    r"saas|software)\s$"
)
"""Before a subscription that is paid for."""
_MEETS = regex(
    r"(?:schedule|book|set up|arrange|find a|a slot|make)\b.*|demos?|meetings?|calls?"
)
_SELLERS_WISH = regex(
    r"\b(?:sales\w*|sellers?|vendors?|resellers?|providers?|clouds?|every(?:one|"
    r"body)(?: else)?|"
    r"they|reps?|others?|without (?:having|making me|me having)?)\b[^.;?!]{0,45}$"
)
"""Before the call that a seller wants to have: nobody asks for one."""
_TEAM_HAS = regex(
    r"\b(?:team|squad|crew|rota|equipe|equipo|squadra|zespol)\s+(?:has|have|is|are|counts?|"
    r"consists\s+of|compte|hat|zahlt|tiene|ha|tem|heeft|liczy)\s+"
    r"(?:(?:only|just|about|some|now|currently|nur|solo)\s+)?[\w.]+\s+$"
)
_NOT_BUSY = regex(r"(?!\s+(?:who|that|and\s+\d|us(?:e|ing)|chat)|,\s+each|,\s+all)")
_VOICE = regex("voice")
_TONE = regex(r"\b(?:tone\s+of|brand)\s+$")
_OF_WHOM = regex(r"\s+of\s+(?:an?|the|our)\s+(?!callers?\b|speakers?\b)")
"""Around how something is written: "in the voice of a teacher"."""
_OUT_OF_ORDER = regex(
    r"\s+(?:(?:cluster|gpus?|machines?|rack|box(?:es)?|servers?|nodes?|hardware|hosts?)\s+)?"
    r"(?:is|are|was|were)\s+(?:(?:all|still|currently|being|fully)\s+)?(?:down|full|broken|"
    r"busy|booked|dead|gone|moved|offline|unavailable|in\s+maintenance|under\s+maintenance|"
    r"out\s+of\s+(?:order|action|service))\b"
)
_CANNOT_USE = regex(r"\b(?:can'?t|cannot|can\s+not|unable\s+to)\s+use\s+$")
_NOT_ENOUGH = regex(
    r"\s+(?:(?:is|was|were|are)(?:n't|\s+not)\s+(?:\w+\s+)?(?:enough|an\s+option|sufficient)|"
    r"(?:won't|wont|will\s+not|would\s+not|wouldn't|didn't|did\s+not|doesn't|does\s+not)\s+"
    r"(?:do|cut\s+it|work|suffice|help)|(?:is|was)\s+too\s+(?:weak|expensive|dear|slow|shallow|"
    r"costly)|(?:and\s+)?it\s+(?:was|is)(?:n't|\s+not)\s+(?:\w+\s+)?enough)\b"
)
"""Behind a way to train that is given up for another."""
_BEYOND_HOURS = regex(
    r"\b(?:outside|after|beyond|out\s+of|ausserhalb)\s+(?:of\s+)?(?:our\s+|the\s+)?$"
)
_WISHES = regex(
    r"\b(?:would|i'd|we'd|gladly|happily|happy|glad|love|prefer|rather|easier|nicer)\b"
)
_FORBIDDEN = regex(
    r"[^.;?!]{0,40}?\bbut\b(?![^.;?!:]*\b(?:cost|costs|price|expensive|pay|bill|dear|budget)\b)"
    r"[^.;?!:]*\b(?:disagrees?|says?\s+no|said\s+no|forbids?|forbade|not\s+allow\w*|"
    r"(?:won't|doesn't|don't|wouldn't|didn't)\s+(?:allow|let|permit|want)|may\s+not|must\s+not|"
    r"mustn't|can't\s+leave|cannot\s+leave|not\s+permitted|objects?|vetoe?[sd]?|refuses?)\b"
)
"""Behind an API to which somebody says no: it is no alternative any more."""
_OTHER_STEPS = regex(
    r"\b(?:save|eval|warm-?up|logging|log|accumulation|checkpoint)[_ -]$"
)
_ON_THE_WAY = regex(
    r"\b(?:rtt|pings?|fly(?:ing)?|flights?|travel\w*|trip|conference|summit|meetup|"
    r"off-?site|vacation|holidays?|greetings|hello|hi|grusse|gruss|saludos|salutations|"
    r"bonjour|saluti|landed|back)\s+(?:to|from|in|aus|nach|de|da|desde|depuis)\s+$"
)
_APPOINTED = regex(
    r"\b(?:meeting|(?:a|the|my)\s+call|call\s+with\s+[\w ]{1,20}|stand-?up|flight|"
    r"train|demo|termin|vacation|holiday|lunch|boards?|boarding|reunion|vuelo|interview)\s+"
    r"(?:is\s+|starts?\s+)?in\s+\d+\s*$"
)
_IS_DONE = regex(
    r"\s+(?:(?:part|side|service|bit|stuff|pipeline|model|server|search|generation)\s+)?"
    r"(?:(?:is|are|was|were|got|has been|have been)\s+(?:all\s+|already\s+|now\s+)?"
    r"(?:fine|done|ok|okay|sorted|solved|live|working|settled|covered|handled|fixed|"
    r"finished|good|taken\s+care\s+of|in\s+place|up(?:\s+and\s+running)?|running)|"
    r"(?:already\s+)?(?:works?|runs?)(?:\s+(?:fine|well|already|now|ok))?)\b"
    r"(?=\s*(?:[.,;:!]|(?:now|already|today|but|and|so|since|by|elsewhere|at last)\b))"
)
"""Behind work that is no question any more: "the embeddings are fine now"."""
_OF_HELP = regex(
    r"[\s-]*(?:articles?|pages?|cent(?:er|re)s?|desks?|docs?|texts?|tickets?|requests?|"
    r"topics?|entries|files|pdfs|documents?)\b"
)
_ITERATION = regex(r"[\s-]+(?:sprints?|notice|iterations?|cadence|probation|leave)\b")
_NOT_FOR = regex(
    r"(?<!\bfor )(?<!\bfor a )(?<!\bfor an )(?<!\bfor one )(?<!\bfor our )"
    r"(?<!\bfor the )\b[\w.]+[\s-]*$"
)
"""Around "2-week sprint", by which a team counts its time; none is rented for it."""
_PERSONS = regex(
    r"\b(?:i|we|they|he|she|you)"
    r"(?:'m|'re|'s| am| are| is| were| was|'ve been| have been)?"
    r"(?: also| just| still)? $"
)
"""Who thinks and is no model."""
_PLACE = (
    r"buildings?|desks?|gates?|seats?|rooms?|flats?|apartments?|apt|suites?|floors?|"
    r"terminals?|platforms?|bays?|aisles?|halls?|wings?|zimmer|raum|gebaude|etage|bureau|"
    r"salle|oficina|sala|edificio|piso|lokaal|kamer"
)
_IN_A_PLACE = regex(rf"\b(?:{_PLACE})\s$")
_PLACE_NAMED = regex(rf"(?:{_PLACE})[ -]\S+")
"""Seat 4B and room 7B, which have no parameters."""
_KEPT_FOR = regex(
    r"[\s-]*(?:days?|weeks?|months?|years?)\s(?:of\s)?(?:\w+\s)?retention\b"
)
_NUMBERED = regex(
    rf"\b(?:ext|extension|phone|tel|fax|order|invoice|ticket|po|badge|bus|nr|no|{_PLACE})"
    r"\b\.?[ #]?$"
)
"""Before a number that happens to be the name of a card: "ext. 4070"."""
_NOBODY_DOES = regex(
    r"\b(?:nobody|no ?one|none of (?:us|them)|niemand|keiner|personne|nadie|nessuno|"
    r"ninguem)\b[^.;:!?,]{0,25}$"
)
_NO_CARD = regex(
    r"[^.;!?]{0,40}?\bnot (?:the |an? )(?:gpu|(?:graphics )?card)\s?(?:[),.;!]|$)|"
    r"[\s-](?:\w+ )?(?:roads?|motorways?|highways?|autobahn|autoroute|autostrada|"
    r"autovia|snelweg|junctions?|interchange|tunnel|toll|bypass|"
    r"traffic (?:team|office|"
    r"control\w*|desk|authority|police|management|jams?|cameras?|data|centre|center)|"
    r"lumbar|vertebra\w*|spin(?:e|al)|dis[ck]s?|nerves?|fractures?|radiculopathy|thyroid|"
    r"thyroxine|lymphocytes?|cells?|hormones?|hangar|gate|classroom|meeting room)\b"
)
"""Behind a road, a vertebra or a hormone that is called as a card is."""
_A_ROAD = regex(
    r"\b(?:road|motorway|highway|autobahn|autoroute|autostrada|autovia|snelweg|junction|"
    r"vertebra\w*|lumbar|thyroid|serum)\s(?:the\s)?$"
)
_FREE = regex(r"\b(?:free|tsh,?|total|t3,?)\s$")
_TESTED_FOR = regex(r"[\s-](?:results?|levels?|values?|tests?|labs?|counts?)\b")
"""Around the hormone T4."""
_GROUPS = (Decoy(behind=_OF_A_GROUP), Decoy(before=_GROUP_OF))
"""A team is no sound and no picture: "the voice team asks"."""
_DECOYS: Mapping[str, tuple[Decoy, ...]] = {
    "TRAIN": (
        Decoy(before=_NOBODY_DOES),
        Decoy(said=_TRAIN, behind=_RIDE),
        Decoy(said=_TRAIN, before=_MINE, behind=_NO_RUN),
    ),
    "BATCH": (Decoy(said=regex("batch"), behind=_OF_THINGS, beside="asked"),),
    "DOC": (
        Decoy(before=_TESTED, beside="asked"),
        Decoy(before=_STORED, beside="asked"),
        Decoy(before=_SOLD, beside="asked"),
    ),
    "SAMPLE": (
        Decoy(before=_TESTED, beside="asked"),
        Decoy(before=_STORED, beside="asked"),
    ),
    "USER": (
        Decoy(said=regex("workers?"), before=_SOFTWARE),
        Decoy(behind=_BUILDERS),
        Decoy(before=_ONE_OF_OURS, behind=_SAYS),
        Decoy(behind=_TO_BUILD),
        Decoy(before=_IN_A_TEAM, beside="asked"),
        Decoy(said=_PERSON, behind=_SIZE_OF_A_TEAM, beside="asked"),
        Decoy(behind=_OF_A_TEAM, beside="asked"),
        Decoy(behind=_TEND_IT, beside="asked"),
        Decoy(before=_WE_ARE, behind=_ON_THIS, beside="asked"),
        Decoy(behind=_GONE, beside="asked"),
        Decoy(before=_MET, beside="asked"),
        Decoy(before=_TEAM_HAS, behind=_NOT_BUSY, beside="asked"),
    ),
    "FIT": (Decoy(said=_POSSIBLE, before=_IF),),
    "CANI": (Decoy(before=_IF_WE, behind=_GET),),
    "ENGINEER": (Decoy(behind=_TO_BUILD),),
    "HELP": (Decoy(said=regex("help"), behind=_OF_HELP),),
    "STEP": (Decoy(before=_OTHER_STEPS),),
    "METHOD": (
        Decoy(said=regex("loras?"), beside="drawn", becomes="ADAPTER"),
        Decoy(behind=_NOT_ENOUGH, beside="other way"),
    ),
    "FULL": (Decoy(behind=_NOT_ENOUGH, beside="other way"),),
    "AUDIO": (
        *_GROUPS,
        Decoy(said=_VOICE, before=_TONE),
        Decoy(said=_VOICE, behind=_OF_WHOM),
        Decoy(behind=_IS_DONE, beside="text"),
    ),
    "VIDEO": (*_GROUPS, Decoy(behind=_IS_DONE, beside="text")),
    "IMAGE": (*_GROUPS, Decoy(behind=_IS_DONE, beside="text")),
    "EMBED": (Decoy(behind=_IS_DONE, beside="text"),),
    "RERANK": (Decoy(behind=_IS_DONE, beside="text"),),
    "OFFLINE": (Decoy(behind=_LONGER), Decoy(said=_NOBODY, before=_LEST)),
    "FINETUNE": (
        Decoy(before=_NOBODY_DOES),
        Decoy(before=_OF_A_SIZE, behind=_A_TUNED, beside="served"),
    ),
    "NUM": (Decoy(behind=_IN_MINUTES, before=_BOARDED), Decoy(behind=_KEPT_FOR)),
    "NUMB": (Decoy(before=_IN_A_PLACE),),
    "MODELNAME": (Decoy(said=_PLACE_NAMED),),
    "OUT": (
        Decoy(said=regex("think(?:ing)?"), before=_PERSONS),
        Decoy(said=regex("back"), before=_GAVE),
        Decoy(said=regex("back"), behind=_IN_THOSE_DAYS),
    ),
    "ALERT": (
        Decoy(said=_REPORT, before=_WRITTEN),
        Decoy(said=_REPORT, behind=_THAT_WRITES),
        Decoy(said=regex("subscriptions?"), before=_SOLD_BY_THE_MONTH),
        Decoy(said=regex("subscriptions?"), behind=_HAS_A_PRICE),
    ),
    "CHEAP": (Decoy(said=regex("who has"), behind=regex(r"\s+to\b")),),
    "CHITCHAT": (Decoy(said=_MEETS, before=_SELLERS_WISH, beside="hardware"),),
    "EXTERNAL": (Decoy(said=regex("public"), behind=_PUBLIC_BODY),),
    "OFFICEHOURS": (Decoy(before=_BEYOND_HOURS),),
    "SELFHOST": (Decoy(behind=_OUT_OF_ORDER), Decoy(before=_CANNOT_USE)),
    "APINAME": (
        Decoy(behind=_JUDGES),
        Decoy(before=_WISHES, behind=_FORBIDDEN),
    ),
    "GPU": (
        Decoy(behind=_NO_CARD),
        Decoy(before=_A_ROAD),
        Decoy(said=regex(r"\d{4}"), before=_NUMBERED),
        Decoy(said=regex("t4"), before=_FREE, behind=_TESTED_FOR),
    ),
    "RESERVED": (Decoy(before=regex(r"\bgit\s$")),),
    "REGION": (Decoy(before=_ON_THE_WAY),),
    "TIME": (
        Decoy(before=_APPOINTED),
        Decoy(before=_NOT_FOR, behind=_ITERATION),
        Decoy(said=_TAG, before=_WE, becomes="WORK"),
    ),
}
_COMES = {
    "asked": (frozenset(("REQ", "DOC")), frozenset(("second", "minute"))),
    "drawn": (frozenset(("IMAGE",)), frozenset(("second", "minute", "hour", "day"))),
}
_WAYS = frozenset(("METHOD", "FULL"))
_DATA_OF_RUNS = frozenset("TRAIN EPOCH SAMPLE METHOD STEP".split())
_LEARNS = frozenset("TRAIN FINETUNE SFT EPOCH SAMPLE".split())


def set_aside(items: list[Item], plain: str) -> None:
    """Take their meaning from words that only look like part of a workload."""
    for item in items:
        for decoy in _DECOYS.get(item.concept, ()):
            if decoy.holds(item, plain) and _comes(items, decoy.beside):
                item.concept, item.value = decoy.becomes, None
                break


def _comes(items: list[Item], what: str) -> bool:
    """Whether something comes by the time, and nothing is trained on pictures."""
    if not what:
        return True
    if what == "hardware":
        return any(item.concept in ("GPU", "INSTANCE") for item in items)
    if what == "other way":
        return sum(item.concept in _WAYS for item in items) > 1
    if what == "text":
        return any(
            item.concept == "NUMB"
            or (item.concept == "MODELNAME" and item.value.family.modality is None)
            for item in items
        )
    if what == "served":
        learns = any(one.concept in _DATA_OF_RUNS for one in items)
        return not learns and _comes(items, "asked")
    things, times = _COMES[what]
    if what == "drawn" and any(item.concept in _LEARNS for item in items):
        return False
    return any(
        per.concept == "PER" and time.concept == "TIME" and time.value in times
        and any(one.concept in things for one in items[max(0, at - 1) : at + 4])
        for at, (per, time) in enumerate(pairwise(items))
    )  # fmt: skip
