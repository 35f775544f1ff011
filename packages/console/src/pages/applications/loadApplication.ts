import type { Application } from "@slipway/client/deploy"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the path parameters of an application's endpoints. */
export const applicationIn = ({ params }: ConsoleVisit) => ({ uuid: params.application ?? "" })

/** The operations of `loadApplication`. */
export const applicationOperations = ["applications.get"] as const

/** Loads the application of a page. */
export const loadApplication = async (visit: ConsoleVisit): Promise<Application> =>
  visit.deploy.applications.get({ params: applicationIn(visit) })
