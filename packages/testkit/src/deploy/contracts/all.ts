import type { Stores } from "@slipway/domain/deploy"
import type { Layer } from "effect"
import { type Contract, firstOf, register } from "../../contract.ts"
import { applications } from "./applications.ts"
import { backups } from "./backups.ts"
import { cleanups } from "./cleanups.ts"
import { collection } from "./collection.ts"
import { databases } from "./databases.ts"
import { deliveries } from "./deliveries.ts"
import { logs } from "./deploymentLogs.ts"
import { deployments } from "./deployments.ts"
import { domains } from "./domains.ts"
import { deletionClaims } from "./pipeline/deletionClaims.ts"
import { deploymentClaims } from "./pipeline/deploymentClaims.ts"
import { oldDeletions, oldDeployments } from "./pipeline/forgotten.ts"
import { releases } from "./pipeline/releases.ts"
import { variables } from "./pipeline/variables.ts"
import { placement } from "./placement.ts"
import { previews } from "./previews.ts"
import { environments } from "./projects.ts"
import { repositoryHostKeys } from "./repositoryHostKeys.ts"
import { scheduledTasks } from "./scheduledTasks.ts"
import { destinations, hostKeys, servers } from "./servers.ts"
import { services } from "./services.ts"
import { settings } from "./settings.ts"
import { sharedVariables } from "./sharedVariables.ts"
import { storages } from "./storages.ts"
import { tags } from "./tags.ts"
import { tokens } from "./tokens.ts"
import { transaction } from "./transaction.ts"

/** Every promise of the stores of the deployment platform. */
export const all: ReadonlyArray<Contract<Stores>> = [
  applications,
  backups,
  cleanups,
  collection,
  databases,
  deletionClaims,
  deliveries,
  deploymentClaims,
  deployments,
  destinations,
  domains,
  environments,
  hostKeys,
  logs,
  oldDeletions,
  oldDeployments,
  placement,
  previews,
  releases,
  repositoryHostKeys,
  servers,
  services,
  settings,
  scheduledTasks,
  sharedVariables,
  storages,
  tags,
  tokens,
  transaction,
  variables
]

/** Registers the contracts of every store; `layer` is built anew for each test, and has to start empty. */
export const contracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void => register(name, layer, all)

/** Registers the first promise of every store, and all of collections and transactions; `layer` as for `contracts`. */
export const firstContracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  register(
    name,
    layer,
    all.map((each) => (each === collection || each === transaction ? each : firstOf(each)))
  )
