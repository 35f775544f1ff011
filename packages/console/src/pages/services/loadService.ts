import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the path parameters of the service of a page. */
export const serviceIn = ({ params }: ConsoleVisit) => ({ uuid: params.service ?? "" })

/** Loads the service of a page. */
export const loadService = async (visit: ConsoleVisit) => visit.deploy.services.get({ params: serviceIn(visit) })
