import type { OwnedPage } from "@slipway/domain"
import { longestPattern, problemOfPattern, type Repository } from "@slipway/domain/forge/code"
import {
  EnvironmentInvalid,
  EnvironmentNotFound,
  type EnvironmentPattern,
  EnvironmentPatternNotFound,
  environmentPatterns,
  environments,
  mostEnvironmentPatterns,
  type PatternType
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { findEnvironment } from "./findEnvironment.ts"

/** Locks an environment until the transaction ends, so that its patterns are not changed concurrently. */
const locked = Effect.fnUntraced(function* (repository: Pick<Repository, "id">, name: string) {
  const { id } = yield* findEnvironment(repository, name)
  const environment = yield* (yield* environments.store).lock({ repositoryId: repository.id }, id)
  return environment ?? (yield* new EnvironmentNotFound({ name }))
})

const wrong = (field: string, problem: string) => new EnvironmentInvalid({ field, problem })

const requireValid = (name: string) => {
  if (name === "" || name.length > longestPattern) return wrong("name", `must have 1 to ${longestPattern} characters`)
  const problem = problemOfPattern(name)
  return problem === undefined ? Effect.void : wrong("name", problem)
}

const taken = (name: string) => () => wrong("name", `\`${name}\` is taken`)

const detailsOf =
  (environment: string) =>
  ({ id, name, type }: EnvironmentPattern) => ({ environment, pattern: name, type, id })

/** Lists the branch and tag patterns of an environment, oldest first. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.environment.policy.list">,
  environment: string,
  page: OwnedPage
) {
  const { id: environmentId } = yield* findEnvironment(repository, environment)
  return yield* (yield* environmentPatterns.store).list({ environmentId }, page, { order: "oldest" })
})

/** Reads a branch or tag pattern of an environment. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.environment.policy.read">,
  environment: string,
  id: number
) {
  const { id: environmentId } = yield* findEnvironment(repository, environment)
  const pattern = yield* (yield* environmentPatterns.store).find({ environmentId }, id)
  return pattern ?? (yield* new EnvironmentPatternNotFound({ id }))
})

/** Adds a branch or tag pattern to an environment. Its branch policy must be `selected`. */
export const create = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.environment.policy.create">,
    environment: string,
    { name, type }: { readonly name: string; readonly type: PatternType }
  ) {
    yield* requireValid(name)
    const { branches, id: environmentId } = yield* locked(repository, environment)
    if (branches !== "selected") {
      const problem = "must have `custom_branch_policies`: set it with PUT on the environment first"
      return yield* wrong("deployment_branch_policy", problem)
    }
    const store = yield* environmentPatterns.store
    if ((yield* store.count({ environmentId })) >= mostEnvironmentPatterns) {
      return yield* wrong("name", `cannot be added: an environment has at most ${mostEnvironmentPatterns} patterns`)
    }
    const pattern = yield* store.insert({ environmentId, name, type }).pipe(
      Effect.catchTag("Duplicate", taken(name)),
      // The environment exists, because it is locked.
      Effect.catchTag("Missing", Effect.die)
    )
    return { environment, pattern }
  }),
  ({ environment, pattern }) => ({ details: detailsOf(environment)(pattern) })
)

/** Changes the text of a branch or tag pattern. */
export const update = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.environment.policy.update">,
    environment: string,
    id: number,
    name: string
  ) {
    yield* requireValid(name)
    const { id: environmentId } = yield* locked(repository, environment)
    const patched = yield* (yield* environmentPatterns.store)
      .patch({ environmentId }, id, { name })
      .pipe(Effect.catchTag("Duplicate", taken(name)), Effect.catchTag("Missing", Effect.die))
    return { environment, pattern: patched ?? (yield* new EnvironmentPatternNotFound({ id })) }
  }),
  ({ environment, pattern }) => ({ details: detailsOf(environment)(pattern) })
)

/** Deletes a branch or tag pattern of an environment. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.environment.policy.delete">,
    environment: string,
    id: number
  ) {
    const { id: environmentId } = yield* locked(repository, environment)
    const removed = yield* (yield* environmentPatterns.store).remove({ environmentId }, id)
    return { environment, pattern: removed ?? (yield* new EnvironmentPatternNotFound({ id })) }
  }),
  ({ environment, pattern }) => ({ details: detailsOf(environment)(pattern) })
)
