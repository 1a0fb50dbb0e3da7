"""Two sources side by side: their members, and which lines belong together."""

from core.report.alignment import parts_of_source, side_by_side

LEFT = """\
package p;

import java.util.List;

public class A<T extends List<String>> {
    private final int[] x = new int[]{1, 2};
    static String braces = "}{ // \\" }";

    @Deprecated(since = "1")
    public A(List<String> names, int... more) {
        for (int i = 0; i < 3; ++i) {
            this.go(i);
        }
    }

    abstract void none() throws Exception;

    void go(int i) {
        Runnable r = new Runnable() {
            public void run() {
            }
        };
    }

    static class B {
        int go(int i) { return i; }
    }

    static {
        System.out.println('}');
    }
}
"""

RIGHT = """\
package p;
public class A {
   static class B {
      int go(int other) {
         return other;
      }
   }
   void go(int i) {
      Runnable r = new Runnable() {
         public void run() {
         }
      };
   }
   void only() {
   }
   private final int[] x;
}
"""


def named(text):
    return [(part.owner, part.name, part.types) for part in parts_of_source(text)]


def test_the_parts_of_a_source_are_all_its_lines():
    parts = parts_of_source(LEFT)
    lines = [line for part in parts for line in range(part.first, part.last + 1)]
    assert lines == list(range(1, LEFT.count("\n") + 1))


def test_members_are_found_by_braces_alone():
    assert named(LEFT) == [
        ("A", "", None),
        ("A", "x", None),
        ("A", "braces", None),
        ("A", "A", ("List", "int[]")),
        ("A", "none", ()),
        ("A", "go", ("int",)),
        ("A.B", "", None),
        ("A.B", "go", ("int",)),
        ("A.B", "", None),
        ("A", "static", None),
        ("A", "", None),
    ]


def test_a_source_that_is_cut_off_has_its_members_too():
    cut = LEFT[: LEFT.index("++i")]
    assert named(cut)[:3] == named(LEFT)[:3]
    assert sum(part.last - part.first + 1 for part in parts_of_source(cut)) == len(cut.splitlines())


def test_members_stand_beside_each_other_whatever_their_order():
    both = side_by_side(LEFT, RIGHT)
    pairs = list(zip(both.left.split("\n"), both.right.split("\n"), strict=True))
    assert [left for left, _ in both.rows if left] == list(range(1, LEFT.count("\n") + 1))
    assert sorted(right for _, right in both.rows if right) == list(range(1, RIGHT.count("\n") + 1))
    assert ("    void go(int i) {", "   void go(int i) {") in pairs
    assert ("    static class B {", "   static class B {") in pairs
    assert any(left.strip() == "" and right == "   void only() {" for left, right in pairs)
    row = both.row_of(LEFT.splitlines().index("    void go(int i) {") + 1)
    assert pairs[row][1] == "   void go(int i) {"


def test_nothing_beside_a_source_leaves_it_as_it_is():
    both = side_by_side(LEFT, "")
    assert both.left == LEFT.rstrip("\n")
    assert not both.right.strip()
    assert both.row_of(99) == -1
