import type { Migration } from "../../Migrations.ts"
import { counts } from "./0001-0025/0001_counts.ts"
import { projects } from "./0001-0025/0002_projects.ts"
import { keys } from "./0001-0025/0003_keys.ts"
import { servers } from "./0001-0025/0004_servers.ts"
import { forgeApps } from "./0001-0025/0005_forge_apps.ts"
import { applications } from "./0001-0025/0006_applications.ts"
import { services } from "./0001-0025/0007_services.ts"
import { domains } from "./0001-0025/0008_domains.ts"
import { tags } from "./0001-0025/0009_tags.ts"
import { deployments } from "./0001-0025/0010_deployments.ts"
import { deletions } from "./0001-0025/0011_deletions.ts"
import { settings } from "./0001-0025/0012_settings.ts"
import { tokens } from "./0001-0025/0013_tokens.ts"
import { engines } from "./0001-0025/0014_engines.ts"
import { pipeline } from "./0001-0025/0015_pipeline.ts"
import { compose } from "./0001-0025/0016_compose.ts"
import { deliveries } from "./0001-0025/0017_deliveries.ts"
import { repositoryHostKeys } from "./0001-0025/0018_repository_host_keys.ts"
import { commitMessages } from "./0001-0025/0019_commit_messages.ts"
import { servingPlaces } from "./0001-0025/0020_serving_places.ts"
import { uniqueNamesAndDeliveries } from "./0001-0025/0021_once.ts"
import { validations } from "./0001-0025/0022_validations.ts"
import { skipsAndGrace } from "./0001-0025/0023_skips_and_grace.ts"
import { variableUses } from "./0001-0025/0024_variable_uses.ts"
import { storages } from "./0001-0025/0025_storages.ts"
import { sharedVariables } from "./0026-0050/0026_shared_variables.ts"
import { scheduledTasks } from "./0026-0050/0027_scheduled_tasks.ts"
import { newerFields } from "./0026-0050/0028_newer_fields.ts"
import { active } from "./0026-0050/0029_active.ts"
import { cleanups } from "./0026-0050/0030_cleanups.ts"
import { diskChecks } from "./0026-0050/0031_disk_checks.ts"
import { buildFields } from "./0026-0050/0032_build_fields.ts"
import { requestCounts } from "./0026-0050/0033_request_counts.ts"
import { scopeCounts } from "./0026-0050/0034_scope_counts.ts"
import { signingHosts } from "./0026-0050/0035_signing_hosts.ts"
import { previews } from "./0026-0050/0036_previews.ts"
import { pullRequestDeliveries } from "./0026-0050/0037_pull_request_deliveries.ts"
import { databases } from "./0026-0050/0038_databases.ts"
import { backups } from "./0026-0050/0039_backups.ts"
import { degraded } from "./0026-0050/0040_degraded.ts"
import { forgeConnections } from "./0026-0050/0041_forge_connections.ts"
import { pendingReports } from "./0026-0050/0042_pending_reports.ts"
import { settingsCreation } from "./0026-0050/0043_settings_creation.ts"
import { notifications } from "./0026-0050/0044_notifications.ts"
import { declaredDatabases } from "./0026-0050/0045_declared_databases.ts"
import { servicesRun } from "./0026-0050/0046_services_run.ts"
import { declaredApplications } from "./0026-0050/0047_declared_applications.ts"
import { accounts } from "./0026-0050/0048_accounts.ts"
import { s3Storages } from "./0026-0050/0049_s3_storages.ts"
import { teams } from "./0026-0050/0050_teams.ts"
import { teamNotifications } from "./0051-0075/0051_team_notifications.ts"
import { restores } from "./0051-0075/0052_restores.ts"
import { apiSwitch } from "./0051-0075/0053_api_switch.ts"
import { listsByTeam } from "./0051-0075/0054_lists_by_team.ts"
import { tokenRotations } from "./0051-0075/0055_token_rotations.ts"
import { databaseSettings } from "./0051-0075/0056_database_settings.ts"
import { approvals } from "./0051-0075/0057_approvals.ts"
import { volumeBackups } from "./0051-0075/0058_volume_backups.ts"
import { mcpSwitch } from "./0051-0075/0059_mcp_switch.ts"
import { gitlabAppsAndRegistries } from "./0051-0075/0060_gitlab_apps_and_registries.ts"
import { metrics } from "./0051-0075/0061_metrics.ts"
import { accountGroups } from "./0051-0075/0062_account_groups.ts"
import { files } from "./0051-0075/0063_files.ts"
import { logDrains } from "./0051-0075/0064_log_drains.ts"
import { proxyConfiguration } from "./0051-0075/0065_proxy_configuration.ts"
import { repositoryKeys } from "./0051-0075/0066_repository_keys.ts"
import { clientRotations } from "./0051-0075/0067_client_rotations.ts"
import { unhealthy } from "./0051-0075/0068_unhealthy.ts"
import { approvalsOfParts } from "./0051-0075/0069_approvals_of_parts.ts"
import { pushers } from "./0051-0075/0070_pushers.ts"
import { environmentTeams } from "./0051-0075/0071_environment_teams.ts"
import { tagsOfPreviews } from "./0051-0075/0072_tags_of_previews.ts"
import { additionalDestinations } from "./0051-0075/0073_additional_destinations.ts"
import { databaseSsl } from "./0051-0075/0074_database_ssl.ts"
import { volumeRestores } from "./0051-0075/0075_volume_restores.ts"
import { templateTexts } from "./0076-0100/0076_template_texts.ts"
import { terminals } from "./0076-0100/0077_terminals.ts"
import { transfers } from "./0076-0100/0078_transfers.ts"
import { failedDeployments } from "./0076-0100/0079_failed_deployments.ts"

/** The migrations of the deployment platform, in order. */
export const migrations: ReadonlyArray<Migration> = [
  counts,
  projects,
  keys,
  servers,
  forgeApps,
  applications,
  services,
  domains,
  tags,
  deployments,
  deletions,
  settings,
  tokens,
  engines,
  pipeline,
  compose,
  deliveries,
  repositoryHostKeys,
  commitMessages,
  servingPlaces,
  uniqueNamesAndDeliveries,
  validations,
  skipsAndGrace,
  variableUses,
  storages,
  sharedVariables,
  scheduledTasks,
  newerFields,
  active,
  cleanups,
  diskChecks,
  buildFields,
  requestCounts,
  scopeCounts,
  signingHosts,
  previews,
  pullRequestDeliveries,
  databases,
  backups,
  degraded,
  forgeConnections,
  pendingReports,
  settingsCreation,
  notifications,
  declaredDatabases,
  servicesRun,
  declaredApplications,
  accounts,
  s3Storages,
  teams,
  teamNotifications,
  restores,
  apiSwitch,
  listsByTeam,
  tokenRotations,
  databaseSettings,
  approvals,
  volumeBackups,
  mcpSwitch,
  gitlabAppsAndRegistries,
  metrics,
  accountGroups,
  files,
  logDrains,
  proxyConfiguration,
  repositoryKeys,
  clientRotations,
  unhealthy,
  approvalsOfParts,
  pushers,
  environmentTeams,
  tagsOfPreviews,
  additionalDestinations,
  databaseSsl,
  volumeRestores,
  templateTexts,
  terminals,
  transfers,
  failedDeployments
]
