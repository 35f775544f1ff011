import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Label, Repository } from "@slipway/domain/forge/code"
import { AssigneeInvalid, IssueStore, milestones, NameUnknown } from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { factsOfIssue, labelHomeOf } from "./views.ts"

/**
 * Returns the scope of an exclusive label (`kind` in `kind/bug`), within which labels exclude each other; undefined for
 * a label that is not exclusive.
 */
const groupOf = ({ exclusive, name }: Label): string | undefined => {
  const end = name.lastIndexOf("/")
  return exclusive && end > 0 ? name.slice(0, end).toLowerCase() : undefined
}

/**
 * Returns the labels of an issue after labels were added. Of several labels that exclude each other, only the last one
 * is kept.
 *
 * @example
 * const label = (id, name) => ({ id, name, exclusive: true })
 * withAdded([label(1, "kind/bug")], [label(2, "kind/idea")]).map(({ id }) => id) // => [2]
 */
export const withAdded = (present: ReadonlyArray<Label>, added: ReadonlyArray<Label>): ReadonlyArray<Label> => {
  const all = [...present.filter(({ id }) => !added.some((each) => each.id === id)), ...added]
  return all.filter((label, at) => {
    const group = groupOf(label)
    return group === undefined || !all.slice(at + 1).some((later) => groupOf(later) === group)
  })
}

/** Finds labels of a repository by id or name; fails if one of them is missing. */
export const findLabels = Effect.fnUntraced(function* (
  repository: Repository,
  references: ReadonlyArray<number | string>
) {
  if (references.length === 0) return []
  const ids = references.filter((each) => typeof each === "number")
  const names = references.filter((each) => typeof each === "string")
  const found = yield* (yield* IssueStore).labels(labelHomeOf(repository), { ids, names })
  const named = (name: string) => {
    const all = found.filter((each) => each.name.toLowerCase() === name.toLowerCase())
    // A repository's label takes precedence over one of its organization.
    return all.find((each) => each.repositoryId !== null) ?? all[0]
  }
  const labels: Array<Label> = []
  for (const each of references) {
    const label = typeof each === "number" ? found.find(({ id }) => id === each) : named(each)
    if (label === undefined) return yield* new NameUnknown({ field: "labels", value: String(each) })
    if (!labels.includes(label)) labels.push(label)
  }
  return labels
})

/** Finds a milestone of a repository. */
export const findMilestone = Effect.fnUntraced(function* (repository: Repository, id: number) {
  const found = yield* (yield* milestones.store).find({ repositoryId: repository.id }, id)
  return found ?? (yield* new NameUnknown({ field: "milestone", value: String(id) }))
})

/** Returns whether a user may be assigned to issues or pull requests; this requires permission to label issues. */
export const mayBeAssigned = (facts: Parameters<typeof factsOfIssue>[0], pull: boolean): boolean =>
  allows("issue.label.add", factsOfIssue(facts, { pull }))

/** Finds users to assign by name. Fails if one does not exist or cannot be assigned. */
export const findAssignees = Effect.fnUntraced(function* (
  repository: Repository,
  pull: boolean,
  names: ReadonlyArray<string>
) {
  if (names.length === 0) return []
  const { switches } = yield* SiteSettings
  const known = yield* (yield* IssueStore).usersNamed(names)
  const pairs = yield* (yield* EffectiveAccessStore).find(
    [...new Set(known.values())].map((user) => ({ user, repository: repository.id }))
  )
  const allowed = new Set(
    pairs.filter((pair) => mayBeAssigned(pairFacts(switches, pair), pull)).map(({ user }) => user.id)
  )
  const ids: Array<UserId> = []
  for (const name of names) {
    const id = known.get(name)
    if (id === undefined) return yield* new NameUnknown({ field: "assignees", value: name })
    if (!allowed.has(id)) return yield* new AssigneeInvalid({ name })
    if (!ids.includes(id)) ids.push(id)
  }
  return ids
})
