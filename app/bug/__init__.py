"""The pages beside the graph: the failure in the source, which tools fail, the report.

``bug_presenter`` and ``tools_presenter`` ask the engine and fill the widgets; ``centre`` holds the pages.
"""
