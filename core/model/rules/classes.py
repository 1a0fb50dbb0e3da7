"""S, C: every part needs its parent; a class as a whole, and its attributes."""

from __future__ import annotations

from core.classfile.descriptors import class_names, method_types
from core.classfile.flags import ANNOTATION, ENUM, INTERFACE, STATIC, SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.lookup import ANNOTATION_TYPE, ENUM_TYPE, RECORD_TYPE
from core.model.reading.facts import WHOLE_CLASS
from core.model.rules.base import JVM, SRC, names_its_class, rule
from core.model.rules.class_items import CLASS_INITIALISER, ClassItems, members_of
from core.model.rules.context import Context

_BARE = ("<init>", "(Ljava/lang/String;I)V")
"""The constructor of an enum that has no parameters in source."""
_OBJECT_METHODS, _SWITCHES = "java/lang/runtime/ObjectMethods", "java/lang/runtime/SwitchBootstraps"


@rule("S1", JVM, "a part needs the class or member that holds it")
def s1(context: Context, one: ClassItems) -> None:
    """Every item => its parent."""
    first = one.parts[0][0] if one.parts else 0
    for variable, part in one.parts:
        context.edge(variable, one.fact if part.parent < 0 else first + part.parent)


@rule("C2", JVM, "a generic signature needs the classes it names")
def c2(context: Context, one: ClassItems) -> None:
    """[C[sig]] => NAMES in the signature. In that of a field or method, only those with type arguments if the others
    may become Object as in the descriptor."""
    for variable, owner in one.signatures:
        names = one.facts.signature_names.get(owner, ())
        erasable = one.facts.erasable_names.get(owner, frozenset()) if context.erases else frozenset()
        context.need_names(variable, one.name, [name for name in names if name not in erasable])
        context.need_rows(variable, one.name, sorted(erasable))


@rule("C2s", JVM, "a generic signature needs the type parameters it uses to be declared")
def c2_source(context: Context, one: ClassItems) -> None:
    """A signature => the class signatures of its classes with type arguments, and the signatures that declare its type
    variables. These belong to its own class, or to the enclosing classes (and the method), with [C[enclosed]] or
    [C[inner C]] on the way, by which reflection finds them. If Signatures are no items, those with an undeclared type
    variable are not written."""
    for variable, owner in one.signatures:
        use = one.facts.generic.get(owner)
        if use is not None:
            context.edges(variable, context.signatures.of_scope(one.name, use.free))
            context.edges(variable, (context.signatures.of_class[name] for name in use.applied))


@rule("C2b", SRC, "type arguments stay within their bounds")
def c2_bounds(context: Context, one: ClassItems) -> None:
    """A signature => S(argument, bound) for each type argument, as long as the bound is there. For a bound of a generic
    class, also the argument's Signature, which gives that bound its type arguments."""
    items = {owner: variable for variable, owner in one.signatures}
    for owner, uses in one.facts.applied.items():
        premises = [items[owner]] if owner in items else _while_written(context, one, owner)
        if premises is None:
            continue
        for generic, number, arguments in uses:
            declared = context.signatures.bounds(generic)
            for bound in declared[number][1] if number < len(declared) else ():
                fitting = [name for name in arguments if bound in context.above(name)]
                there = [context.signatures.of_class[generic], context.class_fact(bound)]
                if owner[0] == "class":
                    there.append(dict(context.parents(one.name)).get(generic, TRUE))
                facts = [context.subtype(name, bound) for name in fitting]
                context.need_one([*premises, *there], facts)
                for name in fitting if context.signatures.bounds(bound) else ():
                    context.add([*premises, *there], [context.signatures.of_class[name]])


def _while_written(context: Context, one: ClassItems, owner: tuple[str, int]) -> list[int] | None:
    """Return the facts that keep a signature without an item: its owner and all classes in it."""
    fact = one.owners.get(owner)
    if fact is None:
        return None
    return [fact, *map(context.class_fact, one.facts.signature_names[owner])]


