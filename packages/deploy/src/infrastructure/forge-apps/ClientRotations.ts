import { Vault } from "@slipway/domain"
import { ConnectedForges, type ForgeClient } from "@slipway/domain/deploy/apps"
import type { ConnectedForge } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { advance, type Credential } from "./credentialRotation.ts"
import { callForge, clientOwner, openForge } from "./ForgeConnections.ts"

/** Opens the OAuth2 client of a connection that has one. */
const openClient = Effect.fnUntraced(function* ({ clientId, clientSecret, uuid }: ConnectedForge) {
  if (clientSecret === null) return yield* Effect.die(new Error("the connection has no OAuth2 client"))
  return { id: clientId, secret: yield* (yield* Vault).open(clientOwner(uuid), clientSecret) } satisfies ForgeClient
})

/** The secret of the OAuth2 client of a connection. */
const clientSecret: Credential = {
  name: "client secret",
  read: ({ clientSecret, connection: { clientRotation } }) => ({ secret: clientSecret, rotation: clientRotation }),
  write: (forge, { others = {}, rotation, secret, since }) => ({
    ...forge,
    ...(secret === undefined ? {} : { clientSecret: secret }),
    connection: {
      ...forge.connection,
      ...others,
      ...(since === undefined ? {} : { clientSince: since }),
      clientRotation: rotation
    }
  }),
  owner: clientOwner,
  request: Effect.fnUntraced(function* (forge) {
    const client = yield* openClient(forge)
    const { rotateClient } = yield* ConnectedForges
    return yield* callForge(forge, (access) => rotateClient(access, client))
  }),
  prove: Effect.fnUntraced(function* (successor) {
    const { acceptsClient } = yield* ConnectedForges
    return (yield* acceptsClient(yield* openForge(successor), yield* openClient(successor))) ? {} : undefined
  }),
  confirm: Effect.fnUntraced(function* (forge) {
    const client = yield* openClient(forge)
    const { confirmClient } = yield* ConnectedForges
    yield* callForge(forge, (access) => confirmClient(access, client))
  })
}

/**
 * Rotates the secret of the OAuth2 client of a connection, each time that the token was rotated or replaced, and
 * completes a rotation that was interrupted.
 *
 * Returns false if the forge cannot rotate secrets of clients.
 */
export const rotateAfterToken = Effect.fnUntraced(function* (forge: ConnectedForge) {
  const { clientSince, rejection, tokenSince } = forge.connection
  if (forge.clientSecret === null || rejection !== null) return true
  const isOlder = (clientSince ?? forge.createdAt) < (tokenSince ?? forge.createdAt)
  return (yield* advance(clientSecret, forge, isOlder))._tag !== "Unsupported"
})
