import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { DeletionFlags, EnvironmentUuid, PlacementQuery, ServicePart } from "@slipway/domain/deploy/apps"
import {
  nameEnding,
  noEnvironment,
  type Service,
  ServiceNotFound,
  ServiceStore,
  type ServiceUrl,
  ServiceUuid,
  TemplateEdited,
  urlsFor
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { listUseCase } from "../../base/reading/listUseCases.ts"
import * as Deployments from "../deployments/Deployments.ts"
import { startParts } from "../deployments/serviceParts.ts"
import { reserve } from "../domains/Domains.ts"
import { place, placeAt, placeIn } from "../placement/place.ts"
import { cleanUp, removeOne } from "../removal/applicationRemoval.ts"
import { leaving } from "../removal/leaving.ts"
import { attach } from "../tags/Tags.ts"
import { addressesOf, claim, holderOf, readOutline, replace, runnerOf, setVariables, store } from "./serviceRows.ts"

/** The fields of a service that its users set. */
export interface ServiceInput {
  readonly name: string
  readonly description: string
  readonly dockerComposeRaw: string
  readonly urls: ReadonlyArray<ServiceUrl>
  readonly connectsToNetwork: boolean
}

/** The options of a request that creates a service. */
export interface ServiceCreationOptions {
  /** Whether the service may use domains that other resources use. */
  readonly override?: boolean
  /** Whether the service is started immediately after its creation. */
  readonly starts?: boolean
  /** The name of the one-click template from which the compose text was made. */
  readonly template?: string | null
  readonly tags?: ReadonlyArray<string>
}

/** The options of a request that changes a service. */
export interface ServiceUpdateOptions extends Pick<ServiceCreationOptions, "override" | "starts"> {
  /** Whether the compose text is that of the current version of the service's template. */
  readonly appliesTemplate?: boolean
}

/** Fails if an address belongs to a part that is not in the compose text. */
const requireParts = (urls: ReadonlyArray<ServiceUrl>, parts: ReadonlyArray<ServicePart>) => {
  const at = urls.findIndex(({ name }) => !parts.some((part) => part.name === name))
  // A text without known parts is checked when it is deployed.
  if (at === -1 || parts.length === 0) return Effect.void
  const names = parts.map(({ name }) => `\`${name}\``).join(", ")
  const problem = `There is no service \`${urls[at]?.name}\` in the compose file: use one of ${names}.`
  return new InvalidInput({ problems: { [`urls.${at}.name`]: [problem] } })
}

/**
 * Creates a service (several containers that one compose file describes). Fails if other resources use its domains,
 * unless `override` is true.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.create">,
  { name, ...input }: Omit<ServiceInput, "name"> & { readonly name?: string | undefined },
  where: PlacementQuery,
  { override = false, starts = false, tags = [], template = null }: ServiceCreationOptions = {}
) {
  const transaction = yield* Transaction
  // The text is read before the transaction, which must not wait for a thread.
  const outline = yield* readOutline(input.dockerComposeRaw)
  return yield* transaction.run(
    Effect.gen(function* () {
      const namesEnvironment = where.environmentName !== undefined || where.environmentUuid !== undefined
      const { placement, server } = yield* place(resource.caller, where, namesEnvironment ? {} : noEnvironment)
      const parts = outline([])
      yield* requireParts(input.urls, parts)
      const uuid = yield* makeUuid(ServiceUuid)
      const urls = urlsFor(uuid, input.dockerComposeRaw, parts, input.urls, server)
      yield* reserve(holderOf(uuid), addressesOf(urls), override, placement.teamId)
      const at = yield* now
      const draft = {
        ...input,
        name: name ?? nameEnding(template ?? "service", uuid),
        urls,
        template,
        templateCompose: template === null ? null : input.dockerComposeRaw,
        parts,
        uuid,
        placement,
        createdAt: at,
        updatedAt: at
      }
      const { application, service } = yield* store(draft)
      yield* claim(service)
      yield* setVariables(service)
      yield* attach(application, tags)
      if (starts) yield* Deployments.request(resource.caller, application)
      return service
    })
  )
})

/** Locks a service, so that concurrent changes do not overwrite each other. */
const lock = Effect.fnUntraced(function* (uuid: ServiceUuid) {
  const present = yield* (yield* ServiceStore).lock(uuid)
  return present ?? (yield* new ServiceNotFound())
})

/** Changes a service; omitted fields stay unchanged. The next deployment applies the changes. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.update">,
  input: Partial<ServiceInput>,
  { appliesTemplate = false, override = false, starts = false }: ServiceUpdateOptions = {}
) {
  const transaction = yield* Transaction
  const outline = input.dockerComposeRaw === undefined ? undefined : yield* readOutline(input.dockerComposeRaw)
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(resource.service.uuid)
      const parts = outline === undefined ? present.parts : outline(present.parts)
      yield* requireParts(input.urls ?? [], parts)
      const server = yield* (yield* ServerStore).find(present.placement.serverUuid)
      const urlsInUse = (input.urls ?? present.urls).filter(
        ({ name }) => input.urls !== undefined || parts.length === 0 || parts.some((part) => part.name === name)
      )
      const text = input.dockerComposeRaw ?? present.dockerComposeRaw
      const urls = server === undefined ? urlsInUse : urlsFor(present.uuid, text, parts, urlsInUse, server)
      // Of two requests, one may have edited the text since the other compared it with the template.
      const isEdited = present.dockerComposeRaw !== resource.service.dockerComposeRaw
      if (appliesTemplate && isEdited) return yield* new TemplateEdited()
      const templateCompose = appliesTemplate ? text : present.templateCompose
      const service: Service = { ...present, ...input, templateCompose, parts, urls, updatedAt: yield* now }
      yield* reserve(holderOf(service.uuid), addressesOf(service.urls), override, service.placement.teamId)
      const application = yield* replace(service)
      yield* claim(service)
      yield* setVariables(service)
      if (starts) yield* Deployments.request(resource.caller, application)
      return service
    })
  )
})

/**
 * Moves a service to a destination (network) on its server or another server. The move takes effect with the next
 * deployment. Volumes stay on the old server.
 */
export const migrate = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.update">,
  destinationUuid: DestinationUuid
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(resource.service.uuid)
      const placement = yield* placeAt(resource.caller, present.placement, destinationUuid)
      const service: Service = { ...present, placement, updatedAt: yield* now }
      yield* replace(service)
      // The cleanup waits until the service runs elsewhere.
      if (placement.serverUuid !== present.placement.serverUuid) {
        yield* cleanUp(resource.application, present.placement, leaving)
      }
      return service
    })
  )
})

