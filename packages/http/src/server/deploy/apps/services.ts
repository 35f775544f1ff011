import { Services } from "@slipway/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type ServiceChange, ServicesApi } from "../../../api/deploy/apps/services.ts"
import { answerList } from "../../lists.ts"
import { withLocation } from "../../wire/created.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showService } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ServicesApi).prefix("/api/v1") {}

const changeOf = ({ docker_compose_raw: compose, force_domain_override: _, ...rest }: (typeof ServiceChange)["Type"]) =>
  ({
    ...rest,
    ...(compose === undefined ? {} : { dockerComposeRaw: compose })
  }) satisfies Partial<Services.ServiceInput>

/** The handlers of services. */
export const layerServices = HttpApiBuilder.group(Api, "services", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("service.list")
        return yield* answerList(query, {
          page: (request) => Services.list(proof, request),
          all: Services.stream(proof),
          show: (services) => Effect.succeed(services.map(showService))
        })
      }),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.create")
          const service = yield* Services.create(
            proof,
            {
              name: payload.name,
              description: payload.description ?? "",
              dockerComposeRaw: payload.docker_compose_raw,
              urls: payload.urls ?? []
            },
            {
              projectUuid: payload.project_uuid,
              serverUuid: payload.server_uuid,
              environmentName: payload.environment_name,
              environmentUuid: payload.environment_uuid,
              destinationUuid: payload.destination_uuid
            },
            payload.force_domain_override ?? false
          )
          const domains = service.urls.map((each) => each.url)
          return withLocation(`/api/v1/services/${service.uuid}`, { uuid: service.uuid, domains })
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.read")
          return showService(proof.resource.service)
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const override = payload.force_domain_override ?? false
          return showService(yield* Services.update(proof, changeOf(payload), override))
        })
      ),
    delete: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.delete")
          // Nothing refers to a service, so nothing can prevent its deletion.
          yield* Effect.catchTag(Services.remove(proof), "InUse", Effect.die)
          return { message: "Service deleted." }
        })
      )
  })
)
