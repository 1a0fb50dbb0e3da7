"""Many reductions: batch files, jobs as processes of their own, local or on a cluster."""
