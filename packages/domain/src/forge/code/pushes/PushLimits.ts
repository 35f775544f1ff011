import { Context } from "effect"

/** The size limits of a push, in bytes; undefined means that only the disk limits it. */
export interface Limits {
  readonly object: number | undefined
  readonly repository: number | undefined
}

/** The size limits of a push; objects of up to half a gibibyte by default. */
export const PushLimits = Context.Reference<Limits>("@slipway/domain/forge/PushLimits", {
  defaultValue: () => ({ object: 512 * 1024 ** 2, repository: undefined })
})
