"""Rules for other tools, from a program's result: the jar proves that its inputs need no more, and the rules make a
product of the full input. Each rule has its reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from core.archive.entry_names import MANIFEST, MARK, class_path, kind_of, within
from core.archive.entry_names import EntryKind as Entry
from core.classfile.outline import references
from core.errors import UsageError
from core.library.library import Library, open_library
from core.plan.trust import Trust
from core.protocol.java_names import dotted, parameters, type_name
from core.service.workspace import Workspace
from core.system.files import write_folder
from core.words import counted

_POM = "META-INF/maven/"
_XML = "<!-- {}: nothing of it is left{} -->\n<exclusion><groupId>{}</groupId><artifactId>{}</artifactId></exclusion>\n"
_GRADLE = "exclude group: '{2}', module: '{3}' // {0}: nothing of it is left{1}\n"
_EXCLUSIONS = (("exclusions.xml", _XML), ("exclusions.gradle", _GRADLE))


def write_rules(workspace: Workspace, folder: Path) -> str:
    """Write the rules of the last result into a folder, and return a sentence on them. Raise UsageError if it is not
    known what ran."""
    report, ran = workspace.report, workspace.clues.ran if workspace.clues is not None else None
    settings = report["settings"]
    if ran is None or "methods" not in report:
        raise UsageError(
            f"{folder}: no rules are written, as it is not known what ran: they are of a program that must still run "
            "(--preserve exit,out, a command that starts Java, and an exit code of 0)."
        )
    library = open_library([Path(each) for each in settings["classpath"]], workspace.opened.jar, settings["jdk"])
    try:
        trust = Trust(workspace.opened, ran, settings["trust"], library.get, tested=bool(settings["tests"]))
        modules = dict(_modules(workspace, library))
        kept = "".join((*_kept(trust), *_missing(workspace, library)))
    finally:
        library.close()
    files = {
        "keep.pro": kept,
        "reachability-metadata.json": json.dumps(_metadata(workspace, trust), indent=2) + "\n",
        "modules.txt": "".join(f"{name}  # {why}\n" for name, why in sorted(modules.items())),
    }
    unused = list(_unused(workspace))
    files |= {name: "".join(rule.format(*each) for each in unused) for name, rule in _EXCLUSIONS if unused}
    write_folder(folder, [(name, text.encode(), False) for name, text in files.items()])
    return f"Rules of {counted(len(trust.reasons), 'class')}: {', '.join(files)}."


def _missing(workspace: Workspace, library: Library) -> Iterator[str]:
    """Yield rules for the classes that the full input names and lacks: else ProGuard and R8 stop."""
    model = workspace.opened
    files = [model.jar.entries[node.entry].data for node in model.graph.nodes]
    for name in sorted(set[str]().union(*map(references, files)) - model.graph.index.keys()):
        if library.get(name) is None:
            yield f"# the full input lacks it too\n-dontwarn {dotted(name)}\n"


def _kept(trust: Trust) -> Iterator[str]:
    """Yield the rules for ProGuard and R8."""
    yield "-keepattributes *\n"
    for name, why in sorted(trust.reasons.items()):
        methods = trust.methods(name)
        members = ["*"] if methods is None else ["<fields>", *(_declared(*method) for method in methods)]
        yield f"# {why}\n-keep class {dotted(name)} {{ {' '.join(f'{each};' for each in members)} }}\n"


def _declared(name: str, descriptor: str) -> str:
    """Return a method as ProGuard writes it."""
    returned = "" if name == "<init>" else f"{_type(descriptor.rpartition(')')[2])} "
    return f"{returned}{name}({', '.join(map(_type, parameters(descriptor)))})"


def _type(descriptor: str) -> str:
    base = descriptor.lstrip("[")
    if not base.startswith("L"):
        return type_name(descriptor)
    return dotted(base[1:-1]) + "[]" * (len(descriptor) - len(base))


def _metadata(workspace: Workspace, trust: Trust) -> dict[str, object]:
    """Return the entries of GraalVM for the classes that the program finds by name or reflection, and the resources."""
    reflection = [
        {
            "reason": why,
            "type": dotted(name),
            "allDeclaredFields": True,
            "methods": [
                {"name": method, "parameterTypes": list(map(_type, parameters(descriptor)))}
                for method, descriptor in trust.methods(name) or ()
            ],
        }
        for name, why in sorted(trust.found.items())
    ]
    names = sorted({class_path(name) for name, _ in workspace.entries if kind_of(name) is Entry.RESOURCE})
    return {"reflection": reflection, "resources": [{"glob": name} for name in names]}


def _modules(workspace: Workspace, library: Library) -> Iterator[tuple[str, str]]:
    """Yield the modules of the JDK that classes of the result name, each with such a class."""
    for entry, data in workspace.entries:
        for name in references(data) if kind_of(entry) is Entry.CLASS else ():
            module = library.module_of(name)
            if module is not None:
                yield module, f"{dotted(name)}, of {entry}"


def _unused(workspace: Workspace) -> Iterator[tuple[str, str, str, str]]:
    """Yield the jars of which nothing is left, or their manifest alone, with group and artifact if they say these."""
    left: dict[str, set[str]] = {}
    for name, _ in workspace.entries:
        left.setdefault(name.partition(MARK)[0], set()).add(within(name))
    for entry in workspace.opened.jar.entries:
        jar, path = entry.name.partition(MARK)[0], within(entry.name)
        rest = left.get(jar, set()) - {"META-INF/"}
        if path != entry.name and path.startswith(_POM) and path.endswith("/pom.properties") and rest <= {MANIFEST}:
            group, artifact = path.removeprefix(_POM).split("/")[:2]
            yield jar, " but its manifest" if rest else "", group, artifact
