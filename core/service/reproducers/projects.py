"""Places of the tests of bugs in the projects of tools: folders, names, packages, and the lines that register a
test.

Facts from the projects' repositories: Vineflower at b8273988, CFR at 3c09980 with cfr_tests at b5f1835, jadx at
6b3116f, SpotBugs at 9b8b60c, SootUp at 778778e, ProGuard at b464127, OpenJDK's tests of its compilers as of 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from posixpath import normpath, relpath
from textwrap import indent

from core.errors import UsageError
from core.service.reproducers.project_material import (
    TestFiles,
    TestMaterial,
    below,
    flags,
    number,
    set_of,
    simple,
    summary,
)
from core.words import no_such

_SPOTBUGS_MAIN = 17
"""The Java release of SpotBugs' main set of samples."""

Lay = Callable[[TestMaterial], TestFiles]


@dataclass(frozen=True)
class Project:
    """A project whose tests Jarlet can lay out."""

    name: str
    title: str
    package: str
    """Package of the test's classes, as in an internal name; empty for the unnamed one."""
    prefix: str
    """Start of the name of a failing class; without ``_`` at its end a name with ``{issue}`` is the whole one."""
    lay: Lay

    @property
    def named_by_issue(self) -> bool:
        """True if the issue alone names the failing class."""
        return "{issue}" in self.prefix and not self.prefix.endswith("_")

    def main_name(self, name: str, issue: str) -> str:
        """Return the internal name of a failing class, whose simple name is ``name``."""
        start = self.prefix.replace("{issue}", issue)
        if self.named_by_issue:
            name = start
        elif not name.startswith(start):
            name = f"{start}{name}"
        return f"{self.package}/{name}" if self.package else name


def project(name: str) -> Project:
    """Return the project of a name. Raises UsageError with the names that there are."""
    if name not in PROJECTS:
        raise UsageError(f"--as: {no_such('project', name, PROJECTS)}")
    return PROJECTS[name]


def _vineflower(of: TestMaterial) -> TestFiles:
    named = [(simple(main), *of.beside(main)) for main in of.failing]
    names = [", ".join(f'"{name}"' for name in each) for each in named]
    steps: list[str] = []
    if of.sources:
        release = set_of(of.release, (8, 9, 11, 16, 17, 21, 25))
        folder, kind = f"java{release}", f"JAVA_{release}"
        folder, kind = (folder, kind) if of.debug else (f"{folder}nodebug", f"{kind}_NODEBUG")
        files = below(f"testData/src/{folder}", of.sources)
        if not of.debug and release not in (8, 16):
            steps.append(
                f"There is no {kind} yet: add {release} to the sets NoDebug of build.gradle, and "
                f'{kind}({release}, "nodebug", "No Debug Info") to Version in SingleClassesTestBase.java.'
            )
        steps.append(f"The build compiles it by the javac of JDK {release}; the failure was seen with {flags(of)}.")
    else:
        if any(path.endswith(".jcod") for path in of.assembler):
            return TestFiles(
                below("testData/classes/custom/source", of.assembler),
                (
                    "Vineflower's build assembles jasm alone, and this needs jcod: assemble it with asmtools, with "
                    "-d testData/classes/custom.",
                    *(f"    register(CUSTOM, {each});" for each in names),
                ),
            )
        kind = "JASM"
        files = {f"testData/src/jasm/{path.rpartition('/')[2]}": text for path, text in of.assembler.items()}
    return TestFiles(
        files,
        (
            *steps,
            "In test/org/jetbrains/java/decompiler/SingleClassesTest.java, under the options that show it:",
            *(f"    register({kind}, {each});" for each in names),
            "The first run of ./gradlew test writes what shows the failure now: "
            f"{', '.join(f'testData/results/pkg/{each[0]}.dec' for each in named)}.",
        ),
    )


def _cfr(of: TestMaterial) -> TestFiles:
    release = set_of(of.release, (8, 9, 10, 12, 14, 16, 21, 25))
    if of.sources:
        files = below(f"cfr_tests/src_{release}", of.sources)
        folder, label = f"precompiled_tests/java_{release}/org/benf/cfr/tests", str(release)
        made = f"Compile it by Maven's profile java_{release} of cfr_tests. The failure was seen with {flags(of)}"
    else:
        files = {f"cfr_tests/hardcoded/{path.rpartition('/')[2]}": text for path, text in of.assembler.items()}
        folder, label = "hardcoded", "hardcoded"
        made = "Assemble it with asmtools, and put the class file beside its text"
    entry = [
        f"""    <class>
        <path>{folder}</path>
        <name>{simple(name)}</name>
        <label>{label}</label>
    </class>"""
        for name in of.failing
    ]
    return TestFiles(
        files,
        (
            f"{made}: the project takes no class files that it has not made itself.",
            "cfr_tests is a repository of its own, in CFR's at decompilation-test/test-data.",
            "In decompilation-test/test-specs/classes.xml:",
            "\n".join(entry),
            "The expected text is written by the property cfr.decompilation-test.create-expected.",
        ),
    )


