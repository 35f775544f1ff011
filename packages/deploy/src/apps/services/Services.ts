import { makeUuid, now, Transaction } from "@slipway/domain"
import type { PlacementQuery } from "@slipway/domain/deploy/apps"
import {
  noEnvironment,
  parseDomains,
  type Service,
  ServiceNotFound,
  ServiceStore,
  type ServiceUrl,
  ServiceUuid
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { reading, removing } from "../../base/reading/listUseCases.ts"
import { hold, reserve } from "../domains/Domains.ts"
import { place } from "../placement/place.ts"

/** The fields of a service that its users set. */
export interface ServiceInput {
  readonly name: string
  readonly description: string
  readonly dockerComposeRaw: string
  readonly urls: ReadonlyArray<ServiceUrl>
}

const addressesOf = (urls: ReadonlyArray<ServiceUrl>) => urls.flatMap((each) => parseDomains(each.url).addresses)
const holderOf = (uuid: ServiceUuid) => ({ type: "service", uuid }) as const

const claim = (service: Pick<Service, "uuid" | "urls">) => hold(holderOf(service.uuid), addressesOf(service.urls))

/** Creates a service; other resources must not use its domains unless `override` is true. */
export const create = Effect.fnUntraced(function* (
  _: Authorized<"service.create">,
  input: ServiceInput,
  where: PlacementQuery,
  override: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const namesEnvironment = where.environmentName !== undefined || where.environmentUuid !== undefined
      const { placement } = yield* place(where, namesEnvironment ? {} : noEnvironment)
      const uuid = yield* makeUuid(ServiceUuid)
      yield* reserve(holderOf(uuid), addressesOf(input.urls), override)
      const at = yield* now
      const service = yield* Effect.orDie(
        (yield* ServiceStore).insert({
          ...input,
          uuid,
          placement,
          createdAt: at,
          updatedAt: at
        })
      )
      yield* claim(service)
      return service
    })
  )
})

/** Changes a service; omitted fields stay unchanged. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"service.update">,
  input: Partial<ServiceInput>,
  override: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ServiceStore
      const present = yield* store.lock(resource.service.uuid)
      if (present === undefined) return yield* new ServiceNotFound()
      const service = { ...present, ...input, updatedAt: yield* now }
      yield* reserve(holderOf(service.uuid), addressesOf(service.urls), override)
      yield* Effect.orDie(store.replace(service))
      yield* claim(service)
      return service
    })
  )
})

/** Reads a page of services, or all. */
export const { list, stream } = reading("service", ServiceStore)
/** Removes a service with its domains. */
export const remove = removing("service", ServiceStore, () => new ServiceNotFound())
