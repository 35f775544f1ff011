import { ForgeConnections, TokenRotations } from "@slipway/deploy/infrastructure"
import type { ConnectedForge } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ForgeConnectionsApi } from "../../../api/deploy/infrastructure/forge-connections.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ForgeConnectionsApi).prefix("/api/v1") {}

/** Converts a forge connection to its API response, without its token. */
const showConnection = (forge: ConnectedForge) => ({
  ...stampsOf(forge),
  name: forge.name,
  url: forge.htmlUrl,
  platform_url: forge.connection.platformUrl,
  ssh_port: forge.connection.sshPort,
  account: forge.connection.account,
  client_id: forge.clientSecret === null ? null : forge.clientId,
  status: forge.connection.rejection === null ? ("connected" as const) : ("disconnected" as const),
  reason: forge.connection.rejection,
  client_since: forge.connection.clientSince,
  token_since: forge.connection.tokenSince,
  is_rotating: forge.connection.rotation !== null
})

interface SentClient {
  readonly client_id?: string | null
  readonly client_secret?: string | null
}

/** Returns the OAuth2 client in a request body; null removes the stored client, undefined keeps it. */
const clientIn = ({ client_id: id, client_secret: secret }: SentClient) => {
  if (id === undefined && secret === undefined) return undefined
  return typeof id === "string" && typeof secret === "string" ? { id, secret: Redacted.make(secret) } : null
}

/** The handlers of forge connections. */
export const layerForgeConnections = HttpApiBuilder.group(Api, "forge-connections", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("forgeConnection.list")
        return yield* answerList(query, {
          page: (request) => ForgeConnections.list(proof, request),
          all: ForgeConnections.stream(proof),
          show: (forges) => Effect.succeed(forges.map(showConnection))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeConnection.create")
          const { grant_owner: grantOwner, name, platform_url: platformUrl, ssh_port: sshPort = null, url } = payload
          const signIn = clientIn(payload) ?? null
          const token = Redacted.make(payload.token)
          const input = { name: name ?? new URL(url).host, url, token, platformUrl, sshPort, signIn, grantOwner }
          return createdIn("/api/v1/forge-connections", yield* ForgeConnections.create(proof, input))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeConnection.read")
          return showConnection(proof.resource.forgeConnection)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeConnection.update")
          const { name, platform_url: platformUrl, ssh_port: sshPort, token } = payload
          const signIn = clientIn(payload)
          const input = {
            ...(signIn === undefined ? {} : { signIn }),
            ...(name === undefined ? {} : { name }),
            ...(platformUrl === undefined ? {} : { platformUrl }),
            ...(sshPort === undefined ? {} : { sshPort }),
            ...(token === undefined ? {} : { token: Redacted.make(token) })
          }
          return showConnection(yield* ForgeConnections.update(proof, input))
        })
      ),
    disconnect: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return showConnection(yield* ForgeConnections.disconnect(yield* granted("forgeConnection.disconnect")))
        })
      ),
    rotate: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return showConnection(yield* TokenRotations.rotate(yield* granted("forgeConnection.rotate")))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("forgeConnection.delete")
          yield* ForgeConnections.remove(proof)
          return { message: "Forge connection deleted." }
        })
      )
  })
)
