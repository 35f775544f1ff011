import { type BlobAddress, readBlobAddress } from "@slipway/blobs"
import { exactAddressOf } from "@slipway/domain"
import {
  type ApprovalPolicy,
  approvalPolicies,
  defaultSite,
  emailNotifications,
  longestName,
  nameProblem,
  OwnerName,
  registrationModes
} from "@slipway/domain/forge/base"
import { EmailAddress, emailProblem, passwordFormProblem } from "@slipway/domain/forge/identity"
import type { FirstStart } from "@slipway/forge"
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
import { authorityIn } from "@slipway/signatures"
import { Database, DatabaseAddress } from "@slipway/sql"
import { Duration, Effect, Redacted, Result } from "effect"

const textOr = (variable: string, unlessSet: string) => Effect.map(textSetting(variable), (text) => text ?? unlessSet)

const wrong = (variable: string, problem: string) => Effect.fail(new SettingInvalid({ variable, problem }))

const checked = (variable: string, text: string, problemOf: (text: string) => string | undefined) => {
  const problem = problemOf(text)
  return problem === undefined ? Effect.succeed(text) : wrong(variable, problem)
}

/** Reads the base URL of actions that workflows reference without a host. */
const actionsUrl = Effect.gen(function* () {
  const configuredUrl = yield* textSetting("FORGE_ACTIONS_URL")
  if (configuredUrl === undefined) return defaultSite.workflows.actionsUrl
  const url = URL.canParse(configuredUrl) ? new URL(configuredUrl) : undefined
  if (url !== undefined && ["http:", "https:"].includes(url.protocol) && url.search === "" && url.hash === "") {
    return configuredUrl.replace(/\/+$/, "")
  }
  return yield* wrong("FORGE_ACTIONS_URL", "must be an address that begins with http:// or https://")
})

/** The former names of approval policies, which stay valid. */
const formerPolicies = new Map<string, ApprovalPolicy>([
  ["newcomers", "first-time-contributors"],
  ["strangers", "external-contributors"],
  ["nobody", "never"]
])

/** Reads which contributors need approval to run workflows in pull requests from forks. */
const approval = Effect.gen(function* () {
  const text = yield* textOr("FORGE_WORKFLOW_APPROVAL", defaultSite.workflows.approval)
  const policy = approvalPolicies.find((each) => each === text) ?? formerPolicies.get(text)
  return policy ?? (yield* wrong("FORGE_WORKFLOW_APPROVAL", `must be one of ${approvalPolicies.join(", ")}`))
})

/** Reads the public address of a service, which has no path. */
const originSetting = Effect.fnUntraced(function* (name: string, example: string) {
  const text = yield* textSetting(name)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRoot = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === ""
  return isRoot && url.username === ""
    ? url
    : yield* wrong(name, `must be an address such as ${example}, without a path`)
})

const rootUrl = originSetting("FORGE_ROOT_URL", "https://forge.example")

/** Reads the keys of trusted SSH certificate authorities. */
const trustedAuthorities = Effect.gen(function* () {
  const text = yield* textSetting("FORGE_SSH_TRUSTED_USER_CA_KEYS")
  return yield* Effect.forEach(text?.split(/[,\n]/).filter((line) => line.trim() !== "") ?? [], (line) => {
    const fingerprint = authorityIn(line)
    return fingerprint === undefined
      ? wrong("FORGE_SSH_TRUSTED_USER_CA_KEYS", "must be public SSH keys, separated by commas or line breaks")
      : Effect.succeed(fingerprint)
  })
})

const proxyUserHeader = Effect.gen(function* () {
  const text = yield* textSetting("FORGE_PROXY_USER_HEADER")
  if (text !== undefined && (yield* textSetting("FORGE_TRUSTED_PROXIES")) === undefined) {
    return yield* wrong(
      "FORGE_PROXY_USER_HEADER",
      "needs `FORGE_TRUSTED_PROXIES`, the proxies that may send the header"
    )
  }
  if (text === undefined || /^[A-Za-z0-9-]{1,64}$/.test(text)) return text
  return yield* wrong("FORGE_PROXY_USER_HEADER", "must be the name of a header, such as X-WEBAUTH-USER")
})