@rule("C3", SRC, "an enum or annotation type that stays one has what belongs to it")
def c3(context: Context, one: ClassItems) -> None:
    """Without its edge to Enum or Annotation a class is a plain class or interface. With the edge:

    * [C<Enum] => values(), valueOf and $VALUES, and one of the constants: no source can call an enum abstract, and
      decompilers write an enum without constants so that no compiler reads it.
    * [C<Enum] and [C.f] of a constant => the code of <clinit>, and that code => the code of $values, called in <clinit>
      by later javacs: without the array of constants decompilers do not recognise the enum.
    * The body of a constant, [C<E] => S(C, Enum).
    * [C<Enum] and two constructors, one of them without parameters => the code of that one: decompilers leave a stub
      out.
    * [C<Annotation] and [C.m] => the enum or annotation type that m returns stays one.
    """
    facts, variables = one.facts, context.variables
    if facts.access & ANNOTATION:
        edge = variables.interfaces[one.name, ANNOTATION_TYPE]
        for variable, _, member, _ in one.method_items:
            for name in class_names(member[1]):
                context.add([variable, edge], (context.nature(name),))
    if not facts.access & ENUM or ENUM_TYPE not in context.above(one.name):
        return
    edge = variables.superclass[one.name]
    if facts.superclass != ENUM_TYPE:
        context.edge(edge, context.subtype(one.name, ENUM_TYPE))
        return
    for member in (("values", f"()[L{one.name};"), ("valueOf", f"(Ljava/lang/String;)L{one.name};")):
        context.edge(edge, variables.methods[one.name, member])
    all_values = variables.fields[one.name, ("$VALUES", f"[L{one.name};")]
    context.edge(edge, all_values)
    initialiser = variables.code[one.name, CLASS_INITIALISER]
    enum_constants = [v for v, part in one.of(PartKind.FIELD) if facts.field_list[part.element][1] & ENUM]
    for variable in enum_constants:
        context.add([edge, variable], (initialiser,))
    array = variables.code[one.name, ("$values", f"()[L{one.name};")]
    context.add([edge, initialiser], (array,))
    context.need_one([edge], enum_constants)
    constructors = {member: variable for variable, member, _ in one.constructors}
    bare = constructors.pop(_BARE, TRUE)
    for variable in constructors.values() if bare != TRUE else ():
        context.add([edge, bare, variable], (variables.code[one.name, _BARE],))


@rule("C3s", SRC, "what only an enum, a record, an annotation type or a sealed class can have keeps it one")
def c3_source(context: Context, one: ClassItems) -> None:
    """Clauses for enums, annotation types, records and sealed classes:

    * A Signature of an enum's constructor without the parameters that javac adds => [C<Enum] and [C[sig]].
    * An annotation on an annotation type => [C<Annotation].
    * c with a call site that ObjectMethods links => [C<Record].
    * c with a call site of SwitchBootstraps for a case T => [D[sealed]] for each sealed D at or above T: the switch may
      have no default.
    """
    facts, variables = one.facts, context.variables
    edge = variables.superclass[one.name]
    if facts.superclass == ENUM_TYPE:
        for variable, number, (name, descriptor), _ in one.method_items:
            use = one.generic(number)
            if name == "<init>" and use is not None and len(use.parameters) != len(method_types(descriptor)[0]):
                signature = context.signatures.of_member[one.name, (name, descriptor)]
                premise = variable if signature == TRUE else signature
                context.edges(premise, (edge, context.signatures.of_class[one.name]))
    for owner, item, _ in one.annotations if facts.access & ANNOTATION else ():
        if owner == WHOLE_CLASS:
            context.edge(one.fact if item is None else item, context.nature(one.name))
    for code, _, uses in one.codes:
        for _, index, _, _ in uses.call_sites:
            if index >= len(facts.bootstraps):
                continue
            bootstrap = facts.bootstraps[index]
            maker = bootstrap.method[1]
            if maker == _OBJECT_METHODS and facts.superclass == RECORD_TYPE:
                context.edge(code, edge)
            elif maker == _SWITCHES:
                above = {above for case in bootstrap.classes for above in (case, *context.above(case))}
                context.edges(code, [item for name, item in context.sealed.items() if name in above])


