import type { Level } from "@slipway/access"
import { noPackageGrants } from "../../access/facts/defaultFacts.ts"
import type { PackageOwnerFacts, SwitchFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Owner } from "../../code/repositories/Repository.ts"
import type { OrganizationMembership } from "../../identity/organizations/Organization.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"

/**
 * A user or organization found by name as the owner of packages, with the caller's permissions on its packages;
 * `renamed` is true if the name is a previous name.
 */
export interface FoundOwner {
  readonly owner: Owner
  readonly renamed: boolean
  readonly membership: Pick<OrganizationMembership, "member" | "owner">
  /** The highest level of the caller's teams on the packages unit; the Owners team is not counted. */
  readonly teamPackages: Level
}

/**
 * Returns the facts for access decisions about the packages of an owner. A missing owner has the same facts as a hidden
 * one.
 */
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
