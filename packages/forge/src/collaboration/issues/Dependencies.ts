import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { viewerOn } from "@slipway/domain/forge/code"
import {
  DependencyCircular,
  dependencies,
  type Issue,
  IssueNotFound,
  IssueStore,
  type NamedIssue,
  type PlacedIssue,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { mayChangeRepository } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as Entry from "../../entry/Entry.ts"
import { timelineEvent } from "./insert.ts"
import { unitOf } from "./texts.ts"
import { authorOf, refOf, viewerPage, viewOf } from "./views.ts"

/** Lists the issues that an issue depends on; those that the actor may not read are omitted. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Proof<"issue.dependency.list">,
  page: PageRequest
) {
  const viewer = yield* viewerOn(actor)
  return yield* viewerPage(actor, yield* (yield* IssueStore).search({ viewer }, { neededBy: issue.id }, "newest", page))
})

/** Lists the issues that depend on an issue; those that the actor may not read are omitted. */
export const listBlocked = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Proof<"issue.block.list">,
  page: PageRequest
) {
  const viewer = yield* viewerOn(actor)
  return yield* viewerPage(
    actor,
    yield* (yield* IssueStore).search({ viewer }, { waitingFor: issue.id }, "newest", page)
  )
})

type Changing =
  | Proof<"issue.dependency.add">
  | Proof<"issue.dependency.remove">
  | Proof<"issue.block.add">
  | Proof<"issue.block.remove">

/** The permission that the actor needs on the other issue: to change it (`issue.block.add`), or only to read it. */
type OtherAction = "issue.read" | "issue.block.add"

/**
 * Finds the other issue of a dependency, and checks that the actor has the required permission on it.
 *
 * An issue that the actor may not read is reported as missing.
 */
const otherOf = Effect.fnUntraced(function* (proof: Changing, action: OtherAction, { index, name, owner }: NamedIssue) {
  const about = { kind: "issue", owner, repository: name, keys: { index } } as const
  const entered = yield* Entry.authorizeSecondResource(proof.resource.actor, about)
  const found = yield* Effect.catchTag(Entry.authorize(action, entered), "Renamed", () =>
    Effect.fail(new IssueNotFound({ number: index }))
  )
  const { issue, repository } = found.resource
  if (!mayChangeRepository(proof.resource.actor, repository.id)) return yield* new IssueNotFound({ number: index })
  return { issue, repository: refOf(repository) } satisfies PlacedIssue
})

const here = ({ resource: { issue, repository } }: Changing): PlacedIssue => ({ issue, repository: refOf(repository) })

const eventsOf = (
  actorId: Issue["authorId"],
  type: "add_dependency" | "remove_dependency",
  one: PlacedIssue,
  other: PlacedIssue,
  at: string
) =>
  [
    [one, other],
    [other, one]
  ].map(([on, about]) =>
    timelineEvent((on as PlacedIssue).issue, type, actorId, at, {
      otherIssueId: (about as PlacedIssue).issue.id,
      sourceRepositoryId: (about as PlacedIssue).repository.id,
      sourceUnit: unitOf((about as PlacedIssue).issue)
    })
  )

const depend = Effect.fnUntraced(function* (proof: Changing, issue: PlacedIssue, on: PlacedIssue) {
  const { actor } = proof.resource
  const store = yield* IssueStore
  // Two concurrent requests could create a cycle, even through repositories that neither of them names.
  yield* store.lockDependencies
  if (issue.issue.id === on.issue.id || (yield* store.waitsFor(on.issue.id, issue.issue.id))) {
    return yield* new DependencyCircular()
  }
  const row = { issueId: issue.issue.id, dependsOnId: on.issue.id }
  if (!(yield* Effect.orDie((yield* dependencies.store).insertIfAbsent(row)))) return
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany(eventsOf(authorOf(actor), "add_dependency", issue, on, yield* now))
  )
})

const forget = Effect.fnUntraced(function* (proof: Changing, issue: PlacedIssue, on: PlacedIssue) {
  const removed = yield* (yield* dependencies.store).removeBy("pair", {
    issueId: issue.issue.id,
    dependsOnId: on.issue.id
  })
  if (removed === undefined) return yield* new IssueNotFound({ number: on.issue.number })
  const { actor } = proof.resource
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany(eventsOf(authorOf(actor), "remove_dependency", issue, on, yield* now))
  )
})

const eventDetails = ({ issue, repository }: PlacedIssue) => ({
  details: { other: `${repository.owner}/${repository.name}#${issue.number}` }
})

const added = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.dependency.add">, named: NamedIssue) {
    const other = yield* otherOf(proof, "issue.read", named)
    yield* depend(proof, here(proof), other)
    return { other, view: yield* viewOf(proof.resource.actor, here(proof)) }
  }),
  ({ other }) => eventDetails(other)
)

/**
 * Makes the issue in the path depend on another issue, which the actor must be able to read. Returns the issue in the
 * path.
 */
export const add = (proof: Proof<"issue.dependency.add">, named: NamedIssue) =>
  Effect.map(added(proof, named), ({ view }) => view)

const removed = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.dependency.remove">, named: NamedIssue) {
    const other = yield* otherOf(proof, "issue.read", named)
    yield* forget(proof, here(proof), other)
    return { other, view: yield* viewOf(proof.resource.actor, here(proof)) }
  }),
  ({ other }) => eventDetails(other)
)

/** Removes a dependency of the issue in the path on another issue. Returns the issue in the path. */
export const remove = (proof: Proof<"issue.dependency.remove">, named: NamedIssue) =>
  Effect.map(removed(proof, named), ({ view }) => view)

const addedBlock = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.block.add">, named: NamedIssue) {
    const other = yield* otherOf(proof, "issue.block.add", named)
    yield* depend(proof, other, here(proof))
    return { other, view: yield* viewOf(proof.resource.actor, here(proof)) }
  }),
  ({ other }) => eventDetails(other)
)

/**
 * Makes another issue depend on the issue in the path; the actor needs write permission on both. Returns the issue in
 * the path.
 */
export const addBlock = (proof: Proof<"issue.block.add">, named: NamedIssue) =>
  Effect.map(addedBlock(proof, named), ({ view }) => view)

const removedBlock = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.block.remove">, named: NamedIssue) {
    const other = yield* otherOf(proof, "issue.block.add", named)
    yield* forget(proof, other, here(proof))
    return { other, view: yield* viewOf(proof.resource.actor, here(proof)) }
  }),
  ({ other }) => eventDetails(other)
)

/** Removes a dependency of another issue on the issue in the path. Returns the issue in the path. */
export const removeBlock = (proof: Proof<"issue.block.remove">, named: NamedIssue) =>
  Effect.map(removedBlock(proof, named), ({ view }) => view)
