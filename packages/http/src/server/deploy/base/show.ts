import { numbersOf, type Status } from "@slipway/deploy/apps"
import type { Validation } from "@slipway/deploy/infrastructure"
import type { Entity } from "@slipway/domain"
import type { Settings } from "@slipway/domain/deploy/administration"
import {
  type Deletion,
  type Delivery,
  type Deployment,
  type Environment,
  generatedDomain,
  type Placement,
  type Project
} from "@slipway/domain/deploy/apps"
import type { DiskUse } from "@slipway/domain/deploy/containers"
import type { Account, Identity, Session, Token } from "@slipway/domain/deploy/identity"
import {
  type Destination,
  type ForgeApp,
  installationProblem,
  isPastThreshold,
  type PrivateKey,
  type Server
} from "@slipway/domain/deploy/infrastructure"
import type { DeploymentLine } from "@slipway/domain/deploy/runtime"
import {
  coolifyDeploymentFields,
  coolifyKeyFields,
  coolifyServerFields
} from "../../../api/deploy/base/coolifyFields.ts"

/** Returns the response fields that every stored resource has. */
export const stampsOf = ({ createdAt, id, updatedAt, uuid }: Entity) => ({
  id,
  uuid,
  created_at: createdAt,
  updated_at: updatedAt
})

/** Returns the response to a move of a resource to another environment. */
export const moveAnswer = (
  message: string,
  { placement, uuid }: { readonly placement: Placement; readonly uuid: string }
) => ({
  message,
  uuid,
  project_uuid: placement.projectUuid,
  environment_uuid: placement.environmentUuid
})

/** Converts a project to its API response. */
export const showProject = (project: Project) => ({
  ...stampsOf(project),
  name: project.name,
  description: project.description
})

/** Converts an environment to its API response. */
export const showEnvironment = (environment: Environment, project: Project) => ({
  ...stampsOf(environment),
  project_id: project.id,
  project_uuid: environment.projectUuid,
  name: environment.name,
  description: environment.description,
  is_protected: environment.isProtected
})

/** Converts a server to its API response. */
export const showServer = (server: Server) => ({
  ...stampsOf(server),
  name: server.name,
  description: server.description,
  ip: server.ip,
  port: server.port,
  user: server.user,
  private_key_uuid: server.privateKeyUuid,
  is_build_server: server.isBuildServer,
  proxy_type: server.proxyType,
  wildcard_domain: server.wildcardDomain,
  generated_domain: generatedDomain("{uuid}", server),
  concurrent_builds: server.concurrentBuilds,
  deployment_queue_limit: server.deploymentQueueLimit,
  dynamic_timeout: server.dynamicTimeout,
  connection_timeout: server.connectionTimeout,
  engine_transport: server.engineTransport,
  engine_socket: server.engineSocket,
  engine_port: server.enginePort,
  engine_authority: server.engineAuthority,
  engine_certificate: server.engineCertificate,
  proxy: { type: server.proxyType },
  validation_logs: server.validation?.because ?? null,
  disk_check: server.diskCheck,
  high_disk_usage_notification_sent: isPastThreshold(server),
  ...coolifyServerFields,
  // Without the id: who knows it can move the server to another team with a bundle.
  transfer: server.transfer && {
    state: server.transfer.state,
    at: server.transfer.at,
    target_url: server.transfer.targetUrl
  },
  settings: {
    is_reachable: server.validation?.isReachable ?? false,
    is_usable: server.validation?.isUsable ?? false,
    is_build_server: server.isBuildServer,
    wildcard_domain: server.wildcardDomain,
    concurrent_builds: server.concurrentBuilds,
    deployment_queue_limit: server.deploymentQueueLimit,
    dynamic_timeout: server.dynamicTimeout,
    connection_timeout: server.connectionTimeout,
    server_disk_usage_check_frequency: server.diskCheckFrequency,
    server_disk_usage_notification_threshold: server.diskThreshold,
    validated_at: server.validation?.at ?? null,
    validation_result: server.validation?.because ?? null,
    is_terminal_enabled: server.isTerminalEnabled,
    can_install_engine: server.validation?.isReachable !== true && installationProblem(server) === undefined
  }
})

