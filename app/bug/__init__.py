"""The pages beside the graph: the failure in the source, which tools fail, the report.

``bug_presenter`` asks the engine and fills its page; ``centre`` holds the pages, and asks for the others.
"""
