import { type Condition, compile, specialise } from "@slipway/access"
import * as Setting from "../../../owned/settings.ts"
import type { SwitchFacts, UserFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import { listedInDirectory, listRules } from "../../access/lists.ts"
import type { Organization } from "../organizations/Organization.ts"
import { type SeenUser, type User, type UserId, userSettings } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import type { Account, AccountRelation } from "./Account.ts"

/** The facts about a user and a viewer from which the visibility of the user is decided. */
export type UserVisibilityFacts = Pick<UserFacts, "userVisibility" | "self" | "tied">

const notAnOrganization = { userIsOrganization: false, belongsToUser: false } as const

/**
 * Returns which users are visible to a viewer, as a condition on the facts about a user.
 *
 * Lists show the same users, except to restricted viewers (`listedUsers`).
 */
export const visibleUsers = (viewer: Viewer): Condition<UserVisibilityFacts> =>
  specialise<UserFacts>(listRules.user, { ...viewer.facts, ...notAnOrganization }) as Condition<UserVisibilityFacts>

/**
 * Returns which users are listed for a viewer, as a condition on the facts about a user. The condition uses `tied` only
 * for a restricted viewer.
 */
export const listedUsers = (viewer: Viewer): Condition<UserVisibilityFacts> =>
  specialise<UserFacts>(listedInDirectory, {
    ...viewer.facts,
    ...notAnOrganization
  }) as Condition<UserVisibilityFacts>

/** Returns the facts from which the visibility of a user is decided. */
export const userVisibilityFacts = (
  viewer: Viewer,
  user: Pick<User, "id" | "visibility">,
  tied: boolean
): UserVisibilityFacts => ({
  userVisibility: user.visibility,
  self: viewer.userId === user.id,
  tied
})

/**
 * Returns a function that decides whether a viewer sees a user who is shown as part of another resource, such as an
 * author.
 *
 * `tied` is whether both share an organization or a repository; it matters only for restricted viewers. For a user that
 * the request names, use `Users.sees`.
 */
export const canSee = (viewer: Viewer, tied = true): ((user: Pick<User, "id" | "visibility">) => boolean) => {
  const seen = compile(visibleUsers(viewer))
  return (user) => seen(userVisibilityFacts(viewer, user, tied))
}

/**
 * Returns a function that decides whether lists show a user to a viewer. `isTied` is called only for restricted
 * viewers.
 */
export const canList = (viewer: Viewer, isTied: (user: UserId) => boolean) => {
  const shown = compile(listedUsers(viewer))
  return (user: Pick<User, "id" | "visibility">): boolean =>
    shown(userVisibilityFacts(viewer, user, viewer.facts.restricted && isTied(user.id)))
}

/** Returns the facts for access decisions about a user. */
export const userFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  { blocked = false, tied = false, user }: { readonly user: Pick<User, "id" | "visibility"> } & AccountRelation
): UserFacts => ({
  ...siteFactsOf(switches, viewer.facts),
  ...notAnOrganization,
  ...userVisibilityFacts(viewer, user, tied),
  blocked
})

/**
 * Returns the facts for access decisions about an account name, which can be the name of a user or of an organization.
 */
export const accountFacts = (viewer: Viewer, switches: SwitchFacts, found: Account & AccountRelation): UserFacts => ({
  ...userFacts(viewer, switches, found),
  ...(found.of === undefined
    ? {}
    : { userIsOrganization: true, belongsToUser: found.of.membership.member || found.of.membership.owner })
})

/** Returns an organization as a user object, because clients look up both through the endpoints for users. */
export const organizationAsUser = (organization: Organization): User => {
  const { avatar, createdAt, description, fullName, id, location, name, updatedAt, visibility, website } = organization
  return {
    ...Setting.defaults(userSettings),
    // BOUNDARY: users and organizations share one sequence of ids, so the id is unique.
    id: id as unknown as UserId,
    name,
    fullName,
    description,
    website,
    location,
    visibility,
    avatar,
    createdAt,
    updatedAt,
    email: "",
    hideEmail: true,
    emailNotifications: "disabled",
    active: true,
    admin: false,
    restricted: false,
    prohibited: true,
    mustChangePassword: false,
    awaitsApproval: false,
    mayCreateOrganizations: false,
    mayEditGitHooks: false,
    mayImportLocal: false,
    maxRepositories: -1,
    loginName: "",
    sourceId: 0,
    system: false,
    secondFactor: false,
    lastSignInAt: null
  }
}

/**
 * Returns the facts for access decisions about a missing user. They equal those of a hidden user, so that both get the
 * same response.
 */
export const missingUserFacts = (viewer: Viewer, switches: SwitchFacts): UserFacts => ({
  ...siteFactsOf(switches, viewer.facts),
  siteAdmin: false,
  ...notAnOrganization,
  userVisibility: "private",
  self: false,
  tied: false,
  blocked: false
})

/** A user in responses. `account` is present only if the viewer is that user or a site administrator. */
export interface Profile
  extends Pick<
    SeenUser,
    | "id"
    | "name"
    | "fullName"
    | "visibility"
    | "description"
    | "website"
    | "location"
    | "followers"
    | "following"
    | "starred"
    | "createdAt"
    | "avatar"
  > {
  readonly email: string
  readonly account:
    | Pick<
        User,
        "active" | "admin" | "restricted" | "prohibited" | "language" | "lastSignInAt" | "loginName" | "sourceId"
      >
    | undefined
}

/** Returns the no-reply address that is shown in place of a user's hidden email address. */
export const noReplyAddress = (user: Pick<User, "name">, host: string): string =>
  `${user.name.toLowerCase()}@noreply.${host}`

/**
 * Returns the fields of a user that a viewer can see.
 *
 * A token with the scope `public-only` gets the fields that an anonymous caller would get (invariant I4), except on
 * routes about the caller (`asSelf`). Anonymous callers never get email addresses.
 */
export const profileOf = (viewer: Viewer, met: SeenUser, host: string, asSelf = false): Profile => {
  const { facts } = viewer
  const open = !facts.publicOnly || asSelf
  // Owners, members and authors are always shown by name, even to viewers who cannot see the profile.
  const user = met.visibility === "public" || asSelf || canSee(viewer)(met) ? met : namedAlone(met)
  const entitled = open && (facts.siteAdmin || viewer.userId === user.id)
  const {
    avatar,
    createdAt,
    description,
    followers,
    following,
    fullName,
    id,
    location,
    name,
    starred,
    visibility,
    website
  } = user
  const { active, admin, language, lastSignInAt, loginName, prohibited, restricted, sourceId } = user
  return {
    id,
    name,
    fullName,
    visibility,
    description,
    website,
    location,
    followers,
    following,
    starred,
    createdAt,
    avatar,
    email: entitled || (open && facts.signedIn && !user.hideEmail) ? user.email : noReplyAddress(user, host),
    account: entitled
      ? { active, admin, restricted, prohibited, language, lastSignInAt, loginName, sourceId }
      : undefined
  }
}

/** The field values that replace a profile that is hidden from the viewer. */
export const noProfile = {
  fullName: "",
  visibility: "private",
  description: "",
  website: "",
  location: "",
  followers: 0,
  following: 0,
  starred: 0,
  createdAt: "1970-01-01T00:00:00.000Z",
  avatar: null
} as const satisfies Partial<Profile>

/** Returns a user with only the name, if the profile is hidden from the viewer; all other fields are empty. */
export const namedAlone = (user: SeenUser): SeenUser => ({ ...user, ...noProfile, hideEmail: true })
