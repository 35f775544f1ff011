import type { Level, Visibility } from "@slipway/access"
import { Schema } from "effect"
import { nameProblem } from "../../base/names/names.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { ObjectFormat } from "../git/objectIds.ts"
import type { Preferences } from "./preferences.ts"
import type { Switches } from "./switches.ts"

/** The maximum length of the names of repositories, in characters. Source: decisions, "Names". */
export const longestRepositoryName = 100

const reservedEndings: ReadonlyArray<string> = [".git", ".wiki", ".rss", ".atom"]

/** Returns the reason why the name of a repository is invalid; undefined if it is valid. */
export const repositoryNameProblem = (name: string): string | undefined =>
  // A leading dot is allowed, as in `.github`, which other tools look for.
  nameProblem(name.replace(/^\.(?=.)/, ""), longestRepositoryName - (/^\../.test(name) ? 1 : 0)) ??
  (reservedEndings.some((ending) => name.toLowerCase().endsWith(ending)) ? "is reserved" : undefined)

/** The schema of the name of a repository in a request. */
export const RepositoryName = Schema.String.check(
  Schema.makeFilter((name: string) => repositoryNameProblem(name))
).pipe(Schema.brand("RepositoryName"))
export type RepositoryName = typeof RepositoryName.Type

/** The id of a repository's owner, and whether it is a user or an organization. */
export type OwnerKey =
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "organization"; readonly id: OrganizationId }

/** The current owner of a repository. */
export type Owner = OwnerKey & {
  readonly name: string
  readonly fullName: string
  readonly visibility: Visibility
  /** Whether administrators of a repository can change which teams have access; false for a user, who has no teams. */
  readonly repoAdminChangeTeamAccess: boolean
}

/** The settings that administrators of a repository can change. */
export interface RepositorySettingsOf {
  readonly description: string
  readonly website: string
  readonly private: boolean
  readonly archived: boolean
  readonly template: boolean
  readonly defaultBranch: string
  readonly units: Switches
  readonly preferences: Preferences
}

/** A repository, without its git data. */
export interface Repository extends RepositorySettingsOf {
  readonly id: RepositoryId
  readonly owner: Owner
  readonly name: string
  readonly mirror: boolean
  /** Whether the repository has no commits yet. */
  readonly empty: boolean
  /** The hash algorithm of the git object ids; it cannot be changed. */
  readonly objectFormat: ObjectFormat
  /** The size of the git data in kibibytes. */
  readonly size: number
  /** The time when the repository was archived; null if it is not archived. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Returns whether a repository is public: neither the repository nor its owner is private. */
export const isOpen = ({ owner, private: isPrivate }: Pick<Repository, "owner" | "private">): boolean =>
  !isPrivate && owner.visibility === "public"

/** An access level that can be granted to a collaborator: read, write or admin. */
export type CollaboratorLevel = Exclude<Level, 0 | 4>

/** Reports that the repository does not exist or is hidden from the caller. */
export class RepositoryNotFound extends Schema.TaggedError<RepositoryNotFound>()("RepositoryNotFound", {
  name: Schema.String
}) {}
/** Reports that the owner already has a repository with that name. */
export class RepositoryNameTaken extends Schema.TaggedError<RepositoryNameTaken>()("RepositoryNameTaken", {
  name: Schema.String
}) {}
/** Reports that a fork cannot be public while its source repository is private. */
export class ForkStaysHidden extends Schema.TaggedError<ForkStaysHidden>()("ForkStaysHidden", {}) {}
/** Reports that a repository cannot be transferred, because the new owner has a repository with the same name. */
export class RepositoryThere extends Schema.TaggedError<RepositoryThere>()("RepositoryThere", {
  name: Schema.String
}) {}
/** Reports that the template for a new repository does not exist. */
export class TemplateUnknown extends Schema.TaggedError<TemplateUnknown>()("TemplateUnknown", {
  field: Schema.Literals(["readme", "gitignores", "license", "issue_labels"]),
  name: Schema.String
}) {}
/** Reports that a user has the maximum number of repositories. */
export class TooManyRepositories extends Schema.TaggedError<TooManyRepositories>()("TooManyRepositories", {
  most: Schema.Int
}) {}
/** Reports that a repository has no such branch. */
export class BranchNotFound extends Schema.TaggedError<BranchNotFound>()("BranchNotFound", { name: Schema.String }) {}
/** Reports that a user cannot be added as a collaborator of an own repository. */
export class OwnerCollaborates extends Schema.TaggedError<OwnerCollaborates>()("OwnerCollaborates", {
  name: Schema.String
}) {}
/** Reports that a repository has no teams, because its owner is a user and not an organization. */
export class NoOrganization extends Schema.TaggedError<NoOrganization>()("NoOrganization", {}) {}
