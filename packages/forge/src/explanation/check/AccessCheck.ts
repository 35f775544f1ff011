import type { Action, ActionName, Explanation, FactsAbout } from "@slipway/domain/forge/access"
import { decide, explain, notFound, rulebookOf, siteFactsOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { LoadedKind, Proof } from "@slipway/domain/forge/entry"
import { kinds, type LoadedResources, type ResourceDecision, type Target } from "@slipway/domain/forge/entry"
import { type Actor, sameName } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { withEditableHeadBranches } from "../../collaboration/pulls/maintainerEdits.ts"
import * as OwnThings from "../../entry/CustomResources.ts"
import { authorizeSecondResource } from "../../entry/Entry.ts"
import { type ExplainedResource, targetOf } from "../explain/AccessExplanation.ts"

/**
 * A question of a batch: whether an action is allowed on a resource, both in the form described at `AccessQuestion`.
 */
export interface AccessPairAsked {
  readonly action: string
  readonly resource: string
}

/** The maximum number of questions in one batch. */
export const mostChecks = 200

/** The answer to a question of a batch; `explanation` is present if the request asks for it. */
export interface AccessChecked extends AccessPairAsked {
  readonly allowed: boolean
  /** The HTTP status of the response to such a request with valid input; 200 if the action is allowed. */
  readonly status: number
  readonly explanation: Explanation<string> | undefined
}

/** Reports that a question of a batch is invalid, with its position in the batch. */
export class AccessCheckInvalid extends Schema.TaggedError<AccessCheckInvalid>()("AccessCheckInvalid", {
  at: Schema.Int,
  field: Schema.Literals(["action", "resource"]),
  problem: Schema.String
}) {}

interface Question extends AccessPairAsked {
  readonly asked: ExplainedResource
}

const questionOf = Effect.fnUntraced(function* (
  { user }: Actor,
  { actions }: { readonly actions: Readonly<Record<string, Pick<Action, "on">>> },
  { action, resource }: AccessPairAsked,
  at: number
) {
  const invalid = (field: "action" | "resource", problem: string) => new AccessCheckInvalid({ at, field, problem })
  const asked = yield* targetOf({ resource }).pipe(Effect.mapError(({ problem }) => invalid("resource", problem)))
  const on = Object.hasOwn(actions, action) ? actions[action]?.on : undefined
  if (on === undefined) return yield* invalid("action", "must be an action of the access tables")
  if (on !== asked.kind)
    return yield* invalid("action", `applies to the resource type \`${on}\`, not to \`${asked.kind}\``)
  const named = "named" in asked.about ? asked.about.named : undefined
  // A decision about another user would disclose the blocks of that user.
  if (named !== undefined && (user === undefined || !sameName(named, user.name)))
    return yield* invalid("resource", "may name only yourself as the user")
  return { action, resource, asked } satisfies Question
})

/**
 * Loads the data of a resource once, and returns a function that gives the facts for access decisions about an action.
 */
const factsAbout = Effect.fnUntraced(function* (
  actor: Actor,
  { about, kind, name }: ExplainedResource,
  needsLent: boolean
) {
  const entered = yield* authorizeSecondResource(actor, about as Target<LoadedKind>)
  const { switches } = entered
  if (name !== undefined) {
    const own = yield* OwnThings.factsOf(kind, name, siteFactsOf(switches, actor.facts), actor.user?.name)
    return () => own
  }
  // BOUNDARY: the facts are those of the kind that the resource names, which the compiler can't follow.
  const { facts } = kinds[about.kind] as ResourceDecision<"user">
  const factsOf = (found: unknown) =>
    facts(actor, switches, found as LoadedResources["user"] | undefined, about as Target<"user">) as object
  const found = entered.found as LoadedResources["repository"] | undefined
  const known = factsOf(found)
  const lent = needsLent ? factsOf((yield* withEditableHeadBranches("git.push", { actor, found })).found) : known
  return (action: string) => (action === "git.push" ? lent : known)
})

const answerTo = (
  { action, resource }: AccessPairAsked,
  facts: object | undefined,
  isExplained: boolean
): AccessChecked => {
  if (facts === undefined) {
    const hidden = { action, allowed: false, answer: notFound, by: [], steps: [] }
    return { action, resource, allowed: false, status: notFound.status, explanation: isExplained ? hidden : undefined }
  }
  // BOUNDARY: actions are found by name, those of an embedding program too.
  const [known, about] = [action as ActionName, facts as FactsAbout<"site"> as never]
  const decision = decide(known, about)
  return {
    action,
    resource,
    allowed: decision.allowed,
    status: decision.allowed ? 200 : decision.answer.status,
    explanation: isExplained ? explain(known, about) : undefined
  }
}

/**
 * Decides for a batch of actions whether the caller may perform them, with the scope of the caller's credential.
 *
 * The data of each distinct resource is loaded once, so all answers about it are consistent. A hidden resource gets the
 * same answer as a missing one, without reasons (invariant I9). Fails at the first invalid question.
 */
export const checkAccess = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.check">,
  { checks, explain: isExplained }: { readonly checks: ReadonlyArray<AccessPairAsked>; readonly explain: boolean }
) {
  const { switches } = yield* SiteSettings
  const { tables } = rulebookOf(switches)
  const questions = yield* Effect.forEach(checks, (pair, at) => questionOf(actor, tables, pair, at))
  const byResource = Map.groupBy(questions, ({ resource }) => resource)
  const loaded = yield* Effect.forEach(byResource, ([resource, [first, ...more]]) =>
    first === undefined
      ? Effect.succeed([resource, () => undefined] as const)
      : Effect.map(
          factsAbout(
            actor,
            first.asked,
            [first, ...more].some(({ action }) => action === "git.push")
          ),
          (factsFor) => [resource, factsFor] as const
        )
  )
  const facts = new Map(loaded)
  return questions.map((question) => answerTo(question, facts.get(question.resource)?.(question.action), isExplained))
})