def _jadx(of: TestMaterial) -> TestFiles:
    group = of.main.split("/")[-2]
    tests, name = "jadx-core/src/test/java/jadx/tests/integration", f"{of.simple}Test"
    if not of.sources:
        raung = f"jadx-core/src/test/raung/{group}/{name}"
        test = _jadx_test(name, group, "RaungTest", "loadFromRaungFiles();")
        files = {**below("jadx-core/src/test/jasm", of.assembler), f"{tests}/{group}/{name}.java": test}
        steps: tuple[str, ...] = (
            "jadx tests class files as raung, which Jarlet does not write: assemble the text with asmtools, and "
            f"disassemble each class file with raung-disasm (io.github.skylot), into {raung}/.",
        )
    else:
        all_ = ", ".join(f"{each}.class" for each in (of.simple, *of.companions))
        body = ["useJavaInput();", f"useTargetJavaVersion({of.release});", *([] if of.debug else ["noDebugInfo();"])]
        test = _jadx_test(name, group, "IntegrationTest", *body, f"getClassNodes({all_});")
        files = {**below("jadx-core/src/test/java", of.sources), f"{tests}/{group}/{name}.java": test}
        steps = (
            f"The failure was seen with {flags(of)}.",
            "jadx checks that the decompiled class compiles again. Its own tests have the class as a nested one, "
            "TestCls: move it there if the failure stays.",
        )
    return TestFiles(files, steps)


def _jadx_test(name: str, group: str, base: str, *body: str) -> str:
    """Return a test class of jadx that does something."""
    does = _lines(body, "\t\t")
    return f"""package jadx.tests.integration.{group};

import org.junit.jupiter.api.Test;

import jadx.tests.api.{base};

public class {name} extends {base} {{

\t@Test
\tpublic void test() {{
{does}\t}}
}}
"""


def _spotbugs(of: TestMaterial) -> TestFiles:
    steps: tuple[str, ...]
    if of.sources:
        release = set_of(of.release, (8, 11, 17, 21))
        folder, start = ("java", "") if release == _SPOTBUGS_MAIN else (f"java{release}", f"../java{release}/")
        files = below(f"spotbugsTestCases/src/{folder}", of.sources)
        steps = (f"The build compiles it for Java {release}; the failure was seen with {flags(of)}.",)
    else:
        folder = "src/classSamples/asmtools"
        files, start = below(f"spotbugsTestCases/{folder}", of.assembler), f"../../../../{folder}/"
        steps = (
            "Assemble it with asmtools, with -d spotbugsTestCases/src/classSamples/asmtools: the folder says how it "
            "was made.",
        )
    names = ", ".join(f'"{start}{name}"' for name in of.class_files)
    test = f"""package edu.umd.cs.findbugs.detect;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import edu.umd.cs.findbugs.AbstractIntegrationTest;
import org.junit.jupiter.api.Test;

class {of.simple}Test extends AbstractIntegrationTest {{

    @Test
    void testIssue() {{
        assertDoesNotThrow(() -> performAnalysis({names}));
    }}
}}
"""
    place = f"spotbugs-tests/src/test/java/edu/umd/cs/findbugs/detect/{of.simple}Test.java"
    return TestFiles({**files, place: test}, (*steps, number(of)))


def _sootup(of: TestMaterial) -> TestFiles:
    folder, package = "shared-test-resources/bugfixes", "sootup.java.bytecode.frontend"
    files = {f"{folder}/{path.rpartition('/')[2]}": text for path, text in (of.sources or of.assembler).items()}
    names = ", ".join(f'"{simple(name)}"' for name in of.failing)
    test = f"""package {package};

import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import sootup.core.inputlocation.AnalysisInputLocation;
import sootup.core.model.SourceType;
import sootup.java.bytecode.frontend.inputlocation.ClassFileBasedAnalysisInputLocation;
import sootup.java.core.JavaSootMethod;
import sootup.java.core.views.JavaView;

public class {of.simple}Test {{

  @Test
  public void test() {{
    for (String name : Arrays.asList({names})) {{
      AnalysisInputLocation inputLocation =
          new ClassFileBasedAnalysisInputLocation(
              Paths.get("../{folder}/" + name + ".class"), "", SourceType.Application);
      JavaView view = new JavaView(Collections.singletonList(inputLocation));
      view.getClasses().forEach(c -> c.getMethods().forEach(JavaSootMethod::getBody));
    }}
  }}
}}
"""
    files[f"{package}/src/test/java/{package.replace('.', '/')}/{of.simple}Test.java"] = test
    made = f"Compile it with {flags(of)}" if of.sources else "Assemble it with asmtools"
    return TestFiles(files, (f"{made}, and put the class file beside it.", number(of)))


