import { caddyVariables, readCaddySettings } from "@slipway/caddy"
import {
  flagSetting,
  listeningSettings,
  passingSecretKey,
  SettingInvalid,
  secretKeySetting,
  secretSetting,
  textSetting
} from "@slipway/http/node"
import { DatabaseAddress } from "@slipway/sql"
import { Effect, Redacted } from "effect"

// What can stand in an `Authorization` header after `Bearer `: with anything else the token would never be valid.
const sendable = /^[\x21-\x7e]+$/

const chosenToken = Effect.gen(function* () {
  const token = yield* secretSetting("DEPLOY_TOKEN")
  if (token !== undefined && !sendable.test(Redacted.value(token))) {
    const problem = "must be printable ASCII without spaces, or it could not be sent"
    return yield* new SettingInvalid({ variable: "DEPLOY_TOKEN", problem })
  }
  return token
})

const proxySettings = Effect.gen(function* () {
  const texts = new Map<string, string | undefined>()
  for (const variable of caddyVariables) texts.set(variable, yield* textSetting(variable))
  return yield* Effect.fromResult(readCaddySettings((variable) => texts.get(variable))).pipe(
    Effect.mapError(({ problem, variable }) => new SettingInvalid({ variable, problem }))
  )
})

const engineSocket = Effect.gen(function* () {
  const path = yield* textSetting("DEPLOY_ENGINE_SOCKET")
  if (path !== undefined && !path.startsWith("/")) {
    const problem = "must be the path of a unix socket, from the root on"
    return yield* new SettingInvalid({ variable: "DEPLOY_ENGINE_SOCKET", problem })
  }
  return path ?? null
})

/** Reads the settings of the service from the environment; docs/operations.md has them. */
export const settings = Effect.gen(function* () {
  const database = yield* DatabaseAddress.setting("deploy")
  return {
    ...(yield* listeningSettings("DEPLOY_PORT", 8000)),
    database,
    token: yield* chosenToken,
    proxy: yield* proxySettings,
    engineSocket: yield* engineSocket,
    privateAddresses: yield* flagSetting("DEPLOY_ALLOW_PRIVATE_ADDRESSES", false),
    hostAccess: yield* flagSetting("DEPLOY_ALLOW_HOST_ACCESS", false),
    secretKey:
      database._tag === "Memory"
        ? yield* passingSecretKey
        : yield* secretKeySetting("DEPLOY_ENCRYPTION_KEY", ".slipway/deploy.key")
  }
})

/** The settings of the service. */
export type Settings = Effect.Success<typeof settings>
