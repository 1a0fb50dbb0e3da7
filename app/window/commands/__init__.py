"""The user's commands, one object per menu, and the table of actions that says when each action is possible.

Read ``actions`` (the table and its conditions), then the menus: ``file_commands``,
``export_commands``, ``menu_commands``, ``run_commands``.
"""
