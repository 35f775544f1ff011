import { now, Transaction } from "@slipway/domain"
import type { JobStore } from "@slipway/domain/forge/background"
import type { Repository } from "@slipway/domain/forge/code"
import type { NotifiedEvent } from "@slipway/domain/forge/collaboration"
import type { LoadedAction, Proof } from "@slipway/domain/forge/entry"
import type { EventResources, OwnedVersion } from "@slipway/domain/forge/events"
import { type EventResourcesAfter, EventStore } from "@slipway/domain/forge/events"
import type {
  Actor,
  Details,
  NewEvent,
  Organization,
  Person,
  SignedInWith,
  Subject,
  Team,
  User
} from "@slipway/domain/forge/identity"

import { Effect } from "effect"
import { hookDataOf } from "./queueHookEvents.ts"
import { queueNotifications } from "./queueNotifications.ts"

/**
 * The resources that an event is about: each one that the proof (the result of authorization) or the use case contains.
 */
export interface EventSubjects {
  readonly user?: Pick<User, "id" | "name"> | undefined
  readonly organization?: Pick<Organization, "id" | "name"> | undefined
  readonly team?: Pick<Team, "id" | "name"> | undefined
  readonly repository?: Pick<Repository, "id" | "name" | "owner"> | undefined
}

/** The resources and details that a use case adds to the event of its action. */
export interface EventExtras extends EventSubjects {
  readonly details?: Details | undefined
  /** The package version for the webhook payload, and the repository that the package is linked to. */
  readonly packageVersion?: OwnedVersion | undefined
  readonly linked?: Repository | undefined
  /**
   * The resources before the change. Set if the use case locked and read a newer version than its proof (the result of
   * authorization) contains.
   */
  readonly before?: EventResources | undefined
  /** The resources after the change, from which webhook payloads are rendered. */
  readonly after?: EventResourcesAfter | undefined
  /** The notification that is sent to the followers of an issue or a pull request after the commit. */
  readonly notification?: NotifiedEvent | undefined
}

const personOf = (user: User | undefined): Person | null =>
  user === undefined ? null : { id: user.id, name: user.name }

const signedInWith = ({ key, token, via }: Actor): SignedInWith => {
  if (token !== undefined) return { kind: "token", id: token.id, name: token.name }
  if (key !== undefined) return { kind: "key", id: key.id, name: key.title }
  return { kind: via.kind === "token" || via.kind === "key" ? "nothing" : via.kind }
}

const subjectOf = ({ organization, repository, team, user }: EventSubjects): Subject => {
  if (repository !== undefined) {
    return { kind: "repository", id: repository.id, name: `${repository.owner.name}/${repository.name}` }
  }
  if (team !== undefined) return { kind: "team", id: team.id, name: team.name }
  if (organization !== undefined) return { kind: "organization", id: organization.id, name: organization.name }
  if (user !== undefined) return { kind: "user", id: user.id, name: user.name }
  return { kind: "site", id: null, name: "" }
}

/** Returns the audit event of an action that was performed or refused. */
export const eventOf = (
  actor: Actor,
  action: LoadedAction,
  about: EventSubjects,
  at: string,
  more: Pick<NewEvent, "outcome" | "refusedBy" | "details">
): NewEvent => {
  const { organization, repository, team } = about
  const owner = repository?.owner
  return {
    at,
    action,
    ...more,
    actor: personOf(actor.user),
    signedInAs: actor.signedInAs?.id === actor.user?.id ? null : personOf(actor.signedInAs),
    signedInWith: signedInWith(actor),
    address: actor.via.address,
    subject: subjectOf(about),
    organizationId: organization?.id ?? (owner?.kind === "organization" ? owner.id : null),
    teamId: team?.id ?? null,
    repositoryId: repository?.id ?? null
  }
}

/** Records the event of an allowed action, in the transaction that performs the action. */
export const record = Effect.fnUntraced(function* (
  proof: Proof<LoadedAction>,
  { after, before, details = {}, linked, notification, packageVersion, ...extras }: EventExtras = {}
) {
  const { actor, ...about } = proof.resource as EventSubjects & { readonly actor: Actor }
  // The event is about the created resource, not about its parent.
  const newEvent = eventOf(actor, proof.action as LoadedAction, { ...about, ...extras }, yield* now, {
    outcome: "done",
    refusedBy: null,
    details
  })
  // A resource loaded or created by an action is the whole repository.
  const repository = (linked ?? extras.repository ?? about.repository) as Repository | undefined
  yield* (yield* EventStore).append(
    newEvent,
    hookDataOf(newEvent, repository, { ...(about as EventResources), ...before, packageVersion }, after)
  )
  const { repositoryId } = newEvent
  if (notification !== undefined && repositoryId !== null)
    yield* queueNotifications(actor.user?.id ?? null, [{ ...notification, repositoryId }])
})

const nothingLeft = () => Effect.succeed<EventResourcesAfter>({})

/**
 * Builds an audited use case: its event is recorded in the same transaction as its changes.
 *
 * `describe` returns event details from the arguments and the result; details must contain no secrets. It returns
 * undefined if nothing changed, and then no event is recorded. `leaves` reads the changed resources for webhook payloads.
 */
export const audited =
  <A extends LoadedAction, Args extends ReadonlyArray<unknown>, B, E, R, L = never>(
    useCase: (proof: Proof<A>, ...args: Args) => Effect.Effect<B, E, R>,
    describe: (done: B, ...args: Args) => EventExtras | undefined = () => ({}),
    leaves: (proof: Proof<A>, done: B) => Effect.Effect<EventResourcesAfter, never, L> = nothingLeft
  ) =>
  (proof: Proof<A>, ...args: Args): Effect.Effect<B, E, R | L | EventStore | JobStore | Transaction> =>
    Effect.flatMap(Transaction, (transaction) =>
      transaction.run(
        Effect.tap(useCase(proof, ...args), (done) => {
          const extras = describe(done, ...args)
          if (extras === undefined) return Effect.void
          return Effect.flatMap(leaves(proof, done), (after) =>
            record(proof as unknown as Proof<LoadedAction>, { after, ...extras })
          )
        })
      )
    )

/**
 * Records that an action was refused, with the rule that refused it. Equal refusals within one minute are recorded
 * once.
 */
export const recordRefusal = Effect.fnUntraced(function* (
  actor: Actor,
  action: LoadedAction,
  about: EventSubjects,
  by: string
) {
  const event = eventOf(actor, action, about, yield* now, { outcome: "refused", refusedBy: by, details: {} })
  yield* (yield* EventStore).refuse(event)
})
