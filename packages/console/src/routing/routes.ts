import type { ConsolePage } from "../page/ConsolePage.ts"
import { accountPages } from "../pages/administration/accounts.ts"
import { instanceSettingsPage } from "../pages/administration/instanceSettings.ts"
import { keyPages } from "../pages/administration/keys.ts"
import { notificationPages } from "../pages/administration/notifications.ts"
import { registryPages } from "../pages/administration/registries.ts"
import { storagePages } from "../pages/administration/s3Storages.ts"
import { sourcePages } from "../pages/administration/sources.ts"
import { applicationPages } from "../pages/applications/applications.ts"
import { databasePages } from "../pages/databases/databases.ts"
import { metricsPages } from "../pages/metrics/metrics.ts"
import { auditPage } from "../pages/people/audit.ts"
import { deployerPages } from "../pages/people/deployers.ts"
import { grantsPage } from "../pages/people/grants.ts"
import { groupPages } from "../pages/people/groups.ts"
import { rolesPage } from "../pages/people/roles.ts"
import { teamPages } from "../pages/people/teams.ts"
import { tokensPage } from "../pages/people/tokens.ts"
import { deployRepositoryPage } from "../pages/projects/deployRepository.ts"
import { projectPages } from "../pages/projects/projects.ts"
import { serverPages } from "../pages/servers/servers.ts"
import { servicePages } from "../pages/services/services.ts"
import { dashboardPage } from "../pages/start/dashboard.ts"
import { terminalPages } from "../pages/terminals/terminals.ts"
import { sharedVariablePages } from "../pages/variables/sharedVariables.ts"
import { variablePages } from "../pages/variables/variables.ts"

/** The list of all pages of the console. A new page must be added here; the order has no effect. */
export const routes: ReadonlyArray<ConsolePage> = [
  dashboardPage,
  deployRepositoryPage,
  ...projectPages,
  ...applicationPages,
  ...databasePages,
  ...servicePages,
  ...metricsPages,
  ...terminalPages,
  ...variablePages,
  ...serverPages,
  ...teamPages,
  ...groupPages,
  rolesPage,
  grantsPage,
  tokensPage,
  auditPage,
  ...deployerPages,
  ...keyPages,
  ...sourcePages,
  ...registryPages,
  ...storagePages,
  ...notificationPages,
  ...sharedVariablePages,
  ...accountPages,
  instanceSettingsPage
]
