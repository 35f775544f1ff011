import type { Application } from "@slipway/client/deploy"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the path parameters of application endpoints of the API, from the path of the page. */
export const applicationIn = ({ params }: ConsoleVisit) => ({ uuid: params.application ?? "" })

/** The API operations that `loadApplication` calls. */
export const applicationOperations = ["applications.get"] as const

/** Loads the application that the path of the page names. */
export const loadApplication = async (visit: ConsoleVisit): Promise<Application> =>
  visit.deploy.applications.get({ params: applicationIn(visit) })
