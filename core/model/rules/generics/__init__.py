"""Rules of generic types. Read `generic_members` (what a body uses), then `generic_code`, `generic_values`,
`generic_signatures`, `generic_overriding`."""
