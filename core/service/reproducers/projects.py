"""Where the projects of tools keep the tests of their bugs: folders, names, packages, and the lines that register one.

Facts from the projects' repositories, as of 2026 (design page ``field.md``, 2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.errors import UsageError
from core.words import no_such


@dataclass(frozen=True)
class TestMaterial:
    """The parts of a test: the failing class, the files, and how they become class files."""

    main: str
    """Internal name of the class that fails, as it is in the project."""
    sources: Mapping[str, str]
    """Java sources by their paths; empty where there is assembler text."""
    assembler: Mapping[str, str]
    """Assembler texts by the paths of the class files with another ending."""
    release: int
    debug: bool
    issue: str
    failures: tuple[str, ...]
    predicate: str
    """The preset or the command, in words."""

    @property
    def simple(self) -> str:
        """The simple name of the failing class."""
        return self.main.rpartition("/")[2]

    @property
    def companions(self) -> list[str]:
        """Simple names of the other top-level classes."""
        files = self.sources or self.assembler
        names = dict.fromkeys(path.rpartition("/")[2].partition(".")[0].partition("$")[0] for path in files)
        return [name for name in names if name != self.simple]


@dataclass(frozen=True)
class TestFiles:
    """The files of a test by their paths in the project, and what is to be done besides."""

    files: Mapping[str, str]
    steps: tuple[str, ...]
    """Sentences and lines of code, in the order in which they are followed."""


Lay = Callable[[TestMaterial], TestFiles]


@dataclass(frozen=True)
class Project:
    """A project whose tests Jarlet can lay out."""

    name: str
    title: str
    package: str
    """Package of the test's classes, as in an internal name; empty for the unnamed one."""
    prefix: str
    """Start of the name of the failing class; ``{issue}`` in it stands for the whole name."""
    lay: Lay

    def main_name(self, simple: str, issue: str) -> str:
        """Return the internal name of the failing class."""
        if "{issue}" in self.prefix:
            name = self.prefix.replace("{issue}", issue)
        else:
            name = simple if simple.startswith(self.prefix) else f"{self.prefix}{simple}"
        return f"{self.package}/{name}" if self.package else name


def project(name: str) -> Project:
    """Return the project of a name. Raises UsageError with the names that there are."""
    if name not in PROJECTS:
        raise UsageError(f"--as: {no_such('project', name, PROJECTS)}")
    return PROJECTS[name]


def _vineflower(of: TestMaterial) -> TestFiles:
    names = ", ".join(f'"{name}"' for name in (of.simple, *of.companions))
    if of.sources:
        folder, kind = f"java{of.release}", f"JAVA_{of.release}"
        folder, kind = (folder, kind) if of.debug else (f"{folder}nodebug", f"{kind}_NODEBUG")
        files = _below(f"testData/src/{folder}", of.sources)
    else:
        if any(path.endswith(".jcod") for path in of.assembler):
            return TestFiles(
                _below("testData/classes/custom", of.assembler),
                (
                    "Vineflower's build assembles jasm alone, and this needs jcod: assemble it with asmtools into "
                    "testData/classes/custom/pkg.",
                    f"    register(CUSTOM, {names});",
                ),
            )
        kind = "JASM"
        files = {f"testData/src/jasm/{path.rpartition('/')[2]}": text for path, text in of.assembler.items()}
    return TestFiles(
        files,
        (
            "In test/org/jetbrains/java/decompiler/SingleClassesTest.java, under the options that show it:",
            f"    register({kind}, {names});",
            f"The first run of ./gradlew test writes testData/results/pkg/{of.simple}.dec: it shows the failure now.",
        ),
    )


