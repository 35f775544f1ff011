import type { CertificateProblem } from "../servers/certificates.ts"
import { type NotificationEvent, notificationEvents, type Severity } from "./events.ts"

/**
 * The content of a notification: fixed words, and the names and uuids of resources.
 *
 * It never contains error messages or program output, because they may include secrets.
 */
export interface NotificationMessage {
  /** The reported event; null for a test message. */
  readonly event: NotificationEvent | null
  /** The title: a few fixed words, such as "Deployment failed". */
  readonly title: string
  /** One sentence; it contains resource names that users chose, so that senders must escape it. */
  readonly text: string
  /** The names and uuids of the resources, for webhook payloads. */
  readonly facts: Readonly<Record<string, string | number>>
  /** The API path of the resource; null if the message has no resource. */
  readonly path: string | null
}

/** The name and the uuid of a resource. */
interface Named {
  readonly uuid: string
  readonly name: string
}

/** Returns the severity of a message; a test message is information. */
export const severityOf = ({ event }: NotificationMessage): Severity =>
  event === null ? "information" : notificationEvents[event].severity

/** The test message that a user can send to a channel. */
export const testMessage: NotificationMessage = {
  event: null,
  title: "Test notification",
  text: "This is a test notification from Slipway. The channel works.",
  facts: {},
  path: null
}

/** The data of an ended deployment that a message needs. */
interface EndedDeployment {
  readonly uuid: string
  readonly applicationUuid: string
  readonly applicationName: string
  readonly action: "deploy" | "restart" | "rollback" | "stop"
  readonly pullRequestId: number
  readonly commit: string
  readonly status: string
}

const actionWords = { deploy: "Deployment", restart: "Restart", rollback: "Rollback", stop: "Stop" } as const

/**
 * Returns the message for a deployment that succeeded or failed. Returns undefined for cancelled deployments and for
 * successful stops, which are not reported.
 */
export const deploymentMessage = (deployment: EndedDeployment): NotificationMessage | undefined => {
  const { action, applicationName, applicationUuid, commit, pullRequestId, status, uuid } = deployment
  const isFailed = status === "failed"
  if (!isFailed && (status !== "finished" || action === "stop")) return undefined
  const outcome = isFailed ? "failed" : "succeeded"
  const of = pullRequestId === 0 ? applicationName : `pull request #${pullRequestId} of ${applicationName}`
  return {
    event: isFailed ? "deployment_failure" : "deployment_success",
    title: `${actionWords[action]} ${outcome}`,
    text: `${actionWords[action]} of ${of} ${outcome}.`,
    facts: {
      application_name: applicationName,
      application_uuid: applicationUuid,
      deployment_uuid: uuid,
      ...(/^[0-9a-f]{40,64}$/.test(commit) ? { commit } : {}),
      ...(pullRequestId === 0 ? {} : { pull_request_id: pullRequestId })
    },
    path: `/deployments/${uuid}`
  }
}

/** Returns the message for a deployment that waits for an approval. */
export const approvalMessage = (
  deployment: Pick<EndedDeployment, "action" | "applicationName" | "applicationUuid" | "uuid">
): NotificationMessage => ({
  event: "deployment_approval",
  title: "Approval requested",
  text: `${actionWords[deployment.action]} of ${deployment.applicationName} waits for an approval.`,
  facts: {
    application_name: deployment.applicationName,
    application_uuid: deployment.applicationUuid,
    deployment_uuid: deployment.uuid
  },
  path: `/deployments/${deployment.uuid}`
})

/** A status of a resource that is reported. */
export type ReportedStatus = "degraded" | "failed" | "healthy" | "running" | "unhealthy"

const statusWords: Readonly<Record<ReportedStatus, string>> = {
  degraded: "is degraded: not all of its containers run as they should",
  failed: "could not be started",
  healthy: "is healthy again",
  running: "runs again",
  unhealthy: "is unhealthy: its health check fails"
}

/** A resource type with reported status changes. */
export type ReportedResource = "application" | "database" | "service"

const resourceWords: Readonly<Record<ReportedResource, string>> = {
  application: "Application",
  database: "Database",
  service: "Service"
}

/** Returns the message for a status change of an application, a service or a database. */
export const statusMessage = (
  type: ReportedResource,
  { name, uuid }: Named,
  status: ReportedStatus
): NotificationMessage => ({
  event: "status_change",
  title: `Status changed: ${status}`,
  text: `${resourceWords[type]} ${name} ${statusWords[status]}.`,
  facts: { [`${type}_name`]: name, [`${type}_uuid`]: uuid, status },
  path: `/${type}s/${uuid}`
})

