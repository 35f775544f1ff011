import { Context } from "effect"

/** How much may be pushed, in bytes; nothing stands for as much as there is room. */
export interface Limits {
  readonly object: number | undefined
  readonly repository: number | undefined
}

/** How much may be pushed: objects of up to half a gibibyte, unless a layer says otherwise. */
export const PushLimits = Context.Reference<Limits>("@slipway/domain/forge/PushLimits", {
  defaultValue: () => ({ object: 512 * 1024 ** 2, repository: undefined })
})
