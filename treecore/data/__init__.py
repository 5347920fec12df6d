"""Tables: where they come from, what they hold, what is accepted to be learnt from."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.data.dataset import Dataset, complete, split, split_rows, subsample
    from treecore.data.feature_maps import KERNELS, FeatureMap, read_by
    from treecore.data.file_kinds import kind_of_file, split_sheet
    from treecore.data.generators import GENERATORS, NOISE_SCALE, Generator, generate
    from treecore.data.readers.cells import NumberForm
    from treecore.data.readers.columns import (
        CategoryColumn,
        Column,
        ColumnReport,
        DateColumn,
        NumberColumn,
        category_groups,
        level_columns,
    )
    from treecore.data.readers.csv import read_csv
    from treecore.data.readers.settings import Kind, ReadingSettings
    from treecore.data.readers.table import MISSING, TableError, quoted
    from treecore.data.readers.targets import find_target, is_target_name
    from treecore.data.readers.text import PACKED
    from treecore.data.readers.whole_table import read_dataset
    from treecore.data.readers.workbook import sheet_names
    from treecore.data.sources import Source, open_table, read_parts, read_table
    from treecore.data.validation import balanced, read_training, read_validation

__getattr__, __dir__ = public_names(__name__)
