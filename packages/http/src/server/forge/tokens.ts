import { AccessTokens } from "@slipway/domain/forge"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { TokensApi } from "../../api/forge/tokens.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { answerPage } from "./pages.ts"
import { showToken } from "./show.ts"

class Api extends HttpApi.make("forge").add(TokensApi).prefix("/api/v1") {}

/** The handlers of access tokens. */
export const layerTokens = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  handlers.handleAll({
    current: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return showToken(yield* AccessTokens.introspect(yield* granted("token.read")))
        })
      ),
    revoke: () => toHttpErrors(Effect.flatMap(granted("token.delete"), AccessTokens.removeInUse)),
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("user.token.list")
        return yield* answerPage(
          query,
          (page) => AccessTokens.list(proof, page),
          (token) => showToken(token)
        )
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("user.token.create")
          const { plain, token } = yield* AccessTokens.create(proof, {
            name: payload.name,
            scopes: payload.scopes ?? [],
            expiresAt: payload.expires_at ?? null
          })
          return showToken(token, Redacted.value(plain))
        })
      ),
    delete: ({ params }) =>
      toHttpErrors(Effect.flatMap(granted("user.token.delete"), (proof) => AccessTokens.remove(proof, params.id)))
  })
)
