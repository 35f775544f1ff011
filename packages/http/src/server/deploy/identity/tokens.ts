import { Tokens } from "@slipway/deploy/identity"
import { timeOf } from "@slipway/domain"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TokensApi } from "../../../api/deploy/identity/tokens.ts"
import { answerList } from "../../lists.ts"
import { withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showToken } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(TokensApi).prefix("/api/v1") {}

const utc = (instant: string | null | undefined) => (instant === null || instant === undefined ? null : timeOf(instant))

/** The handlers of bearer tokens. */
export const layerTokens = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  handlers.handleAll({
    introspect: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("token.introspect")
          return showToken(yield* Tokens.introspect(proof))
        })
      ),
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("token.list")
        return yield* answerList(query, {
          page: (request) => Tokens.list(proof, request),
          all: Tokens.stream(proof),
          show: (tokens) => Effect.succeed(tokens.map(showToken))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("token.create")
          const { plain, token } = yield* Tokens.create(proof, {
            name: payload.name,
            abilities: payload.abilities,
            expiresAt: utc(payload.expires_at),
            projects: payload.projects ?? null
          })
          return withLocation(`/api/v1/tokens/${token.uuid}`, { ...showToken(token), token: Redacted.value(plain) })
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("token.read")
          return showToken(proof.resource.token)
        })
      ),
    revoke: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("token.revoke")
          yield* Tokens.revoke(proof)
          return { message: "Token revoked." }
        })
      )
  })
)
