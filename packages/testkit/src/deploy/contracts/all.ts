import type { Stores } from "@slipway/domain/deploy"
import type { Layer } from "effect"
import { type Contract, firstOf, register } from "../../contract.ts"
import { settings } from "./administration/settings.ts"
import { additionalDestinations } from "./apps/additionalDestinations.ts"
import { applications } from "./apps/applications.ts"
import { commitReports } from "./apps/commitReports.ts"
import { deliveries } from "./apps/deliveries.ts"
import { deployments } from "./apps/deployments.ts"
import { domains } from "./apps/domains.ts"
import { placement } from "./apps/placement.ts"
import { previews } from "./apps/previews.ts"
import { environments } from "./apps/projects.ts"
import { scheduledTasks } from "./apps/scheduledTasks.ts"
import { services } from "./apps/services.ts"
import { sharedVariables } from "./apps/sharedVariables.ts"
import { storages } from "./apps/storages.ts"
import { tags } from "./apps/tags.ts"
import { collection } from "./base/collection.ts"
import { transaction } from "./base/transaction.ts"
import { backups } from "./databases/backups.ts"
import { databases } from "./databases/databases.ts"
import { restores } from "./databases/restores.ts"
import { volumeBackups } from "./databases/volume-backups.ts"
import { volumeRestores } from "./databases/volume-restores.ts"
import { accounts } from "./identity/accounts.ts"
import { groups } from "./identity/groups.ts"
import { sessions, signInAttempts } from "./identity/sessions.ts"
import { audit, grants, invitations, roles, teams } from "./identity/teams.ts"
import { tokens } from "./identity/tokens.ts"
import { visible } from "./identity/visible.ts"
import { certificateAuthorities } from "./infrastructure/certificates.ts"
import { cleanups } from "./infrastructure/cleanups.ts"
import { forgeApps } from "./infrastructure/forgeApps.ts"
import { logDrains } from "./infrastructure/logDrains.ts"
import { metrics } from "./infrastructure/metrics.ts"
import { notifications } from "./infrastructure/notifications.ts"
import { repositoryHostKeys } from "./infrastructure/repositoryHostKeys.ts"
import { destinations, hostKeys, servers } from "./infrastructure/servers.ts"
import { gitlabApps, registries, s3Storages } from "./infrastructure/sources.ts"
import { logs } from "./runtime/deploymentLogs.ts"
import { deletionClaims } from "./runtime/pipeline/deletionClaims.ts"
import { deploymentClaims } from "./runtime/pipeline/deploymentClaims.ts"
import { oldDeletions, oldDeployments } from "./runtime/pipeline/oldWork.ts"
import { releases } from "./runtime/pipeline/releases.ts"
import { variables } from "./runtime/pipeline/variables.ts"

/** The contract tests of all stores of the deployment platform. Every implementation must pass them. */
export const all: ReadonlyArray<Contract<Stores>> = [
  accounts,
  applications,
  audit,
  backups,
  certificateAuthorities,
  cleanups,
  commitReports,
  collection,
  databases,
  deletionClaims,
  deliveries,
  deploymentClaims,
  deployments,
  destinations,
  gitlabApps,
  logDrains,
  metrics,
  registries,
  domains,
  environments,
  grants,
  groups,
  hostKeys,
  invitations,
  logs,
  notifications,
  oldDeletions,
  oldDeployments,
  placement,
  additionalDestinations,
  previews,
  releases,
  repositoryHostKeys,
  restores,
  volumeBackups,
  volumeRestores,
  roles,
  forgeApps,
  s3Storages,
  servers,
  services,
  sessions,
  settings,
  signInAttempts,
  scheduledTasks,
  sharedVariables,
  storages,
  tags,
  teams,
  tokens,
  transaction,
  variables,
  visible
]

/** Registers the contract tests of every store. `layer` is rebuilt for each test, and must start empty. */
export const contracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void => register(name, layer, all)

/**
 * Registers the first requirement of every store, and all requirements of collections and transactions. `layer` is
 * rebuilt for each test, and must start empty.
 */
export const firstContracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  register(
    name,
    layer,
    all.map((each) => (each === collection || each === transaction ? each : firstOf(each)))
  )
