import { Context, type Effect } from "effect"
import type { Place } from "../../identity/grants/Access.ts"
import type { ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { PrivateKey } from "../../infrastructure/keys/PrivateKey.ts"
import type { Destination, Server } from "../../infrastructure/servers/Server.ts"
import type { Environment, Project } from "../projects/Project.ts"

/** The placement that a request names. Omitted fields are not looked up. */
export interface PlacementQuery {
  readonly projectUuid?: string | undefined
  readonly environmentName?: string | undefined
  readonly environmentUuid?: string | undefined
  readonly serverUuid?: string | undefined
  readonly destinationUuid?: string | undefined
  readonly privateKeyUuid?: string | undefined
  readonly forgeAppUuid?: string | undefined
}

/**
 * The existing resources that a requested placement names; null for a missing resource. `resolve` in placements.ts
 * validates them.
 */
export interface PlacementFacts {
  readonly project: Pick<Project, "uuid" | "teamId"> | null
  /** The environment with the requested name in the project. */
  readonly environmentByName: Pick<Environment, "uuid" | "projectUuid" | "teamId" | "name" | "isProtected"> | null
  /** The environment with the requested uuid, in any project. */
  readonly environmentByUuid: Pick<Environment, "uuid" | "projectUuid" | "teamId" | "name" | "isProtected"> | null
  readonly server: Pick<Server, "uuid" | "teamId" | "name" | "ip" | "wildcardDomain"> | null
  /** The destinations of the server, oldest first. */
  readonly destinations: ReadonlyArray<Pick<Destination, "uuid" | "serverUuid" | "teamId" | "name">>
  /** The destination with the requested uuid, on any server. */
  readonly destination: Pick<Destination, "uuid" | "serverUuid" | "teamId" | "name"> | null
  readonly privateKey: Pick<PrivateKey, "uuid" | "teamId"> | null
  readonly forgeApp: Pick<ForgeApp, "uuid" | "teamId"> | null
}

/** The types of resources that belong to a place (a team, project or environment). */
export type PlacedType =
  | "application"
  | "database"
  | "destination"
  | "environment"
  | "forgeApp"
  | "gitlabApp"
  | "key"
  | "project"
  | "registry"
  | "s3Storage"
  | "server"
  | "service"
  | "tag"

/** The type of a resource, and the place that it belongs to. */
export interface PlacedResource {
  readonly type: PlacedType
  readonly place: Place
}

/**
 * Reads all parts of a placement that a request names in one query.
 *
 * Must:
 * - return nothing for each missing resource
 * - find an environment by name only in its project, ignoring case
 * - prevent the removal of the found resources until the running transaction ends
 * - return the ids of applications and of their placements by uuid
 * - return the types and places of resources by uuid in one call, omitting missing ones
 */
export class PlacementStore extends Context.Service<
  PlacementStore,
  {
    readonly facts: (query: PlacementQuery) => Effect.Effect<PlacementFacts>
    /** Returns the types and places of resources by uuid. */
    readonly places: (uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, PlacedResource>>
    readonly numbers: (uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>>
  }
>()("@slipway/domain/deploy/PlacementStore") {}
