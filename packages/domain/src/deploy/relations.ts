/** The resource types that the deployment platform stores. */
export type Kind =
  | "account"
  | "accountGroup"
  | "application"
  | "database"
  | "deletion"
  | "deployment"
  | "destination"
  | "environment"
  | "forgeApp"
  | "gitlabApp"
  | "invitation"
  | "privateKey"
  | "project"
  | "registry"
  | "role"
  | "roleGrant"
  | "s3Storage"
  | "server"
  | "service"
  | "tag"
  | "token"

/**
 * A foreign key: the field `fact` of the resource type `from` refers to the resource type `to`. When the target is
 * removed, `onRemove` decides whether the referring resources are also removed, or the removal is refused.
 */
export interface Relation {
  readonly from: Kind
  readonly fact: string
  readonly to: Kind
  readonly onRemove: "removes" | "refused"
}

/**
 * All foreign keys between stored resources; every store implementation enforces them. Domain claims, tags and labels
 * are not listed, because they are removed together with their owners.
 */
export const relations: ReadonlyArray<Relation> = [
  { from: "token", fact: "accountUuid", to: "account", onRemove: "removes" },
  { from: "roleGrant", fact: "accountUuid", to: "account", onRemove: "removes" },
  { from: "roleGrant", fact: "roleUuid", to: "role", onRemove: "removes" },
  { from: "invitation", fact: "accountUuid", to: "account", onRemove: "removes" },
  { from: "invitation", fact: "roleUuid", to: "role", onRemove: "removes" },
  { from: "environment", fact: "projectUuid", to: "project", onRemove: "removes" },
  { from: "destination", fact: "serverUuid", to: "server", onRemove: "removes" },
  { from: "server", fact: "privateKeyUuid", to: "privateKey", onRemove: "refused" },
  { from: "forgeApp", fact: "privateKeyUuid", to: "privateKey", onRemove: "refused" },
  { from: "application", fact: "placement.environmentUuid", to: "environment", onRemove: "refused" },
  { from: "application", fact: "placement.serverUuid", to: "server", onRemove: "refused" },
  { from: "application", fact: "placement.destinationUuid", to: "destination", onRemove: "refused" },
  { from: "application", fact: "privateKeyUuid", to: "privateKey", onRemove: "refused" },
  { from: "application", fact: "forgeAppUuid", to: "forgeApp", onRemove: "refused" },
  { from: "service", fact: "placement.environmentUuid", to: "environment", onRemove: "refused" },
  { from: "service", fact: "placement.serverUuid", to: "server", onRemove: "refused" },
  { from: "service", fact: "placement.destinationUuid", to: "destination", onRemove: "refused" },
  { from: "database", fact: "placement.environmentUuid", to: "environment", onRemove: "refused" },
  { from: "database", fact: "placement.serverUuid", to: "server", onRemove: "refused" },
  { from: "database", fact: "placement.destinationUuid", to: "destination", onRemove: "refused" }
]

/** A unique constraint, ignoring case: the field `fact` is unique among resources with the same field `within`. */
export interface UniqueName {
  readonly kind: Kind
  readonly fact: string
  readonly within: string | null
}

/** All unique constraints. Stores reject a violation with the error `Duplicate`, which names `kind.fact`. */
export const uniqueNames: ReadonlyArray<UniqueName> = [
  { kind: "project", fact: "name", within: "teamId" },
  { kind: "environment", fact: "name", within: "projectUuid" },
  { kind: "destination", fact: "network", within: "serverUuid" },
  { kind: "tag", fact: "name", within: "teamId" },
  { kind: "account", fact: "name", within: null },
  { kind: "accountGroup", fact: "name", within: "teamId" },
  { kind: "registry", fact: "registry", within: "teamId" },
  { kind: "role", fact: "name", within: "teamId" },
  { kind: "token", fact: "hash", within: null }
]
