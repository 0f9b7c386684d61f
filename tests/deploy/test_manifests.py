"""Kubernetes and compose: valid, one writer, nothing open that need not be."""

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from bot.commands.cli import COMMANDS
from bot.config.settings import VARIABLES, Settings
from bot.run.server import PATH

DEPLOY = Path(__file__).parents[2] / "deploy"
PATCHES = {"kustomization.yaml", "serve.yaml"}
MANIFESTS = sorted(
    path for path in (DEPLOY / "kubernetes").rglob("*.yaml") if path.name not in PATCHES
)
DEFAULTS = Settings(home=Path())
Thing = dict[str, Any]


def things(path: Path) -> list[Thing]:
    """Every document of a file."""
    return list(yaml.safe_load_all(path.read_text()))


def pod() -> Thing:
    """What runs in the cluster."""
    (workload,) = things(DEPLOY / "kubernetes/statefulset.yaml")
    found: Thing = workload["spec"]["template"]["spec"]
    return found


def containers() -> list[Thing]:
    """Every container of the pod, those that come first too."""
    return [*pod()["initContainers"], *pod()["containers"]]


def compose() -> Thing:
    """The compose file, its anchors resolved."""
    (found,) = things(DEPLOY / "compose.yaml")
    return found


def replicas() -> dict[str, Thing]:
    """The recipe of several machines, by kind."""
    found = things(DEPLOY / "kubernetes/postgresql/replicas.yaml")
    return {thing["kind"]: thing for thing in found}


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_every_manifest_is_valid(path: Path) -> None:
    """Against the published schema, with no field that it does not know."""
    for thing in things(path):
        kubernetes_validate.validate(thing, "1.33", strict=True)


def test_kustomize_names_files_that_exist() -> None:
    """What is applied together is there; the Secret is made by hand."""
    (found,) = things(DEPLOY / "kubernetes/kustomization.yaml")
    named = {*found["resources"], "kustomization.yaml", "secret.example.yaml"}

    assert {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} == named
    for generated in found["configMapGenerator"]:
        for file in generated["files"]:
            assert (DEPLOY / "kubernetes" / file.partition("=")[2]).is_file()


def test_there_is_one_writer() -> None:
    """SQLite is on one node's disk: one replica, and never two at a time."""
    (workload,) = things(DEPLOY / "kubernetes/statefulset.yaml")

    assert (workload["kind"], workload["spec"]["replicas"]) == ("StatefulSet", 1)


