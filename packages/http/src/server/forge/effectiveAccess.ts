import { levelWord } from "@slipway/domain/access"
import { type EffectiveAccess, EffectiveAccesses } from "@slipway/domain/forge"
import { effectiveAccessEndpoints } from "../../api/forge/effectiveAccess.ts"
import { showPerson, showPlace } from "./dryRun.ts"
import { handle } from "./handle.ts"

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
