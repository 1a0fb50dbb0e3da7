"""Several tools on one candidate: what decompilers make of it, and what two tools disagree on."""
