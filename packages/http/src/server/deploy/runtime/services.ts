import {
  ServiceClones,
  Services,
  ServiceTemplates,
  Status,
  serviceWords,
  storedServiceWords
} from "@slipway/deploy/apps"
import { Cleanups } from "@slipway/deploy/infrastructure"
import { InvalidInput } from "@slipway/domain"
import { composeText, type Service, type ServiceTemplate, serviceTemplates } from "@slipway/domain/deploy/apps"
import { createTwoFilesPatch } from "diff"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { type ServiceChange, ServicesApi } from "../../../api/deploy/runtime/services.ts"
import { answerList } from "../../lists.ts"
import { createdIn, withLocation } from "../../wire/locationHeader.ts"
import { queuedAnswer } from "../apps/runs.ts"
import { toHttpErrors } from "../base/errors.ts"
import { deletionFlagsOf, isSet, isSetByDefault } from "../base/flags.ts"
import { granted } from "../base/guard.ts"
import { moveAnswer, numbersIn, showStatus } from "../base/show.ts"
import { showOneService, showServices } from "./showService.ts"

class Api extends HttpApi.make("deploy").add(ServicesApi).prefix("/api/v1") {}

const changeOf = ({
  connect_to_docker_network: connectsToNetwork,
  description,
  docker_compose_raw: compose,
  name,
  urls
}: (typeof ServiceChange)["Type"]): Partial<Services.ServiceInput> => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(urls === undefined ? {} : { urls }),
  ...(connectsToNetwork === undefined ? {} : { connectsToNetwork }),
  ...(compose === undefined ? {} : { dockerComposeRaw: composeText(compose) })
})

const notChanged = "Is not changed here: use POST /services/{uuid}/move or /services/{uuid}/migrate."

/** Fails if a change names another placement than the present one. */
const requireSamePlace = (change: (typeof ServiceChange)["Type"], { placement }: Pick<Service, "placement">) => {
  const present = {
    project_uuid: placement.projectUuid,
    server_uuid: placement.serverUuid,
    environment_name: placement.environmentName,
    environment_uuid: placement.environmentUuid,
    destination_uuid: placement.destinationUuid
  }
  const problems = Object.entries(present).flatMap(([field, value]) => {
    const sent = change[field as keyof typeof present] || value
    return sent === value ? [] : [[field, [notChanged]] as const]
  })
  return problems.length === 0 ? Effect.void : new InvalidInput({ problems: Object.fromEntries(problems) })
}

/** Converts services to API responses, with their stored run states; reads all states in one query. */
const showAll = Effect.fnUntraced(function* (services: ReadonlyArray<Service>) {
  const wordsOf = yield* storedServiceWords(services)
  return yield* showServices(services, ({ uuid }) => wordsOf(uuid))
})

const showTemplate = (template: ServiceTemplate) => ({
  type: template.name,
  title: template.title,
  description: template.description,
  category: template.category,
  images: template.images,
  port: template.port,
  minimum_memory: template.memory,
  variables: template.variables,
  docker_compose: template.compose
})

/** Returns the compose text for a new service: the given text, or the text of the template named `type`. */
const textOf = Effect.fnUntraced(function* (type: string | undefined, compose: string | undefined) {
  if (type === undefined) return { text: composeText(compose ?? ""), template: null }
  const template = serviceTemplates.find(({ name }) => name === type)
  if (template !== undefined) return { text: template.compose, template: type }
  const problem = "Must be the type of a template, as GET /service-templates lists them."
  return yield* new InvalidInput({ problems: { type: [problem] } })
})

/** The maximum time to compute a diff, in milliseconds; then the diff is omitted. */
const diffTimeout = 1_000

/** Returns a unified diff of two compose texts; empty if they are equal. */
const diffOf = (before: string, after: string): string =>
  before === after
    ? ""
    : (createTwoFilesPatch("current", "template", before, after, undefined, undefined, {
        context: 3,
        timeout: diffTimeout
      }) ?? "")

