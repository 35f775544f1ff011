import { describe, expect, it } from "@effect/vitest"
import { rootTeam } from "@slipway/domain/deploy/identity"
import {
  approvalMessage,
  backupMessage,
  type ChannelValues,
  certificateMessage,
  channelNames,
  channels,
  cleanupMessage,
  deploymentMessage,
  diskMessage,
  eventSetting,
  type Notification,
  type NotificationChannel,
  type NotificationMessage,
  type NotificationUuid,
  notificationEventNames,
  notificationEvents,
  notificationRequest,
  reachabilityMessage,
  statusMessage,
  targetsOf,
  taskMessage,
  valuesOf
} from "@slipway/domain/deploy/infrastructure"

const services = { telegram: "https://telegram.example", pushover: "https://pushover.example" }
const at = "2026-01-02T03:04:05.000Z"

const notificationOf = (message: NotificationMessage, channel: NotificationChannel): Notification => ({
  uuid: "notification000000000001" as NotificationUuid,
  teamId: rootTeam,
  channel,
  recipient: null,
  message,
  attempts: 0,
  dueAt: at,
  createdAt: at
})

const documentOf = (
  message: NotificationMessage,
  channel: Exclude<NotificationChannel, "email">,
  values: ChannelValues = {},
  link: string | null = null
) =>
  notificationRequest(notificationOf(message, channel), channel, {
    values: { ...valuesOf(channel, undefined), ...values },
    link,
    services
  }).document

const deployment = {
  uuid: "d1",
  applicationUuid: "a1",
  applicationName: "shop",
  action: "deploy",
  pullRequestId: 0,
  commit: "HEAD",
  status: "failed"
} as const
const failed = deploymentMessage(deployment) as NotificationMessage

/** Returns one message of each event with names. */
const messagesWith = (name: string): ReadonlyArray<NotificationMessage> => [
  deploymentMessage({ ...deployment, applicationName: name, status: "finished" }) as NotificationMessage,
  deploymentMessage({ ...deployment, applicationName: name }) as NotificationMessage,
  approvalMessage({ ...deployment, applicationName: name }),
  statusMessage("application", { name, uuid: "a1" }, "degraded"),
  backupMessage({ name, uuid: "b1", kind: "redis" }, { backup: "s1", frequency: "daily" }, false),
  backupMessage({ name, uuid: "b1", kind: "redis" }, { backup: "s1", frequency: "daily" }, true),
  taskMessage({ name, uuid: "a1" }, { name, uuid: "t1" }, false),
  taskMessage({ name, uuid: "a1" }, { name, uuid: "t1" }, true),
  cleanupMessage({ name, uuid: "s1" }, false),
  cleanupMessage({ name, uuid: "s1" }, true),
  certificateMessage({ name, uuid: "a1" }, { host: "shop.example", problem: "expired", until: at }),
  diskMessage({ name, uuid: "s1" }, 91, 80),
  reachabilityMessage({ name, uuid: "s1" }, true),
  reachabilityMessage({ name, uuid: "s1" }, false)
]

describe("notification messages", () => {
  it("cover every notification event", () => {
    expect(messagesWith("shop").map(({ event }) => event)).toEqual(notificationEventNames)
  })

  it("contain only fixed words, names and UUIDs", () => {
    expect(failed).toEqual({
      event: "deployment_failure",
      title: "Deployment failed",
      text: "Deployment of shop failed.",
      facts: { application_name: "shop", application_uuid: "a1", deployment_uuid: "d1" },
      path: "/deployments/d1"
    })
    // Further fields of the rows, such as reasons and outputs, are ignored.
    const rows = { reason: "TOKEN=hunter2", message: "hunter2", settings: { password: "hunter2" }, command: "hunter2" }
    const all = [
      deploymentMessage({ ...deployment, ...rows }),
      statusMessage("database", { name: "orders", uuid: "b1", ...rows }, "failed"),
      backupMessage({ name: "orders", uuid: "b1", kind: "redis", ...rows }, { backup: "s", frequency: "daily" }, true),
      taskMessage({ name: "shop", uuid: "a1", ...rows }, { name: "nightly", uuid: "t1", ...rows }, true),
      cleanupMessage({ name: "one", uuid: "s1", ...rows }, true),
      reachabilityMessage({ name: "one", uuid: "s1", ...rows }, false)
    ]
    expect(JSON.stringify(all)).not.toContain("hunter2")
  })

  it("report a deployment that waits for an approval", () => {
    expect(approvalMessage({ ...deployment, action: "rollback" })).toEqual({
      event: "deployment_approval",
      title: "Approval requested",
      text: "Rollback of shop waits for an approval.",
      facts: { application_name: "shop", application_uuid: "a1", deployment_uuid: "d1" },
      path: "/deployments/d1"
    })
  })

  it("are not created for cancelled deployments and successful stops", () => {
    expect(deploymentMessage({ ...deployment, status: "cancelled" })).toBeUndefined()
    expect(deploymentMessage({ ...deployment, action: "stop", status: "finished" })).toBeUndefined()
    expect(deploymentMessage({ ...deployment, action: "stop" })?.title).toBe("Stop failed")
  })
})