const pageSizes = Effect.gen(function* () {
  const range = { minimum: 1, maximum: 1_000 }
  const maxPageSize = yield* numberSetting("FORGE_MAX_PAGE_SIZE", 50, range)
  const defaultPageSize = yield* numberSetting("FORGE_PAGE_SIZE", Math.min(30, maxPageSize), range)
  return defaultPageSize <= maxPageSize
    ? { maxPageSize, defaultPageSize }
    : yield* wrong("FORGE_PAGE_SIZE", "must not be larger than `FORGE_MAX_PAGE_SIZE`")
})

const administratorName = Effect.flatMap(textOr("FORGE_ADMIN_USERNAME", "slipway"), (name) =>
  checked("FORGE_ADMIN_USERNAME", name, (text) => nameProblem(text, longestName))
)

const administratorPassword = Effect.gen(function* () {
  const password = yield* secretSetting("FORGE_ADMIN_PASSWORD")
  if (password !== undefined) yield* checked("FORGE_ADMIN_PASSWORD", Redacted.value(password), passwordFormProblem)
  return password
})

/** Reads the settings of the first administrator. */
const administrator = Effect.map(
  readTogether({
    name: administratorName,
    email: Effect.flatMap(textSetting("FORGE_ADMIN_EMAIL"), (email) =>
      email === undefined ? Effect.undefined : checked("FORGE_ADMIN_EMAIL", email, emailProblem)
    ),
    password: administratorPassword
  }),
  ({ email, name, password }): FirstStart.ChosenAdministrator => ({
    name: OwnerName.make(name, { disableChecks: true }),
    email: EmailAddress.make(email ?? `${name}@localhost.localdomain`),
    password
  })
)

/** Reads the address of the blob store: next to other data, or temporary if these are in memory. */
const blobs = (inMemory: boolean): Effect.Effect<BlobAddress | { readonly _tag: "Memory" }, SettingInvalid> =>
  Effect.gen(function* () {
    const text = yield* secretSetting("FORGE_BLOBS")
    if (text === undefined && inMemory) return { _tag: "Memory" } as const
    const address = readBlobAddress(text === undefined ? "file:.slipway/forge-blobs" : Redacted.value(text))
    return Result.isSuccess(address) ? address.success : yield* wrong("FORGE_BLOBS", address.failure)
  })
const connectionRange = { minimum: 1, maximum: 1_000 }

const database = DatabaseAddress.setting("forge")

/** Reads the data locations of the service, without accessing them. */
export const placeSettings = readTogether({
  database,
  blobs: Effect.flatMap(database, ({ _tag }) => blobs(_tag === "Memory")),
  repositories: textOr("FORGE_REPOSITORIES", ".slipway/forge-repositories"),
  hostKey: textOr("FORGE_SSH_HOST_KEY", ".slipway/forge-ssh-host.key"),
  signingKey: textSetting("FORGE_SIGNING_KEY")
})

/** Reads the data locations of the service, and the key that seals secrets there. */
export const storeSettings = Effect.map(
  readTogether({
    places: placeSettings,
    connections: numberSetting("FORGE_DATABASE_CONNECTIONS", Database.usualConnections, connectionRange),
    secretKey: Effect.flatMap(database, ({ _tag }) =>
      secretKeySetting("FORGE_ENCRYPTION_KEY", _tag === "Memory" ? undefined : ".slipway/forge.key")
    )
  }),
  ({ places, ...others }) => ({ ...places, ...others })
)

/** Reads a size in mebibytes, as bytes. */
const mebibytes = (variable: string, unlessSet: number, minimum: number) =>
  Effect.map(numberSetting(variable, unlessSet, { minimum, maximum: 1_048_576 }), (count) => count * 1024 ** 2)

/** Reads a duration in seconds, up to an hour. */
const seconds = (variable: string, unlessSet: number, minimum: number) =>
  Effect.map(numberSetting(variable, unlessSet, { minimum, maximum: 3_600 }), Duration.seconds)

/** Reads the settings of the SSH server. */
const ssh = Effect.gen(function* () {
  if ((yield* textSetting("FORGE_SSH_PORT")) === "off") return undefined
  return yield* listeningSettings("FORGE_SSH_PORT", 2222)
})

/** Reads the port of git over SSH in addresses, if it is not the one of the SSH server. */
const sshPublicPort = Effect.map(numberSetting("FORGE_SSH_PUBLIC_PORT", 0, { minimum: 0, maximum: 65_535 }), (port) =>
  port === 0 ? undefined : port
)