/** The handlers of services. */
export const layerServices = HttpApiBuilder.group(Api, "services", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("service.list")
        return yield* answerList(query, {
          page: (request) => Services.list(proof, request),
          all: Services.stream(proof),
          show: showAll
        })
      }),
    templates: () => Effect.as(granted("service.template.read"), serviceTemplates.map(showTemplate)),
    create: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.create")
          const { template, text } = yield* textOf(payload.type, payload.docker_compose_raw)
          const service = yield* Services.create(
            proof,
            {
              name: payload.name,
              description: payload.description ?? "",
              dockerComposeRaw: text,
              urls: payload.urls ?? [],
              connectsToNetwork: payload.connect_to_docker_network ?? false
            },
            {
              projectUuid: payload.project_uuid,
              serverUuid: payload.server_uuid,
              environmentName: payload.environment_name,
              environmentUuid: payload.environment_uuid || undefined,
              destinationUuid: payload.destination_uuid
            },
            {
              override: payload.force_domain_override ?? false,
              starts: payload.instant_deploy ?? false,
              tags: payload.tags ?? [],
              template
            }
          )
          const domains = service.urls.map((each) => each.url)
          return withLocation(`/api/v1/services/${service.uuid}`, { uuid: service.uuid, domains })
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.read")
          return yield* showOneService(proof.resource.service, yield* serviceWords(proof))
        })
      ),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          yield* requireSamePlace(payload, proof.resource.service)
          // Only an update to the current template can find an edited text.
          const service = yield* Effect.catchTag(
            Services.update(proof, changeOf(payload), {
              override: payload.force_domain_override ?? false,
              starts: payload.instant_deploy ?? false
            }),
            "TemplateEdited",
            Effect.die
          )
          const wordsOf = yield* storedServiceWords([service])
          return yield* showOneService(service, wordsOf(service.uuid))
        })
      ),
    readTemplate: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const { service, template, update } = yield* ServiceTemplates.read(yield* granted("service.read"))
          return {
            type: template.name,
            title: template.title,
            has_update: update.isAvailable,
            is_edited: update.isEdited,
            current_images: update.currentImages,
            new_images: update.newImages,
            added_variables: update.addedVariables,
            removed_variables: update.removedVariables,
            diff: diffOf(service.dockerComposeRaw, template.compose),
            docker_compose: template.compose
          }
        })
      ),
    applyTemplate: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const service = yield* ServiceTemplates.apply(proof, payload.instant_deploy ?? false)
          const wordsOf = yield* storedServiceWords([service])
          return yield* showOneService(service, wordsOf(service.uuid))
        })
      ),
    delete: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.delete")
          const deletion = yield* Services.remove(proof, deletionFlagsOf(query, isSetByDefault))
          const message = "Service deletion request queued."
          return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message })
        })
      ),
    status: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.read")
          const status = yield* Status.read(proof)
          return showStatus(status, yield* numbersIn(status.latest === null ? [] : [status.latest]))
        })
      ),
    start: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.deploy.request")
          return queuedAnswer("Service starting request queued.")(yield* Services.start(proof))
        })
      ),
    stop: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.deploy")
          const stop = Services.stop(proof)
          const stopped = yield* isSet(query.docker_cleanup) ? Cleanups.withStop(proof, stop) : stop
          return queuedAnswer("Service stopping request queued.")(stopped)
        })
      ),
    restart: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.deploy.request")
          return queuedAnswer("Service restarting request queued.")(yield* Services.restart(proof, isSet(query.latest)))
        })
      ),
    move: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          return moveAnswer("Service moved successfully.", yield* Services.move(proof, payload.environment_uuid))
        })
      ),
    migrate: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.update")
          const { uuid } = yield* Services.migrate(proof, payload.destination_uuid)
          return { message: "Service migrated; its next deployment uses the new server.", uuid: uuid as string }
        })
      ),
    clone: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("service.clone")
          const { destination_uuid: destinationUuid, name } = payload
          return createdIn("/api/v1/services", yield* ServiceClones.clone(proof, { destinationUuid, name }))
        })
      )
  })
)
