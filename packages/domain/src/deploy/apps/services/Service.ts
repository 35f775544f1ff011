import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Placement } from "../placement/Placement.ts"
import type { ServicePart } from "./ServicePart.ts"

/** The uuid of a service; the application that runs the service has the same uuid. */
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
  /** The name of its one-click template; null for a text of the user. */
  readonly template: string | null
  /** Whether all containers join the network of the destination, not only the routed ones. */
  readonly connectsToNetwork: boolean
  /** The containers that the compose file describes, in its order. */
  readonly parts: ReadonlyArray<ServicePart>
}

/** Reports that the service does not exist. */
export class ServiceNotFound extends Schema.TaggedError<ServiceNotFound>()("ServiceNotFound", {}) {}