/** Reads the sender and the server of emails; without a server, mail is off. */
const mail = Effect.gen(function* () {
  const url = yield* secretSetting("FORGE_MAIL_URL")
  const from = yield* textSetting("FORGE_MAIL_FROM")
  if (url === undefined) return undefined
  const server = readMailServer(Redacted.value(url))
  if (Result.isFailure(server)) return yield* wrong("FORGE_MAIL_URL", server.failure)
  if (from === undefined || !isSender(from)) {
    return yield* wrong("FORGE_MAIL_FROM", "must be an address such as `Forge <forge@example.com>`, because mail is on")
  }
  if ((yield* rootUrl) === undefined) {
    return yield* wrong("FORGE_ROOT_URL", "must be set if FORGE_MAIL_URL is set: emails link to the site")
  }
  return { server: server.success, from }
})

/** Reads whether notification emails are sent; false without a mail server. */
const notificationMailSetting = Effect.gen(function* () {
  const canSend = (yield* mail) !== undefined
  const isFormer = (yield* textSetting("FORGE_NEWS_MAIL")) !== undefined
  if (isFormer && (yield* textSetting("FORGE_NOTIFICATION_MAIL")) !== undefined) {
    return yield* wrong("FORGE_NEWS_MAIL", "is the former name of FORGE_NOTIFICATION_MAIL: remove it")
  }
  const name = isFormer ? "FORGE_NEWS_MAIL" : "FORGE_NOTIFICATION_MAIL"
  const isOn = yield* flagSetting(name, canSend)
  return isOn && !canSend ? yield* wrong(name, "needs mail: set `FORGE_MAIL_URL`") : isOn
})

/** Reads the email preference of new accounts. */
const emailNotificationsSetting = Effect.gen(function* () {
  const text = yield* textOr("FORGE_EMAIL_NOTIFICATIONS", defaultSite.accounts.emailNotifications)
  const known = emailNotifications.find((each) => each === text)
  return known ?? (yield* wrong("FORGE_EMAIL_NOTIFICATIONS", `must be one of ${emailNotifications.join(", ")}`))
})

/** Reads whether visitors may create accounts. */
const registration = Effect.gen(function* () {
  const text = yield* textOr("FORGE_REGISTRATION", defaultSite.accounts.registration)
  const mode = registrationModes.find((each) => each === text)
  return mode ?? (yield* wrong("FORGE_REGISTRATION", `must be one of ${registrationModes.join(", ")}`))
})

/** Reads whether addresses that users add need confirmation by email. */
const confirmsAddresses = Effect.gen(function* () {
  const canSend = (yield* mail) !== undefined
  const isOn = yield* flagSetting("FORGE_CONFIRM_ADDRESSES", canSend)
  return isOn && !canSend ? yield* wrong("FORGE_CONFIRM_ADDRESSES", "needs mail: set `FORGE_MAIL_URL`") : isOn
})

/** Reads the settings of the external sign-in provider, if there is one. */
const outside = Effect.gen(function* () {
  const text = yield* textSetting("FORGE_OPENID_ISSUER")
  const clientId = yield* textSetting("FORGE_OPENID_CLIENT_ID")
  const clientSecret = yield* secretSetting("FORGE_OPENID_CLIENT_SECRET")
  if (text === undefined) return undefined
  const issuer = URL.canParse(text) ? new URL(text) : undefined
  if (issuer === undefined || !/^https?:$/.test(issuer.protocol) || issuer.username !== "" || issuer.hash !== "") {
    return yield* wrong("FORGE_OPENID_ISSUER", "must be an address such as https://login.example.com")
  }
  if (clientId === undefined) return yield* wrong("FORGE_OPENID_CLIENT_ID", "must be set, because an issuer is set")
  if (clientSecret === undefined)
    return yield* wrong("FORGE_OPENID_CLIENT_SECRET", "must be set, because an issuer is set")
  const name = (yield* textSetting("FORGE_OPENID_NAME")) ?? issuer.host
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) return yield* wrong("FORGE_OPENID_NAME", "must be a short name on one line")
  return { name, issuer, clientId, clientSecret }
})

/** Reads the private addresses that webhooks may reach. */
const allowedAddresses = Effect.gen(function* () {
  const texts = ((yield* textSetting("FORGE_ALLOWED_ADDRESSES")) ?? "").split(",").map((text) => text.trim())
  return yield* Effect.forEach(
    texts.filter((text) => text !== ""),
    (text) => {
      const hasPort = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@[\]]+):\d{1,5}$/.test(text)
      const address = hasPort ? exactAddressOf(`http://${text}`) : undefined
      return address === undefined
        ? wrong("FORGE_ALLOWED_ADDRESSES", "must be hosts with ports, such as 127.0.0.1:8000, separated by commas")
        : Effect.succeed(address)
    }
  )
})

