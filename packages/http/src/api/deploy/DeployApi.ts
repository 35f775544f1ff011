import { Record } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { ApplicationsApi } from "./applications.ts"
import { BackupsApi } from "./backups.ts"
import { CleanupsApi } from "./cleanups.ts"
import { DatabasesApi } from "./databases.ts"
import { DeploymentsApi } from "./deployments.ts"
import { ForgeAppsApi } from "./forge-apps.ts"
import { KeysApi } from "./keys.ts"
import { LogsApi } from "./logs.ts"
import { PreviewsApi } from "./previews.ts"
import { ProjectsApi } from "./projects.ts"
import { ResourcesApi } from "./resources.ts"
import { RunsApi } from "./runs.ts"
import { ScheduledTasksApi } from "./scheduled-tasks.ts"
import { queryParameters } from "./schemas.ts"
import { ServersApi } from "./servers.ts"
import { ServicesApi } from "./services.ts"
import { SettingsApi } from "./settings.ts"
import { SharedVariablesApi } from "./shared-variables.ts"
import { StoragesApi } from "./storages.ts"
import { TagsApi } from "./tags.ts"
import { TokensApi } from "./tokens.ts"
import { VariablesApi } from "./variables.ts"
import { WebhooksApi } from "./webhooks.ts"

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
}

interface Described {
  readonly paths: Record<string, Record<string, Operation>>
}

/** Describes query parameters as what they stand for: Effect describes the text that a URL holds. */
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

/** The API of the deployment platform, without its implementation: importable by clients. */
export class DeployApi extends HttpApi.make("deploy")
  .add(ApplicationsApi)
  .add(TagsApi)
  .add(CleanupsApi)
  .add(DeploymentsApi)
  .add(RunsApi)
  .add(LogsApi)
  .add(VariablesApi)
  .add(ScheduledTasksApi)
  .add(SharedVariablesApi)
  .add(StoragesApi)
  .add(PreviewsApi)
  .add(WebhooksApi)
  .add(ProjectsApi)
  .add(ResourcesApi)
  .add(ServersApi)
  .add(ServicesApi)
  .add(DatabasesApi)
  .add(BackupsApi)
  .add(KeysApi)
  .add(ForgeAppsApi)
  .add(SettingsApi)
  .add(TokensApi)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "Slipway deploy")
  .annotate(OpenApi.Version, "0.1")
  .annotate(OpenApi.Description, "A deployment platform: applications placed on servers.")
  .annotate(OpenApi.Transform, (document) => withoutErrorTags(describeQueries(document))) {}
