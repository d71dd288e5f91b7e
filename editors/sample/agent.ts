import { type History, pact } from "@pactkit/cli";

export const questions = pact`^seq .seg .block+question`;

export const results = pact`
  d1..d3
  .block{kind='tool_result'}  # of tools
`;

export function plan(ctx: History): string[] {
  const fallback = /* pact */ "d1 .summary ?? d1 .block+answer:last";
  return ctx.select('.block+answer >') ?? ctx.select(fallback);
}
