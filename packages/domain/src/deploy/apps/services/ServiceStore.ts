import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { Service } from "./Service.ts"

/**
 * Stores services.
 *
 * Must:
 * - return a service with the current name of its environment
 * - find several existing services in one call, in the order of insertion
 * - list only the services that are placed on the given server, in the order of insertion
 */
export class ServiceStore extends Context.Service<
  ServiceStore,
  VisibleCollection<Service> & {
    readonly findMany: (uuids: ReadonlyArray<Service["uuid"]>) => Effect.Effect<ReadonlyArray<Service>>
    readonly placedOn: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Service>>
  }
>()("@slipway/domain/deploy/ServiceStore") {}