def _cfr(of: TestMaterial) -> TestFiles:
    label = str(of.release)
    files = _below(f"cfr_tests/src_{of.release}", of.sources) if of.sources else _below("cfr_tests/jasm", of.assembler)
    made = "Compile it" if of.sources else "Assemble it with asmtools"
    entry = [
        "    <class>", f"        <path>precompiled_tests/java_{label}/org/benf/cfr/tests</path>",
        f"        <name>{of.simple}</name>", f"        <label>{label}</label>", "    </class>",
    ]  # fmt: skip
    return TestFiles(
        files,
        (
            f"{made} ({_flags(of)}): the project takes no class files that it has not made itself.",
            "In decompilation-test/test-specs/classes.xml:",
            "\n".join(entry),
            "The expected text is written by the property cfr.decompilation-test.create-expected.",
        ),
    )


def _jadx(of: TestMaterial) -> TestFiles:
    group = of.main.split("/")[-2]
    tests = "jadx-core/src/test/java/jadx/tests/integration"
    if not of.sources:
        files = _below("jadx-core/src/test/jasm", of.assembler)
        return TestFiles(
            files,
            (
                "No javac makes this class. jadx tests such classes as raung, which Jarlet does not write: assemble "
                "the text with asmtools, and disassemble the class file with raung, into "
                f"jadx-core/src/test/raung/{group}/{of.simple}.raung, for a class that extends RaungTest.",
            ),
        )
    test = [
        f"package jadx.tests.integration.{group};", "", "import org.junit.jupiter.api.Test;", "",
        "import jadx.tests.api.IntegrationTest;", "",
        "import static jadx.tests.api.utils.assertj.JadxAssertions.assertThat;", "",
        f"public class {of.simple}Test extends IntegrationTest {{", "", "\t@Test", "\tpublic void test() {",
        "\t\tuseJavaInput();", f"\t\tassertThat(getClassNode({of.simple}.class)).code();", "\t}", "}", "",
    ]  # fmt: skip
    files = {**_below("jadx-core/src/test/java", of.sources), f"{tests}/{group}/{of.simple}Test.java": "\n".join(test)}
    return TestFiles(files, (f"Compile it with {_flags(of)}.", "jadx checks that the decompiled class compiles again."))


def _spotbugs(of: TestMaterial) -> TestFiles:
    names = ", ".join(f'"ghIssues/{name}.class"' for name in (of.simple, *of.companions))
    test = [
        "package edu.umd.cs.findbugs.detect;", "", "import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;",
        "", "import edu.umd.cs.findbugs.AbstractIntegrationTest;", "import org.junit.jupiter.api.Test;", "",
        f"class {of.simple}Test extends AbstractIntegrationTest {{", "", "    @Test", "    void testIssue() {",
        f"        assertDoesNotThrow(() -> performAnalysis({names}));", "    }", "}", "",
    ]  # fmt: skip
    place = f"spotbugs-tests/src/test/java/edu/umd/cs/findbugs/detect/{of.simple}Test.java"
    if of.sources:
        files = _below("spotbugsTestCases/src/java", of.sources)
        steps: tuple[str, ...] = (f"Compile it with {_flags(of)}.",)
    else:
        files = _below("spotbugsTestCases/src/classSamples/asmtools", of.assembler)
        steps = ("Assemble it with asmtools: the class file goes beside its text, whose folder says how it was made.",)
    return TestFiles({**files, place: "\n".join(test)}, (*steps, _number(of)))


def _sootup(of: TestMaterial) -> TestFiles:
    folder = "shared-test-resources/bugfixes"
    files = {f"{folder}/{path.rpartition('/')[2]}": text for path, text in (of.sources or of.assembler).items()}
    body = [
        "  @Test", f"  public void testIssue{of.issue}() {{", "    AnalysisInputLocation inputLocation =",
        "        new PathBasedAnalysisInputLocation.ClassFileBasedAnalysisInputLocation(",
        f'            Paths.get("../{folder}/{of.simple}.class"), "", SourceType.Application);',
        "    JavaView view = new JavaView(inputLocation);",
        "    view.getClasses().forEach(c -> c.getMethods().forEach(JavaSootMethod::getBody));", "  }",
    ]  # fmt: skip
    made = f"Compile it with {_flags(of)}" if of.sources else "Assemble it with asmtools"
    return TestFiles(files, (f"{made}, and put the class file beside it. The test:", "\n".join(body), _number(of)))


