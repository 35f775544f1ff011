import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import type { UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import type { Organization, OrganizationId } from "./Organization.ts"

/** An organization that has no number yet. */
export type NewOrganization = Omit<Organization, "id" | "avatar">

/**
 * Keeps organizations; their names are those of one register that users share.
 *
 * Must:
 * - give back an organization as it was inserted, with a number that no user has
 * - answer nothing for an organization that is not there
 * - find many organizations by their numbers, each once
 * - refuse a name that a user or an organization has, ignoring case
 * - take a name that only leads to a user or an organization
 * - replace all that owners set, and nothing else
 * - change the picture alone when asked to, and answer which one it was
 * - find a renamed organization by every name it had, until another takes it
 * - remove an organization with all that is its own, and tell when there was none
 * - list the directory of organizations that the viewer sees, by name, and count them alike
 * - list the organizations of a user that the viewer sees and may know of, by name, and count them alike
 * - keep other transactions from changing an organization it has locked until this one ends
 * - answer the organizations that a user alone owns, and keep their owners until this transaction ends
 */
export class OrganizationStore extends Context.Service<
  OrganizationStore,
  {
    /** Fails with `Duplicate` of `owner.name`. */
    readonly insert: (organization: NewOrganization) => Effect.Effect<Organization, Duplicate>
    readonly find: (id: OrganizationId) => Effect.Effect<Organization | undefined>
    readonly findMany: (ids: ReadonlyArray<OrganizationId>) => Effect.Effect<ReadonlyMap<OrganizationId, Organization>>
    readonly named: (
      name: string
    ) => Effect.Effect<{ readonly organization: Organization; readonly renamed: boolean } | undefined>
    /**
     * Finds an organization and locks it until the running transaction ends.
     *
     * Changes of its teams, members, blocks and repositories lock it first, so that they are serialized. The last owner
     * then stays, and no user is added to a deleted team or against a block.
     */
    readonly lock: (id: OrganizationId) => Effect.Effect<Organization | undefined>
    /** Replaces the settings of an organization. */
    readonly replace: (organization: Organization) => Effect.Effect<boolean>
    /**
     * Sets or removes the avatar of an organization, and returns the previous one; undefined when it does not exist.
     */
    readonly setAvatar: (id: OrganizationId, avatar: AvatarName | null) => Effect.Effect<AvatarName | null | undefined>
    /** Renames an organization; the previous name redirects to it. */
    readonly rename: (id: OrganizationId, name: string) => Effect.Effect<boolean, Duplicate>
    /** Removes an organization that owns no repository. */
    readonly remove: (id: OrganizationId) => Effect.Effect<boolean>
    readonly directory: (viewer: Viewer, page: PageRequest) => Effect.Effect<Page<Organization>>
    /**
     * Lists the organizations of a user.
     *
     * Members of an organization see all memberships. Others see only public ones unless `concealedToo` is set, as it
     * is for the user and site administrators.
     */
    readonly ofUser: (
      viewer: Viewer,
      user: UserId,
      filter: { readonly concealedToo: boolean },
      page: PageRequest
    ) => Effect.Effect<Page<Organization>>
    readonly lockOwnedAlone: (user: UserId) => Effect.Effect<ReadonlyArray<Organization>>
  }
>()("@slipway/domain/forge/OrganizationStore") {}
