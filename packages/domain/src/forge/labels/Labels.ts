import { Effect } from "effect"
import type { PageRequest } from "../../Page.ts"
import { Transaction } from "../../Transaction.ts"
import type { Proof } from "../accounts/Actor.ts"
import { audited } from "../events/record.ts"
import { OrganizationNotFound } from "../organizations/Organization.ts"
import { OrganizationStore } from "../organizations/OrganizationStore.ts"
import { colorOf, type Label, LabelNotFound, type LabelSettings } from "./Label.ts"
import { LabelStore } from "./LabelStore.ts"

const cleaned = <S extends { readonly color?: string }>(set: S): S =>
  set.color === undefined ? set : { ...set, color: colorOf(set.color) ?? set.color }

/** Lists the labels of an organization by name. */
export const list = Effect.fnUntraced(function* (
  { resource: { organization } }: Proof<"organization.label.list">,
  page: PageRequest
) {
  return yield* (yield* LabelStore).list(organization.id, page)
})

/** Reads a label of an organization. */
export const read = Effect.fnUntraced(function* (
  { resource: { organization } }: Proof<"organization.label.read">,
  id: number
) {
  return (yield* (yield* LabelStore).find(organization.id, id)) ?? (yield* new LabelNotFound({ id }))
})

/** Makes a label; what is left out is empty. */
export const create = audited(
  Effect.fnUntraced(function* (
    { resource: { organization } }: Proof<"organization.label.create">,
    input: Pick<LabelSettings, "name" | "color"> & Partial<LabelSettings>
  ) {
    const transaction = yield* Transaction
    return yield* transaction.run(
      Effect.gen(function* () {
        const found = yield* (yield* OrganizationStore).lock(organization.id)
        if (found === undefined) return yield* new OrganizationNotFound({ name: organization.name })
        const empty = { description: "", exclusive: false, archived: false }
        return yield* (yield* LabelStore).insert({ ...empty, ...cleaned(input), organizationId: organization.id })
      })
    )
  }),
  (label) => ({ details: { label: label.name, id: label.id } })
)

/** Changes what is given of a label. */
export const edit = audited(
  Effect.fnUntraced(function* (
    { resource: { organization } }: Proof<"organization.label.edit">,
    id: number,
    change: Partial<LabelSettings>
  ) {
    const transaction = yield* Transaction
    return yield* transaction.run(
      Effect.gen(function* () {
        // Two changes of one label come one after the other.
        yield* (yield* OrganizationStore).lock(organization.id)
        const labels = yield* LabelStore
        const before = yield* labels.find(organization.id, id)
        if (before === undefined) return yield* new LabelNotFound({ id })
        const after: Label = { ...before, ...cleaned(change) }
        yield* labels.replace(after)
        return after
      })
    )
  }),
  (label) => ({ details: { label: label.name, id: label.id } })
)

/** Removes a label. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { organization } }: Proof<"organization.label.delete">, id: number) {
    const transaction = yield* Transaction
    return yield* transaction.run(
      Effect.gen(function* () {
        if (!(yield* (yield* LabelStore).remove(organization.id, id))) return yield* new LabelNotFound({ id })
      })
    )
  }),
  (_, id) => ({ details: { id } })
)