/** Returns the message for an ended backup of a database. */
export const backupMessage = (
  { kind, name, uuid }: Named & { readonly kind: string },
  { backup, frequency }: { readonly backup: string; readonly frequency: string },
  isFailed: boolean
): NotificationMessage => ({
  event: isFailed ? "backup_failure" : "backup_success",
  title: `Backup ${isFailed ? "failed" : "succeeded"}`,
  text: `Backup of the database ${name} ${isFailed ? "failed" : "succeeded"}.`,
  facts: { database_name: name, database_uuid: uuid, database_type: kind, backup_uuid: backup, frequency },
  path: `/databases/${uuid}/backups/${backup}/executions`
})

/** Returns the message for an ended backup of a storage. */
export const volumeBackupMessage = (
  { name, path, uuid }: Named & { readonly path: string },
  storage: Named,
  { backup, frequency }: { readonly backup: string; readonly frequency: string },
  isFailed: boolean
): NotificationMessage => ({
  event: isFailed ? "backup_failure" : "backup_success",
  title: `Backup ${isFailed ? "failed" : "succeeded"}`,
  text: `Backup of the storage ${storage.name} of ${name} ${isFailed ? "failed" : "succeeded"}.`,
  facts: {
    storage_name: storage.name,
    storage_uuid: storage.uuid,
    resource_name: name,
    resource_uuid: uuid,
    backup_uuid: backup,
    frequency
  },
  path: `/${path}/${uuid}/storages/${storage.uuid}/backups`
})

/** Returns the message for an ended run of a scheduled task. */
export const taskMessage = (application: Named, task: Named, isFailed: boolean): NotificationMessage => ({
  event: isFailed ? "scheduled_task_failure" : "scheduled_task_success",
  title: `Scheduled task ${isFailed ? "failed" : "succeeded"}`,
  text: `Scheduled task ${task.name} of ${application.name} ${isFailed ? "failed" : "succeeded"}.`,
  facts: {
    task_name: task.name,
    task_uuid: task.uuid,
    application_name: application.name,
    application_uuid: application.uuid
  },
  path: `/applications/${application.uuid}/scheduled-tasks/${task.uuid}/executions`
})

const serverFacts = ({ name, uuid }: Named) => ({ server_name: name, server_uuid: uuid })

/** Returns the message for an ended cleanup of a server. */
export const cleanupMessage = (server: Named, isFailed: boolean): NotificationMessage => ({
  event: isFailed ? "docker_cleanup_failure" : "docker_cleanup_success",
  title: `Cleanup ${isFailed ? "failed" : "succeeded"}`,
  text: `Cleanup of the server ${server.name} ${isFailed ? "failed" : "succeeded"}.`,
  facts: serverFacts(server),
  path: `/servers/${server.uuid}`
})

/** Returns the message for a server with a disk usage above its threshold; `percent` and `threshold` are in percent. */
export const diskMessage = (server: Named, percent: number, threshold: number): NotificationMessage => ({
  event: "server_disk_usage",
  title: "Disk usage is high",
  text: `The disk of the server ${server.name} is ${percent} % full (threshold: ${threshold} %).`,
  facts: { ...serverFacts(server), disk_usage: percent, threshold },
  path: `/servers/${server.uuid}`
})

const certificateWords: Readonly<Record<CertificateProblem, string>> = {
  expired: "has expired",
  expires: "expires soon and was not renewed",
  missing: "could not be obtained"
}

/** Returns the message for a host of an application without a valid certificate. */
export const certificateMessage = (
  { name, uuid }: Named,
  {
    host,
    problem,
    until
  }: { readonly host: string; readonly problem: CertificateProblem; readonly until: string | null }
): NotificationMessage => ({
  event: "certificate_failure",
  title: "Certificate failed",
  text: `The certificate of ${host} (application ${name}) ${certificateWords[problem]}.`,
  facts: {
    application_name: name,
    application_uuid: uuid,
    domain: host,
    problem,
    ...(until === null ? {} : { expires_at: until })
  },
  path: `/applications/${uuid}`
})

/** Returns the message for a server that became unreachable, or reachable again. */
export const reachabilityMessage = (server: Named, isReachable: boolean): NotificationMessage => ({
  event: isReachable ? "server_reachable" : "server_unreachable",
  title: `Server ${isReachable ? "reachable" : "unreachable"}`,
  text: isReachable ? `The server ${server.name} answers again.` : `The server ${server.name} does not answer.`,
  facts: serverFacts(server),
  path: `/servers/${server.uuid}`
})
