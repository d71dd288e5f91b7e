"""The reports of test suites."""

from __future__ import annotations

from dataclasses import dataclass

from ._protocol import TestReport


@dataclass(frozen=True, slots=True)
class Case:
    """The result of one case of a suite."""

    name: str
    selector: str
    status: str
    """``passed``, ``failed``, or ``error``: it could not be run."""
    expected: tuple[str, ...]
    selected: tuple[str, ...]
    details: tuple[str, ...]
    """Lines that say why the case did not pass."""

    @property
    def passed(self) -> bool:
        """Whether the case passed."""
        return self.status == "passed"


class Report:
    """The result of a suite. It is true if every case passed."""

    def __init__(self, data: TestReport) -> None:
        self.data = data
        """The report as ``pactsel test --output-format json`` prints it."""
        self.cases = tuple(
            Case(
                c["name"], c["selector"], c["status"], tuple(c["expected"]), tuple(c["selected"]), tuple(c.get("details", ()))
            )
            for s in data["suites"]
            for c in s["cases"]
        )
        self.problems = tuple(str(s["problem"]) for s in data["suites"] if "problem" in s)
        """Why suites could not be run."""

    @property
    def failed(self) -> tuple[Case, ...]:
        """The cases that did not pass."""
        return tuple(c for c in self.cases if not c.passed)

    def __bool__(self) -> bool:
        return not self.failed and not self.problems

    def __str__(self) -> str:
        lines = [f"{len(self.cases) - len(self.failed)} passed, {len(self.failed)} failed", *self.problems]
        for case in self.failed:
            lines += [f"not ok: {case.name}", *(f"  {d}" for d in case.details)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Report {str(self).splitlines()[0]}>"
