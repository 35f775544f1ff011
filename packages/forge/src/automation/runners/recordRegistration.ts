import { now } from "@slipway/domain"
import type { Place, Reach, Runner, RunnerRegistration } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { EventStore } from "@slipway/domain/forge/events"
import type { EventAction, NewEvent, Person } from "@slipway/domain/forge/identity"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

const removals = {
  repository: "repository.actions.runner.delete",
  organization: "organization.actions.runner.delete",
  user: "account.actions.runner.delete",
  site: "admin.actions.runner.delete"
} as const satisfies Record<Reach, EventAction>

/**
 * Returns the subject of an event about a runner: the repository, organization, user or site that the runner belongs
 * to.
 */
const about = Effect.fnUntraced(function* ({ organizationId, repositoryId, userId }: Place) {
  const here = { organizationId, repositoryId }
  if (repositoryId !== null) {
    const found = yield* (yield* RepositoryStore).find(repositoryId)
    const owner = found?.owner.kind === "organization" ? found.owner.id : null
    const name = found === undefined ? "" : `${found.owner.name}/${found.name}`
    return { organizationId: owner, repositoryId, subject: { kind: "repository", id: repositoryId, name } } as const
  }
  if (organizationId !== null) {
    const name = (yield* (yield* OrganizationStore).find(organizationId))?.name ?? ""
    return { ...here, subject: { kind: "organization", id: organizationId, name } } as const
  }
  if (userId !== null) {
    const name = (yield* (yield* UserStore).find(userId))?.name ?? ""
    return { ...here, subject: { kind: "user", id: userId, name } } as const
  }
  return { ...here, subject: { kind: "site", id: null, name: "" } } as const
})

const noted = Effect.fnUntraced(function* (
  place: Place,
  event: Pick<NewEvent, "action" | "actor" | "address" | "details" | "signedInWith">
) {
  yield* (yield* EventStore).append({
    at: yield* now,
    outcome: "done",
    refusedBy: null,
    signedInAs: null,
    teamId: null,
    ...(yield* about(place)),
    ...event
  })
})

/**
 * Records in the current transaction that a runner was registered, as an action of the user who created the
 * registration token.
 */
export const recordRegistration = Effect.fnUntraced(function* (
  { ephemeral, id, name, reach }: Runner,
  place: RunnerRegistration,
  address: string
) {
  const maker = place.makerId === null ? undefined : yield* (yield* UserStore).find(place.makerId)
  const actor: Person | null = maker === undefined ? null : { id: maker.id, name: maker.name }
  const details = { runner: id, name, reach, ephemeral }
  yield* noted(place, { action: "runner.register", actor, address, details, signedInWith: { kind: "nothing" } })
})

/** Records in the current transaction that the service itself removed a runner, with the reason. */
export const recordRemoval = Effect.fnUntraced(function* (runner: Runner, because: string) {
  const details = { runner: runner.id, name: runner.name, because }
  const action = removals[runner.reach]
  yield* noted(runner, { action, actor: null, address: "", details, signedInWith: { kind: "system" } })
})