describe("the routing of events", () => {
  it("has one setting per event and channel, with the default of the table", () => {
    for (const channel of channelNames) {
      const { fields } = channels[channel] as { readonly fields: Readonly<Record<string, { readonly unset: unknown }>> }
      for (const event of notificationEventNames) {
        expect(fields[eventSetting(event, channel)]?.unset).toBe(notificationEvents[event].isReported)
      }
    }
    expect(notificationEventNames.filter((event) => notificationEvents[event].isReported)).toEqual([
      "deployment_failure",
      "deployment_approval",
      "backup_failure",
      "scheduled_task_failure",
      "docker_cleanup_failure",
      "certificate_failure",
      "server_disk_usage",
      "server_unreachable"
    ])
  })

  it("selects the enabled channels that report the event, and every email recipient", () => {
    const row = (channel: NotificationChannel, values: ChannelValues) => ({
      teamId: rootTeam,
      channel,
      values,
      secrets: {},
      updatedAt: at
    })
    const all = [
      row("email", { smtp_enabled: true, smtp_recipients: "a@b.example,c@d.example, a@b.example" }),
      row("slack", { slack_enabled: true, deployment_failure_slack_notifications: false }),
      row("discord", { discord_enabled: false }),
      row("webhook", { webhook_enabled: true, deployment_success_webhook_notifications: true })
    ]
    expect(targetsOf("deployment_failure", all)).toEqual([
      { channel: "email", recipient: "a@b.example" },
      { channel: "email", recipient: "c@d.example" },
      { channel: "webhook", recipient: null }
    ])
    expect(targetsOf("deployment_success", all)).toEqual([{ channel: "webhook", recipient: null }])
  })
})

describe("payloads of notifications", () => {
  const link = "https://deploy.example/api/v1/deployments/d1"

  it("for webhooks are flat JSON objects with the event and field names of Coolify", () => {
    expect(documentOf(failed, "webhook", {}, link)).toEqual({
      success: false,
      message: "Deployment of shop failed.",
      event: "deployment_failed",
      application_name: "shop",
      application_uuid: "a1",
      deployment_uuid: "d1",
      url: link
    })
    expect(messagesWith("x").map((message) => documentOf(message, "webhook").event)).toEqual([
      "deployment_success",
      "deployment_failed",
      "deployment_approval_requested",
      "status_changed",
      "backup_success",
      "backup_failed",
      "task_success",
      "task_failed",
      "docker_cleanup_success",
      "docker_cleanup_failed",
      "certificate_failed",
      "high_disk_usage",
      "server_reachable",
      "server_unreachable"
    ])
  })

  it("mention all Discord users only for failures, and only if the setting enables mentions", () => {
    const finished = messagesWith("shop")[0] as NotificationMessage
    expect(documentOf(failed, "discord", {}, link)).toEqual({
      content: "@here",
      allowed_mentions: { parse: ["everyone"] },
      embeds: [
        {
          title: "Deployment failed",
          description: "Deployment of shop failed.",
          color: 0xe01e5a,
          timestamp: at,
          url: link
        }
      ]
    })
    for (const [message, values] of [
      [finished, {}],
      [failed, { discord_ping_enabled: false }]
    ] as const) {
      const { content, ...document } = documentOf(message, "discord", values)
      expect([content, document.allowed_mentions]).toEqual([undefined, { parse: [] }])
    }
  })

  it("link to the resource in Slack and Pushover, and name the thread of the event in Telegram", () => {
    expect(documentOf(failed, "slack", {}, link)).toMatchObject({
      attachments: [
        {
          color: "#e01e5a",
          blocks: [{}, {}, { type: "section", text: { type: "mrkdwn", text: `<${link}|Show in Slipway>` } }]
        }
      ]
    })
    expect(documentOf(failed, "pushover", { pushover_api_token: "t", pushover_user_key: "u" }, link)).toEqual({
      token: "t",
      user: "u",
      title: "Deployment failed",
      message: "Deployment of shop failed.",
      timestamp: 1_767_323_045,
      url: link,
      url_title: "Show in Slipway"
    })
    const values = {
      telegram_chat_id: "@ops",
      telegram_notifications_deployment_failure_thread_id: "17",
      telegram_notifications_deployment_success_thread_id: "18"
    }
    expect(documentOf(failed, "telegram", values, link)).toEqual({
      chat_id: "@ops",
      message_thread_id: 17,
      text: `Deployment failed\n\nDeployment of shop failed.\n\n${link}`,
      link_preview_options: { is_disabled: true }
    })
  })

  it("show hostile names as text, without mentions, links or markup", () => {
    const name = "@everyone <!channel> <@U1> [free](https://evil.example) **b** `c` &amp;"
    for (const message of messagesWith(name)) {
      const { description } = (documentOf(message, "discord") as { embeds: [{ description: string }] }).embeds[0]
      expect(description).toContain(
        "\\@everyone \\<!channel\\> \\<\\@U1\\> \\[free\\]\\(https\\://evil.example\\) \\*\\*b\\*\\* \\`c\\` &amp;"
      )
      const slack = documentOf(message, "slack") as { text: string; attachments: [{ blocks: [object, object] }] }
      expect(slack.text).toContain("@everyone &lt;!channel&gt; &lt;@U1&gt; [free]")
      expect(slack.text).not.toMatch(/[<>]/)
      expect(slack.attachments[0].blocks[1]).toEqual({
        type: "section",
        text: { type: "plain_text", text: message.text }
      })
      expect(documentOf(message, "telegram")).not.toHaveProperty("parse_mode")
      expect(documentOf(message, "pushover")).not.toHaveProperty("html")
    }
  })

  it("stay within the limits of each service even with the longest names", () => {
    for (const message of messagesWith("@".repeat(255))) {
      expect(message.title.length).toBeLessThanOrEqual(150)
      expect(message.text.length).toBeLessThanOrEqual(1_024)
      const [{ description }] = (documentOf(message, "discord") as { embeds: [{ description: string }] }).embeds
      expect(description.length).toBeLessThanOrEqual(4_096)
    }
  })
})
