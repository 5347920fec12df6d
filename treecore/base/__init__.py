"""Settings with ranges, atomic writes, checkpoint files, slices of time: nothing about trees."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.base.bounded_json import parse_json
    from treecore.base.filled import Filled
    from treecore.base.folder_lock import is_held
    from treecore.base.limits import UPLOADS
    from treecore.base.settings import Setting, Settings
    from treecore.base.state_file import write_atomically
    from treecore.base.units import CALENDAR, DATE, MOMENT, TIME, in_unit

__getattr__, __dir__ = public_names(__name__)