/** Converts the disk usage of a server's container engine to its API response. */
export const showDiskUse = (use: DiskUse | null) => {
  if (use === null) return null
  const { buildCache, containers, images, volumes } = use
  return { images, containers, volumes, build_cache: buildCache }
}

/** Converts the result of validating a server's engine to its API response. */
export const showValidation = ({ because, engine, hostKeys, isReachable, isUsable }: Validation) => ({
  message: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
  is_reachable: isReachable,
  is_usable: isUsable,
  engine:
    engine === null
      ? null
      : {
          product: engine.product,
          version: engine.version,
          api_version: engine.apiVersion,
          operating_system: engine.operatingSystem,
          architecture: engine.architecture,
          cpus: engine.cpus,
          memory: engine.memory
        },
  host_keys: hostKeys
})

/** Converts a destination to its API response. */
export const showDestination = (destination: Destination) => ({
  ...stampsOf(destination),
  server_uuid: destination.serverUuid,
  name: destination.name,
  network: destination.network,
  type: "standalone" as const
})

/** Converts a private key to its API response, which contains only the public key. */
export const showPrivateKey = (key: PrivateKey) => ({
  ...stampsOf(key),
  name: key.name,
  description: key.description,
  team_id: key.teamId,
  public_key: key.publicKey,
  fingerprint: key.fingerprint,
  ...coolifyKeyFields
})

type Defined<A> = { [Name in keyof A]?: Exclude<A[Name], undefined> }

/** Returns the fields of an object that are not undefined. */
export const definedFields = <A extends object>(fields: A): Defined<A> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<A>

/** Converts an app installation to its API response, without its secrets. */
export const showForgeApp = (app: ForgeApp) => ({
  ...stampsOf(app),
  name: app.name,
  organization: app.organization,
  api_url: app.apiUrl,
  html_url: app.htmlUrl,
  custom_user: app.customUser,
  custom_port: app.customPort,
  app_id: app.appId,
  installation_id: app.installationId,
  client_id: app.clientId,
  private_key_uuid: app.privateKeyUuid
})

/** Converts a token to its API response, without its secret. */
export const showToken = (token: Token) => ({
  ...stampsOf(token),
  name: token.name,
  abilities: token.abilities,
  team_id: token.teamId,
  account_uuid: token.accountUuid as string | null,
  projects: token.projects,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt
})

/** Converts an account to its API response, without its password. */
export const showAccount = (account: Account) => ({
  ...stampsOf(account),
  name: account.name,
  email: account.email,
  is_root: account.isRoot,
  is_disabled: account.isDisabled,
  last_sign_in_at: account.lastSignInAt
})

/** Converts an account's identity at a sign-in provider to its API response. */
export const showIdentity = ({ createdAt, issuer, subject, uuid }: Identity) => ({
  uuid,
  issuer,
  subject,
  created_at: createdAt
})

/** Converts a session to its API response; `current` is the uuid of the request's session. */
export const showSession = (session: Session, current: string | undefined) => ({
  uuid: session.uuid,
  user_agent: session.agent,
  address: session.address,
  is_current: session.uuid === current,
  expires_at: session.expiresAt,
  last_used_at: session.lastUsedAt,
  created_at: session.createdAt
})

/** Converts the settings of the instance to their API response. */
export const showSettings = (settings: Settings) => ({
  instance_domains: settings.instanceDomains,
  is_api_enabled: settings.isApiEnabled,
  is_mcp_server_enabled: settings.isMcpEnabled,
  updated_at: settings.updatedAt
})

/** Returns the numeric id of a resource by its uuid, for Coolify clients; null for a deleted resource. */
export type NumberOf = (uuid: string | null) => number | null

/** Reads the numeric ids of the applications, destinations and servers of several deployments. */
export const numbersIn = (deployments: ReadonlyArray<Deployment>) =>
  numbersOf(deployments.flatMap((each) => [each.applicationUuid, each.destinationUuid, each.serverUuid]))

const asText = (number: number | null): string | null => (number === null ? null : String(number))

