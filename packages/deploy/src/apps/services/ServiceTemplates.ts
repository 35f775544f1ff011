import {
  type Service,
  ServiceTemplateNotFound,
  serviceTemplates,
  TemplateEdited,
  templateUpdateOf
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { update } from "./Services.ts"

/** Finds the current version of the template of a service, and compares the service with it. */
const compare = Effect.fnUntraced(function* (service: Service) {
  const template = serviceTemplates.find(({ name }) => name === service.template)
  if (template === undefined) return yield* new ServiceTemplateNotFound()
  return { service, template, update: templateUpdateOf(service, template) }
})

/** Compares a service with the current version of the template that it was created from. */
export const read = Effect.fnUntraced(function* ({ resource }: Authorized<"service.read">) {
  return yield* compare(resource.service)
})

/**
 * Replaces the compose text of a service with that of the current version of its template. Fails if the text was edited.
 * Variables, domains and settings of parts stay. The next deployment applies the change; `starts` requests it.
 */
export const apply = Effect.fnUntraced(function* (proof: Authorized<"service.update">, starts: boolean) {
  const { template, update: found } = yield* compare(proof.resource.service)
  if (found.isEdited) return yield* new TemplateEdited()
  const { compose } = template
  return yield* update(proof, { dockerComposeRaw: compose }, { starts, appliesTemplate: true })
})
