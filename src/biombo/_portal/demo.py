"""A made-up agency: all roles, a catalogue, and requests in several states, each led there by negotiating."""

import secrets
from typing import Any

from biombo._data import ColumnSchema, Schema
from biombo._hierarchy import Hierarchy
from biombo._i18n import speaking
from biombo._portal.home import PortalHome
from biombo._portal.server import prepare
from biombo._watch import Watch

PEOPLE = (
    ("administrator", "Alice Prado", "admin@demo.example"),
    ("manager", "Ana Souza", "gestora@demo.example"),
    ("manager", "Bruno Reis", "gestor@demo.example"),
    ("requester", "Rita Lima", "pesquisadora@demo.example"),
    ("requester", "Caio Melo", "pesquisador@demo.example"),
    ("committee", "Célia Dias", "comite@demo.example"),
    ("auditor", "Davi Nunes", "auditor@demo.example"),
)
_ROWS = 11_543
AGE, BORN, SEX, RACE, CEP, DAY, GROUP = (
    "paciente_idade",
    "paciente_dataNascimento",
    "paciente_enumSexoBiologico",
    "paciente_racaCor_valor",
    "paciente_endereco_cep",
    "vacina_dataAplicacao",
    "vacina_grupoAtendimento_nome",
)
_LABELS = {
    "Idade": AGE,
    "Nascimento": BORN,
    "Sexo": SEX,
    "Raça": RACE,
    "CEP": CEP,
    "Data": DAY,
    "Grupo": GROUP,
}
"""What requests call the columns."""
WHY = "quem foi chamado em cada data é informação pública"


def vaccination_schema(columns: list[str], people: Any) -> Schema:
    """What the columns of the made-up table are."""
    patient, age, born, sex, race, cep, day, group = columns
    ages, dates = Hierarchy.by_interval(5, [2]), Hierarchy.by_date(["month", "year"])
    ceps = Hierarchy.by_prefix([4, 3], pad="*")

    def known(name: str) -> tuple[str, ...]:
        return tuple(sorted(map(str, set(people[name]))))

    def quasi(**told: Any) -> ColumnSchema:
        return ColumnSchema(role="quasi", **told)

    return Schema(
        {
            patient: ColumnSchema(role="identifier"),
            age: quasi(type="discrete", bounds=(0, 120), hierarchy=ages.to_tree()),
            born: quasi(type="date", hierarchy=dates.to_tree()),
            sex: quasi(domain=known(sex)),
            race: quasi(domain=known(race)),
            cep: quasi(hierarchy=ceps.to_tree()),
            day: quasi(type="date", hierarchy=dates.to_tree()),
            group: ColumnSchema(role="sensitive", domain=known(group)),
        }
    )


def fill_with_demo(home: PortalHome) -> list[tuple[str, str, str]]:
    """Fill an empty portal; gives role, address and password of each account. One that has people is left as it is."""
    prepare(home)
    from biombo._portal.demo_requests import make_requests
    from biombo._portal.models import AgencySettings, Person

    if Person.objects.exists():
        return []
    password = secrets.token_urlsafe(9)
    AgencySettings.objects.update_or_create(pk=1, defaults={"name": "Secretaria de Saúde de Vila Nova", "votes": 1})
    for role, name, email in PEOPLE:
        Person.objects.create_user(email, password, name=name, role=role, department="Vigilância")
    with speaking("pt"), Watch(remark=lambda _: None):  # its steps are not for whoever starts the demo
        data_set = _data_set(home)
        _catalogue(home, data_set)
        make_requests(data_set, _LABELS, WHY)
    return [(role, email, password) for role, _, email in PEOPLE]


def _data_set(home: PortalHome) -> Any:
    from biombo._portal.models import DataSet, Person, random_name
    from biombo._portal.schemas import yaml_of
    from biombo._samples import vaccination

    people = vaccination(_ROWS)
    place = home.sources / f"{random_name()}.parquet"
    people.write_parquet(place)
    place.chmod(0o600)
    return DataSet.objects.create(
        name="Vacinação contra a COVID-19",
        description="Uma linha por pessoa vacinada no município; dados inventados.",
        department="Vigilância",
        place=str(place),
        schema=yaml_of(vaccination_schema(people.columns, people)),
        is_offered=True,
        added_by=Person.objects.filter(role="manager").first(),
    )


def _catalogue(home: PortalHome, data_set: Any) -> None:
    from biombo._criteria import KAnonymity
    from biombo._plan import Generalise, MaskGroups, Plan, SuppressColumn
    from biombo._portal.models import CatalogueEntry, Job
    from biombo._portal.schemas import schema_of
    from biombo._portal.work import WORK
    from biombo._release import PublicRelease, publish

    schema = schema_of(data_set)
    trees = {name: Hierarchy.told(schema[name].hierarchy or "") for name in (AGE, CEP, DAY)}
    group, patient = schema.sensitive[0], schema.with_role("identifier")[0]
    plan = Plan(
        (*(Generalise(name, tree, 2) for name, tree in trees.items()), SuppressColumn(BORN), MaskGroups(with_="#####")),
        (KAnonymity(10),),
        quasi=schema.quasi,
        sensitive=(group,),
        identifiers=(patient,),
    )
    folder = home.folder / "published" / "vacinacao"
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    model = PublicRelease(harm="medium")
    publish(data_set.place, plan, folder, accept={group: WHY}, title=data_set.name, model=model)
    entry = CatalogueEntry.objects.create(
        title="Vacinação contra a COVID-19, por década e ano",
        description="Todas as pessoas vacinadas, em grupos de pelo menos 10.",
        data_set=data_set,
        folder="",
    )
    job = Job.objects.create(kind="list-release", data_set=data_set, asked={"entry": entry.pk, "folder": str(folder)})
    WORK["list-release"](job)
    Job.objects.filter(pk=job.pk).update(status=Job.DONE)
