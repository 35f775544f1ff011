import type { ConsolePage } from "../../page/ConsolePage.ts"
import { deploymentPage, deploymentsPage } from "./deployments.ts"
import { logsPage } from "./logs.ts"
import { overviewPage } from "./overview.ts"
import { settingsPage } from "./settings.ts"
import { variablesPage } from "./variables.ts"

/** All console pages of applications. */
export const applicationPages: ReadonlyArray<ConsolePage> = [
  overviewPage,
  deploymentsPage,
  deploymentPage,
  logsPage,
  variablesPage,
  settingsPage
]
