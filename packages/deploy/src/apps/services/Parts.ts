import { InvalidInput, now, Transaction } from "@slipway/domain"
import {
  ReleaseStore,
  type Service,
  ServiceNotFound,
  type ServicePart,
  ServicePartNotFound,
  ServiceStore
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import * as Deployments from "../deployments/Deployments.ts"
import { startParts } from "../deployments/serviceParts.ts"
import { reserve } from "../domains/Domains.ts"
import { addressesOf, claim, holderOf, replace, setVariables } from "./serviceRows.ts"

/** The settings of a service part (one container of its compose file) that users set. */
export interface PartInput
  extends Partial<Pick<ServicePart, "description" | "humanName" | "image" | "isExcludedFromStatus">> {
  /** The comma-separated addresses of the part; null or empty for none. */
  readonly url?: string | null
}

/** Lists the parts of a service of one type, applications or databases, in the order of its compose file. */
export const list = ({ resource }: Authorized<"service.read">, type: ServicePart["type"]) =>
  resource.service.parts.filter((part) => part.type === type)

const lock = Effect.fnUntraced(function* ({
  part,
  service
}: {
  readonly part: ServicePart
  readonly service: Service
}) {
  const present = yield* (yield* ServiceStore).lock(service.uuid)
  if (present === undefined) return yield* new ServiceNotFound()
  const found = present.parts.find(({ uuid }) => uuid === part.uuid)
  return { service: present, part: found ?? (yield* new ServicePartNotFound()) }
})

const withPart = (service: Service, part: ServicePart, updatedAt: string): Service => ({
  ...service,
  parts: service.parts.map((each) => (each.uuid === part.uuid ? part : each)),
  updatedAt
})

/** Changes the settings of a service part for the next deployment. Returns the service and the part. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.part.update">,
  { url, ...input }: PartInput,
  override: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const present = yield* lock(resource)
      const part = { ...present.part, ...input }
      const others = present.service.urls.filter(({ name }) => name !== part.name)
      const urls = url === undefined ? present.service.urls : url ? [...others, { name: part.name, url }] : others
      const service: Service = { ...withPart(present.service, part, yield* now), urls }
      yield* reserve(holderOf(service.uuid), addressesOf(urls), override, service.placement.teamId)
      yield* replace(service)
      yield* claim(service)
      yield* setVariables(service)
      return { service, part }
    })
  )
})

/**
 * Queues a deployment of the service that includes a part; `force` builds without cache.
 *
 * The platform replaces the containers of the other parts too, in the order of their dependencies.
 */
export const start = Effect.fnUntraced(function* (
  proof: Authorized<"service.part.deploy" | "service.part.deploy.request">,
  force: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { part, service } = yield* lock(proof.resource)
      return yield* Deployments.deploy(proof, force, yield* startParts(proof, service, [part]))
    })
  )
})

/**
 * Stops a part of a service: queues a restart of the service without it, or a stop if no part remains.
 *
 * The platform replaces the containers of the other parts too, in the order of their dependencies.
 */
export const stop = Effect.fnUntraced(function* (proof: Authorized<"service.part.deploy">) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { part, service } = yield* lock(proof.resource)
      const changed = withPart(service, { ...part, isStopped: true }, yield* now)
      yield* Effect.orDie((yield* ServiceStore).replace(changed))
      const runs = (yield* (yield* ReleaseStore).serving(proof.resource.application.uuid)) !== undefined
      const isAllStopped = changed.parts.every((each) => each.isStopped)
      return yield* isAllStopped || !runs ? Deployments.stop(proof) : Deployments.restart(proof)
    })
  )
})

/** Queues a restart of the service that contains a part; fails if the part is stopped. */
export const restart = Effect.fnUntraced(function* (
  proof: Authorized<"service.part.deploy" | "service.part.deploy.request">
) {
  if (proof.resource.part.isStopped) {
    return yield* new InvalidInput({ problems: { service: ["This part of the service is stopped: start it."] } })
  }
  return yield* Deployments.restart(proof)
})
