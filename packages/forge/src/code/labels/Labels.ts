import { colorOf, LabelNotFound, type LabelSettings, labels } from "@slipway/domain/forge/code"
import { OrganizationNotFound } from "@slipway/domain/forge/identity"
import { ownedUseCases } from "../../base/owned/useCases.ts"

/** Returns the settings of a label with the color in the stored form. */
export const cleanedLabel = <S extends { readonly color?: string }>(set: S): S =>
  set.color === undefined ? set : { ...set, color: colorOf(set.color) ?? set.color }

/** The fields of a new label; omitted ones are empty. */
export type NewLabelInput = Pick<LabelSettings, "name" | "color"> & Partial<LabelSettings>

/** Returns the complete settings of a new label; omitted fields get their defaults. */
export const newLabel = (input: NewLabelInput) => ({
  description: "",
  exclusive: false,
  archived: false,
  ...cleanedLabel(input)
})

/** The use cases for labels of organizations: create, edit, list, read and remove. */
export const { create, edit, list, read, remove } = ownedUseCases(labels, "organization.label", {
  scope: ({ organization }) => ({ organizationId: organization.id }),
  rowOf: (input: NewLabelInput) => ({ ...newLabel(input), repositoryId: null }),
  changed: (change: Partial<LabelSettings>) => cleanedLabel(change),
  notFound: (id) => new LabelNotFound({ id }),
  refused: (_, { organization: { name } }) => new OrganizationNotFound({ name }),
  details: ({ id, name }) => ({ label: name, id })
})
