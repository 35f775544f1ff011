import type { Page, PageRequest } from "@slipway/domain"
import type { Action } from "@slipway/domain/forge/access"
import { rulebookOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { type Repository, type RepositoryAction, RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import { FactsStore, type Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { AccessQuestionInvalid, subjectOf, targetOf } from "./AccessExplanation.ts"

/** The question on which repositories a user may perform an action. */
export interface ObjectsQuestion {
  /** The name of an action on repositories in the access tables. */
  readonly action: string
  /** The name of a user; if omitted, the question is about the caller, with the scope of the caller's credential. */
  readonly user?: string | undefined
  /** Only repositories of the user or organization with this name. */
  readonly owner?: string | undefined
}

const repositoryAction = Effect.fnUntraced(function* (action: string) {
  const { switches } = yield* SiteSettings
  const { actions } = rulebookOf(switches).tables
  const invalid = (problem: string) => new AccessQuestionInvalid({ field: "action", problem })
  if (!Object.hasOwn(actions, action)) return yield* invalid("must be an action of the access tables")
  const { on } = actions[action] as Action
  if (on !== "repository") return yield* invalid(`applies to the resource type \`${on}\`, not to \`repository\``)
  // BOUNDARY: custom actions are decided by name, like those of the library.
  return action as RepositoryAction
})

const none: Page<Repository> = { rows: [], total: 0 }

/**
 * Lists the repositories on which a user may perform an action, in the order of insertion.
 *
 * The condition of the action is a part of the query. The decisions about another user are those after a sign-in with a
 * password. Site administrators can ask about every user, owners about their own repositories; for other callers, the
 * owner is reported as missing. The list omits branches to which a user may push only through a pull request.
 */
export const list = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.objects">,
  { action, owner, user: name }: ObjectsQuestion,
  page: PageRequest
) {
  const allowing = yield* repositoryAction(action)
  const asked = yield* targetOf({ resource: owner === undefined ? "site" : `packages:${owner}` })
  const viewer = name === undefined ? actor : (yield* subjectOf(actor, asked, name)).viewer
  const about = asked.about.kind === "packageOwner" ? asked.about : undefined
  const { found } =
    about === undefined
      ? { found: undefined }
      : yield* (yield* FactsStore).load({ caller: { _tag: "Nobody" }, sudo: undefined, about })
  // A missing owner has no repositories, like a hidden one.
  if (about !== undefined && found === undefined) return none
  const filter = { allowing, owner: found?.owner.id }
  const { rows, ...rest } = yield* (yield* RepositoryStore).list(yield* viewerOn(viewer), filter, page)
  const listed: Page<Repository> = { ...rest, rows: rows.map(({ repository }) => repository) }
  return listed
})
