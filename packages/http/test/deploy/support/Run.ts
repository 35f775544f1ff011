import type { Effect } from "effect"
import type { Answer } from "./harness.ts"

/** Sends a request, requires its status, and returns the body. */
export type Run = (
  status: number,
  method: string,
  template: string,
  path: string,
  body?: unknown
) => Effect.Effect<Answer["json"], unknown>
