import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Placement } from "../placement/Placement.ts"

/** The uuid of a service. */
export const ServiceUuid = Uuid.pipe(Schema.brand("ServiceUuid"))
export type ServiceUuid = typeof ServiceUuid.Type

/** The addresses of one container of a service. */
export interface ServiceUrl {
  readonly name: string
  readonly url: string
}

/** A service: several containers described by one compose file, with their domains. */
export interface Service extends Entity {
  readonly uuid: ServiceUuid
  readonly name: string
  readonly description: string
  readonly placement: Placement
  readonly dockerComposeRaw: string
  readonly urls: ReadonlyArray<ServiceUrl>
}

/** Reports that the service does not exist. */
export class ServiceNotFound extends Schema.TaggedError<ServiceNotFound>()("ServiceNotFound", {}) {}