/** Converts a deployment to its API response; the numeric id of a deleted resource is null. */
export const showDeployment = (deployment: Deployment, numberOf: NumberOf) => ({
  id: deployment.id,
  application_id: asText(numberOf(deployment.applicationUuid)),
  destination_id: asText(numberOf(deployment.destinationUuid)),
  server_id: numberOf(deployment.serverUuid),
  deployment_uuid: deployment.uuid,
  application_uuid: deployment.applicationUuid,
  application_name: deployment.applicationName,
  server_uuid: deployment.serverUuid,
  server_name: deployment.serverName,
  destination_uuid: deployment.destinationUuid,
  commit: deployment.commit,
  commit_message: deployment.commitMessage,
  pull_request_id: deployment.pullRequestId,
  is_api: deployment.trigger === "api",
  is_webhook: deployment.trigger === "webhook",
  force_rebuild: deployment.force,
  restart_only: deployment.action === "restart",
  rollback: deployment.action === "rollback",
  action: deployment.action,
  status: deployment.status,
  reason: deployment.reason,
  image: deployment.imageId,
  requested_by: deployment.requestedBy,
  approval_until: deployment.approvalUntil,
  started_at: deployment.startedAt,
  finished_at: deployment.finishedAt,
  created_at: deployment.createdAt,
  updated_at: deployment.updatedAt,
  deployment_url: `/api/v1/deployments/${deployment.uuid}`,
  ...coolifyDeploymentFields
})

/** Converts log lines to the JSON text that Coolify clients expect. */
const writeLines = (lines: ReadonlyArray<DeploymentLine>): string =>
  JSON.stringify(
    lines.map(({ at, id, stream, text }) => ({
      command: null,
      output: text,
      type: stream,
      timestamp: at,
      hidden: false,
      batch: 1,
      order: id
    }))
  )

/** Converts a deployment with its last log lines to its API response. */
export const showDeploymentWithLogs = (
  deployment: Deployment,
  numberOf: NumberOf,
  lines: ReadonlyArray<DeploymentLine>
) => ({
  ...showDeployment(deployment, numberOf),
  logs: writeLines(lines)
})

/** Returns the API response with target state, serving release and container states of an application. */
export const showStatus = (
  { application, containers, latest, serving, ...status }: Status.ApplicationStatus,
  numberOf: NumberOf
) => ({
  state: status.state,
  unreachable: status.unreachable,
  reason: status.reason,
  desired: { commit: application.configuration.git_commit_sha, updated_at: application.updatedAt },
  serving:
    serving === null
      ? null
      : {
          release_uuid: serving.release.uuid,
          deployment_uuid: serving.serving.deploymentUuid,
          commit: serving.release.commit,
          image: serving.release.imageId,
          created_at: serving.release.createdAt
        },
  changed: status.changed,
  latest_deployment: latest === null ? null : showDeployment(latest, numberOf),
  containers: containers.map((container) => ({
    name: container.name,
    service: container.owner.service,
    deployment_uuid: container.owner.deployment,
    image: container.image,
    state: container.state,
    health: container.health,
    exit_code: container.exitCode,
    restarts: container.restarts,
    out_of_memory: container.outOfMemory,
    started_at: container.startedAt
  }))
})

/** Converts a deletion with its result to its API response. */
export const showDeletion = (deletion: Deletion) => ({
  ...stampsOf(deletion),
  application_uuid: deletion.applicationUuid,
  application_name: deletion.applicationName,
  server_uuid: deletion.serverUuid,
  destination_uuid: deletion.destinationUuid,
  delete_configurations: deletion.deleteConfigurations,
  delete_volumes: deletion.deleteVolumes,
  docker_cleanup: deletion.dockerCleanup,
  delete_connected_networks: deletion.deleteConnectedNetworks,
  status: deletion.status,
  removed: deletion.removed,
  left: deletion.left,
  reason: deletion.reason,
  attempts: deletion.attempts
})

/** Converts a webhook delivery to its API response. */
export const showDelivery = (delivery: Delivery) => ({
  uuid: delivery.uuid as string,
  application_uuid: delivery.applicationUuid as string,
  provider: delivery.provider,
  event: delivery.event,
  delivery_id: delivery.deliveryId,
  branch: delivery.branch,
  commit: delivery.commit,
  author: delivery.author,
  message: delivery.message,
  outcome: delivery.outcome,
  reason: delivery.reason,
  deployment_uuid: delivery.deploymentUuid as string | null,
  replays: delivery.replays,
  replayed_at: delivery.replayedAt,
  received_at: delivery.receivedAt
})
