"""Which cases of a dataset to run."""

from collections.abc import Collection
from dataclasses import dataclass, field

from sdkbench.errors import InputError
from sdkbench.shell.dataset import Category, TestCase, TestDataset


@dataclass(frozen=True, slots=True)
class Selection:
    """Empty means all. A case must meet each kind of filter, by any one of its values."""

    categories: frozenset[Category] = field(default_factory=frozenset)
    tags: frozenset[str] = field(default_factory=frozenset)
    ids: frozenset[str] = field(default_factory=frozenset)
    limit: int | None = None

    def of(self, dataset: TestDataset) -> tuple[TestCase, ...]:
        """The cases, in order; InputError where a filter names nothing or nothing is left."""
        self._check("id", self.ids, {case.id for case in dataset.test_cases})
        self._check("tag", self.tags, {tag for case in dataset.test_cases for tag in case.tags})
        chosen = tuple(case for case in dataset.test_cases if self._fits(case))[: self.limit]
        if not chosen:
            raise InputError("No case is left after the filters. Loosen --category, --tag or --id.")
        return chosen

    def _fits(self, case: TestCase) -> bool:
        return (
            (not self.categories or case.category in self.categories)
            and (not self.tags or bool(self.tags & set(case.tags)))
            and (not self.ids or case.id in self.ids)
        )

    @staticmethod
    def _check(what: str, wanted: Collection[str], known: Collection[str]) -> None:
        unknown = sorted(set(wanted) - set(known))
        if unknown:
            raise InputError(f"No case has the {what} {', '.join(map(repr, unknown))}.")


EVERYTHING = Selection()
