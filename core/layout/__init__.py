"""Places of drawn items: layered layouts of class and package graphs, Graphviz as a refinement, pictures.

Everything works on plain arrays; nothing here knows jars, runs or Qt.
"""
