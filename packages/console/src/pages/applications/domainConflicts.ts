import { type DomainConflictsBody, ServiceError } from "@slipway/client/deploy"
import { checkField, type Html, html, type Submitted } from "@slipway/web/foundation"
import { applicationPath, servicePath } from "../../layout/links.ts"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { rejectedForm, type ShownAt } from "../../page/rejections.ts"

type Conflicts = DomainConflictsBody["conflicts"]

const conflictsIn = (error: unknown): Conflicts | undefined => {
  if (!(error instanceof ServiceError) || error.status !== 409) return undefined
  const { conflicts } = (error.body ?? {}) as Partial<DomainConflictsBody>
  return Array.isArray(conflicts) ? conflicts : undefined
}

/** Returns whether the viewer may take over the domain: it belongs to a resource of the team or to the platform. */
const isOverridable = ({ resource_type: type, resource_uuid: uuid }: Conflicts[number]): boolean =>
  uuid !== null || type === "instance"

const heldBy = ({ texts }: ConsoleVisit, conflict: Conflicts[number]): string => {
  const { applications: t } = texts
  return isOverridable(conflict) ? t.heldBy(conflict.domain, conflict.resource_name) : t.heldElsewhere(conflict.domain)
}

/**
 * Returns the form errors of a rejected change. For domain conflicts, they name the resources that use the domains, and
 * the user can submit the form again with an override. `field` is the name of the field with the domains.
 */
export const rejectedChange = (
  visit: ConsoleVisit,
  error: unknown,
  fields: ReadonlyArray<string>,
  field = "domains",
  shownAt: ShownAt = {}
): Submitted => {
  const conflicts = conflictsIn(error)
  if (conflicts === undefined) return rejectedForm(error, fields, shownAt)
  const held = conflicts.map((each) => heldBy(visit, each))
  return { problems: { [field]: held.join("; ") }, status: 409, outcome: { conflicts } }
}

/** Returns the domain conflicts of a rejected form; none for another form. */
export const conflictsOf = ({ form }: ConsoleVisit): Conflicts =>
  // BOUNDARY: only `rejectedChange` returns an outcome with conflicts.
  (form.outcome as { readonly conflicts?: Conflicts } | undefined)?.conflicts ?? []

const holderLink = (conflict: Conflicts[number]): Html | string => {
  const { resource_name: name, resource_type: type, resource_uuid: uuid } = conflict
  if (uuid === null) return name
  return html`<a href="${type === "service" ? servicePath(uuid) : applicationPath(uuid)}">${name}</a>`
}

/**
 * Shows the resources that use the domains of a rejected form, and the checkbox that takes the domains over; false if no
 * conflict was reported, or if another team has one of the domains.
 */
export const overrideField = (visit: ConsoleVisit): Html | false => {
  const { applications: t } = visit.texts
  const conflicts = conflictsOf(visit)
  return (
    conflicts.length > 0 &&
    conflicts.every(isOverridable) &&
    html`<ul class="small">${conflicts.map((each) => html`<li>${each.domain}: ${holderLink(each)}</li>`)}</ul>${checkField(visit, { name: "force_domain_override", label: t.domainConflict, hint: t.domainConflictHint })}`
  )
}
