import type { Proof } from "@slipway/domain/forge/entry"
import {
  hashOf,
  type OAuth2Application,
  OAuth2SecretRejected,
  oauth2Applications
} from "@slipway/domain/forge/identity"
import { Effect, Redacted } from "effect"
import { audited } from "../../base/events/record.ts"
import { type MintedOAuth2Application, newSecret } from "./OAuth2Applications.ts"

/** The id of an OAuth2 client, and one of its secrets. */
export interface ClientCredentials {
  readonly clientId: string
  readonly secret: Redacted.Redacted
}

/** The two secrets of a client: the one of its creation, and the successor of a rotation. */
type Which = "secret" | "successor"

/** Finds the confidential client that has a secret. */
const clientOf = Effect.fnUntraced(function* (which: Which, { clientId, secret }: ClientCredentials) {
  const store = yield* oauth2Applications.store
  const hash = yield* hashOf(Redacted.value(secret))
  const found =
    which === "secret"
      ? yield* store.findBy("secret", { secretHash: hash })
      : yield* store.findBy("successor", { successorHash: hash })
  return found?.clientId === clientId && found.confidential ? { application: found, hash } : undefined
})

/** Locks the client that has a secret; undefined if it has no such secret, or lost it meanwhile. */
const lockClient = Effect.fnUntraced(function* (which: Which, credentials: ClientCredentials) {
  const seen = yield* clientOf(which, credentials)
  if (seen === undefined) return undefined
  const { id, userId } = seen.application
  yield* (yield* oauth2Applications.store).lock({ userId }, id)
  return yield* clientOf(which, credentials)
})

const eventDetails = ({ id, name }: OAuth2Application) => ({ details: { application: id, name } })

/**
 * Creates the successor of the secret of a client.
 *
 * Both secrets work until the successor is confirmed. A repeated request replaces the unconfirmed successor. Fails for a
 * secret that the client does not have, and for an unconfirmed successor.
 */
export const rotate = audited(
  Effect.fnUntraced(function* (_: Proof<"oauth2-client.rotate">, credentials: ClientCredentials) {
    const present = yield* lockClient("secret", credentials)
    if (present === undefined) return yield* new OAuth2SecretRejected()
    const { id, userId } = present.application
    const { secret, secretHash } = yield* newSecret
    yield* Effect.orDie((yield* oauth2Applications.store).patch({ userId }, id, { successorHash: secretHash }))
    return { application: present.application, secret } satisfies MintedOAuth2Application
  }),
  ({ application }) => eventDetails(application)
)

/**
 * Confirms the successor of a secret, which revokes its predecessor. Returns the client. Idempotent: for a secret that is
 * not a successor, it changes and records nothing, and returns undefined. Fails for a secret that the client does not
 * have.
 */
export const confirm = audited(
  Effect.fnUntraced(function* (_: Proof<"oauth2-client.confirm">, credentials: ClientCredentials) {
    const successor = yield* lockClient("successor", credentials)
    if (successor === undefined) {
      // A repeated confirmation: the successor is the secret now.
      const present = yield* clientOf("secret", credentials)
      return present === undefined ? yield* new OAuth2SecretRejected() : undefined
    }
    const { application, hash } = successor
    const { id, userId } = application
    yield* Effect.orDie(
      (yield* oauth2Applications.store).patch({ userId }, id, { secretHash: hash, successorHash: null })
    )
    return application
  }),
  (application) => application && eventDetails(application)
)

/** Returns whether a client has a secret: the one of its creation, or an unconfirmed successor. */
export const isSecretOf = Effect.fnUntraced(function* (credentials: ClientCredentials) {
  const found = (yield* clientOf("secret", credentials)) ?? (yield* clientOf("successor", credentials))
  return found !== undefined
})
