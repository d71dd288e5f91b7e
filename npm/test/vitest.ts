import "@pactkit/cli/vitest";
import { expect, test } from "vitest";

test("types", async () => {
  await expect([]).toSelect(".block", { min: 1 });
  await expect([]).not.toSelect(".block");
  // @ts-expect-error: an unknown option
  await expect([]).toSelect(".block", { least: 1 });
});
