import type { Page, PageRequest } from "@slipway/domain"
import { type ActionName, explainToKeeper } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { noRepositoryGrants } from "@slipway/domain/forge/code"
import { isItemKind, kinds, type LoadedResources, type Proof, type ResourceDecision } from "@slipway/domain/forge/entry"
import { EventStore } from "@slipway/domain/forge/events"
import { asViewer, EffectiveAccessStore, grantsOfPair, type People } from "@slipway/domain/forge/explanation"
import { type Actor, BlockStore, type User, type UserId } from "@slipway/domain/forge/identity"
import { Clock, Effect, Option, Schema, Stream } from "effect"
import { type AffectedSubject, audiences, audienceViewers } from "../effective-access/AccessPreview.ts"
import { knownTo } from "../effective-access/EffectiveAccesses.ts"
import { type AccessQuestion, AccessQuestionInvalid, loadManaged, questionOf } from "./AccessExplanation.ts"

/** The question which users may perform an action on a repository, or on a resource within one. */
export type SubjectsQuestion = Pick<AccessQuestion, "action" | "resource">

/** A user or a group of callers, and whether the action is allowed to them. */
export interface SubjectDecision {
  readonly who: AffectedSubject
  readonly allowed: boolean
  /** The HTTP status of the response to such a request with valid input; 200 if the action is allowed. */
  readonly status: number
  /** The names of the deciding rules. */
  readonly rules: ReadonlyArray<string>
}

type Found = LoadedResources["repository"]

/** Loads the resource of a question, and returns the function that decides its action for a user or a group. */
const decider = Effect.fnUntraced(function* (actor: Actor, question: SubjectsQuestion) {
  const invalid = (problem: string) => new AccessQuestionInvalid({ field: "resource", problem })
  const { about } = yield* questionOf(question)
  if (about.kind !== "repository" && !isItemKind(about.kind)) {
    return yield* invalid("must be a repository, or a resource within one")
  }
  if ("named" in about && about.named !== undefined) return yield* invalid("must not name a user")
  const found = (yield* loadManaged(actor, about)).found as Found
  const { switches } = yield* SiteSettings
  // BOUNDARY: the facts are those of the kind that the resource names, which the compiler can't follow.
  const { facts } = kinds[about.kind] as unknown as ResourceDecision<"repository">
  const decide = (who: AffectedSubject, { grants = noRepositoryGrants, blocked = false } = {}): SubjectDecision => {
    const viewer = who.kind === "user" ? { ...asViewer(who.user), user: who.user } : audienceViewers[who.audience]
    const known = facts(viewer, switches, { ...found, grants, blocked, lent: [] }, about as never)
    const { allowed, answer, by } = explainToKeeper(question.action as ActionName, known as never)
    return { who, allowed, status: answer?.status ?? 200, rules: by }
  }
  return { found, decide }
})

type Decider = Effect.Success<ReturnType<typeof decider>>

const blockedAmong = Effect.fnUntraced(function* ({ repository }: Found, users: ReadonlyArray<UserId>) {
  return new Set(yield* (yield* BlockStore).blockedBy(repository.owner.id, users))
})

const decideUsers = Effect.fnUntraced(function* (actor: Actor, { decide, found }: Decider, page: PageRequest) {
  const { grants, repository } = found
  const { id } = repository
  const people: People = { kind: "repository", id, membersToo: true, ...knownTo(actor, grants.membership) }
  const { rows, ...rest } = yield* (yield* EffectiveAccessStore).list(people, { kind: "repository", id }, page)
  const blocked = yield* blockedAmong(
    found,
    rows.map(({ user }) => user.id)
  )
  const decided: Page<SubjectDecision> = {
    ...rest,
    rows: rows.map((pair) =>
      decide({ kind: "user", user: pair.user }, { grants: grantsOfPair(pair), blocked: blocked.has(pair.user.id) })
    )
  }
  return decided
})

const decideAudiences = ({ decide }: Decider) => audiences.map((audience) => decide({ kind: "audience", audience }))

/**
 * Lists the users with access to a repository, each with whether the user may perform an action on the repository or on
 * a resource within it. The first page begins with anonymous callers and with all other signed-in users.
 *
 * The users are the owner or the members of the organization, and the collaborators. The decisions are those after a
 * sign-in with a password. They omit branches to which a user may push only through a pull request. The caller must be
 * allowed to ask for the reasons.
 */
export const list = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.subjects">,
  question: SubjectsQuestion,
  page: PageRequest
) {
  const ready = yield* decider(actor, question)
  const { rows, ...rest } = yield* decideUsers(actor, ready, page)
  const isFirst = page.page === 1 && page.after === undefined
  const decided: Page<SubjectDecision> = { ...rest, rows: [...(isFirst ? decideAudiences(ready) : []), ...rows] }
  return decided
})

