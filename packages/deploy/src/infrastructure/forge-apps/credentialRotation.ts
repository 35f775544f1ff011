import { now, type Sealed, type SecretOwner, Transaction, timeAgo, Vault } from "@slipway/domain"
import { type ConnectedForges, type ForgeTokenRejected, GitHostFailed } from "@slipway/domain/deploy/apps"
import {
  type ConnectedForge,
  type CredentialRotation,
  ForgeAppStore,
  type ForgeAppUuid,
  type ForgeConnection,
  isConnected
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted } from "effect"

/** How long the predecessor of a credential works after the swap, in minutes: requests with it may be running. */
const graceMinutes = 10

/** How long a process may wait for a successor, in minutes; after that, another one asks for it. */
const leaseMinutes = 1

/** The changed parts of a credential; `others` are fields of the connection that change with it. */
export interface CredentialChange {
  readonly secret?: Sealed
  readonly since?: string
  readonly rotation: CredentialRotation | null
  readonly others?: Partial<ForgeConnection>
}

type Calling<A> = Effect.Effect<
  A,
  ForgeTokenRejected | GitHostFailed,
  ConnectedForges | ForgeAppStore | Transaction | Vault
>

/** A credential of the platform at a forge: where a connection stores it, and how the forge rotates it. */
export interface Credential {
  /** Names the credential in errors. */
  readonly name: string
  readonly read: (forge: ConnectedForge) => {
    readonly secret: Sealed | null
    readonly rotation: CredentialRotation | null
  }
  readonly write: (forge: ConnectedForge, change: CredentialChange) => ConnectedForge
  readonly owner: (uuid: ForgeAppUuid) => SecretOwner
  /** Asks the forge for a successor; undefined if the forge cannot rotate the credential. */
  readonly request: (forge: ConnectedForge) => Calling<Redacted.Redacted | undefined>
  /** Returns what changes in a connection with the successor; undefined if the forge does not accept the successor. */
  readonly prove: (successor: ConnectedForge) => Calling<Partial<ForgeConnection> | undefined>
  /** Confirms the successor in use, which revokes its predecessor at the forge. */
  readonly confirm: (forge: ConnectedForge) => Calling<void>
}

const detailOf = (rotation: CredentialRotation | null) => {
  if (rotation === null) return undefined
  return rotation.stage === "stored" ? rotation.successor : rotation.at
}

const isSame = (one: CredentialRotation | null, other: CredentialRotation | null): boolean =>
  one?.stage === other?.stage && detailOf(one) === detailOf(other)

/**
 * Changes a credential of a connection if it and its rotation are the ones that the caller read.
 *
 * Returns undefined if another process or a user changed them.
 */
const step = Effect.fnUntraced(function* (credential: Credential, forge: ConnectedForge, change: CredentialChange) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(forge.uuid)
      if (present === undefined || !isConnected(present)) return undefined
      const [found, expected] = [credential.read(present), credential.read(forge)]
      if (found.secret !== expected.secret || !isSame(found.rotation, expected.rotation)) return undefined
      const changed: ConnectedForge = { ...credential.write(present, change), updatedAt: yield* now }
      yield* Effect.orDie(store.replace(changed))
      return changed
    })
  )
})

/**
 * How far a rotation came: `Rotated` if this call put a successor into use, `InProgress` if another call or process
 * changed the connection or has the rotation.
 */
export type Outcome =
  | { readonly _tag: "Idle" | "InProgress" | "Unsupported" }
  | { readonly _tag: "Rotated"; readonly forge: ConnectedForge }

const inProgress: Outcome = { _tag: "InProgress" }
const idle: Outcome = { _tag: "Idle" }

/** Proves a stored successor at the forge, and uses it from then on; drops one that the forge does not accept. */
const swap = Effect.fnUntraced(function* (
  credential: Credential,
  forge: ConnectedForge,
  { successor }: Extract<CredentialRotation, { readonly stage: "stored" }>
) {
  const { rotation } = credential.read(forge)
  const others = yield* credential.prove(credential.write(forge, { secret: successor, rotation }))
  if (others === undefined) {
    yield* step(credential, forge, { rotation: null })
    return yield* new GitHostFailed({
      because: `the forge ${forge.htmlUrl} does not accept the new ${credential.name}`
    })
  }
  const at = yield* now
  const change = { secret: successor, since: at, rotation: { stage: "swapped", at }, others } as const
  const swapped = yield* step(credential, forge, change)
  return swapped === undefined ? inProgress : ({ _tag: "Rotated", forge: swapped } satisfies Outcome)
})

/** Asks the forge for a successor, stores it and uses it. */
const request = Effect.fnUntraced(function* (credential: Credential, forge: ConnectedForge) {
  const requested = yield* step(credential, forge, { rotation: { stage: "requested", at: yield* now } })
  if (requested === undefined) return inProgress
  const successor = yield* credential
    .request(requested)
    .pipe(Effect.tapError(() => step(credential, requested, { rotation: null })))
  if (successor === undefined) {
    yield* step(credential, requested, { rotation: null })
    return { _tag: "Unsupported" } satisfies Outcome
  }
  const sealed = yield* (yield* Vault).seal(credential.owner(forge.uuid), successor)
  const rotation = { stage: "stored", successor: sealed } as const
  const stored = yield* step(credential, requested, { rotation })
  return stored === undefined ? inProgress : yield* swap(credential, stored, rotation)
})

/**
 * Completes the steps of a rotation that are due; starts one if `isWanted`.
 *
 * The old credential works until the forge has accepted the new one, and for some minutes more. Each step is stored, so
 * that a crash of either side loses no credential: the next call continues.
 */
export const advance = Effect.fnUntraced(function* (credential: Credential, forge: ConnectedForge, isWanted: boolean) {
  const { rotation } = credential.read(forge)
  switch (rotation?.stage) {
    case "requested":
      return rotation.at <= (yield* timeAgo({ minutes: leaseMinutes })) ? yield* request(credential, forge) : inProgress
    case "stored":
      return yield* swap(credential, forge, rotation)
    case "swapped": {
      if (rotation.at > (yield* timeAgo({ minutes: graceMinutes }))) return inProgress
      yield* credential.confirm(forge)
      const confirmed = yield* step(credential, forge, { rotation: null })
      if (confirmed === undefined) return inProgress
      return isWanted ? yield* request(credential, confirmed) : idle
    }
    default:
      return isWanted ? yield* request(credential, forge) : idle
  }
})
