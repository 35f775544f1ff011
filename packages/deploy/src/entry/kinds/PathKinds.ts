import type { Caller, LoadedThings, ResourceTypeName } from "@slipway/domain/deploy/entry"
import type { Effect } from "effect"
import type { NamedInPath } from "./finders.ts"

/** How each resource type is found by its path parameters, and the error if it is missing. */
export type PathKinds = {
  readonly [K in Exclude<ResourceTypeName, "platform">]: {
    readonly find: (named: NamedInPath, caller: Caller) => Effect.Effect<LoadedThings[K] | undefined, unknown, unknown>
    readonly missing: () => unknown
  }
}
