import type { ConsolePage } from "../../page/ConsolePage.ts"
import { anyDeploymentPage, deploymentPage, deploymentsPage } from "./deployments.ts"
import { destinationsPage } from "./destinations.ts"
import { logDownloadPage, logStreamPage, logsPage } from "./logs.ts"
import { overviewPage } from "./overview.ts"
import { previewsPage } from "./previews.ts"
import { settingsPage } from "./settings.ts"
import { storagesPage } from "./storages.ts"
import { taskPage, tasksPage } from "./tasks.ts"
import { webhooksPage } from "./webhooks.ts"

/** All console pages of applications. */
export const applicationPages: ReadonlyArray<ConsolePage> = [
  overviewPage,
  deploymentsPage,
  deploymentPage,
  anyDeploymentPage,
  previewsPage,
  destinationsPage,
  logsPage,
  logDownloadPage,
  logStreamPage,
  storagesPage,
  tasksPage,
  taskPage,
  webhooksPage,
  settingsPage
]
