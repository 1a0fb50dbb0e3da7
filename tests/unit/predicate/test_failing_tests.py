"""Failing tests by name, as JUnit's runners and the reports of Surefire and Gradle tell them."""

import pytest

from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Wanted

JUNIT_4 = """There were 2 failures:
1) adds(p.SumTest)
java.lang.AssertionError: expected:<5> but was:<4>
\tat org.junit.Assert.fail(Assert.java:89)
2) initializationError(p.TextTest)
java.lang.IllegalStateException
\tat p.TextTest.<init>(TextTest.java:3)
"""
LAUNCHER = """Failures (2):
  JUnit Jupiter:SumTest:adds()
    MethodSource [className = 'p.SumTest', methodName = 'adds', methodParameterTypes = '']
    => java.lang.AssertionError: expected:<5> but was:<4>
       p.SumTest.adds(SumTest.java:4)
  JUnit Vintage:TextTest:initializationError
    MethodSource [className = 'p.TextTest', methodName = 'initializationError', methodParameterTypes = '']
    => java.lang.IllegalStateException
"""
SUREFIRE = """[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0 <<< FAILURE! -- in p.SumTest
[ERROR] p.SumTest.adds -- Time elapsed: 0.004 s <<< FAILURE!
java.lang.AssertionError: expected:<5> but was:<4>
\tat p.SumTest.adds(SumTest.java:4)

[ERROR] p.TextTest.initializationError -- Time elapsed: 0 s <<< ERROR!
java.lang.IllegalStateException
"""
REPORT = """<testsuite name="p.SumTest" tests="3">
<testcase name="starts" classname="p.SumTest" time="0"/>
<testcase name="adds" classname="p.SumTest" time="0.004">
<failure message="expected:&lt;5&gt; but was:&lt;4&gt;" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError: expected:<5> but was:<4>
\tat p.SumTest.adds(SumTest.java:4)]]></failure>
</testcase>
<testcase name="initializationError" classname="p.TextTest"><error type="x">java.lang.IllegalStateException
</error></testcase></testsuite>
"""  # noqa: E501


GRADLE = """<testsuite name="p.SumTest" tests="2" hostname="here" time="0.02">
  <testcase name="starts()" classname="p.SumTest" time="0.001"/>
  <testcase name="adds()" classname="p.SumTest" time="0.015">
    <failure message="java.lang.AssertionError: expected:&lt;5&gt; but was:&lt;4&gt;" type="java.lang.AssertionError">java.lang.AssertionError: expected:&lt;5&gt; but was:&lt;4&gt;
\tat app//p.SumTest.adds(SumTest.java:4)
</failure>
  </testcase>
  <testcase name="initializationError" classname="p.TextTest" time="0">
    <failure message="java.lang.IllegalStateException" type="java.lang.IllegalStateException">java.lang.IllegalStateException
\tat app//p.TextTest.&lt;init&gt;(TextTest.java:3)
</failure>
  </testcase>
</testsuite>
"""  # noqa: E501
OUTPUTS = {"4": JUNIT_4, "launcher": LAUNCHER, "surefire": SUREFIRE, "xml": REPORT, "gradle": GRADLE}


@pytest.mark.parametrize("text", OUTPUTS.values(), ids=OUTPUTS)
def test_a_failing_test_is_named_by_its_class_method_and_exception(text):
    assert FailureNaming(("tests",)).names(text) == (
        "p.SumTest.adds: java.lang.AssertionError: expected:<#> but was:<#>",
        "p.TextTest.initializationError: java.lang.IllegalStateException",
    )
    assert FailureNaming(("tests",)).names("OK (2 tests)") == ()


@pytest.mark.parametrize(
    "line",
    [
        "1) adds[0: (3, 4)](p.SumTest)",
        "    MethodSource [className = 'p.SumTest', methodName = 'adds', methodParameterTypes = 'int']",
        "[ERROR] adds(p.SumTest)  Time elapsed: 0.004 s  <<< FAILURE!",
        "adds[1](p.SumTest)  Time elapsed: 0.004 sec  <<< ERROR!",
        "[ERROR] p.SumTest.adds(int, int)[1] -- Time elapsed: 0 s <<< FAILURE!",
        "[ERROR] p.SumTest.adds{int}[2]  Time elapsed: 0 s  <<< FAILURE!",
        '<testcase name="adds{int, int}[1]" classname="p.SumTest" time="0">\n  <failure type="x">',
        '<testcase name="adds()" classname="p.SumTest" time="0">\n  <failure type="x">',
    ],
)
def test_a_test_with_parameters_is_named_without_them(line):
    assert FailureNaming(("tests",)).names(f"{line}\nj.Broken\n") == ("p.SumTest.adds: j.Broken",)


@pytest.mark.parametrize(
    "line",
    [
        "1) p.SumTest",
        "    ClassSource [className = 'p.SumTest', filePosition = null]",
        "[ERROR] p.SumTest -- Time elapsed: 0 s <<< ERROR!",
        '<testcase name="" classname="p.SumTest" time="0">\n  <error type="x">',
        '<testcase name="[1] 3, 4" classname="p.SumTest" time="0">\n  <failure type="x">',
    ],
)
def test_a_class_whose_tests_have_no_names_is_named(line):
    assert FailureNaming(("tests",)).names(f"{line}\nj.Broken\n") == ("p.SumTest: j.Broken",)
    assert FailureNaming(("tests",)).names("1) first\nj.Broken\n") == ()


def test_reports_that_a_command_leaves_in_its_folder_name_failing_tests(tmp_path):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports/TEST-p.SumTest.xml").write_text(REPORT)
    condition = Condition(reading=FailureNaming(("tests",)), wanted=Wanted())
    assert len(condition.failures("BUILD FAILURE", str(tmp_path))) == 2
