import type { OwnedPage, PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { type Repository, RepositoryNotFound, viewerOn } from "@slipway/domain/forge/code"
import type { CountedMilestone } from "@slipway/domain/forge/collaboration"
import {
  issues,
  type Milestone,
  MilestoneNotFound,
  type MilestoneState,
  MilestoneStore,
  milestones
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { ownedUseCases } from "../../base/owned/useCases.ts"

/** The fields of a new milestone; omitted ones are empty. */
export interface MilestoneInput {
  readonly title: string
  readonly description?: string
  readonly state?: MilestoneState
  readonly dueAt?: string
}

const own = ownedUseCases(milestones, "milestone", {
  scope: ({ repository }) => ({ repositoryId: repository.id }),
  rowOf: ({ description = "", dueAt, state = "open", title }: MilestoneInput) =>
    Effect.map(now, (at) => ({
      title,
      description,
      state,
      dueAt: dueAt ?? null,
      closedAt: state === "closed" ? at : null,
      createdAt: at,
      updatedAt: at
    })),
  changed: (change: Partial<MilestoneInput>) =>
    Effect.map(now, (at) => ({
      ...change,
      ...(change.state === undefined ? {} : { closedAt: change.state === "closed" ? at : null }),
      updatedAt: at
    })),
  notFound: (id) => new MilestoneNotFound({ id }),
  refused: (_, { repository: { name } }) => new RepositoryNotFound({ name }),
  details: ({ id, title }) => ({ milestone: title, id })
})

const nothingIn = { issuesOpen: 0, issuesClosed: 0, pullsOpen: 0, pullsClosed: 0 }

const counted = Effect.fnUntraced(function* (rows: ReadonlyArray<Milestone>) {
  const counts = yield* (yield* issues.store).counts(
    "milestoneId",
    rows.map(({ id }) => id)
  )
  return rows.map((row): CountedMilestone => ({ ...nothingIn, ...row, ...counts.get(row.id) }))
})

const one = (row: Milestone) => Effect.map(counted([row]), ([found]) => found as CountedMilestone)

/** Finds the id of a milestone of a repository by its id; if there is none, by its title. */
const idOf = Effect.fnUntraced(function* ({ id: repositoryId }: Repository, named: string) {
  const store = yield* milestones.store
  const id = /^[1-9]\d{0,14}$/.test(named) ? Number(named) : 0
  const found = id === 0 ? undefined : yield* store.find({ repositoryId }, id)
  const row = found ?? (yield* store.list({ repositoryId }, { limit: 1 }, { filter: { title: named } })).rows[0]
  return row ?? (yield* new MilestoneNotFound({ id }))
})

/** Lists the milestones of a repository by due date. `title` filters by the complete title, ignoring case. */
export const list = Effect.fnUntraced(function* (
  proof: Proof<"milestone.list">,
  filter: { readonly state?: MilestoneState | undefined; readonly title?: string | undefined },
  page: OwnedPage
) {
  const found = yield* own.list(proof, page, { filter })
  return { ...found, rows: yield* counted(found.rows) }
})

/** Lists the milestones of repositories that the caller owns or has granted access to, by due date. */
export const ofSelf = Effect.fnUntraced(function* (
  { resource }: Proof<"account.milestone.list">,
  filter: { readonly state?: MilestoneState | undefined },
  page: PageRequest
) {
  return yield* (yield* MilestoneStore).reached(
    yield* viewerOn(resource.actor),
    signedInUser(resource).id,
    filter,
    page
  )
})

/** Reads a milestone. */
export const read = Effect.fnUntraced(function* (proof: Proof<"milestone.read">, named: string) {
  return yield* one(yield* idOf(proof.resource.repository, named))
})

/** Creates a milestone. */
export const create = (proof: Proof<"milestone.create">, input: MilestoneInput) =>
  Effect.flatMap(own.create(proof, input), one)

/** Changes the given fields of a milestone. */
export const edit = Effect.fnUntraced(function* (
  proof: Proof<"milestone.edit">,
  named: string,
  change: Partial<MilestoneInput>
) {
  const { id } = yield* idOf(proof.resource.repository, named)
  return yield* one(yield* own.edit(proof, id, change))
})

/** Deletes a milestone. Its issues are kept, without a milestone. */
export const remove = Effect.fnUntraced(function* (proof: Proof<"milestone.delete">, named: string) {
  const { id } = yield* idOf(proof.resource.repository, named)
  return yield* own.remove(proof, id)
})
