import { levelWord } from "@slipway/access"
import type { Unit } from "@slipway/domain/forge/access"
import type { Repository } from "@slipway/domain/forge/code"
import type { User } from "@slipway/domain/forge/identity"
import { AccessPreview } from "@slipway/forge/explanation"

/** Returns the identifying fields of a user for an API response. */
export const showPerson = ({ fullName, id, name }: User) => ({ id, login: name, full_name: fullName })

/** Returns the identifying fields and the visibility of a repository for an API response. */
export const showPlace = ({ id, name, owner, private: isPrivate }: Repository) => ({
  id,
  full_name: `${owner.name}/${name}`,
  private: isPrivate
})

const showStep = ({ after, before }: AccessPreview.Step) => ({ before: levelWord(before), after: levelWord(after) })

/** Returns the API response with the permissions that a user or audience would gain or lose on a repository. */
export const showChange = (change: AccessPreview.Change) => ({
  ...(change.who.kind === "user" ? { user: showPerson(change.who.user) } : { audience: change.who.audience }),
  repository: showPlace(change.repository),
  loses: AccessPreview.loses(change),
  gains: AccessPreview.gains(change),
  permission: showStep(change.permission),
  units: Object.fromEntries(
    (Object.entries(change.units) as Array<[Unit, AccessPreview.Step]>).map(([unit, step]) => [unit, showStep(step)])
  )
})
