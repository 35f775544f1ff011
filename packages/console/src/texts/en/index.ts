import { englishTexts } from "@slipway/web/foundation"
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

/** The English message catalog: one object per part of the console, each in a separate file. */
export const en = {
  layout: englishTexts.layout,
  forms: englishTexts.forms,
  errors: {
    ...englishTexts.errors,
    internal: "The platform could not make this page. The administrator finds the cause by the request id.",
    unavailable: "The platform can't reach its data or is busy. Try again in a few seconds."
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
