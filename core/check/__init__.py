"""The check: is the full input interesting, and are the answers to be believed?

The predicate is run on the full input *as written*: on a jar that Jarlet packs from the input's entries, as it packs
every candidate. If this first run is interesting (it shows the failure), a search may begin. Other runs tell whether
its answers can be trusted: the input once more, two runs at the same time, a run in new processes after one in a
resident process, an empty jar, and the input *as given*, which is the user's own file. If the first run is not
interesting, other runs look for the reason.

Read `runs` first: it declares each run with its condition and its proof. Then come `check_state` (the shared state of
the runs), `check` (runs before the search), `beside` (runs beside a search), `objections` (conclusions that end the
search), and `diagnosis` (sentences for the user). `ahead`, `first_run` and `as_given` are parts of runs that need more
than a few lines.
"""
