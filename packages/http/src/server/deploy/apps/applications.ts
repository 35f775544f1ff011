import {
  AdditionalDestinations,
  Applications,
  Clones,
  ForgeApplications,
  numbersOf,
  type RunWord,
  runWord,
  type SourceOf,
  show,
  sourcesOf,
  storedRunWords,
  withCoolifyNames
} from "@slipway/deploy/apps"
import type { Application, Variant } from "@slipway/domain/deploy/apps"
import { authorize, type Caller } from "@slipway/domain/deploy/entry"
import { DestinationNotFound, DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ApplicationsApi, Application as Shown } from "../../../api/deploy/apps/applications.ts"
import { answerList } from "../../lists.ts"
import { parseJson } from "../../wire/bodies.ts"
import { encoderOf } from "../../wire/encoder.ts"
import { createdIn, withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { deletionFlagsOf, isSetByDefault } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { moveAnswer, type NumberOf, showDestination, stampsOf } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(ApplicationsApi).prefix("/api/v1") {}

const encode = encoderOf(Shown)

/** Converts an application to its API response, with secrets if the caller has permission to see them. */
const showTo = Effect.fnUntraced(function* (
  caller: Caller,
  application: Application,
  status: RunWord,
  numberOf: NumberOf,
  sourceOf: SourceOf
) {
  const secrets = yield* Effect.option(authorize(caller, "application.secrets", { application }))
  const shown = yield* show(application, Option.getOrUndefined(secrets))
  return encode({
    ...shown,
    ...withCoolifyNames(shown),
    ...stampsOf(application),
    variant: application.variant,
    generated_domain: application.generatedDomain,
    ...sourceOf(application),
    status,
    fqdn: shown.domains === "" ? null : shown.domains,
    destination_id: numberOf(application.placement.destinationUuid),
    environment_id: numberOf(application.placement.environmentUuid),
    private_key_id: numberOf(application.privateKeyUuid),
    source_id: numberOf(application.forgeAppUuid),
    settings: {
      is_static: shown.is_static,
      is_spa: shown.is_spa,
      is_auto_deploy_enabled: shown.is_auto_deploy_enabled,
      is_force_https_enabled: shown.is_force_https_enabled,
      is_build_server_enabled: shown.use_build_server ?? false,
      connect_to_docker_network: shown.connect_to_docker_network,
      is_container_label_escape_enabled: shown.is_container_label_escape_enabled,
      is_preserve_repository_enabled: shown.is_preserve_repository_enabled,
      is_git_submodules_enabled: shown.is_git_submodules_enabled,
      is_git_lfs_enabled: shown.is_git_lfs_enabled,
      is_preview_deployments_enabled: shown.is_preview_deployments_enabled
    }
  })
})

/** Reads the numeric ids of the environments, destinations, keys and forge apps of several applications. */
const numbersIn = (applications: ReadonlyArray<Application>) =>
  numbersOf(
    applications.flatMap(({ forgeAppUuid, placement, privateKeyUuid }) => [
      forgeAppUuid,
      placement.destinationUuid,
      placement.environmentUuid,
      privateKeyUuid
    ])
  )

/** Converts several applications to API responses; reads their states and the numeric ids in one query each. */
const showAllTo = (caller: Caller) =>
  Effect.fnUntraced(function* (applications: ReadonlyArray<Application>) {
    const wordOf = yield* storedRunWords(applications)
    const numberOf = yield* numbersIn(applications)
    const sourceOf = yield* sourcesOf(applications)
    return yield* Effect.forEach(applications, (each) => showTo(caller, each, wordOf(each), numberOf, sourceOf))
  })

const isDestinationUuid = Schema.is(DestinationUuid)

/** Converts the destinations of an application to API responses, with the stored state of the application there. */
const showDestinations = Effect.fnUntraced(function* (
  all: ReadonlyArray<AdditionalDestinations.ApplicationDestination>
) {
  const wordOf = yield* storedRunWords(all.map(({ application }) => application))
  return all.map(({ application, destination, isAdditional }) => ({
    ...showDestination(destination),
    is_additional: isAdditional,
    application_uuid: application.uuid as string,
    status: wordOf(application)
  }))
})

// The domain reads this body itself, field by field, to report all its errors together.
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

const createThroughForge = () =>
  toHttpErrors(
    Effect.gen(function* () {
      const proof = yield* granted("application.create")
      return createdIn("/api/v1/applications", yield* ForgeApplications.create(proof, yield* body))
    })
  )

/** The handlers of applications. */
export const layerApplications = HttpApiBuilder.group(Api, "applications", (handlers) =>
  handlers
    .handleRaw("create-public", create("public"))
    .handleRaw("create-private-forge-app", createThroughForge)
    .handleRaw("create-private-github-app", createThroughForge)
    .handleRaw("create-private-deploy-key", create("private-deploy-key"))
    .handleRaw("create-dockerfile", create("dockerfile"))
    .handleRaw("create-dockerimage", create("dockerimage"))
    .handleRaw("update", () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.update")
          const application = yield* Applications.update(proof, yield* body)
          const [shown] = yield* showAllTo(proof.resource.caller)([application])
          return HttpServerResponse.jsonUnsafe(shown)
        })
      )
    )
    .handleAll({
      list: ({ query: { private_key_uuid: privateKeyUuid, repository, tag, ...page } }) =>
        Effect.gen(function* () {
          const proof = yield* granted("application.list")
          return yield* answerList(page, {
            page: (request) => Applications.list(proof, request, { privateKeyUuid, repository, tag }),
            all: Applications.stream(proof, { privateKeyUuid, repository, tag }),
            show: showAllTo(proof.resource.caller)
          })
        }),
      get: () =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.read")
            const { application } = proof.resource
            const status = yield* runWord(proof)
            const numberOf = yield* numbersIn([application])
            const sourceOf = yield* sourcesOf([application])
            const shown = yield* showTo(proof.resource.caller, application, status, numberOf, sourceOf)
            return HttpServerResponse.jsonUnsafe(shown)
          })
        ),
      delete: ({ query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.delete")
            const deletion = yield* Applications.remove(proof, deletionFlagsOf(query, isSetByDefault))
            const message = "Application deletion request queued."
            return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message })
          })
        ),
      move: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.update")
            return moveAnswer(
              "Application moved successfully.",
              yield* Applications.move(proof, payload.environment_uuid)
            )
          })
        ),
      migrate: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.update")
            const { uuid } = yield* Applications.migrate(proof, payload.destination_uuid)
            return { message: "Application migrated; its next deployment uses the new server.", uuid: uuid as string }
          })
        ),
      destinations: () =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.read")
            return yield* showDestinations(yield* AdditionalDestinations.list(proof))
          })
        ),
      addDestination: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.update")
            const { uuid } = yield* AdditionalDestinations.add(proof, payload.destination_uuid)
            const { caller, application } = proof.resource
            const all = yield* AdditionalDestinations.list(
              yield* authorize(caller, "application.read", { application })
            )
            const [added] = yield* showDestinations(all.filter((each) => each.application.uuid === uuid))
            return added ?? (yield* new DestinationNotFound())
          })
        ),
      removeDestination: ({ params, query }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.update")
            if (!isDestinationUuid(params.destination_uuid)) return yield* new DestinationNotFound()
            const flags = deletionFlagsOf(query, isSetByDefault)
            const deletion = yield* AdditionalDestinations.remove(proof, params.destination_uuid, flags)
            const message = "Removal of the destination queued."
            return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message })
          })
        ),
      clone: ({ payload }) =>
        toHttpErrors(
          Effect.gen(function* () {
            const proof = yield* granted("application.clone")
            const { destination_uuid: destinationUuid, name } = payload
            const { uuid } = yield* Clones.clone(proof, { destinationUuid, name })
            return withLocation(`/api/v1/applications/${uuid}`, { uuid: String(uuid), message: "Application cloned." })
          })
        )
    })
)
