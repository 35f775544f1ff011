/** The severity of an event, which decides the color of a message, and whether a Discord message notifies everybody. */
export type Severity = "success" | "failure" | "information"

/** A type of event that notifications report. */
export interface EventRow {
  /** Whether channels report the event by default; the defaults are those of Coolify. */
  readonly isReported: boolean
  readonly severity: Severity
  /** The name of the event in webhook payloads, as Coolify sends it. */
  readonly inPayload: string
}

const event = (isReported: boolean, severity: Severity, inPayload: string): EventRow => ({
  isReported,
  severity,
  inPayload
})

/**
 * All events that can be reported. Each event has one setting for each channel, such as
 * `deployment_failure_slack_notifications`.
 */
export const notificationEvents = {
  deployment_success: event(false, "success", "deployment_success"),
  deployment_failure: event(true, "failure", "deployment_failed"),
  // An addition to the events of Coolify.
  deployment_approval: event(true, "information", "deployment_approval_requested"),
  status_change: event(false, "information", "status_changed"),
  backup_success: event(false, "success", "backup_success"),
  backup_failure: event(true, "failure", "backup_failed"),
  scheduled_task_success: event(false, "success", "task_success"),
  scheduled_task_failure: event(true, "failure", "task_failed"),
  docker_cleanup_success: event(false, "success", "docker_cleanup_success"),
  docker_cleanup_failure: event(true, "failure", "docker_cleanup_failed"),
  // An addition to the events of Coolify.
  certificate_failure: event(true, "failure", "certificate_failed"),
  server_disk_usage: event(true, "failure", "high_disk_usage"),
  server_reachable: event(false, "success", "server_reachable"),
  server_unreachable: event(true, "failure", "server_unreachable")
} as const satisfies Readonly<Record<string, EventRow>>

/** The name of an event that can be reported. */
export type NotificationEvent = keyof typeof notificationEvents

/** The names of all events that can be reported. */
export const notificationEventNames = Object.keys(notificationEvents) as ReadonlyArray<NotificationEvent>
