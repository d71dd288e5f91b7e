// The reports of test suites.

/** The results of the cases of a history, as `pactkit test --output-format json` prints them: see docs/schemas/test.json. */
export interface SuiteReport {
  readonly suites: readonly {
    readonly problem?: string;
    readonly cases: readonly {
      readonly name: string;
      readonly selector: string;
      readonly status: CaseStatus;
      readonly expected: readonly string[];
      readonly selected: readonly string[];
      readonly details?: readonly string[];
    }[];
  }[];
}

/** `error` is the status of a case that could not be run. */
export type CaseStatus = "passed" | "failed" | "error";

/** The result of one case of a suite. */
export interface Case {
  readonly name: string;
  readonly selector: string;
  readonly status: CaseStatus;
  readonly expected: readonly string[];
  readonly selected: readonly string[];
  /** Lines that say why the case did not pass. */
  readonly details: readonly string[];
}

/** The result of a suite. */
export class Report {
  readonly cases: readonly Case[];
  /** Why suites could not be run. */
  readonly problems: readonly string[];

  /** @param data the report as `pactkit test --output-format json` prints it */
  constructor(readonly data: SuiteReport) {
    this.cases = data.suites.flatMap((suite) => suite.cases.map((c) => ({ ...c, details: c.details ?? [] })));
    this.problems = data.suites.flatMap((suite) => suite.problem ?? []);
  }

  /** Whether every case passed. */
  get passed(): boolean {
    return this.failed.length === 0 && this.problems.length === 0;
  }

  /** The cases that did not pass. */
  get failed(): readonly Case[] {
    return this.cases.filter((c) => c.status !== "passed");
  }

  toString(): string {
    const failed = this.failed;
    return [
      `${this.cases.length - failed.length} passed, ${failed.length} failed`,
      ...this.problems,
      ...failed.flatMap((c) => [`not ok: ${c.name}`, ...c.details.map((line) => `  ${line}`)]),
    ].join("\n");
  }
}
