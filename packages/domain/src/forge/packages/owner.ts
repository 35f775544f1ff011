import type { Level } from "../../access/Level.ts"
import type { PackageOwnerFacts, SwitchFacts } from "../access/facts.ts"
import { noPackageHolding } from "../access/standing.ts"
import type { Viewer } from "../accounts/Actor.ts"
import type { Place } from "../organizations/Organization.ts"
import type { Owner } from "../repositories/Repository.ts"

/** An owner of packages found by a name, with what somebody holds there; `moved` when the name is one it had before. */
export interface FoundOwner {
  readonly owner: Owner
  readonly moved: boolean
  readonly place: Pick<Place, "member" | "owner">
  /** The level of the best team on packages, without the Owners team. */
  readonly teamPackages: Level
}

/** Returns the facts about an owner of packages; one that isn't there is one that nobody sees. */
export const packageOwnerFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: FoundOwner | undefined
): PackageOwnerFacts =>
  found === undefined
    ? { ...switches, ...viewer.facts, siteAdmin: false, ...noPackageHolding, ownerVisibility: "private" }
    : {
        ...switches,
        ...viewer.facts,
        organizationMember: found.place.member,
        organizationOwner: found.place.owner,
        ownerVisibility: found.owner.visibility,
        self: found.owner.kind === "user" && viewer.userId === found.owner.id,
        teamPackages: found.teamPackages
      }
