import { Context } from "effect"

/** The size limits of a push, in bytes; undefined is no limit. */
export interface Limits {
  readonly object: number | undefined
  readonly repository: number | undefined
}

/** The size limits of pushes; by default, each object has at most half a gibibyte. */
export const PushLimits = Context.Reference<Limits>("@slipway/domain/forge/PushLimits", {
  defaultValue: () => ({ object: 512 * 1024 ** 2, repository: undefined })
})
