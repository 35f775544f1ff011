import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Returns the path parameters of the database of a page. */
export const databaseIn = ({ params }: ConsoleVisit) => ({ uuid: params.database ?? "" })

/** Loads the database of a page. */
export const loadDatabase = async (visit: ConsoleVisit) => visit.deploy.databases.get({ params: databaseIn(visit) })

/** Loads the database of a page with its TLS settings. */
export const loadDatabaseWithSsl = async (visit: ConsoleVisit) => {
  const [database, ssl] = await Promise.all([
    loadDatabase(visit),
    visit.deploy.databases.readSsl({ params: databaseIn(visit) })
  ])
  return { database, ssl }
}
