import { type Condition, specialise } from "@slipway/access"
import { rulebookOf } from "../../access/decide.ts"
import { noMembership } from "../../access/facts/defaultFacts.ts"
import type {
  MembershipFacts,
  OrganizationFacts,
  OrganizationUserFacts,
  SwitchFacts
} from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Organization, OrganizationMembership, OrganizationWithMembership } from "../organizations/Organization.ts"
import type { Named } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import type { AccountRelation } from "./Account.ts"
import { missingUserFacts, userFacts } from "./accountVisibility.ts"

/** The facts about an organization and a viewer from which the visibility of the organization is decided. */
export type OrganizationVisibilityFacts = Pick<
  MembershipFacts,
  "organizationVisibility" | "organizationMember" | "organizationOwner"
>

/**
 * Returns which organizations are visible or listed for a viewer, as a condition on the facts about an organization.
 */
export const visibleOrganizations = (
  viewer: Viewer,
  list: "organization" | "organizationDirectory"
): Condition<OrganizationVisibilityFacts> =>
  specialise<MembershipFacts>(
    rulebookOf(viewer.facts).listed(list),
    viewer.facts
  ) as Condition<OrganizationVisibilityFacts>

/** Returns the facts from which the visibility of an organization is decided. */
export const organizationVisibilityFacts = (
  membership: Pick<OrganizationMembership, "member" | "owner">,
  organization: Pick<Organization, "visibility">
): OrganizationVisibilityFacts => ({
  organizationVisibility: organization.visibility,
  organizationMember: membership.member,
  organizationOwner: membership.owner
})

/**
 * Returns the facts for access decisions about an organization. A missing organization has the same facts as a hidden
 * one.
 */
export const organizationFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: OrganizationWithMembership | undefined,
  self = false
): OrganizationFacts =>
  found === undefined
    ? { ...siteFactsOf(switches, viewer.facts), siteAdmin: false, ...noMembership, organizationVisibility: "private" }
    : {
        ...siteFactsOf(switches, viewer.facts),
        ...organizationVisibilityFacts(found.membership, found.organization),
        mayCreateRepositories: found.membership.mayCreateRepositories,
        self
      }

/** Returns the facts for access decisions about a user within an organization. */
export const organizationUserFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  organization: OrganizationWithMembership | undefined,
  named: (Named & AccountRelation) | undefined
): OrganizationUserFacts => ({
  ...organizationFacts(viewer, switches, organization),
  ...(named === undefined ? missingUserFacts(viewer, switches) : userFacts(viewer, switches, named)),
  siteAdmin: viewer.facts.siteAdmin && organization !== undefined && named !== undefined
})

/**
 * Returns an organization as shown to a viewer: the email address is empty unless the viewer is signed in.
 *
 * A token with the scope `public-only` shows the same as an anonymous caller would see (invariant I4).
 */
export const organizationFor = ({ facts }: Viewer, organization: Organization): Organization =>
  facts.signedIn && !facts.publicOnly ? organization : { ...organization, email: "" }
