import { Context, Duration } from "effect"

/** The idle timeout of an LFS upload; two minutes by default. */
export const UploadIdleTimeout = Context.Reference<Duration.Duration>("@slipway/http/forge/LongestSilence", {
  defaultValue: () => Duration.minutes(2)
})
