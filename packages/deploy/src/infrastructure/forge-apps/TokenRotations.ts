import { InvalidInput, timeAgo } from "@slipway/domain"
import { ConnectedForges } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import {
  type ConnectedForge,
  disconnectedHere,
  ForgeAppStore,
  ForgeConnectionNotFound,
  ForgeRotationRunning
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { advance, type Credential } from "./credentialRotation.ts"
import { callForge, openForge, tokenOwner } from "./ForgeConnections.ts"

/** The age in days at which a forge token is rotated. */
const mostDays = 30

/**
 * The token of a connection.
 *
 * The forge created the new token from the old one, so both belong to the same account, even if the account was
 * renamed.
 */
const token: Credential = {
  name: "token",
  read: ({ connection: { rotation, token } }) => ({ secret: token, rotation }),
  write: (forge, { others = {}, rotation, secret, since }) => ({
    ...forge,
    connection: {
      ...forge.connection,
      ...others,
      ...(secret === undefined ? {} : { token: secret }),
      ...(since === undefined ? {} : { tokenSince: since }),
      rotation
    }
  }),
  owner: tokenOwner,
  request: Effect.fnUntraced(function* (forge) {
    return yield* callForge(forge, (yield* ConnectedForges).rotate)
  }),
  prove: Effect.fnUntraced(function* (successor) {
    const account = yield* (yield* ConnectedForges)
      .account(yield* openForge(successor))
      .pipe(Effect.catchTag("ForgeTokenRejected", () => Effect.undefined))
    return account === undefined ? undefined : { account, rejection: null }
  }),
  confirm: Effect.fnUntraced(function* (forge) {
    yield* callForge(forge, (yield* ConnectedForges).confirm)
  })
}

/**
 * Replaces the token of a connection by a successor, which the forge creates; see `advance`.
 *
 * Fails if another rotation is in progress.
 */
export const rotate = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeConnection.rotate">) {
  const { forgeConnection } = resource
  const wrong = (sentence: string) => new InvalidInput({ problems: { token: [sentence] } })
  if (forgeConnection.connection.rejection === disconnectedHere) {
    return yield* wrong(`Cannot rotate: ${disconnectedHere}.`)
  }
  const outcome = yield* advance(token, forgeConnection, true).pipe(
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
  return (yield* advance(token, forge, since <= (yield* timeAgo({ days: mostDays }))))._tag !== "Unsupported"
})
