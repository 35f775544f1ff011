import type { OwnedPage } from "@slipway/domain"
import { now } from "@slipway/domain"
import { RepositoryNotFound, RepositoryStore } from "@slipway/domain/forge/code"
import {
  EnvironmentInvalid,
  EnvironmentNotFound,
  type EnvironmentRules,
  environments,
  openEnvironment
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findEnvironment } from "./findEnvironment.ts"
import { hiddenReviewersOf, peopleOfRules, type ReviewerInput, reviewersIn } from "./people.ts"

export { slugOf } from "./people.ts"

/** The protection of an environment in a request; omitted fields mean no protection. */
export interface EnvironmentInput extends Partial<Omit<EnvironmentRules, "reviewers">> {
  readonly reviewers?: ReadonlyArray<ReviewerInput> | undefined
}

/** The maximum length of an environment's name, in characters. */
const longestName = 255

/** Lists the environments of a repository, oldest first. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.environment.list">,
  page: OwnedPage
) {
  const listed = yield* (yield* environments.store).list({ repositoryId: repository.id }, page, { order: "oldest" })
  return { ...listed, people: yield* peopleOfRules(actor, repository, listed.rows) }
})

/** Reads an environment by its name, ignoring case. */
export const read = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.environment.read">,
  name: string
) {
  const environment = yield* findEnvironment(repository, name)
  return { environment, people: yield* peopleOfRules(actor, repository, [environment]) }
})

const setRules = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, repository } }: Proof<"repository.environment.set">,
    name: string,
    { reviewers = [], ...input }: EnvironmentInput
  ) {
    if (name.trim() === "" || name.length > longestName) {
      return yield* new EnvironmentInvalid({
        field: "environment",
        problem: `must have 1 to ${longestName} characters`
      })
    }
    const named = yield* reviewersIn(actor, repository, reviewers)
    const { id: repositoryId } = repository
    // Two requests for one name wait for each other.
    if ((yield* (yield* RepositoryStore).lock(repositoryId)) === undefined) {
      return yield* new RepositoryNotFound({ name: `${repository.owner.name}/${repository.name}` })
    }
    const store = yield* environments.store
    const at = yield* now
    const present = yield* store.findBy("name", { repositoryId, name })
    const hidden = yield* hiddenReviewersOf(actor, repository, present ?? openEnvironment)
    const rules = {
      ...openEnvironment,
      ...input,
      reviewers: { users: [...named.users, ...hidden.users], teams: [...named.teams, ...hidden.teams] }
    }
    const changed =
      present === undefined
        ? undefined
        : yield* Effect.orDie(store.patch({ repositoryId }, present.id, { ...rules, updatedAt: at }))
    return (
      changed ?? (yield* Effect.orDie(store.insert({ repositoryId, name, ...rules, createdAt: at, updatedAt: at })))
    )
  }),
  ({ branches, id, name, preventSelfReview, reviewers, waitMinutes }) => ({
    details: {
      environment: name,
      id,
      reviewers: [
        ...reviewers.users.map((each) => `user ${each}`),
        ...reviewers.teams.map((each) => `team ${each}`)
      ].join(),
      waitMinutes,
      preventSelfReview,
      branches
    }
  })
)

/** Creates an environment, or replaces the protection of an existing one. Reviewers hidden from the actor are kept. */
export const set = Effect.fnUntraced(function* (
  proof: Proof<"repository.environment.set">,
  name: string,
  input: EnvironmentInput
) {
  const { actor, repository } = proof.resource
  const environment = yield* setRules(proof, name, input)
  return { environment, people: yield* peopleOfRules(actor, repository, [environment]) }
})

/** Deletes an environment with its protection. Its deployments are kept. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.environment.delete">, name: string) {
    const { id: repositoryId } = repository
    const removed = yield* (yield* environments.store).removeBy("name", { repositoryId, name })
    return removed ?? (yield* new EnvironmentNotFound({ name }))
  }),
  ({ id, name }) => ({ details: { environment: name, id } })
)
