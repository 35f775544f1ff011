import { Context } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { Service } from "./Service.ts"

/**
 * Stores services.
 *
 * Must:
 * - return a service with the current name of its environment
 */
export class ServiceStore extends Context.Service<ServiceStore, VisibleCollection<Service>>()(
  "@slipway/domain/deploy/ServiceStore"
) {}
