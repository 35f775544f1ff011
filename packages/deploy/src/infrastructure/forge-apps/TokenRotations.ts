import { InvalidInput, now, Transaction, timeAgo, Vault } from "@slipway/domain"
import { ConnectedForges, GitHostFailed } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  type ConnectedForge,
  disconnectedHere,
  ForgeAppStore,
  type ForgeConnection,
  ForgeConnectionNotFound,
  ForgeRotationRunning,
  isConnected,
  type TokenRotation
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { callForge, openForge, tokenOwner } from "./ForgeConnections.ts"

/** The age in days at which a forge token is rotated. */
const mostDays = 30

/** The minutes for which the old token stays valid after a rotation: running git fetches may still use it. */
const graceMinutes = 10

/** The lease in minutes of a process that requests a new token from the forge. Then another process may do so. */
const leaseMinutes = 1

const detailOf = (rotation: TokenRotation | null) => {
  if (rotation === null) return undefined
  return rotation.stage === "stored" ? rotation.token : rotation.at
}

const isSame = (one: TokenRotation | null, other: TokenRotation | null): boolean =>
  one?.stage === other?.stage && detailOf(one) === detailOf(other)

/**
 * Changes the connection of a forge if its token and rotation are the same as the caller has read.
 *
 * Returns undefined if another process or a user changed them in the meantime.
 */
const step = Effect.fnUntraced(function* (forge: ConnectedForge, change: Partial<ForgeConnection>) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(forge.uuid)
      if (present === undefined || !isConnected(present)) return undefined
      const { rotation, token } = present.connection
      if (token !== forge.connection.token || !isSame(rotation, forge.connection.rotation)) return undefined
      const changed: ConnectedForge = {
        ...present,
        connection: { ...present.connection, ...change },
        updatedAt: yield* now
      }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

/**
 * The progress of a token rotation: `Rotated` if this call activated a new token, `InProgress` if another call or
 * process changes the connection, `Idle` if nothing was due, and `Unsupported` if the forge cannot rotate tokens.
 */
type Outcome =
  | { readonly _tag: "Idle" | "InProgress" | "Unsupported" }
  | { readonly _tag: "Rotated"; readonly forge: ConnectedForge }

const inProgress: Outcome = { _tag: "InProgress" }

/**
 * Tests a stored new token at the forge, and activates it. Deletes the new token if the forge rejects it.
 *
 * The forge created the new token from the old one, so both belong to the same account, even if the account was
 * renamed.
 */
const swap = Effect.fnUntraced(function* (
  forge: ConnectedForge,
  rotation: Extract<TokenRotation, { readonly stage: "stored" }>
) {
  const successor = { ...forge, connection: { ...forge.connection, token: rotation.token } }
  const found = yield* (yield* ConnectedForges)
    .account(yield* openForge(successor))
    .pipe(Effect.catchTag("ForgeTokenRejected", () => Effect.undefined))
  if (found === undefined) {
    yield* step(forge, { rotation: null })
    return yield* new GitHostFailed({ because: `the forge ${forge.htmlUrl} does not accept the new token` })
  }
  const at = yield* now
  const change: Partial<ForgeConnection> = {
    account: found,
    token: rotation.token,
    rejection: null,
    tokenSince: at,
    rotation: { stage: "swapped", at }
  }
  const swapped = yield* step(forge, change)
  return swapped === undefined ? inProgress : ({ _tag: "Rotated", forge: swapped } satisfies Outcome)
})

/** Requests a new token from the forge, stores it and activates it. */
const request = Effect.fnUntraced(function* (forge: ConnectedForge) {
  const requested = yield* step(forge, { rotation: { stage: "requested", at: yield* now } })
  if (requested === undefined) return inProgress
  const successor = yield* callForge(requested, (yield* ConnectedForges).rotate).pipe(
    Effect.tapError(() => step(requested, { rotation: null }))
  )
  if (successor === undefined) {
    yield* step(requested, { rotation: null })
    return { _tag: "Unsupported" } satisfies Outcome
  }
  const token = yield* (yield* Vault).seal(tokenOwner(forge.uuid), successor)
  const rotation = { stage: "stored", token } as const
  const stored = yield* step(requested, { rotation })
  return stored === undefined ? inProgress : yield* swap(stored, rotation)
})

/** Confirms to the forge that the new token is in use; the forge then revokes the old token. */
const confirm = Effect.fnUntraced(function* (forge: ConnectedForge) {
  yield* callForge(forge, (yield* ConnectedForges).confirm)
  return yield* step(forge, { rotation: null })
})

const idle: Outcome = { _tag: "Idle" }

/** Performs the next steps of a running token rotation. Starts a rotation if `isWanted` is true. */
const advance = Effect.fnUntraced(function* (forge: ConnectedForge, isWanted: boolean) {
  const { rotation } = forge.connection
  switch (rotation?.stage) {
    case "requested":
      return rotation.at <= (yield* timeAgo({ minutes: leaseMinutes })) ? yield* request(forge) : inProgress
    case "stored":
      return yield* swap(forge, rotation)
    case "swapped": {
      if (rotation.at > (yield* timeAgo({ minutes: graceMinutes }))) return inProgress
      const confirmed = yield* confirm(forge)
      if (confirmed === undefined) return inProgress
      return isWanted ? yield* request(confirmed) : idle
    }
    default:
      return isWanted ? yield* request(forge) : idle
  }
})

/**
 * Replaces the token of a connection by a new one, which the forge creates.
 *
 * The old token works until the forge has accepted the new one, and for some minutes more. Each step is stored, so a
 * crash of either side loses no token: `rotateOld` continues the rotation.
 *
 * Fails if another rotation is in progress.
 */
export const rotate = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeConnection.rotate">) {
  const { forgeConnection } = resource
  const wrong = (sentence: string) => new InvalidInput({ problems: { token: [sentence] } })
  if (forgeConnection.connection.rejection === disconnectedHere) {
    return yield* wrong(`Cannot rotate: ${disconnectedHere}.`)
  }
  const outcome = yield* advance(forgeConnection, true).pipe(
    Effect.catchTag("ForgeTokenRejected", ({ because }) => wrong(`Cannot rotate: ${because}.`))
  )
  switch (outcome._tag) {
    case "Rotated":
      return outcome.forge
    case "Unsupported":
      return yield* wrong("The forge cannot rotate this token: create another one there, and send it with PATCH.")
    default: {
      const isGone = (yield* (yield* ForgeAppStore).find(forgeConnection.uuid)) === undefined
      return yield* isGone ? new ForgeConnectionNotFound() : new ForgeRotationRunning()
    }
  }
})

/**
 * Rotates the token of a connection if it is old, and completes an interrupted rotation.
 *
 * Returns false if the forge does not support token rotation.
 */
export const rotateOld = Effect.fnUntraced(function* (forge: ConnectedForge) {
  if (forge.connection.rejection !== null) return true
  const since = forge.connection.tokenSince ?? forge.createdAt
  return (yield* advance(forge, since <= (yield* timeAgo({ days: mostDays }))))._tag !== "Unsupported"
})
