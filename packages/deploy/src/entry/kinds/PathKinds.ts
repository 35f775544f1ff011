import type { Caller, LoadedThings, ResourceTypeName } from "@slipway/domain/deploy/entry"
import type { Effect } from "effect"
import type { NamedInPath } from "./finders.ts"

/** For each resource type, the function that finds it by its path parameters, and the error for a missing resource. */
export type PathKinds = {
  readonly [K in Exclude<ResourceTypeName, "platform">]: {
    readonly find: (named: NamedInPath, caller: Caller) => Effect.Effect<LoadedThings[K] | undefined, unknown, unknown>
    readonly missing: () => unknown
  }
}
