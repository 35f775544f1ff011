import { methodsOf } from "../call.ts"
import type { ClientOptions } from "../connection.ts"
import type { Methods } from "./generated/methods.ts"
import { routes } from "./generated/routes.ts"

/** Creates a client of the deployment platform. */
export const createDeployClient = (options: ClientOptions): Methods => methodsOf<Methods>(routes, options)

export type { Call, Failure, List, Listing, Page, Reply, Result, Segment } from "../call.ts"
export type { CallOptions, ClientOptions, Raw } from "../connection.ts"
export { ConnectionError, ServiceError } from "../errors.ts"
export type { ErrorBodies, Methods } from "./generated/methods.ts"
export type * from "./generated/schemas.ts"
