import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Placement } from "../placement/Placement.ts"
import type { ServicePart } from "./ServicePart.ts"

/** The uuid of a service; the application that runs the service has the same uuid. */
export const ServiceUuid = Uuid.pipe(Schema.brand("ServiceUuid"))
export type ServiceUuid = typeof ServiceUuid.Type

/** The addresses of one container of a service, as a list of domains. */
export interface ServiceUrl {
  readonly name: string
  readonly url: string
}

/** A service: several containers that one compose file describes, with their domains. */
export interface Service extends Entity {
  readonly uuid: ServiceUuid
  readonly name: string
  readonly description: string
  readonly placement: Placement
  readonly dockerComposeRaw: string
  readonly urls: ReadonlyArray<ServiceUrl>
  /** The name of the one-click template that the service was created from; null if the user wrote the compose text. */
  readonly template: string | null
  /** The compose text of the template that the service took over last; null without a template, or if unknown. */
  readonly templateCompose: string | null
  /** Whether all containers join the network of the destination; otherwise only containers with a route join it. */
  readonly connectsToNetwork: boolean
  /** The containers that the compose file describes, in its order. */
  readonly parts: ReadonlyArray<ServicePart>
}

/** Reports that a service was not created from a template, or that the catalogue no longer has the template. */
export class ServiceTemplateNotFound extends Schema.TaggedError<ServiceTemplateNotFound>()(
  "ServiceTemplateNotFound",
  {}
) {}

/** Reports that the compose text of a service was edited, so that a new version of its template cannot replace it. */
export class TemplateEdited extends Schema.TaggedError<TemplateEdited>()("TemplateEdited", {}) {}

/** The error for a service that does not exist. */
export class ServiceNotFound extends Schema.TaggedError<ServiceNotFound>()("ServiceNotFound", {}) {}
