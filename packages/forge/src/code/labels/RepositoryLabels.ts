import { LabelNotFound, type LabelSettings, labels, RepositoryNotFound } from "@slipway/domain/forge/code"
import { ownedUseCases } from "../../base/owned/useCases.ts"
import { cleanedLabel, type NewLabelInput, newLabel } from "./Labels.ts"

/** The use cases for labels of repositories: create, edit, list, read and remove. */
export const { create, edit, list, read, remove } = ownedUseCases(labels, "label", {
  scope: ({ repository }) => ({ repositoryId: repository.id }),
  rowOf: (input: NewLabelInput) => ({ ...newLabel(input), organizationId: null }),
  changed: (change: Partial<LabelSettings>) => cleanedLabel(change),
  notFound: (id) => new LabelNotFound({ id }),
  refused: (_, { repository: { name } }) => new RepositoryNotFound({ name }),
  details: ({ id, name }) => ({ label: name, id })
})
