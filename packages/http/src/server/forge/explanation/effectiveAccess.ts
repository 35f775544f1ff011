import { levelWord } from "@slipway/access"
import type { EffectiveAccess } from "@slipway/domain/forge/explanation"
import { EffectiveAccesses } from "@slipway/forge/explanation"
import { effectiveAccessEndpoints } from "../../../api/forge/explanation/effectiveAccess.ts"
import { showPerson, showPlace } from "../base/dryRun.ts"
import { handle } from "../entry/handle.ts"

const showEffectiveAccess = ({ permission, repository, units, user }: EffectiveAccess) => ({
  user: showPerson(user),
  repository: showPlace(repository),
  permission: levelWord(permission),
  units: Object.fromEntries(
    Object.entries(units).map(([unit, { by, level }]) => [unit, { level: levelWord(level), by }])
  )
})

/** The handlers of effective access. */
export const layerEffectiveAccess = handle(
  effectiveAccessEndpoints,
  {
    "organization.member.access": ({ page, params, proof }) => EffectiveAccesses.ofUser(proof, params.username, page),
    "repository.access.list": ({ page, proof }) => EffectiveAccesses.ofRepository(proof, page)
  },
  { show: showEffectiveAccess }
)
