import { HookSender, InvalidInput, noProblems, now, Transaction, Vault } from "@slipway/domain"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  type DrainedLine,
  drainRequest,
  type LogDrain,
  type LogDrainType,
  logDrainProblem,
  logDrainTypes,
  readSyslogAddress,
  type Server,
  ServerNotFound,
  ServerStore,
  type ServerUuid,
  SyslogSender,
  SyslogUnsent,
  syslogMessage
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { type ReceiverChange, receiverProblems, type TeamSecrets } from "../../base/secretReceivers.ts"

/** The settings of a log receiver in a request. Omitted ones stay unchanged; an empty secret removes the stored one. */
export interface LogDrainInput {
  readonly isEnabled?: boolean | undefined
  readonly url?: string | undefined
  readonly dataset?: string | undefined
  readonly secret?: Redacted.Redacted | null | undefined
}

/** The settings of several log receivers in a request, by type of receiver. */
export type LogDrainInputs = { readonly [Type in LogDrainType]?: LogDrainInput }

const secretOwner = (uuid: ServerUuid, type: LogDrainType) => ({ uuid, field: `log_drain_${type}` })

const unset = (type: LogDrainType, url: string): LogDrain => ({
  type,
  isEnabled: false,
  url,
  dataset: "",
  secret: null
})

/** Returns a server's log drain of a type, with its default address; a disabled drain if it was never configured. */
export const drainOf = (
  { logDrains }: Pick<Server, "logDrains">,
  type: LogDrainType,
  defaults: { readonly [Type in LogDrainType]?: string }
): LogDrain => logDrains.find((drain) => drain.type === type) ?? unset(type, defaults[type] ?? "")

/**
 * Changes the log receivers of a server. `fieldOf` returns the request field for a missing setting.
 *
 * Fails if an enabled receiver lacks a setting. A change of the address requires the secret again, unless the caller
 * may read secrets.
 */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.update">,
  inputs: LogDrainInputs,
  defaults: { readonly [Type in LogDrainType]?: string },
  fieldOf: (type: LogDrainType, setting: "dataset" | "secret" | "url") => string,
  secrets: TeamSecrets | undefined
) {
  const { uuid } = resource.server
  const vault = yield* Vault
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ServerStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return yield* new ServerNotFound()
      const drains = yield* Effect.forEach(logDrainTypes, (type) =>
        Effect.gen(function* () {
          const before = drainOf(present, type, defaults)
          const {
            dataset = before.dataset,
            isEnabled = before.isEnabled,
            secret,
            url = before.url
          } = inputs[type] ?? {}
          const moved: ReceiverChange = {
            field: fieldOf(type, "secret"),
            receiver: "address",
            isStored: before.secret !== null,
            isSent: secret !== undefined,
            isMoved: url !== before.url
          }
          const problems = receiverProblems(moved, secrets)
          if (!noProblems(problems)) return yield* new InvalidInput({ problems })
          const sealed =
            secret === undefined ? before.secret : secret && (yield* vault.seal(secretOwner(uuid, type), secret))
          const drain: LogDrain = { type, isEnabled, url, dataset, secret: sealed }
          const problem = logDrainProblem(drain)
          if (problem === null) return drain
          const sentence = "Must be set to enable this log drain."
          return yield* new InvalidInput({ problems: { [fieldOf(type, problem)]: [sentence] } })
        })
      )
      const server: Server = { ...present, logDrains: drains, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(server))
      return server
    })
  )
})

/** The HTTP statuses with which a receiver permanently rejects lines: they are invalid or too large. */
const permanentAnswers = [400, 413, 422]

/**
 * Sends lines to a log receiver of a server; fails with the reason if the receiver does not accept them. Lines that it
 * rejects permanently are dropped with a warning, so that later lines are sent.
 */
export const send = Effect.fnUntraced(function* (
  { uuid }: Pick<Server, "uuid">,
  drain: LogDrain,
  lines: ReadonlyArray<DrainedLine>
) {
  const { secret, type, url } = drain
  const key = secret === null ? null : Redacted.value(yield* (yield* Vault).open(secretOwner(uuid, type), secret))
  const request = drainRequest(drain, key, lines)
  if (request === undefined) {
    const address = readSyslogAddress(url)
    if (address === undefined) return yield* new SyslogUnsent({ because: "the address is invalid" })
    return yield* (yield* SyslogSender).send(address, lines.map(syslogMessage))
  }
  const answer = yield* (yield* HookSender).send(request)
  if (permanentAnswers.includes(answer.status)) {
    const sentence = `the log drain ${type} refuses ${lines.length} lines for good (${answer.status}): they are dropped`
    return yield* Effect.annotateLogs(Effect.logWarning(sentence), { server: uuid })
  }
  if (answer.status >= 300) return yield* new SyslogUnsent({ because: `the receiver answered ${answer.status}` })
})
