/**
 * Adds the matcher `toSelect` to Vitest: import it in a test, or name it in `setupFiles`.
 *
 * @module
 */

import { expect } from "vitest";

import { toSelect, type ToSelectOptions } from "./matchers.js";

expect.extend({ toSelect });

declare module "vitest" {
  interface Matchers<T = any> {
    /** Checks how many nodes a selector selects in what an agent did. */
    toSelect(selector: string, options?: ToSelectOptions): Promise<void>;
  }
}