/** An event of a stream of access decisions: all decisions at its start, those that changed, or its end. */
export type SubjectEvent =
  | { readonly _tag: "Decisions" | "Changes"; readonly subjects: ReadonlyArray<SubjectDecision> }
  | { readonly _tag: "End"; readonly reason: string }

/** The maximum number of open streams of access decisions of a process, in total and of one user. */
export const mostStreams = { inAll: 100, user: 20 } as const

/** Reports that the maximum number of streams of access decisions is open, in total or of the user. */
export class TooManyAccessStreams extends Schema.TaggedError<TooManyAccessStreams>()("TooManyAccessStreams", {
  most: Schema.Int,
  of: Schema.Literals(["process", "user"])
}) {
  get problem(): string {
    return this.of === "user"
      ? `you have ${this.most} such streams open: close one`
      : `${this.most} such streams are open`
  }
}

/** The maximum number of users in a stream of access decisions. */
export const mostWatched = 1_000

/** The last poll of a stream of access decisions. */
interface Watched {
  /** The id of the newest event. */
  readonly event: number
  /** The time at which the decisions were computed, in milliseconds. */
  readonly at: number
  readonly subjects: ReadonlyArray<SubjectDecision>
}

const pollInterval = "1 second"
/** The maximum age of decisions, because events of simultaneous transactions may become visible late. */
const oldest = 10_000

const keyOf = ({ who }: SubjectDecision) => (who.kind === "user" ? who.user.id : who.audience)

const userOf = ({ who }: SubjectDecision): ReadonlyArray<User> => (who.kind === "user" ? [who.user] : [])

/** Returns the decisions that differ. A user who is missing in a list has no individual access. */
const changesOf = Effect.fnUntraced(function* (
  { decide, found }: Decider,
  before: ReadonlyArray<SubjectDecision>,
  after: ReadonlyArray<SubjectDecision>
) {
  const [earlier, later] = [before, after].map((rows) => new Map(rows.map((row) => [keyOf(row), row])))
  const left = before.filter((row) => later?.has(keyOf(row)) === false).flatMap(userOf)
  const blocked = yield* blockedAmong(
    found,
    left.map(({ id }) => id)
  )
  const gone = left.map((user) => decide({ kind: "user", user }, { blocked: blocked.has(user.id) }))
  return [...after, ...gone].filter((row) => {
    const then = earlier?.get(keyOf(row)) ?? decide(row.who)
    return then.allowed !== row.allowed
  })
})

/**
 * Streams the decisions of `list` for all users, then those that change, as soon as an event of the forge reports the
 * cause.
 *
 * `again` authorizes the caller again, at least every ten seconds. The stream ends when it fails, when the caller no
 * longer manages the resource, or when the resource is deleted.
 */
export const watch = Effect.fnUntraced(function* <E, R>(
  proof: Proof<"access.watch">,
  question: SubjectsQuestion,
  again: Effect.Effect<Proof<"access.watch">, E, R>
) {
  const look = Effect.fnUntraced(function* ({ resource: { actor } }: Proof<"access.watch">) {
    const ready = yield* decider(actor, question)
    const { next, rows } = yield* decideUsers(actor, ready, { page: 1, perPage: mostWatched })
    if (next === undefined && rows.length < mostWatched)
      return { ready, subjects: [...decideAudiences(ready), ...rows] }
    const problem = `has ${mostWatched} or more users with access: list them instead`
    return yield* new AccessQuestionInvalid({ field: "resource", problem })
  })
  const [event, at] = [yield* (yield* EventStore).newest, yield* Clock.currentTimeMillis]
  const first: Watched = { event, at, subjects: (yield* look(proof)).subjects }
  const poll = Effect.fnUntraced(function* (last: Watched) {
    yield* Effect.sleep(pollInterval)
    const at = yield* Clock.currentTimeMillis
    const event = yield* (yield* EventStore).newest
    if (event === last.event && at - last.at < oldest) return [[], Option.some(last)] as const
    const seen = yield* Effect.option(Effect.flatMap(again, look))
    if (Option.isNone(seen)) {
      const end: SubjectEvent = { _tag: "End", reason: "the resource was deleted, or is no longer yours to manage" }
      return [[end], Option.none<Watched>()] as const
    }
    const { ready, subjects } = seen.value
    const changed = yield* changesOf(ready, last.subjects, subjects)
    const events: ReadonlyArray<SubjectEvent> = changed.length === 0 ? [] : [{ _tag: "Changes", subjects: changed }]
    return [events, Option.some<Watched>({ event, at, subjects })] as const
  })
  const start: SubjectEvent = { _tag: "Decisions", subjects: first.subjects }
  return Stream.concat(Stream.make(start), Stream.paginate(first, poll))
})
