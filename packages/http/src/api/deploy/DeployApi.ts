import { Record } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { PeopleApi } from "./administration/people.ts"
import { SettingsApi } from "./administration/settings.ts"
import { ApplicationsApi } from "./apps/applications.ts"
import { DeploymentsApi } from "./apps/deployments.ts"
import { PreviewsApi } from "./apps/previews.ts"
import { ProjectsApi } from "./apps/projects.ts"
import { ResourcesApi } from "./apps/resources.ts"
import { RunsApi } from "./apps/runs.ts"
import { ScheduledTasksApi } from "./apps/scheduled-tasks.ts"
import { SharedVariablesApi } from "./apps/shared-variables.ts"
import { StoragesApi } from "./apps/storages.ts"
import { TagsApi } from "./apps/tags.ts"
import { VariablesApi } from "./apps/variables.ts"
import { WebhooksApi } from "./apps/webhooks.ts"
import { queryParameters } from "./base/schemas.ts"
import { BackupsApi } from "./databases/backups.ts"
import { DatabasesApi } from "./databases/databases.ts"
import { RestoresApi } from "./databases/restores.ts"
import { AccountsApi } from "./identity/accounts.ts"
import { TokensApi } from "./identity/tokens.ts"
import { CleanupsApi } from "./infrastructure/cleanups.ts"
import { ForgeAppsApi } from "./infrastructure/forge-apps.ts"
import { ForgeConnectionsApi } from "./infrastructure/forge-connections.ts"
import { GitlabAppsApi } from "./infrastructure/gitlab-apps.ts"
import { KeysApi } from "./infrastructure/keys.ts"
import { LogDrainsApi } from "./infrastructure/log-drains.ts"
import { MetricsApi } from "./infrastructure/metrics.ts"
import { NotificationsApi } from "./infrastructure/notifications.ts"
import { RegistriesApi } from "./infrastructure/registries.ts"
import { S3StoragesApi } from "./infrastructure/s3-storages.ts"
import { ServersApi } from "./infrastructure/servers.ts"
import { DatabaseSettingsApi } from "./runtime/database-settings.ts"
import { HealthChecksApi } from "./runtime/health-checks.ts"
import { LogsApi } from "./runtime/logs.ts"
import { PlansApi } from "./runtime/plans.ts"
import { ServicePartsApi } from "./runtime/service-parts.ts"
import { ServiceSettingsApi } from "./runtime/service-settings.ts"
import { ServicesApi } from "./runtime/services.ts"
import { TerminalsApi } from "./runtime/terminals.ts"
import { TransfersApi } from "./runtime/transfers.ts"
import { VolumeBackupsApi } from "./runtime/volume-backups.ts"

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
}

interface Described {
  readonly paths: Record<string, Record<string, Operation>>
}

/** Replaces the types of query parameters in an OpenAPI document: Effect describes them as strings. */
const describeQueries = (spec: Record<string, unknown>): Record<string, unknown> => {
  const { paths } = spec as unknown as Described
  const described = (operation: Operation) => ({
    ...operation,
    parameters: (operation.parameters ?? []).map((parameter) => {
      const { name } = parameter
      const schema = queryParameters[`${operation.operationId} ${name}`] ?? queryParameters[name]
      return schema === undefined ? parameter : { ...parameter, schema }
    })
  })
  return {
    ...spec,
    paths: Record.map(paths, (operations) => Record.map(operations, described))
  }
}

/** The declaration of the deployment platform's HTTP API, without handlers, so that clients can import it. */
export class DeployApi extends HttpApi.make("deploy")
  .add(ApplicationsApi)
  .add(TagsApi)
  .add(CleanupsApi)
  .add(DeploymentsApi)
  .add(RunsApi)
  .add(LogsApi)
  .add(HealthChecksApi)
  .add(TerminalsApi)
  .add(PlansApi)
  .add(VariablesApi)
  .add(ScheduledTasksApi)
  .add(SharedVariablesApi)
  .add(StoragesApi)
  .add(PreviewsApi)
  .add(WebhooksApi)
  .add(ProjectsApi)
  .add(ResourcesApi)
  .add(ServersApi)
  .add(TransfersApi)
  .add(ServicesApi)
  .add(ServicePartsApi)
  .add(ServiceSettingsApi)
  .add(DatabasesApi)
  .add(DatabaseSettingsApi)
  .add(BackupsApi)
  .add(RestoresApi)
  .add(VolumeBackupsApi)
  .add(KeysApi)
  .add(ForgeAppsApi)
  .add(GitlabAppsApi)
  .add(LogDrainsApi)
  .add(MetricsApi)
  .add(RegistriesApi)
  .add(S3StoragesApi)
  .add(ForgeConnectionsApi)
  .add(NotificationsApi)
  .add(SettingsApi)
  .add(AccountsApi)
  .add(PeopleApi)
  .add(TokensApi)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Slipway deploy")
  .annotate(OpenApi.Version, "0.1")
  .annotate(OpenApi.Description, "A deployment platform: applications on servers.")
  .annotate(OpenApi.Transform, (document) => withoutErrorTags(describeQueries(document))) {}
