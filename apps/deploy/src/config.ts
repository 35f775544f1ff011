import { caddyVariables, readCaddySettings } from "@slipway/caddy"
import { Pipeline } from "@slipway/deploy/runtime"
import { readRegistryFile } from "@slipway/docker"
import { isReservedNetwork } from "@slipway/domain/deploy/containers"
import { accountNameProblem } from "@slipway/domain/deploy/identity"
import { passwordTextProblem } from "@slipway/domain/sign-in"
import {
  flagSetting,
  gateSettings,
  listeningSettings,
  networksSetting,
  numberSetting,
  readTogether,
  retentionSetting,
  SettingInvalid,
  secretKeySetting,
  secretSetting,
  textSetting
} from "@slipway/http/node"
import { isSender, readMailServer } from "@slipway/mail"
import { Database, DatabaseAddress } from "@slipway/sql"
import { Effect, Redacted, Result } from "effect"

// The characters of an `Authorization` header after `Bearer `: a token with others would never be valid.
const sendable = /^[\x21-\x7e]+$/

const chosenToken = Effect.gen(function* () {
  const token = yield* secretSetting("DEPLOY_TOKEN")
  if (token !== undefined && !sendable.test(Redacted.value(token))) {
    const problem = "must be printable ASCII without spaces"
    return yield* new SettingInvalid({ variable: "DEPLOY_TOKEN", problem })
  }
  return token
})

const wrong = (variable: string, problem: string) => Effect.fail(new SettingInvalid({ variable, problem }))

const publicUrl = Effect.gen(function* () {
  const text = yield* textSetting("DEPLOY_URL")
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin
    ? url.origin
    : yield* wrong("DEPLOY_URL", "must be an origin such as https://deploy.example, without a path")
})

/** Reads the root account that the first start creates. */
const rootAccount = Effect.gen(function* () {
  const name = (yield* textSetting("DEPLOY_ADMIN_USERNAME")) ?? "slipway"
  const problem = accountNameProblem(name)
  if (problem !== undefined) return yield* wrong("DEPLOY_ADMIN_USERNAME", `m${problem.slice(1, -1)}`)
  const password = yield* secretSetting("DEPLOY_ADMIN_PASSWORD")
  const unusable = password === undefined ? undefined : passwordTextProblem(Redacted.value(password))
  if (unusable !== undefined) return yield* wrong("DEPLOY_ADMIN_PASSWORD", unusable)
  return { name, password }
})

/** Reads the provider of sign-in; without an issuer there is none. */
const provider = Effect.gen(function* () {
  const text = yield* textSetting("DEPLOY_OIDC_ISSUER")
  const clientId = yield* textSetting("DEPLOY_OIDC_CLIENT_ID")
  const clientSecret = yield* secretSetting("DEPLOY_OIDC_CLIENT_SECRET")
  if (text === undefined) {
    const needing = ["DEPLOY_OIDC_CLIENT_ID", "DEPLOY_OIDC_CLIENT_SECRET", "DEPLOY_OIDC_NAME"] as const
    for (const name of needing) {
      if ((yield* textSetting(name)) !== undefined) {
        return yield* wrong("DEPLOY_OIDC_ISSUER", `must be set, because ${name} is set`)
      }
    }
    return undefined
  }
  const issuer = URL.canParse(text) ? new URL(text) : undefined
  if (issuer === undefined || !/^https?:$/.test(issuer.protocol)) {
    return yield* wrong("DEPLOY_OIDC_ISSUER", "must be an address such as https://login.example.com")
  }
  if (issuer.username !== "" || issuer.password !== "" || issuer.search !== "" || issuer.hash !== "") {
    return yield* wrong("DEPLOY_OIDC_ISSUER", "must have no user name, password, query or fragment")
  }
  if (clientId === undefined) return yield* wrong("DEPLOY_OIDC_CLIENT_ID", "must be set, because an issuer is set")
  if (clientSecret === undefined) {
    return yield* wrong("DEPLOY_OIDC_CLIENT_SECRET", "must be set, because an issuer is set")
  }
  const name = (yield* textSetting("DEPLOY_OIDC_NAME")) ?? issuer.host
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) return yield* wrong("DEPLOY_OIDC_NAME", "must be a short name on one line")
  return { name, issuer, clientId, clientSecret, profile: true }
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
    const problem = "must be the absolute path of a unix socket"
    return yield* new SettingInvalid({ variable: "DEPLOY_ENGINE_SOCKET", problem })
  }
  return path ?? null
})