def test_no_container_may_more_than_it_needs() -> None:
    """No root, no writable image, no capability, no token of the cluster."""
    assert pod()["securityContext"]["runAsNonRoot"] is True
    assert pod()["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    assert pod()["automountServiceAccountToken"] is False
    for container in containers():
        context = container["securityContext"]
        assert context["readOnlyRootFilesystem"] is True
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in container["resources"]["limits"]


def test_the_probes_ask_what_the_program_answers() -> None:
    """Liveness asks for nothing but life: a full disk is no reason to restart."""
    bot = next(each for each in pod()["containers"] if each["name"] == "gpucost")
    paths = {
        name: bot[name]["httpGet"]["path"]
        for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }

    assert paths["livenessProbe"] == paths["startupProbe"] == "/healthz"
    assert paths["readinessProbe"] == "/readyz"
    assert bot["args"][0] in COMMANDS
    assert [{"name": "health", "containerPort": DEFAULTS.health_port}] == bot["ports"]
    assert pod()["terminationGracePeriodSeconds"] > DEFAULTS.stop_seconds


def test_the_example_of_a_secret_holds_none() -> None:
    """Names alone; those of the program are settings that exist."""
    ours, backup = things(DEPLOY / "kubernetes/secret.example.yaml")

    assert {""} == {*ours["stringData"].values(), *backup["stringData"].values()}
    assert set(ours["stringData"]) <= set(VARIABLES.values())
    assert all(name.startswith("LITESTREAM") for name in backup["stringData"])


def test_each_container_gets_its_own_secrets_alone() -> None:
    """Litestream sees no token of Slack's, and the bot no key of the backup's."""
    given = {
        each["name"]: [source["secretRef"]["name"] for source in each["envFrom"]]
        for each in containers()
    }

    backup = ["gpucost-litestream"]
    assert given == {"restore": backup, "gpucost": ["gpucost"], "litestream": backup}


def merged() -> Thing:
    """The bot's container as the recipe for HTTP patches it."""
    (patch,) = things(DEPLOY / "kubernetes/http/serve.yaml")
    (container,) = patch["spec"]["template"]["spec"]["containers"]
    found: Thing = container
    return found


def test_the_recipe_for_http_fits_together() -> None:
    """From the host's name to the port on which the program listens."""
    folder = DEPLOY / "kubernetes/http"
    (found,) = things(folder / "kustomization.yaml")
    named = {*found["resources"][1:], *(each["path"] for each in found["patches"])}
    (service,) = things(folder / "service.yaml")
    (ingress,) = things(folder / "ingress.yaml")
    (policy,) = things(folder / "networkpolicy.yaml")
    (rule,) = ingress["spec"]["rules"]
    (path,) = rule["http"]["paths"]

    assert {file.name for file in folder.glob("*.yaml")} == named | {
        "kustomization.yaml"
    }
    assert merged()["args"] == ["serve", "--http"]
    assert merged()["ports"] == [{"name": "http", "containerPort": DEFAULTS.port}]
    assert service["spec"]["ports"][0]["targetPort"] == "http"
    assert path["backend"]["service"]["name"] == service["metadata"]["name"]
    assert PATH.startswith(path["path"])
    assert ingress["spec"]["tls"][0]["hosts"] == [rule["host"]]
    assert policy["spec"]["ingress"][0]["ports"][0]["port"] == DEFAULTS.port


def test_compose_for_http_passes_slack_and_nothing_else() -> None:
    """One port is published, the proxy's; it knows where the bot listens."""
    (found,) = things(DEPLOY / "compose.http.yaml")
    proxy = found["services"]["proxy"]
    passed = (DEPLOY / "Caddyfile").read_text()

    assert [name for name, each in found["services"].items() if "ports" in each] == [
        "proxy"
    ]
    assert proxy["read_only"] is True
    assert proxy["cap_drop"] == ["ALL"]
    assert re.fullmatch(r"caddy:\d+\.\d+\.\d+", proxy["image"])
    assert f"reverse_proxy gpucost:{DEFAULTS.port}" in passed
    assert "handle /slack/*" in passed
    assert found["services"]["gpucost"]["command"] == ["serve", "--http"]


def test_nothing_in_the_cluster_may_be_called_but_names() -> None:
    """Out goes HTTPS to public addresses; in comes who scrapes."""
    (policy,) = things(DEPLOY / "kubernetes/networkpolicy.yaml")
    ports = [p["port"] for rule in policy["spec"]["egress"] for p in rule["ports"]]
    blocks = [
        to["ipBlock"]
        for rule in policy["spec"]["egress"]
        for to in rule["to"]
        if "ipBlock" in to
    ]

    assert ports == [53, 53, 443]
    assert {"169.254.0.0/16", "10.0.0.0/8"} <= set(blocks[0]["except"])
    assert policy["spec"]["policyTypes"] == ["Ingress", "Egress"]


def test_compose_publishes_no_port() -> None:
    """Socket Mode needs none, and the metrics stay in the network."""
    for name, service in compose()["services"].items():
        assert "ports" not in service, name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["user"] == "10001:10001", name
        assert "no-new-privileges:true" in service["security_opt"], name


def test_compose_restores_before_it_serves_and_copies_afterwards() -> None:
    """An empty volume is filled first; the copy begins once the bot is healthy."""
    services = compose()["services"]

    assert "service_completed_successfully" in str(services["gpucost"]["depends_on"])
    assert services["restore"]["command"][0] == "restore"
    assert services["litestream"]["depends_on"] == {
        "gpucost": {"condition": "service_healthy"}
    }
    grace = int(services["gpucost"]["stop_grace_period"].removesuffix("s"))
    assert grace > DEFAULTS.stop_seconds


def test_compose_uses_what_it_declares() -> None:
    """Volumes, files and settings that are named exist."""
    found = compose()
    named = {
        source
        for service in found["services"].values()
        for volume in service["volumes"]
        if not (source := volume.split(":")[0]).startswith(".")
    }
    settings = set(found["services"]["gpucost"]["environment"])

    assert set(found["volumes"]) == named
    assert settings <= set(VARIABLES.values())
    assert (DEPLOY / "litestream.yml").is_file()
    assert (
        DEPLOY.parent / found["services"]["gpucost"]["build"]["dockerfile"]
    ).is_file()


@pytest.mark.sqlite_alone
def test_both_places_copy_the_database_in_the_same_way() -> None:
    """One configuration of Litestream, of the file that the program writes."""
    first = (DEPLOY / "litestream.yml").read_text()
    (config,) = things(DEPLOY / "litestream.yml")

    assert first == (DEPLOY / "kubernetes/litestream.yml").read_text()
    assert (
        config["dbs"][0]["path"] == f"${{GPUCOST_HOME}}/{DEFAULTS.database.file.name}"
    )


def test_every_image_is_pinned() -> None:
    """No tag that moves."""
    images = [each["image"] for each in containers()]
    images += [
        service["image"]
        for service in compose()["services"].values()
        if "build" not in service
    ]
    for image in images:
        assert re.fullmatch(r"[\w./-]+:\d+\.\d+\.\d+", image), image


def test_replicas_are_replaced_one_at_a_time_and_drained() -> None:
    """A new one serves before an old one ends, which first lets the proxy know."""
    deployment, budget = replicas()["Deployment"], replicas()["PodDisruptionBudget"]
    (bot,) = deployment["spec"]["template"]["spec"]["containers"]
    said = {each["name"]: each["value"] for each in bot["env"]}
    drain = float(said["GPUCOST_DRAIN_SECONDS"])
    grace = deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]

    assert deployment["spec"]["replicas"] >= 2
    assert deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert budget["spec"]["minAvailable"] == deployment["spec"]["replicas"] - 1
    assert drain > bot["readinessProbe"]["periodSeconds"]
    assert grace > drain + DEFAULTS.stop_seconds
    assert set(said) <= set(VARIABLES.values())
    assert bot["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert replicas()["Service"]["spec"]["ports"][0]["targetPort"] == "http"


def test_compose_with_replicas_fits_together() -> None:
    """Two replicas on one server; the proxy knows both, and who is ready."""
    (found,) = things(DEPLOY / "compose.postgres.yaml")
    services, proxied = found["services"], (DEPLOY / "Caddyfile.replicas").read_text()
    bots = sorted(name for name in services if name.startswith("gpucost"))
    given = services[bots[0]]["environment"]
    drain = float(given["GPUCOST_DRAIN_SECONDS"])
    grace = float(services[bots[0]]["stop_grace_period"].removesuffix("s"))

    assert len(bots) == 2
    assert " ".join(f"{name}:{DEFAULTS.port}" for name in bots) in proxied
    assert f"health_port {DEFAULTS.health_port}" in proxied
    assert grace > drain + DEFAULTS.stop_seconds
    assert set(given) <= {*VARIABLES.values(), "GPUCOST_DATABASE_FILE"}
    assert ["proxy"] == [name for name, each in services.items() if "ports" in each]
    assert all(each["cap_drop"] == ["ALL"] for each in services.values())
    assert {"database-address", "database-password"} == set(found["secrets"])
