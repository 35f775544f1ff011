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

/** Returns what is wrong with the name of a repository, or nothing. */
export const repositoryNameProblem = (name: string): string | undefined =>
  // Such as `.github`, which other tools look for.
  nameProblem(name.replace(/^\.(?=.)/, ""), longestRepositoryName - (/^\../.test(name) ? 1 : 0)) ??
  (reservedEndings.some((ending) => name.toLowerCase().endsWith(ending)) ? "is reserved" : undefined)

/** The name of a repository, as requests may give one. */
export const RepositoryName = Schema.String.check(
  Schema.makeFilter((name: string) => repositoryNameProblem(name))
).pipe(Schema.brand("RepositoryName"))
export type RepositoryName = typeof RepositoryName.Type

/** The number of the owner of a repository, with whether a user or an organization has it. */
export type OwnerKey =
  | { readonly kind: "user"; readonly id: UserId }
  | { readonly kind: "organization"; readonly id: OrganizationId }

/** The owner of a repository, as it is at present. */
export type Owner = OwnerKey & {
  readonly name: string
  readonly fullName: string
  readonly visibility: Visibility
  /** Whether administrators of a repository may change which teams have access; users have no teams. */
  readonly repoAdminChangeTeamAccess: boolean
}

/** The settings that administrators of a repository choose. */
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
  /** When it was archived; nothing while it isn't. */
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Returns whether a repository is there for everybody, as far as it and its owner say. */
export const isOpen = ({ owner, private: isPrivate }: Pick<Repository, "owner" | "private">): boolean =>
  !isPrivate && owner.visibility === "public"

/** A level that a collaborator can be given. */
export type CollaboratorLevel = Exclude<Level, 0 | 4>

/** Reports that the repository does not exist or is hidden from the caller. */
export class RepositoryNotFound extends Schema.TaggedError<RepositoryNotFound>()("RepositoryNotFound", {
  name: Schema.String
}) {}
/** Reports that the owner has a repository of that name. */
export class RepositoryNameTaken extends Schema.TaggedError<RepositoryNameTaken>()("RepositoryNameTaken", {
  name: Schema.String
}) {}
/** Reports that a fork can't be public while what it was forked from isn't. */
export class ForkStaysHidden extends Schema.TaggedError<ForkStaysHidden>()("ForkStaysHidden", {}) {}
/** Reports that the owner has a repository of the name under which another was to come. */
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
/** Reports that the owner of a repository collaborates on it anyway. */
export class OwnerCollaborates extends Schema.TaggedError<OwnerCollaborates>()("OwnerCollaborates", {
  name: Schema.String
}) {}
/** Reports that a user owns the repository, so no team can have access to it. */
export class NoOrganization extends Schema.TaggedError<NoOrganization>()("NoOrganization", {}) {}