/** Moves a service to another environment; running containers are unaffected. */
export const move = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.update">,
  environmentUuid: EnvironmentUuid
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(resource.service.uuid)
      const placement = yield* placeIn(resource.caller, present.placement, environmentUuid)
      const service: Service = { ...present, placement, updatedAt: yield* now }
      yield* replace(service)
      return service
    })
  )
})

/** Queues a deployment of a service, which also starts stopped parts. */
export const start = Effect.fnUntraced(function* (proof: Authorized<"service.deploy" | "service.deploy.request">) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(proof.resource.service.uuid)
      return yield* Deployments.deploy(proof, false, yield* startParts(proof, present, present.parts))
    })
  )
})

/** Queues a restart of a service's containers. With `latest`, queues a deployment, which pulls the images again. */
export const restart = (proof: Authorized<"service.deploy" | "service.deploy.request">, latest: boolean) =>
  latest ? Deployments.deploy(proof, false) : Deployments.restart(proof)

/** Queues a stop of all containers of a service. Its routes stay and respond with an error page. */
export const stop = (proof: Authorized<"service.deploy">) => Deployments.stop(proof)

/** List use cases: `list` reads one page of services, `stream` reads all. */
export const { list, stream } = listUseCase("service", ServiceStore)

/**
 * Deletes a service immediately. A durable job later removes its resources from the server. Returns the job, so that
 * the caller can read its result.
 */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"service.delete">, flags: DeletionFlags) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const service = yield* lock(resource.service.uuid)
      const application = yield* runnerOf(service)
      yield* Effect.orDie((yield* ServiceStore).remove(service.uuid))
      return yield* removeOne(application, flags)
    })
  )
})
