import type { Level, Visibility } from "@slipway/access"
import { Schema } from "effect"
import { nameProblem } from "../../base/names/names.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OrganizationId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { ObjectFormat } from "../git/objectIds.ts"
import type { Preferences } from "./preferences.ts"
import type { Switches } from "./switches.ts"

/** The maximum length of the names of repositories. Source: decisions, "Names". */
export const longestRepositoryName = 100

const reservedEndings: ReadonlyArray<string> = [".git", ".wiki", ".rss", ".atom"]

/** Returns the problem of the name of a repository, or undefined. */
export const repositoryNameProblem = (name: string): string | undefined =>
  // A leading dot is allowed, as in `.github`, which other tools look for.
  nameProblem(name.replace(/^\.(?=.)/, ""), longestRepositoryName - (/^\../.test(name) ? 1 : 0)) ??
  (reservedEndings.some((ending) => name.toLowerCase().endsWith(ending)) ? "is reserved" : undefined)

/** The name of a repository in a request. */
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
  /** Whether administrators of a repository can change which teams have access; users have no teams. */
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
  /** Whether it has no pushes yet. */
  readonly empty: boolean
  /** The object format of its git data; it cannot be changed. */
  readonly objectFormat: ObjectFormat
  /** In kibibytes. */
  readonly size: number
  /** The archive time; null if it is not archived. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Returns whether a repository is public: neither the repository nor its owner is private. */
export const isOpen = ({ owner, private: isPrivate }: Pick<Repository, "owner" | "private">): boolean =>
  !isPrivate && owner.visibility === "public"

/** A level that can be granted to a collaborator. */
export type CollaboratorLevel = Exclude<Level, 0 | 4>

/** Reports that the repository does not exist or is hidden from the caller. */
export class RepositoryNotFound extends Schema.TaggedError<RepositoryNotFound>()("RepositoryNotFound", {
  name: Schema.String
}) {}
/** Reports that the owner already has a repository with that name. */
export class RepositoryNameTaken extends Schema.TaggedError<RepositoryNameTaken>()("RepositoryNameTaken", {
  name: Schema.String
}) {}
/** Reports that a fork cannot be public while its source is not. */
export class ForkStaysHidden extends Schema.TaggedError<ForkStaysHidden>()("ForkStaysHidden", {}) {}
/** Reports that the new owner has a repository with the name of a transferred one. */
export class RepositoryThere extends Schema.TaggedError<RepositoryThere>()("RepositoryThere", {
  name: Schema.String
}) {}
/** Reports that the template for a new repository does not exist. */
export class TemplateUnknown extends Schema.TaggedError<TemplateUnknown>()("TemplateUnknown", {
  field: Schema.Literals(["readme", "gitignores", "license", "issue_labels"]),
  name: Schema.String
}) {}
/** Reports that a user has reached the limit of repositories. */
export class TooManyRepositories extends Schema.TaggedError<TooManyRepositories>()("TooManyRepositories", {
  most: Schema.Int
}) {}
/** Reports that a repository has no such branch. */
export class BranchNotFound extends Schema.TaggedError<BranchNotFound>()("BranchNotFound", { name: Schema.String }) {}
/** Reports that the owner of a repository cannot be its collaborator. */
export class OwnerCollaborates extends Schema.TaggedError<OwnerCollaborates>()("OwnerCollaborates", {
  name: Schema.String
}) {}
/** Reports that a user owns the repository, so no team can have access to it. */
export class NoOrganization extends Schema.TaggedError<NoOrganization>()("NoOrganization", {}) {}
