import { Effect } from "effect"
import type { AllowedOrigins, GateSettings } from "../server/gate/Gate.ts"
import { flagSetting, networksSetting, numberSetting, readTogether, SettingInvalid, textSetting } from "./settings.ts"

const most = 1_000_000

const rate = (variable: string) =>
  Effect.map(numberSetting(variable, 0, { minimum: 0, maximum: most }), (count) => (count === 0 ? undefined : count))

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

const allowedOrigins = (variable: string): Effect.Effect<AllowedOrigins | undefined, SettingInvalid> =>
  Effect.flatMap(textSetting(variable), (text): Effect.Effect<AllowedOrigins | undefined, SettingInvalid> => {
    if (text === undefined || text === "*") return Effect.succeed(text)
    const origins = text.split(",").map((each) => each.trim())
    const problem = "must be * or comma-separated origins, such as https://app.example"
    return origins.every(isOrigin) ? Effect.succeed(origins) : Effect.fail(new SettingInvalid({ variable, problem }))
  })

/** Reads rate limits, trusted proxies, allowed origins and compression from variables that begin with `prefix`. */
export const gateSettings = (prefix: string) =>
  Effect.map(
    readTogether({
      token: rate(`${prefix}_RATE_LIMIT`),
      address: rate(`${prefix}_ADDRESS_RATE_LIMIT`),
      trustedProxies: networksSetting(`${prefix}_TRUSTED_PROXIES`),
      origins: allowedOrigins(`${prefix}_ALLOWED_ORIGINS`),
      compresses: flagSetting(`${prefix}_COMPRESSION`, true)
    }),
    ({ compresses, origins, ...limits }): GateSettings => ({
      compresses,
      origins,
      rateLimits: limits.token === undefined && limits.address === undefined ? undefined : limits
    })
  )
