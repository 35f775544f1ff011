import type { Page, PageRequest } from "@slipway/domain"
import { levelWord } from "@slipway/domain/access"
import { AccessPreview, type Repository, type Unit, type User } from "@slipway/domain/forge"
import type { Effect } from "effect"
import { isYes, type QueryFlag } from "../../api/forge/schemas.ts"
import { answerPage, type PageQuery } from "./pages.ts"

/** Shows a user by what tells them apart. */
export const showPerson = ({ fullName, id, name }: User) => ({ id, login: name, full_name: fullName })

/** Shows a repository by what tells it apart. */
export const showPlace = ({ id, name, owner, private: isPrivate }: Repository) => ({
  id,
  full_name: `${owner.name}/${name}`,
  private: isPrivate
})

const showStep = ({ after, before }: AccessPreview.Step) => ({ before: levelWord(before), after: levelWord(after) })

const showChange = (change: AccessPreview.Change) => ({
  ...(change.who.kind === "user" ? { user: showPerson(change.who.user) } : { audience: change.who.audience }),
  repository: showPlace(change.repository),
  loses: AccessPreview.loses(change),
  gains: AccessPreview.gains(change),
  permission: showStep(change.permission),
  units: Object.fromEntries(
    (Object.entries(change.units) as Array<[Unit, AccessPreview.Step]>).map(([unit, step]) => [unit, showStep(step)])
  )
})

/** What a query says of a change that may be asked for its consequences alone. */
export interface DryRunQuery extends PageQuery {
  readonly dry_run?: typeof QueryFlag.Type
}

/** Makes a change, or where the query asks for it, answers with what the change would give and take. */
export const orDryRun = <A, E, R, E2, R2>(
  query: DryRunQuery,
  preview: (page: PageRequest) => Effect.Effect<Page<AccessPreview.Change>, E, R>,
  act: Effect.Effect<A, E2, R2>
) => (isYes(query.dry_run) ? answerPage(query, preview, showChange) : act)
