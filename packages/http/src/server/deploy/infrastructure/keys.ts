import { RepositoryHostKeys } from "@slipway/deploy/apps"
import { PrivateKeys } from "@slipway/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { KeysApi } from "../../../api/deploy/infrastructure/keys.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showPrivateKey } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(KeysApi).prefix("/api/v1") {}

/** The handlers of private keys. */
export const layerKeys = HttpApiBuilder.group(Api, "keys", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("key.list")
        return yield* answerList(query, {
          page: (request) => PrivateKeys.list(proof, request),
          all: PrivateKeys.stream(proof),
          show: (keys) => Effect.succeed(keys.map(showPrivateKey))
        })
      }),
    create: ({ payload: { private_key: text, ...named } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("key.create")
          const secret = text === undefined ? {} : { privateKey: Redacted.make(text) }
          const input = { name: "key", description: "", ...named, ...secret }
          return createdIn("/api/v1/security/keys", yield* PrivateKeys.create(proof, input))
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("key.read")
          return showPrivateKey(proof.resource.key)
        })
      ),
    update: ({ payload: { private_key: text, ...named } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("key.update")
          const secret = text === undefined ? {} : { privateKey: Redacted.make(text) }
          return showPrivateKey(yield* PrivateKeys.update(proof, { ...named, ...secret }))
        })
      ),
    describe: ({ payload: { private_key: text, ...named } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("key.describe")
          const { uuid } = yield* PrivateKeys.describe(proof, { ...named, privateKey: Redacted.make(text) })
          return { uuid: uuid as string }
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("key.delete")
          yield* PrivateKeys.remove(proof)
          return { message: "Private key deleted." }
        })
      ),
    listHostKeys: () =>
      Effect.gen(function* () {
        const proof = yield* granted("hostKey.read")
        return yield* RepositoryHostKeys.list(proof)
      }),
    forgetHostKey: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("hostKey.forget")
          yield* RepositoryHostKeys.forget(proof, params.address)
          return { message: "Host key forgotten." }
        })
      )
  })
)
