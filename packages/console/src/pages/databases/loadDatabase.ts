import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the path parameters of the database of a page. */
export const databaseIn = ({ params }: ConsoleVisit) => ({ uuid: params.database ?? "" })

/** Loads the database of a page. */
export const loadDatabase = async (visit: ConsoleVisit) => visit.deploy.databases.get({ params: databaseIn(visit) })
