"""The drawn dependency graph of the open jar.

Read ``view`` first: it lays out the widgets (``head``, ``canvas``, ``minimap``, ``matrix``, ``legend``) and holds one
object for each of their duties, each above the one before: ``stage`` (the scene on the canvas, the selection),
``navigation`` (views, focus, the way back), ``folding`` (packages that open and close), ``path_presenter`` (paths, why
a class is kept), ``menu``. The places of all nodes: ``scene/``, arrays without Qt. Their look: ``paint/``.
"""
