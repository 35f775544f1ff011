import { type Condition, specialise } from "../../access/Condition.ts"
import type { MembershipFacts, OrganizationFacts, OrganizationUserFacts, SwitchFacts } from "../access/facts.ts"
import { listed } from "../access/lists.ts"
import { noMembership } from "../access/standing.ts"
import type { Viewer } from "../accounts/Actor.ts"
import { missingUserFacts, userFacts } from "../accounts/sight.ts"
import type { User } from "../accounts/User.ts"
import type { Organization, Place, PlacedOrganization } from "./Organization.ts"

/** The facts of an organization that decide who sees it. */
export type OrganizationSightFacts = Pick<
  MembershipFacts,
  "organizationVisibility" | "organizationMember" | "organizationOwner"
>

/** Returns which organizations a viewer sees, or finds in the directory, as a condition on the facts of each. */
export const organizationSightOf = (
  viewer: Viewer,
  list: "organization" | "organizationDirectory"
): Condition<OrganizationSightFacts> =>
  specialise<MembershipFacts>(listed[list], viewer.facts) as Condition<OrganizationSightFacts>

/** Returns what decides who sees an organization. */
export const organizationSightFacts = (
  place: Pick<Place, "member" | "owner">,
  organization: Pick<Organization, "visibility">
): OrganizationSightFacts => ({
  organizationVisibility: organization.visibility,
  organizationMember: place.member,
  organizationOwner: place.owner
})

/** Returns the facts about an organization that decide an action; one that isn't there is one that nobody sees. */
export const organizationFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: PlacedOrganization | undefined
): OrganizationFacts =>
  found === undefined
    ? { ...switches, ...viewer.facts, siteAdmin: false, ...noMembership, organizationVisibility: "private" }
    : {
        ...switches,
        ...viewer.facts,
        ...organizationSightFacts(found.place, found.organization),
        mayCreateRepositories: found.place.mayCreateRepositories
      }

/** Returns the facts about an organization and a user that decide an action. */
export const organizationUserFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  organization: PlacedOrganization | undefined,
  user: Pick<User, "id" | "visibility"> | undefined
): OrganizationUserFacts => ({
  ...(user === undefined ? missingUserFacts(viewer, switches) : userFacts(viewer, switches, user)),
  ...organizationFacts(viewer, switches, organization),
  siteAdmin: viewer.facts.siteAdmin && organization !== undefined && user !== undefined
})

/**
 * Returns an organization as a viewer is shown it: its address is for those who are signed in.
 *
 * A public-only token shows what an anonymous caller would be shown (invariant I4).
 */
export const organizationFor = ({ facts }: Viewer, organization: Organization): Organization =>
  facts.signedIn && !facts.publicOnly ? organization : { ...organization, email: "" }