const registryFile = Effect.gen(function* () {
  const path = yield* textSetting("DEPLOY_REGISTRY_AUTH_FILE")
  if (path === undefined) return null
  // The file is read again for each deployment; an error is better reported at startup.
  yield* Effect.mapError(
    readRegistryFile(path),
    ({ because }) =>
      new SettingInvalid({
        variable: "DEPLOY_REGISTRY_AUTH_FILE",
        problem: `must be the path of a file with registry credentials: ${because}`
      })
  )
  return path
})

/** Reads the sender and the server of notification emails; without a server, only teams' own servers send. */
const mail = Effect.gen(function* () {
  const url = yield* secretSetting("DEPLOY_MAIL_URL")
  const from = yield* textSetting("DEPLOY_MAIL_FROM")
  if (url === undefined) return undefined
  const server = readMailServer(Redacted.value(url))
  if (Result.isFailure(server)) {
    return yield* new SettingInvalid({ variable: "DEPLOY_MAIL_URL", problem: server.failure })
  }
  if (from === undefined || !isSender(from)) {
    const problem = "must be an address such as `Slipway <deploy@example.com>`, because DEPLOY_MAIL_URL is set"
    return yield* new SettingInvalid({ variable: "DEPLOY_MAIL_FROM", problem })
  }
  return { server: server.success, from }
})

const workerSettings = Effect.suspend(() => {
  const { atOnce, drain, keptReleases, look, timeout, ...others } = Pipeline.usualSettings
  const chosen = readTogether({
    atOnce: numberSetting("DEPLOY_AT_ONCE", atOnce, { minimum: 1, maximum: 100 }),
    drain: numberSetting("DEPLOY_DRAIN", drain, { minimum: 0, maximum: 600 }),
    keptReleases: numberSetting("DEPLOY_KEPT_RELEASES", keptReleases, { minimum: 1, maximum: 1_000 }),
    look: numberSetting("DEPLOY_LOOK", look, { minimum: 1, maximum: 3_600 }),
    timeout: numberSetting("DEPLOY_PATIENCE", timeout, { minimum: 1, maximum: 86_400 })
  })
  return Effect.map(chosen, (settings) => ({ ...others, ...settings }))
})

const externalNetworks = Effect.gen(function* () {
  const names = ((yield* textSetting("DEPLOY_EXTERNAL_NETWORKS")) ?? "").split(",").map((name) => name.trim())
  const wanted = names.filter((name) => name !== "")
  const wrong = wanted.find((name) => !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(name) || isReservedNetwork(name))
  if (wrong === undefined) return wanted
  const problem = `must be comma-separated names of container networks, but \`${wrong}\` is not a valid name`
  return yield* new SettingInvalid({ variable: "DEPLOY_EXTERNAL_NETWORKS", problem })
})

const database = DatabaseAddress.setting("deploy")
const connectionRange = { minimum: 1, maximum: 1_000 }

/** Reads the settings of the service from the environment; docs/reference/settings.md lists them. */
export const settings = Effect.map(
  readTogether({
    listening: listeningSettings("DEPLOY_PORT", 8000),
    mostConnections: numberSetting("DEPLOY_MAX_CONNECTIONS", 1_000, { minimum: 1, maximum: 100_000 }),
    gate: gateSettings("DEPLOY"),
    database,
    connections: numberSetting("DEPLOY_DATABASE_CONNECTIONS", Database.usualConnections, connectionRange),
    token: chosenToken,
    publicUrl,
    rootAccount,
    provider,
    trustedProxies: networksSetting("DEPLOY_TRUSTED_PROXIES"),
    proxy: proxySettings,
    engineSocket,
    registryFile,
    mail,
    worker: workerSettings,
    retention: retentionSetting("DEPLOY_RETENTION", 365),
    path: textSetting("PATH"),
    builder: textSetting("DEPLOY_PACK_BUILDER"),
    privateAddresses: flagSetting("DEPLOY_ALLOW_PRIVATE_ADDRESSES", false),
    externalNetworks,
    hostAccess: flagSetting("DEPLOY_ALLOW_HOST_ACCESS", false),
    secretKey: Effect.flatMap(database, ({ _tag }) =>
      secretKeySetting("DEPLOY_ENCRYPTION_KEY", _tag === "Memory" ? undefined : ".slipway/deploy.key")
    )
  }),
  ({ builder, listening, path, worker, ...others }) => ({
    ...listening,
    ...others,
    worker: { ...worker, alone: others.database._tag !== "Server" },
    packers: {
      path: path ?? "/usr/local/bin:/usr/bin:/bin",
      builder: builder ?? "paketobuildpacks/builder-jammy-base"
    }
  })
)

/** The settings of the service. */
export type Settings = Effect.Success<typeof settings>