/** Reads the settings of the service from the environment; docs/reference/settings.md lists them. */
export const settings = Effect.map(
  readTogether({
    listening: listeningSettings("FORGE_PORT", 3000),
    mostConnections: numberSetting("FORGE_MAX_CONNECTIONS", 1_000, { minimum: 1, maximum: 100_000 }),
    gate: gateSettings("FORGE"),
    stores: storeSettings,
    ssh,
    sshPublicPort,
    git: readTogether({
      clients: numberSetting("FORGE_GIT_CLIENTS", 32, { minimum: 1, maximum: 1_024 }),
      idle: seconds("FORGE_GIT_IDLE", 120, 2),
      push: mebibytes("FORGE_GIT_MAX_PUSH", 2_048, 1),
      object: mebibytes("FORGE_GIT_MAX_OBJECT", 512, 1),
      repository: mebibytes("FORGE_GIT_MAX_REPOSITORY", 0, 0)
    }),
    packageFile: numberSetting("FORGE_PACKAGE_MAX_FILE", 2_048, { minimum: 1, maximum: 1_048_576 }),
    artifacts: readTogether({
      maxSize: numberSetting("FORGE_ARTIFACT_MAX_SIZE", 1_024, { minimum: 1, maximum: 1_048_576 }),
      days: numberSetting("FORGE_ARTIFACT_DAYS", 90, { minimum: 1, maximum: 3_650 })
    }),
    jobLease: seconds("FORGE_JOB_LEASE", 15, 1),
    mail,
    notificationMail: notificationMailSetting,
    emailNotifications: emailNotificationsSetting,
    registration,
    outside,
    privateAddresses: flagSetting("FORGE_ALLOW_PRIVATE_ADDRESSES", false),
    allowedAddresses,
    rootUrl,
    deployUrl: originSetting("FORGE_DEPLOY_URL", "https://deploy.example"),
    proxyUserHeader,
    trustedProxies: networksSetting("FORGE_TRUSTED_PROXIES"),
    trustedAuthorities,
    queryTokens: flagSetting("FORGE_QUERY_TOKENS", true),
    pageSizes,
    retention: readTogether({
      events: retentionSetting("FORGE_EVENT_RETENTION", 0),
      deliveries: retentionSetting("FORGE_DELIVERY_RETENTION", 14),
      workflowRuns: retentionSetting("FORGE_WORKFLOW_RETENTION", 365)
    }),
    workflows: readTogether({ actionsUrl, approval }),
    switches: readTogether({
      strictSignIn: flagSetting("FORGE_REQUIRE_SIGN_IN", false),
      exploreNeedsSignIn: flagSetting("FORGE_SEARCH_REQUIRES_SIGN_IN", false),
      secondFactorRequired: flagSetting("FORGE_REQUIRE_SECOND_FACTOR", false),
      usersPage: flagSetting("FORGE_USER_SEARCH", true),
      stars: flagSetting("FORGE_STARS", true),
      heatmap: flagSetting("FORGE_HEATMAP", true),
      codeSearch: flagSetting("FORGE_CODE_SEARCH", false),
      webhooks: flagSetting("FORGE_WEBHOOKS", true),
      attachments: flagSetting("FORGE_ATTACHMENTS", true),
      timeTracking: flagSetting("FORGE_TIME_TRACKING", true),
      organizationCreation: flagSetting("FORGE_ORGANIZATION_CREATION", true),
      apiReference: flagSetting("FORGE_REFERENCE", true),
      gitHooks: flagSetting("FORGE_GIT_HOOKS", false),
      confirmationRequired: confirmsAddresses,
      federation: flagSetting("FORGE_FEDERATION", false)
    }),
    administrator
  }),
  ({ listening, ssh: at, stores, ...others }) => ({
    ...listening,
    ...stores,
    ...others,
    ssh: at === undefined ? undefined : { ...at, hostKey: stores.hostKey }
  })
)

/** The data locations of the service. */
export type StoreSettings = Effect.Success<typeof storeSettings>
/** The settings of the service. */
export type Settings = Effect.Success<typeof settings>
