import { type Application, Applications, authorize, type Caller, show, type Variant } from "@slipway/domain/deploy"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ApplicationsApi } from "../../api/deploy/applications.ts"
import { parseJson } from "../bodies.ts"
import { createdIn, withLocation } from "../created.ts"
import { answerList } from "../lists.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { stampsOf } from "./show.ts"

class Api extends HttpApi.make("deploy").add(ApplicationsApi).prefix("/api/v1") {}

/** Shows an application to a caller, with its secrets when the caller may see them. */
const showTo = Effect.fnUntraced(function* (caller: Caller, application: Application) {
  const secrets = yield* Effect.option(authorize(caller, "application.secrets"))
  return {
    ...stampsOf(application),
    variant: application.variant,
    generated_domain: application.generatedDomain,
    ...(yield* show(application, Option.getOrUndefined(secrets)))
  }
})

// The domain reads this body itself, field by field, so that it can tell all that is wrong with it at once.
const body = HttpServerRequest.HttpServerRequest.pipe(
  Effect.flatMap((request) => Effect.orDie(request.text)),
  Effect.flatMap(parseJson)
)

const create = (variant: Variant) => () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("application.create")
      return createdIn("/api/v1/applications", yield* Applications.create(proof, variant, yield* body))
    })
  )

const isSet = (flag: string | undefined) => flag !== "false" && flag !== "0"

/** The handlers of applications. */
export const layerApplications = HttpApiBuilder.group(Api, "applications", (handlers) =>
  handlers
    .handleRaw("create-public", create("public"))
    .handleRaw("create-private-forge-app", create("private-forge-app"))
    .handleRaw("create-private-deploy-key", create("private-deploy-key"))
    .handleRaw("create-dockerfile", create("dockerfile"))
    .handleRaw("create-dockerimage", create("dockerimage"))
    .handleRaw("update", ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const application = yield* Applications.update(proof, params.uuid, yield* body)
          return HttpServerResponse.jsonUnsafe(yield* showTo(proof.resource, application))
        })
      )
    )
    .handleAll({
      list: ({ query: { tag, ...page } }) =>
        Effect.gen(function* () {
          const proof = yield* granted("application.list")
          return yield* answerList(page, {
            page: (request) => Applications.list(proof, request, tag),
            all: Applications.stream(proof, tag),
            show: (application) => showTo(proof.resource, application)
          })
        }),
      get: ({ params }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.read")
            const application = yield* Applications.get(proof, params.uuid)
            return HttpServerResponse.jsonUnsafe(yield* showTo(proof.resource, application))
          })
        ),
      delete: ({ params, query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.delete")
            const deletion = yield* Applications.remove(proof, params.uuid, {
              deleteConfigurations: isSet(query.delete_configurations),
              deleteVolumes: isSet(query.delete_volumes),
              dockerCleanup: isSet(query.docker_cleanup),
              deleteConnectedNetworks: isSet(query.delete_connected_networks)
            })
            const message = "Application deletion request queued."
            return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message })
          })
        )
    })
)
