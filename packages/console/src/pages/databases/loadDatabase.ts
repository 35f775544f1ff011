import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { withTerminal } from "../../page/withTerminal.ts"

/** Returns the path parameters of the database of a page. */
export const databaseIn = ({ params }: ConsoleVisit) => ({ uuid: params.database ?? "" })

/** The API operations that `loadDatabase` calls. */
export const databaseOperations = ["databases.get", "people.check"] as const

/** Loads the database of a page. */
export const loadDatabase = (visit: ConsoleVisit) =>
  withTerminal(visit, "database", databaseIn(visit).uuid, visit.deploy.databases.get({ params: databaseIn(visit) }))

/** Loads the database of a page with its TLS settings. */
export const loadDatabaseWithSsl = async (visit: ConsoleVisit) => {
  const [database, ssl] = await Promise.all([
    loadDatabase(visit),
    visit.deploy.databases.readSsl({ params: databaseIn(visit) })
  ])
  return { database, ssl }
}
