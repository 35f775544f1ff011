import type { Level } from "@slipway/access"
import { noPackageGrants } from "../../access/facts/defaultFacts.ts"
import type { PackageOwnerFacts, SwitchFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Owner } from "../../code/repositories/Repository.ts"
import type { OrganizationMembership } from "../../identity/organizations/Organization.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"

/** An owner of packages, found by name, with a user's grants on the owner; `renamed` if the name is a previous one. */
export interface FoundOwner {
  readonly owner: Owner
  readonly renamed: boolean
  readonly membership: Pick<OrganizationMembership, "member" | "owner">
  /** The level of the best team on packages, without the Owners team. */
  readonly teamPackages: Level
}

/** Returns the facts about an owner of packages; a missing one has those of a hidden one. */
export const packageOwnerFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: FoundOwner | undefined
): PackageOwnerFacts =>
  found === undefined
    ? { ...siteFactsOf(switches, viewer.facts), siteAdmin: false, ...noPackageGrants, ownerVisibility: "private" }
    : {
        ...siteFactsOf(switches, viewer.facts),
        organizationMember: found.membership.member,
        organizationOwner: found.membership.owner,
        ownerVisibility: found.owner.visibility,
        self: found.owner.kind === "user" && viewer.userId === found.owner.id,
        teamPackages: found.teamPackages
      }
