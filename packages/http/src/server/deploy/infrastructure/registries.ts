import { Registries } from "@slipway/deploy/infrastructure"
import { registryOf } from "@slipway/domain/deploy/containers"
import type { Registry } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { RegistriesApi, type RegistryChange } from "../../../api/deploy/infrastructure/registries.ts"
import { answerList } from "../../lists.ts"
import { createdIn } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { secretsOf } from "../base/secrets.ts"
import { definedFields, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(RegistriesApi).prefix("/api/v1") {}

/** Converts credentials for a registry to their API response, without the password. */
const show = (row: Registry) => ({
  ...stampsOf(row),
  name: row.name,
  description: row.description,
  registry: row.registry,
  username: row.username,
  team_id: row.teamId
})

/** Returns the normalized name of a registry; `sent` was validated before. */
const placeOf = (sent: string): string => registryOf(sent) ?? sent

const changeOf = (body: typeof RegistryChange.Type): Partial<Registries.RegistryInput> =>
  definedFields({
    name: body.name,
    description: body.description,
    registry: body.registry === undefined ? undefined : placeOf(body.registry),
    username: body.username,
    password: body.password === undefined ? undefined : Redacted.make(body.password)
  })

/** The handlers of credentials for registries. */
export const layerRegistries = HttpApiBuilder.group(Api, "registries", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("registry.list")
        return yield* answerList(query, {
          page: (request) => Registries.list(proof, request),
          all: Registries.stream(proof),
          show: (rows) => Effect.succeed(rows.map(show))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("registry.create")
          const registry = placeOf(payload.registry)
          const row = yield* Registries.create(proof, {
            name: payload.name ?? registry,
            description: payload.description ?? "",
            registry,
            username: payload.username,
            password: Redacted.make(payload.password)
          })
          return createdIn("/api/v1/registries", row)
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return show((yield* granted("registry.read")).resource.registry)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("registry.update")
          const secrets = yield* secretsOf(proof.resource.caller)
          return show(yield* Registries.update(proof, changeOf(payload), secrets))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Registries.remove(yield* granted("registry.delete"))
          return { message: "Credentials of the registry deleted." }
        })
      )
  })
)
