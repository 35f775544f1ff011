import { ServiceError } from "@slipway/client/deploy"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { withTerminal } from "../../page/withTerminal.ts"

/** Returns the path parameters of the service of a page. */
export const serviceIn = ({ params }: ConsoleVisit) => ({ uuid: params.service ?? "" })

/** The API operations that `loadService` calls. */
export const serviceOperations = ["services.get", "people.check"] as const

/** Loads the service of a page. */
export const loadService = (visit: ConsoleVisit) =>
  withTerminal(visit, "service", serviceIn(visit).uuid, visit.deploy.services.get({ params: serviceIn(visit) }))

/** Compares a service with its template; undefined without a template, or if the catalogue no longer has it. */
export const templateUpdate = async (
  visit: ConsoleVisit,
  { service_type }: { readonly service_type: string | null }
) => {
  if (service_type === null) return undefined
  try {
    return await visit.deploy.services.readTemplate({ params: serviceIn(visit) })
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}
