import { germanTexts } from "@slipway/web/foundation"
import type { en } from "../en/index.ts"
import { administration } from "./administration.ts"
import { applications } from "./applications.ts"
import { automation } from "./automation.ts"
import { databases } from "./databases.ts"
import { destinations } from "./destinations.ts"
import { instance } from "./instance.ts"
import { people } from "./people.ts"
import { projects } from "./projects.ts"
import { servers } from "./servers.ts"
import { start } from "./start.ts"
import { storages } from "./storages.ts"
import { terminals } from "./terminals.ts"
import { variables } from "./variables.ts"
import { words } from "./words.ts"

/** The German message catalog. */
export const de: typeof en = {
  layout: germanTexts.layout,
  forms: germanTexts.forms,
  errors: {
    ...germanTexts.errors,
    internal:
      "Die Plattform konnte diese Seite nicht erzeugen. Die Verwaltung findet die Ursache anhand der Anfragenummer.",
    unavailable:
      "Die Plattform erreicht ihre Daten nicht oder ist ausgelastet. Versuchen Sie es in einigen Sekunden erneut."
  },
  administration,
  applications,
  automation,
  databases,
  destinations,
  instance,
  people,
  projects,
  servers,
  start,
  storages,
  terminals,
  variables,
  words
}
