"""The style sheet, for looks beyond the palette's reach."""

from __future__ import annotations

from string import Template

from app.theme.icons import arrow_files
from app.theme.theme import PARTS, Theme

_SHEET = Template("""
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: 4px 6px; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMenuBar { background: $window; border-bottom: 1px solid $line; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $selected; }
QMenu { background: $surface; border: 1px solid $line; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 5px 24px 5px 8px; border-radius: 4px; }
QMenu::item:selected { background: $selected; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $line; padding: 4px 6px; spacing: 3px; }
QToolBar::separator { background: $line; width: 1px; margin: 4px 5px; }
QToolBar QToolButton { padding: 4px 8px; border-radius: 5px; border: 1px solid transparent; }
QToolBar QToolButton:hover { background: $surface; border-color: $line; }
QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: $selected; border-color: $line; }
QToolBar QToolButton:focus { border-color: $accent; }
QStatusBar { background: $window; border-top: 1px solid $line; color: $muted; }
QStatusBar::item { border: none; }
QStatusBar > QLabel { color: $muted; padding: 0 6px; }
QStatusBar QPushButton { padding: 2px 10px; }
QDockWidget { font-weight: 600; titlebar-close-icon: none; }
QDockWidget::title { background: $window; padding: 6px 10px; text-align: left; }
QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox {
  background: $surface; border: 1px solid $line; border-radius: 5px; padding: 3px 6px;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QAbstractSpinBox, QComboBox { min-height: 18px; }
QPlainTextEdit[flat="true"] { border-color: $surface; border-radius: 0; }
QLineEdit:focus, QPlainTextEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: $accent; }
QLineEdit:disabled, QPlainTextEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {
  background: $window; color: $muted; }
QComboBox QAbstractItemView {
  background: $surface; border: 1px solid $line; selection-background-color: $selected; selection-color: $text; }
$arrows
QPushButton { background: $button; border: 1px solid $line; border-radius: 5px; padding: 5px 12px; }
QPushButton:hover { border-color: $accent; }
QPushButton:pressed { background: $selected; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $disabled; background: $window; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[primary="true"]:hover, QPushButton[primary="true"]:focus { border-color: $text; }
QPushButton[primary="true"]:disabled { background: $window; color: $disabled; border-color: $line; }
QPushButton[link="true"] {
  background: transparent; border: none; border-radius: 3px; padding: 0;
  color: $accent; text-decoration: underline; }
QPushButton[link="true"]:hover, QPushButton[link="true"]:focus { background: $selected; }
QPushButton[segment="true"] { border-radius: 0; padding: 4px 10px; margin: 0; }
QPushButton[segment="true"]:checked { background: $selected; border-color: $accent; }
QTreeView, QTableView, QListView {
  background: $surface; border: 1px solid $surface; alternate-background-color: $window; outline: none; }
QTreeView::item { padding: 1px 0; }
QTableView::item { padding: 0 3px; }
QTreeView::item:selected, QTableView::item:selected { background: $selected; color: $text; }
QHeaderView { background: $window; }
QHeaderView::section {
  background: $window; color: $muted; border: none; border-bottom: 1px solid $line; padding: 4px 6px; }
QTableView QTableCornerButton::section { background: $window; border: none; }
QTabBar::tab {
  background: transparent; color: $muted; padding: 6px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $accent; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: $gone_line; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QProgressBar { background: $surface; border: 1px solid $line; border-radius: 4px; height: 8px; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QToolButton[section="true"] { border: none; border-radius: 4px; font-weight: 600; text-align: left; padding: 4px 2px; }
QToolButton[section="true"]:hover { background: $surface; }
QToolButton[section="true"]:focus { color: $accent; }
BackgroundButton {
  background: $button; border: 1px solid $line; border-radius: 5px; padding: 2px 14px 2px 6px; margin-right: 3px; }
BackgroundButton:hover, BackgroundButton:focus { border-color: $accent; }
QLabel[warning="true"] { color: $warn; }
QTextBrowser { background: $surface; border: 1px solid $surface; padding: 10px; }
QListWidget { background: $surface; border: 1px solid $surface; padding: 4px; }
QTreeView:focus, QTableView:focus, QListView:focus, QTextBrowser:focus, QPlainTextEdit[flat="true"]:focus {
  border-color: $accent; }
QListWidget::item { padding: 4px 6px; border-radius: 4px; }
QListWidget::item:selected { background: $selected; color: $text; }
QLabel[muted="true"] { color: $muted; }
QLabel[heading="true"], ElidedLabel[heading="true"] { font-weight: 600; }
QLabel[figure] { font-weight: 600; min-height: 24px; }
QLabel[figure="short"] { font-size: 20px; }
QLabel[figure="long"] { font-size: 14px; }
QLabel[title="true"] { font-size: 22px; font-weight: 600; }
QFrame[card="true"] { background: $surface; border: 1px solid $line; border-radius: 8px; }
QFrame[card="true"] QLabel { background: transparent; }
QFrame[drop="true"] { background: $surface; border: 2px dashed $gone_line; border-radius: 14px; }
QFrame[message="info"], QFrame[message="busy"] { background: $selected; border-bottom: 1px solid $line; }
QFrame[message="good"] { background: $surface; border-left: 4px solid $good; border-bottom: 1px solid $line; }
QFrame[message="warning"] { background: $surface; border-left: 4px solid $warn; border-bottom: 1px solid $line; }
QFrame[message="error"] { background: $surface; border-left: 4px solid $bad; border-bottom: 1px solid $line; }
QWidget[bar="true"] { background: $window; border-bottom: 1px solid $line; }
QWidget[foot="true"] { background: $window; border-top: 1px solid $line; }
""")


_ARROWS = Template("""
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url($down_normal); width: 12px; height: 12px; }
QComboBox::down-arrow:disabled { image: url($down_disabled); }
QAbstractSpinBox { padding: 3px 22px 3px 6px; }
QAbstractSpinBox QLineEdit { border: none; padding: 0; background: transparent; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 20px; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; margin-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; margin-bottom: 2px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $selected; }
QAbstractSpinBox::up-arrow { image: url($up_normal); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url($down_normal); width: 10px; height: 10px; }
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off { image: url($up_disabled); }
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off { image: url($down_disabled); }
QCheckBox { spacing: 6px; }
QCheckBox::indicator {
  width: 14px; height: 14px; border: 1px solid $gone_line; border-radius: 3px; background: $surface; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($check_accent); }
QCheckBox:focus { color: $accent; }
QCheckBox::indicator:focus { border-color: $text; }
QCheckBox::indicator:disabled { background: $window; border-color: $line; }
QCheckBox:disabled { color: $disabled; }
""")


def sheet(theme: Theme) -> str:
    """Return the style sheet in a theme's colours."""
    colours = {part: getattr(theme, part).name() for part in (*PARTS, "disabled")}
    files = arrow_files({"normal": colours["muted"], "disabled": colours["disabled"], "accent": colours["on_accent"]})
    arrows = _ARROWS.substitute(colours, **files) if files else ""
    return _SHEET.substitute(colours, arrows=arrows)
