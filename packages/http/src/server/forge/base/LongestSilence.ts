import { Context, Duration } from "effect"

/** How long nothing may come of an object that a client of LFS sends; two minutes, unless a layer says otherwise. */
export const LongestSilence = Context.Reference<Duration.Duration>("@slipway/http/forge/LongestSilence", {
  defaultValue: () => Duration.minutes(2)
})
