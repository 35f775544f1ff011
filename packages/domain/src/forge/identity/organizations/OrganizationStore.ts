import { Context, type Effect } from "effect"
import type { Duplicate } from "../../../Collection.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { AvatarName } from "../avatars/Avatar.ts"
import type { UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import type { Organization, OrganizationId } from "./Organization.ts"

/** An organization to insert: it has no id yet. */
export type NewOrganization = Omit<Organization, "id" | "avatar">

/**
 * Stores organizations; they share one namespace of names with users.
 *
 * Must:
 * - return an organization as inserted, with an id that no user has
 * - return nothing for a missing organization
 * - find many organizations by id, each once
 * - reject a name of a user or an organization, ignoring case
 * - accept a name that only redirects to a user or an organization
 * - replace only the fields that owners set
 * - change only the avatar on request, and return the previous one
 * - find a renamed organization by all previous names, until another account takes them
 * - remove an organization with all its resources, and report when it is missing
 * - list the directory of visible organizations by name, with the matching total
 * - find organizations by a part of their name, ignoring case, with any special characters
 * - list the organizations of a user that the viewer can see, by name, with the matching total
 * - block changes to a locked organization by other transactions until this one ends
 * - return the organizations with the user as only owner, and lock their owners until this transaction ends
 */
export class OrganizationStore extends Context.Service<
  OrganizationStore,
  {
    /** Inserts an organization. Fails with `Duplicate` of `owner.name` if the name is taken. */
    readonly insert: (organization: NewOrganization) => Effect.Effect<Organization, Duplicate>
    readonly find: (id: OrganizationId) => Effect.Effect<Organization | undefined>
    readonly findMany: (ids: ReadonlyArray<OrganizationId>) => Effect.Effect<ReadonlyMap<OrganizationId, Organization>>
    readonly named: (
      name: string
    ) => Effect.Effect<{ readonly organization: Organization; readonly renamed: boolean } | undefined>
    /**
     * Finds an organization and locks it until the current transaction ends.
     *
     * Every change of its teams, members, blocks and repositories must lock the organization first. So concurrent
     * changes cannot remove the last owner, or add a user to a deleted team or despite a block.
     */
    readonly lock: (id: OrganizationId) => Effect.Effect<Organization | undefined>
    /** Replaces the settings of an organization. Returns false if it does not exist. */
    readonly replace: (organization: Organization) => Effect.Effect<boolean>
    /**
     * Sets or removes the avatar of an organization. Returns the name of the previous avatar, or null; undefined if the
     * organization does not exist.
     */
    readonly setAvatar: (id: OrganizationId, avatar: AvatarName | null) => Effect.Effect<AvatarName | null | undefined>
    /** Renames an organization; the previous name redirects to it. Returns false if the organization does not exist. */
    readonly rename: (id: OrganizationId, name: string) => Effect.Effect<boolean, Duplicate>
    /** Removes an organization, which must not own repositories. Returns false if it does not exist. */
    readonly remove: (id: OrganizationId) => Effect.Effect<boolean>
    /** Lists visible organizations, by name; only those with `text` in their name, if it is given. */
    readonly directory: (viewer: Viewer, page: PageRequest, text?: string) => Effect.Effect<Page<Organization>>
    /**
     * Lists the organizations that a user is a member of.
     *
     * A viewer who is a member of an organization sees all its memberships. Other viewers see only public memberships,
     * unless `concealedToo` is true, as for the user and for site administrators.
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