def _proguard(of: TestMaterial) -> TestFiles:
    place, resources = f"base/src/test/kotlin/proguard/{of.simple}Test.kt", "base/src/test/resources/reduced"
    if of.sources:
        imports = "import proguard.testutils.ClassPoolBuilder\nimport proguard.testutils.JavaSource\n"
        pool = _of_source(of)
        files: dict[str, str] = {}
        steps: tuple[str, ...] = ()
    else:
        imports, pool = _POOL_IMPORTS, _of_files(of)
        files = below(resources, of.assembler)
        steps = (
            f"Assemble the text with asmtools, with -d {resources}. ProGuard's own assembler text, which an "
            "AssemblerSource takes, Jarlet does not write.",
        )
    found = _lines((f'programClassPool.getClass("{name}") shouldNotBe null' for name in of.classes), " " * 12)
    found = found.replace("$", "\\$")
    spec = f"""package proguard

import io.kotest.core.spec.style.FreeSpec
import io.kotest.matchers.shouldNotBe
{imports}
class {of.simple}Test : FreeSpec({{
    "Given the class {of.simple}" - {{
{indent(pool, " " * 8)}

        "Then ProGuard should parse the class correctly" {{
{found}        }}
    }}
}})
"""
    return TestFiles({**files, place: spec}, (*steps, "Add the pass that fails, below the class pool."))


_POOL_IMPORTS = """import proguard.classfile.ClassPool
import proguard.classfile.visitor.ClassPoolFiller
import proguard.io.ClassReader
import proguard.io.FileDataEntry
import proguard.testutils.ClassPoolBuilder
import java.io.File
"""


def _of_source(of: TestMaterial) -> str:
    """Return the lines of Kotlin that compile the sources."""
    texts = {path: text.replace("$", "${'$'}").strip() for path, text in of.sources.items()}
    sources = [
        f'''        JavaSource(
            "{path}",
            """
{indent(text, " " * 12)}
            """.trimIndent(),
        ),
'''
        for path, text in texts.items()
    ]
    options = ", ".join(f'"{option}"' for option in flags(of).split()[1:])
    return f"""val (programClassPool, _) =
    ClassPoolBuilder.fromSource(
{"".join(sources)}        javacArguments = listOf({options}),
    )"""


def _of_files(of: TestMaterial) -> str:
    """Return the lines of Kotlin that read the assembled class files."""
    names = ", ".join(f'"{name}"' for name in of.class_files).replace("$", "\\$")
    return f"""val programClassPool = ClassPool()
val reader = ClassReader(false, false, false, true, null, ClassPoolFiller(programClassPool))
listOf({names}).forEach {{
    reader.read(FileDataEntry(File("src/test/resources/reduced/$it")))
}}
ClassPoolBuilder.initialize(programClassPool, false)"""


_JTREG = "test/hotspot/jtreg"
_BUG_DIGITS = 7
"""Least number of digits of a bug that jtreg takes."""
_NO_COMPILER = ("verify",)
"""Presets whose failure the interpreter shows too."""


def _jtreg(of: TestMaterial) -> TestFiles:
    package = of.main.rpartition("/")[0]
    made = of.sources or of.assembler
    folder = _JTREG if package.startswith("compiler/") else f"{_JTREG}/compiler/misc"  # own names are kept
    files = below(folder, made)
    kind = "@compile" if of.assembler else "@compile " + " ".join(flags(of).split()[1:])
    names = [relpath(path, package or ".") for path in made]
    compiler = "" if of.predicate in _NO_COMPILER else "-Xcomp -XX:-TieredCompilation "
    driver = f"Test{of.simple}"
    calls = _lines((f'Class.forName("{name.replace("/", ".")}");' for name in of.failing), " " * 8)
    head = f"package {package.replace('/', '.')};\n\n" if package else ""
    main = f"{package}/{driver}".lstrip("/").replace("/", ".")
    test = f"""/*
 * @test
 * @bug {of.issue.zfill(_BUG_DIGITS)}
 * @summary {summary(of)}
 * {kind} {" ".join(names)}
 * @run main/othervm {compiler}{main}
 */

{head}public class {driver} {{
    public static void main(String[] args) throws Exception {{
{calls}    }}
}}
"""
    files[normpath(f"{folder}/{package}/{driver}.java")] = test
    step = () if of.predicate in _NO_COMPILER else ("Call what fails in main.",)
    return TestFiles(files, ("Put the header of the GPL at the top of each file.", *step, number(of)))


def _lines(lines: Iterable[str], before: str) -> str:
    return indent("".join(f"{line}\n" for line in lines), before)


PROJECTS = {
    each.name: each
    for each in (
        Project("vineflower", "Vineflower", "pkg", "Test", _vineflower),
        Project("cfr", "CFR", "org/benf/cfr/tests", "Reduced", _cfr),
        Project("jadx", "jadx", "jadx/tests/integration/others", "Test", _jadx),
        Project("spotbugs", "SpotBugs", "ghIssues", "Issue{issue}", _spotbugs),
        Project("sootup", "SootUp", "", "Issue{issue}_", _sootup),
        Project("proguard", "ProGuard", "", "Reduced", _proguard),
        Project("jtreg", "OpenJDK (jtreg)", "compiler/misc", "Reduced", _jtreg),
    )
}
"""The projects, by name."""
