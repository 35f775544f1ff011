import { Context } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { Service } from "./Service.ts"

/**
 * Stores services.
 *
 * Must:
 * - return a service with the current name of its environment
 */
export class ServiceStore extends Context.Service<ServiceStore, Collection<Service>>()(
  "@slipway/domain/deploy/ServiceStore"
) {}
