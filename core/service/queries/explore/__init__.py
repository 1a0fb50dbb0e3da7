"""Answers to an explorer: class edges by weight, cycles with the edges that open them, the consequences of dropping an
item."""

from core.service.queries.explore import class_edges as class_edges
from core.service.queries.explore import code_search as code_search
from core.service.queries.explore import command_trial as command_trial
from core.service.queries.explore import impact as impact