def _proguard(of: TestMaterial) -> TestFiles:
    if not of.sources:
        files = _below("base/src/test/resources/jasm", of.assembler)
        return TestFiles(
            files,
            (
                "No javac makes this class: assemble it with asmtools. ProGuard's own assembler text, which an "
                "AssemblerSource takes, Jarlet does not write.",
            ),
        )
    sources = [
        line
        for path, text in of.sources.items()
        for line in (
            "            JavaSource(", f'                "{path}",', '                """',
            *(f"                {line}" for line in text.replace("$", "${'$'}").strip().splitlines()),
            '                """.trimIndent(),', "            ),",
        )
    ]  # fmt: skip
    spec = [
        "import io.kotest.core.spec.style.FreeSpec", "import proguard.testutils.ClassPoolBuilder",
        "import proguard.testutils.JavaSource", "", f"class {of.simple}Test : FreeSpec({{",
        f'    "Given the class {of.simple}" - {{',
        "        val (programClassPool, libraryClassPool) = ClassPoolBuilder.fromSource(", *sources,
        f"            javacArguments = listOf({', '.join(map(repr, _flags(of).split()[1:]))}),".replace("'", '"'),
        "        )", "    }", "})", "",
    ]  # fmt: skip
    return TestFiles({f"base/src/test/kotlin/{of.simple}Test.kt": "\n".join(spec)}, ("Add the pass that fails.",))


def _jtreg(of: TestMaterial) -> TestFiles:
    folder = "test/hotspot/jtreg/compiler/misc"
    made = of.sources or of.assembler
    files = {f"{folder}/{path}": text for path, text in made.items()}
    kind = "@compile" if of.assembler else "@compile " + " ".join(_flags(of).split()[1:])
    head = [
        "/*", " * @test", f" * @bug {of.issue}", f" * @summary {_summary(of)}",
        f" * {kind} {' '.join(made)}",
        f" * @run main/othervm -Xcomp -XX:-TieredCompilation {of.main.replace('/', '.')}Runner", " */", "",
    ]  # fmt: skip
    runner = [
        f"package {of.main.rpartition('/')[0].replace('/', '.')};", "",
        f"public class {of.simple}Runner {{", "    public static void main(String[] args) throws Exception {",
        f'        Class.forName("{of.main.replace("/", ".")}");', "    }", "}", "",
    ]  # fmt: skip
    files[f"{folder}/{of.main}Runner.java"] = "\n".join(head + runner)
    return TestFiles(
        files, ("Put the header of the GPL at the top of each file.", "Call what fails in main.", _number(of))
    )


def _below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{path}": text for path, text in files.items()}


def _flags(of: TestMaterial) -> str:
    """Return the command that compiles the sources, without their names."""
    return f"javac --release {of.release} {'-g' if of.debug else '-g:none'}"


def _number(of: TestMaterial) -> str:
    return f"Give it the number of the issue in the place of {of.issue}." if set(of.issue) == {"0"} else ""


def _summary(of: TestMaterial) -> str:
    return " ".join(next(iter(of.failures), of.predicate).split())[:100].replace("*/", "")


PROJECTS = {
    each.name: each
    for each in (
        Project("vineflower", "Vineflower", "pkg", "Test", _vineflower),
        Project("cfr", "CFR", "org/benf/cfr/tests", "Reduced", _cfr),
        Project("jadx", "jadx", "jadx/tests/integration/others", "Test", _jadx),
        Project("spotbugs", "SpotBugs", "ghIssues", "Issue{issue}", _spotbugs),
        Project("sootup", "SootUp", "", "Issue{issue}_", _sootup),
        Project("proguard", "ProGuard", "", "Reduced", _proguard),
        Project("jtreg", "OpenJDK (jtreg)", "compiler/misc", "Test", _jtreg),
    )
}
"""The projects, by name."""
