import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { OrganizationId } from "../organizations/Organization.ts"
import type { Label } from "./Label.ts"

/** A label that has no number yet. */
export type NewLabel = Omit<Label, "id">

/**
 * Keeps the labels of organizations.
 *
 * Must:
 * - give back a label as it was inserted, with a number
 * - find, replace and remove the labels of one organization alone
 * - list the labels of an organization by name, and count them
 * - remove the labels of an organization that is removed
 */
export class LabelStore extends Context.Service<
  LabelStore,
  {
    readonly insert: (label: NewLabel) => Effect.Effect<Label>
    readonly find: (organization: OrganizationId, id: number) => Effect.Effect<Label | undefined>
    readonly list: (organization: OrganizationId, page: PageRequest) => Effect.Effect<Page<Label>>
    readonly replace: (label: Label) => Effect.Effect<boolean>
    readonly remove: (organization: OrganizationId, id: number) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/LabelStore") {}