rule("C4", JVM, "a local class that tells of the class around it needs that")(names_its_class(PartKind.ENCLOSING))


@rule("C4s", SRC, "a local class needs the method body around it")
def c4_source(context: Context, one: ClassItems) -> None:
    """[C[enclosed]] => [D.m!code]; [C] => [C[enclosed]], for a local class is nothing else in source."""
    if one.facts.enclosing is None:
        return
    for variable, _ in one.of(PartKind.ENCLOSING):
        context.edge(one.fact, variable)
    owner, name, descriptor = one.facts.enclosing
    if name is not None and descriptor is not None:
        for variable, _ in one.of(PartKind.ENCLOSING):
            context.edge(variable, context.variables.code[owner, (name, descriptor)])


@rule("C5", SRC, "a record keeps its components with final fields, accessors and constructor")
def c5(context: Context, one: ClassItems) -> None:
    """Clauses for a record:

    * [C[component f]] => [C.f] and the accessor of f.
    * [C<Record] => the code of the canonical constructor; all components, since the constructor's parameters are
      theirs; their fields, still final; and the code of each accessor that only reads its field (decompilers recognise
      the field by it).

    Without the edge to Record a class is a plain class.
    """
    facts, variables = one.facts, context.variables
    if not facts.is_record:
        return
    edge = variables.superclass.get(one.name, one.fact)
    for variable, part in one.of(PartKind.COMPONENT):
        name, descriptor = facts.components[part.index]
        context.edge(variable, variables.fields[one.name, (name, descriptor)])
        context.edge(variable, variables.methods[one.name, (name, f"(){descriptor}")])
        context.edge(edge, variable)
    for component in facts.components:
        context.edge(edge, variables.finals[one.name, component])
    if not one.of(PartKind.COMPONENT):
        for name, descriptor in facts.components:
            context.edge(edge, variables.fields[one.name, (name, descriptor)])
            accessor = (name, f"(){descriptor}")
            context.edge(edge, variables.methods[one.name, accessor])
    for code, (name, descriptor), used in one.codes:
        component = (name, descriptor.removeprefix("()"))
        if component in facts.components and members_of(used) == {(one.name, component)}:
            context.edge(edge, code)
    canonical = ("<init>", f"({''.join(descriptor for _, descriptor in facts.components)})V")
    context.edge(edge, variables.code[one.name, canonical])


# The look-ups of K2, K3 and A2 see to it that the use of a private member of another class needs both memberships.
rule("C7", JVM, "what uses a private member of another class shares a nest with it")(names_its_class(PartKind.NEST))


@rule("C9", SRC, "a constructor of an inner class needs its code, which takes the instance around it")
def c9(context: Context, one: ClassItems) -> None:
    """C not static, or local: [C.<init>] => [C.<init>!code]: it sets this$0 and what the class captured. These fields
    stay final: by that decompilers know them."""
    facts = one.facts
    for final, part in one.of(PartKind.FINAL):
        field = one.part(PartKind.FIELD, part.element)
        if field is not None and facts.field_list[part.element][1] & (SYNTHETIC | STATIC) == SYNTHETIC:
            context.edge(field, final)
    own = facts.inner_access
    member = own is not None and not own & (STATIC | INTERFACE) and facts.enclosing is None
    outer = next((outer for inner, outer in facts.inner if inner == one.name), None)
    for constructor, (name, descriptor), _ in one.constructors:
        takes_outer = outer is not None and descriptor.startswith(f"(L{outer};")
        if (member and takes_outer) or facts.enclosing is not None:
            context.edge(constructor, context.variables.code[one.name, (name, descriptor)])
