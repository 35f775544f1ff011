import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import { withTerminal } from "../../page/withTerminal.ts"

/** Returns the path parameters of application endpoints of the API, from the path of the page. */
export const applicationIn = ({ params }: ConsoleVisit) => ({ uuid: params.application ?? "" })

/** The API operations that `loadApplication` calls. */
export const applicationOperations = ["applications.get", "people.check"] as const

/** Loads the application that the path of the page names. */
export const loadApplication = (visit: ConsoleVisit) =>
  withTerminal(
    visit,
    "application",
    applicationIn(visit).uuid,
    visit.deploy.applications.get({ params: applicationIn(visit) })
  )
