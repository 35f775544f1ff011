import type { OwnedPage } from "@slipway/domain"
import { elapsedMilliseconds, makeSecret, now, Transaction } from "@slipway/domain"
import {
  filterOf,
  isIn,
  mostRunners,
  type Place,
  PlaceFull,
  placeOf,
  type Runner,
  RunnerNotFound,
  type RunnerRegistration,
  runnerRegistrations,
  runners
} from "@slipway/domain/forge/automation"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import { hashOf } from "@slipway/domain/forge/identity"
import { Effect, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"
import { uuidOf } from "../../code/attachments/Attachments.ts"
import { recordRegistration, recordRemoval } from "./recordRegistration.ts"

type Placed<Verb extends string> = Proof<
  LoadedAction & `${"repository" | "organization" | "account" | "admin"}.actions.runner.${Verb}`
>

/** Reports that the data of a runner or of its registration is invalid. */
export class RunnerInvalid extends Schema.TaggedError<RunnerInvalid>()("RunnerInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}
/** Reports that no scope has the registration token of a request. */
export class RegistrationUnknown extends Schema.TaggedError<RegistrationUnknown>()("RegistrationUnknown", {}) {}

const findIn = Effect.fnUntraced(function* (place: Place, id: number) {
  const runner = yield* (yield* runners.store).find({}, id)
  return runner !== undefined && isIn(runner, place) ? runner : yield* new RunnerNotFound({ id })
})

const eventDetails = ({ id, name }: Runner) => ({ details: { runner: id, name } })

/** Lists the runners of a repository, an organization, the caller or the site. */
export const list = Effect.fnUntraced(function* (proof: Placed<"list">, page: OwnedPage) {
  return yield* (yield* runners.store).list({}, page, { filter: filterOf(placeOf(proof)) })
})

/** Reads a runner (a program that runs jobs of actions workflows). */
export const read = (proof: Placed<"read">, id: number) => findIn(placeOf(proof), id)

/** Enables or disables a runner; running jobs continue. */
export const edit = audited(
  Effect.fnUntraced(function* (proof: Placed<"edit">, id: number, { disabled }: Pick<Runner, "disabled">) {
    yield* findIn(placeOf(proof), id)
    const changed = yield* Effect.orDie((yield* runners.store).patch({}, id, { disabled }))
    return changed ?? (yield* new RunnerNotFound({ id }))
  }),
  (runner) => ({ details: { ...eventDetails(runner).details, disabled: runner.disabled } })
)

const removed = audited(
  Effect.fnUntraced(function* (proof: Placed<"delete">, id: number) {
    yield* findIn(placeOf(proof), id)
    return (yield* (yield* runners.store).remove({}, id)) ?? (yield* new RunnerNotFound({ id }))
  }),
  (runner) => eventDetails(runner)
)

/** Removes a runner and revokes its token. */
export const remove = (proof: Placed<"delete">, id: number) => Effect.asVoid(removed(proof, id))

/**
 * Creates the token with which runners register in a repository, an organization, an account or the site. The previous
 * token becomes invalid.
 */
export const createToken = audited(
  Effect.fnUntraced(function* (proof: Placed<"registration-token.create">) {
    const place = placeOf(proof)
    const store = yield* runnerRegistrations.store
    const token = yield* makeSecret
    // Of two concurrent requests, the later one's token remains.
    yield* lockHolder(place)
    yield* store.removeWhere({}, filterOf(place))
    // The operator at the command line is not a user of the site.
    const makerId = proof.resource.actor.user?.id ?? null
    yield* Effect.orDie(store.insert({ ...place, makerId, createdAt: yield* now, tokenHash: yield* hashOf(token) }))
    return Redacted.make(token)
  })
)

/** The data with which a runner registers: its name, its version and its labels. */
export interface RunnerRegistrationData {
  readonly name: string
  readonly version: string
  readonly labels: ReadonlyArray<string>
}

const mostLabels = 100
const aText = /^[^\p{Cc}\p{Cs}]{1,255}$/u
const maybeText = /^[^\p{Cc}\p{Cs}]{0,255}$/u

const checkRegistrationData = Effect.fnUntraced(function* ({ labels, name, version }: RunnerRegistrationData) {
  const problem = "must have at most 255 characters on one line"
  if (!aText.test(name)) return yield* new RunnerInvalid({ field: "name", problem: `is missing, or ${problem}` })
  if (!maybeText.test(version)) return yield* new RunnerInvalid({ field: "version", problem })
  if (labels.length > mostLabels) {
    return yield* new RunnerInvalid({ field: "labels", problem: `must be at most ${mostLabels}` })
  }
  if (!labels.every((label) => aText.test(label))) return yield* new RunnerInvalid({ field: "labels", problem })
})

const secretForm = /^[A-Za-z0-9]{40}$/
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A new runner with its token, which is returned only once. */
export interface Registered {
  readonly runner: Runner
  readonly token: Redacted.Redacted
}

/** Inserts a new runner of a repository, an organization, an account or the site, in the current transaction. */
const inserted = Effect.fnUntraced(function* (
  registration: RunnerRegistration,
  { ephemeral, labels, name, version }: RunnerRegistrationData & Pick<Runner, "ephemeral">,
  token: string
) {
  yield* lockHolder(registration)
  const place = yield* (yield* runnerRegistrations.store).lock({}, registration.id)
  if (place === undefined) return yield* new RegistrationUnknown()
  const { organizationId, reach, repositoryId, userId } = place
  const store = yield* runners.store
  if ((yield* store.count({}, filterOf(place))) >= mostRunners) {
    return yield* new PlaceFull({ most: mostRunners, of: "runners" })
  }
  const at = yield* now
  return yield* Effect.orDie(
    store.insert({
      reach,
      repositoryId,
      organizationId,
      userId,
      uuid: uuidOf(yield* (yield* SecureRandom.SecureRandom).randomBytes(16)),
      tokenHash: yield* hashOf(token),
      name,
      version,
      labels,
      ephemeral,
      disabled: false,
      createdAt: at,
      lastOnlineAt: at,
      lastActiveAt: null
    })
  )
})

/**
 * Registers a runner where its registration token belongs to (a repository, an organization, an account or the site).
 * `address` is the network address of the runner.
 */
export const register = Effect.fnUntraced(function* (
  registration: Redacted.Redacted,
  said: RunnerRegistrationData & Pick<Runner, "ephemeral">,
  address = ""
) {
  const text = Redacted.value(registration)
  const place = secretForm.test(text)
    ? yield* (yield* runnerRegistrations.store).findBy("token", { tokenHash: yield* hashOf(text) })
    : undefined
  if (place === undefined) return yield* new RegistrationUnknown()
  yield* checkRegistrationData(said)
  const token = yield* makeSecret
  const runner = yield* (yield* Transaction).run(
    Effect.tap(inserted(place, said, token), (row) => recordRegistration(row, place, address))
  )
  return { runner, token: Redacted.make(token) } satisfies Registered
})

/**
 * Authenticates a runner by its UUID and its token. Token hashes are compared, so that the time does not reveal the
 * token.
 */
export const authenticate = Effect.fnUntraced(function* (uuid: string, token: Redacted.Redacted) {
  const text = Redacted.value(token)
  if (!uuidForm.test(uuid) || !secretForm.test(text)) return undefined
  return yield* (yield* runners.store).findBy("credential", { uuid, tokenHash: yield* hashOf(text) })
})

/** Stores the labels and the version that a runner reports. */
export const declare = Effect.fnUntraced(function* (
  runner: Runner,
  said: Pick<RunnerRegistrationData, "labels" | "version">
) {
  yield* checkRegistrationData({ ...said, name: runner.name })
  const change = { version: said.version, labels: said.labels, lastOnlineAt: yield* now }
  const changed = yield* Effect.orDie((yield* runners.store).patch({}, runner.id, change))
  return changed ?? (yield* new RunnerNotFound({ id: runner.id }))
})

/** How long after its last request a runner is shown as online, in milliseconds. */
const onlineFor = 60_000
const activeFor = 30_000
/**
 * The minimum time between two updates of a runner's last request, in milliseconds; runners send about one request per
 * second.
 */
const notedEvery = 10_000

const since = (at: string | null, present: string): number =>
  at === null ? Number.POSITIVE_INFINITY : elapsedMilliseconds(at, present)

/** Returns whether a runner is online, and whether it runs a job. */
export const stateOf = ({ lastActiveAt, lastOnlineAt }: Runner, at: string) => ({
  online: since(lastOnlineAt, at) < onlineFor,
  active: since(lastActiveAt, at) < activeFor
})

/** Stores the time at which a runner was online, and if `isActive`, at which it ran a job. */
export const note = Effect.fnUntraced(function* (runner: Runner, isActive: boolean) {
  const at = yield* now
  const field = isActive ? "lastActiveAt" : "lastOnlineAt"
  if (since(runner[field], at) < notedEvery) return
  const change = isActive ? { lastOnlineAt: at, lastActiveAt: at } : { lastOnlineAt: at }
  yield* Effect.orDie((yield* runners.store).patch({}, runner.id, change))
})

/** Removes a runner that is no longer needed, and records an event with the reason. */
export const forget = Effect.fnUntraced(function* ({ id }: Pick<Runner, "id">, because: string) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const gone = yield* (yield* runners.store).remove({}, id)
      if (gone !== undefined) yield* recordRemoval(gone, because)
    })
  )
})

/** Removes an ephemeral runner after its job. */
export const finish = (runner: Runner) => (runner.ephemeral ? forget(runner, "its job is finished") : Effect.void)
