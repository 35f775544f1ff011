import { InvalidInput } from "@slipway/domain"
import type { Action, Authorized } from "@slipway/domain/deploy/entry"
import { factsAt, policies } from "@slipway/domain/deploy/entry"
import {
  type Account,
  type AccountUuid,
  AuditStore,
  type Place,
  type Team,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Clock, Effect, Option, Stream } from "effect"
import { waitForExpiry } from "../identity/tokens/Tokens.ts"
import { type AccessCheck, targetOf } from "./explain.ts"
import { memberCaller, memberGrants } from "./memberGrants.ts"

/** A member of a team, and whether the member may perform an action on an object. */
export interface SubjectDecision {
  readonly account: Account
  readonly allowed: boolean
  /** The status of the response to such a request with valid input; 200 if the action is allowed. */
  readonly status: number
  /** The rules that allow the action, or the reason of the refusal. */
  readonly because: string
}

/** The action of a question about members, and the place of its object. */
interface Asked {
  readonly action: Action
  readonly place: Place
}

/** Decides an action for every member of a team that is not disabled, in the order in which they joined. */
const decisions = Effect.fnUntraced(function* (
  { id }: Pick<Team, "id">,
  members: ReadonlyArray<Account>,
  { action, place }: Asked
) {
  const grants = yield* memberGrants(id)
  return members
    .filter(({ isDisabled }) => !isDisabled)
    .map((account): SubjectDecision => {
      const held = (grants.get(account.uuid) ?? []).map((each) => each.held)
      const caller = memberCaller(account, id, { grants: held })
      const decision = policies[action].decide(factsAt(caller, true, place))
      return {
        account,
        allowed: decision.allowed,
        status: decision.allowed ? 200 : decision.answer.status,
        because: decision.allowed ? decision.by.join(", ") : decision.answer.message
      }
    })
})

/**
 * Lists the members of a team, each with whether the member may perform an action on an object of the team.
 *
 * The decisions are those of a token of the member for the team with every ability. Disabled accounts are omitted.
 */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"access.subjects">, asked: AccessCheck) {
  const { caller, team } = resource
  const target = yield* targetOf(caller, asked)
  return yield* decisions(team, yield* (yield* TeamStore).members(team.id), target)
})

/** An event of a stream of access decisions: all decisions at its start, those that changed, or its end. */
export type SubjectEvent =
  | { readonly _tag: "Decisions" | "Changes"; readonly subjects: ReadonlyArray<SubjectDecision> }
  | { readonly _tag: "End"; readonly reason: string }

/** The maximum number of members in a stream of access decisions. */
const mostWatched = 1_000

const tooManyMembers = `has ${mostWatched.toLocaleString("en")} or more members: list them instead`

/** The last poll of a stream of access decisions. */
interface Watched {
  /** The id of the newest change of access in the audit log of the team; 0 if there is none. */
  readonly change: number
  /** The time at which the decisions were computed, in milliseconds. */
  readonly at: number
  readonly subjects: ReadonlyArray<SubjectDecision>
}

const pollInterval = "500 millis"
/** The maximum age of decisions: some changes, such as a move of the object, are not in the audit log. */
const oldest = 10_000

/** Returns why an account without a decision is not allowed: it is disabled, or it left the team. */
const lossOf = (uuid: AccountUuid, members: ReadonlySet<AccountUuid>) =>
  members.has(uuid)
    ? { status: 401, because: "the account is disabled" }
    : { status: 404, because: "no member of the team" }

const changeOf = (
  before: ReadonlyArray<SubjectDecision>,
  after: ReadonlyArray<SubjectDecision>,
  members: ReadonlyArray<Account>
) => {
  const earlier = new Map(before.map((each) => [each.account.uuid, each]))
  const present = new Set(after.map(({ account }) => account.uuid))
  const joined = new Set(members.map(({ uuid }) => uuid))
  const left = before
    .filter(({ account, allowed }) => allowed && !present.has(account.uuid))
    .map((each): SubjectDecision => ({ ...each, allowed: false, ...lossOf(each.account.uuid, joined) }))
  return [...after.filter((each) => (earlier.get(each.account.uuid)?.allowed ?? false) !== each.allowed), ...left]
}

const none: ReadonlyArray<SubjectEvent> = []

const newestChange = Effect.fnUntraced(function* ({ id }: Pick<Team, "id">) {
  const [newest] = yield* (yield* AuditStore).list({ teamId: id, outcome: "done", limit: 1 })
  return newest?.id ?? 0
})

/**
 * Streams the decisions of `list`, then each decision that changes.
 *
 * Changes in the audit log take effect within a second, other changes within ten. The stream ends when the object is
 * deleted, when the team has 1,000 members, or when the caller may no longer list the decisions.
 */
export const watch = Effect.fnUntraced(function* (proof: Authorized<"access.watch">, asked: AccessCheck) {
  const { caller, team } = proof.resource
  yield* targetOf(caller, asked)
  if ((yield* (yield* TeamStore).members(team.id)).length >= mostWatched) {
    return yield* new InvalidInput({ problems: { action: [`The team ${tooManyMembers}.`] } })
  }
  const poll = Effect.fnUntraced(function* (last: Watched | undefined) {
    if (last !== undefined) yield* Effect.sleep(pollInterval)
    const at = yield* Clock.currentTimeMillis
    const change = yield* newestChange(team)
    if (last !== undefined && change === last.change && at - last.at < oldest) {
      return [none, Option.some<Watched | undefined>(last)] as const
    }
    const target = yield* Effect.option(targetOf(caller, asked))
    if (Option.isNone(target)) {
      const end: ReadonlyArray<SubjectEvent> = [{ _tag: "End", reason: "the object was deleted" }]
      return [end, Option.none<Watched | undefined>()] as const
    }
    const members = yield* (yield* TeamStore).members(team.id)
    if (members.length >= mostWatched) {
      const end: ReadonlyArray<SubjectEvent> = [{ _tag: "End", reason: `the team ${tooManyMembers}` }]
      return [end, Option.none<Watched | undefined>()] as const
    }
    const subjects = yield* decisions(team, members, target.value)
    const changed = last === undefined ? subjects : changeOf(last.subjects, subjects, members)
    const event: SubjectEvent = { _tag: last === undefined ? "Decisions" : "Changes", subjects: changed }
    const events: ReadonlyArray<SubjectEvent> = last === undefined || changed.length > 0 ? [event] : none
    return [events, Option.some<Watched | undefined>({ change, at, subjects })] as const
  })
  const lost: SubjectEvent = { _tag: "End", reason: "your token or session ended, or lost its access" }
  return Stream.paginate(undefined as Watched | undefined, poll).pipe(
    Stream.merge(Stream.fromEffect(Effect.as(waitForExpiry(proof), lost))),
    Stream.takeUntil(({ _tag }) => _tag === "End")
  )
})
