import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { type HookRequest, HookSender, HookUnsent, type Mail, MailRefused } from "@slipway/domain"
import { rootTeam } from "@slipway/domain/deploy/identity"
import { NotificationMailer, type TeamMailServer, TeamNotificationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Redacted } from "effect"
import { start, stores } from "../support/harness.ts"

const url = "https://hooks.example/T0/secret-path"

/** Starts the service with a network that records requests and emails. */
const startRecording = Effect.fnUntraced(function* (
  store: (typeof stores)[keyof typeof stores] = stores.memory,
  { hasMail = false }: { readonly hasMail?: boolean } = {}
) {
  const requests: Array<HookRequest> = []
  const emails: Array<{ readonly server: TeamMailServer | null; readonly mail: Mail }> = []
  const network: { answer: number | HookUnsent; problem: string | undefined } = { answer: 200, problem: undefined }
  const sent = (server: TeamMailServer | null, mail: Mail) =>
    Effect.suspend(() => {
      emails.push({ server, mail })
      return network.problem === undefined ? Effect.void : Effect.fail(new MailRefused({ problem: network.problem }))
    })
  const recording = Layer.merge(
    Layer.succeed(HookSender, {
      send: (request) =>
        Effect.suspend(() => {
          requests.push(request)
          const { answer } = network
          return typeof answer === "number"
            ? Effect.succeed({ status: answer, headers: {}, body: "" })
            : Effect.fail(answer)
        })
    }),
    Layer.succeed(NotificationMailer, {
      instance: hasMail ? (mail) => sent(null, mail) : null,
      through: sent
    })
  )
  const service = yield* start(store, recording)
  return { ...service, emails, network, requests }
})

/** The settings of events of a channel, with the defaults of Coolify. */
const eventDefaults = (channel: string) => ({
  [`deployment_success_${channel}_notifications`]: false,
  [`deployment_failure_${channel}_notifications`]: true,
  [`deployment_approval_${channel}_notifications`]: true,
  [`status_change_${channel}_notifications`]: false,
  [`backup_success_${channel}_notifications`]: false,
  [`backup_failure_${channel}_notifications`]: true,
  [`scheduled_task_success_${channel}_notifications`]: false,
  [`scheduled_task_failure_${channel}_notifications`]: true,
  [`docker_cleanup_success_${channel}_notifications`]: false,
  [`docker_cleanup_failure_${channel}_notifications`]: true,
  [`certificate_failure_${channel}_notifications`]: true,
  [`server_disk_usage_${channel}_notifications`]: true,
  [`server_reachable_${channel}_notifications`]: false,
  [`server_unreachable_${channel}_notifications`]: true
})

const events = [
  "deployment_success",
  "deployment_failure",
  "deployment_approval",
  "status_change",
  "backup_success",
  "backup_failure",
  "scheduled_task_success",
  "scheduled_task_failure",
  "docker_cleanup_success",
  "docker_cleanup_failure",
  "certificate_failure",
  "server_disk_usage",
  "server_reachable",
  "server_unreachable"
]
const threads = Object.fromEntries(events.map((event) => [`telegram_notifications_${event}_thread_id`, null]))

const defaults = {
  email: {
    team_id: 0,
    smtp_enabled: false,
    smtp_from_address: null,
    smtp_from_name: null,
    smtp_recipients: null,
    smtp_host: null,
    smtp_port: null,
    smtp_encryption: null,
    smtp_username: null,
    smtp_password: null,
    smtp_timeout: null,
    smtp_ehlo_domain: null,
    use_instance_email_settings: false,
    ...eventDefaults("email")
  },
  webhook: {
    team_id: 0,
    webhook_enabled: false,
    webhook_url: null,
    webhook_secret: null,
    ...eventDefaults("webhook")
  },
  discord: {
    team_id: 0,
    discord_enabled: false,
    discord_webhook_url: null,
    discord_ping_enabled: true,
    ...eventDefaults("discord")
  },
  slack: { team_id: 0, slack_enabled: false, slack_webhook_url: null, ...eventDefaults("slack") },
  telegram: {
    team_id: 0,
    telegram_enabled: false,
    telegram_token: null,
    telegram_chat_id: null,
    ...eventDefaults("telegram"),
    ...threads
  },
  pushover: {
    team_id: 0,
    pushover_enabled: false,
    pushover_user_key: null,
    pushover_api_token: null,
    ...eventDefaults("pushover")
  }
} as const

type Channel = keyof typeof defaults

/** Settings that enable each channel, and those among them that are secret. */
const enabled: Readonly<Record<Channel, Readonly<Record<string, unknown>>>> = {
  email: {
    smtp_enabled: true,
    smtp_from_address: "ops@team.example",
    smtp_from_name: "Ops",
    smtp_recipients: "ann@a.example, bob@b.example",
    smtp_host: "mail.team.example",
    smtp_username: "ops",
    smtp_password: "mail passw0rd",
    smtp_timeout: 5,
    smtp_ehlo_domain: "deploy.example"
  },
  webhook: { webhook_enabled: true, webhook_url: url, webhook_secret: "the webhook's secret" },
  discord: { discord_enabled: true, discord_webhook_url: url },
  slack: { slack_enabled: true, slack_webhook_url: url },
  telegram: { telegram_enabled: true, telegram_token: "123:AbC-d_e", telegram_chat_id: "-1007" },
  pushover: { pushover_enabled: true, pushover_user_key: "uKey1", pushover_api_token: "aT0ken" }
}
const secrets: Readonly<Record<Channel, ReadonlyArray<string>>> = {
  email: ["smtp_password"],
  webhook: ["webhook_url", "webhook_secret"],
  discord: ["discord_webhook_url"],
  slack: ["slack_webhook_url"],
  telegram: ["telegram_token"],
  pushover: ["pushover_user_key", "pushover_api_token"]
}
const channels = Object.keys(defaults) as ReadonlyArray<Channel>

const testText = "This is a test notification from Slipway. The channel works."

for (const [name, store] of Object.entries(stores)) {
  describe(`notification settings over ${name}`, () => {
    it.live("start with Coolify's defaults, store all sent values, and hide secrets", () =>
      Effect.gen(function* () {
        const { ask, logged, mint, within } = yield* startRecording(store)
        const { text: reader } = yield* mint("read")
        const { text: writer } = yield* mint("write")
        const { text: sensitive } = yield* mint("read:sensitive")
        for (const channel of channels) {
          const path = `/notifications/${channel}`
          expect(yield* ask(200, "GET", path), channel).toEqual(defaults[channel])
          const whole = { ...defaults[channel], ...enabled[channel] }
          const hidden = { ...whole, ...Object.fromEntries(secrets[channel].map((field) => [field, null])) }
          expect(yield* ask(200, "PATCH", path, enabled[channel], { token: writer }), channel).toEqual(hidden)
          expect(yield* ask(200, "GET", path, undefined, { token: reader }), channel).toEqual(hidden)
          expect(yield* ask(200, "GET", path, undefined, { token: sensitive }), channel).toEqual(whole)
          const flag = `backup_success_${channel}_notifications`
          expect(yield* ask(200, "PATCH", path, { [flag]: true }), channel).toEqual({ ...whole, [flag]: true })
        }
        const stored = JSON.stringify(
          yield* within(Effect.flatMap(TeamNotificationStore, ({ settings }) => settings(rootTeam)))
        )
        for (const secret of ["passw0rd", "secret-path", "the webhook's secret", "123:AbC", "uKey1", "aT0ken"]) {
          expect(stored).not.toContain(secret)
          expect(logged.join()).not.toContain(secret)
        }
        yield* ask(200, "PATCH", "/notifications/slack", { slack_enabled: false, slack_webhook_url: null })
        expect(yield* ask(200, "GET", "/notifications/slack")).toEqual({
          ...defaults.slack,
          backup_success_slack_notifications: true
        })
      })
    )
  })
}

describe("notification settings", () => {
  it.live("are unchanged by a request with invalid fields, and the response names each invalid field", () =>
    Effect.gen(function* () {
      const { ask } = yield* startRecording()
      const cases: ReadonlyArray<readonly [Channel, Readonly<Record<string, unknown>>, object]> = [
        ["slack", { slack_enabled: true }, { slack_webhook_url: ["Must be set, because slack_enabled is true."] }],
        [
          "slack",
          { slack_webhook_url: "ftp://x", slack_enabled: "yes", traefik_outdated_slack_notifications: true },
          {
            slack_webhook_url: ["Must be an http:// or https:// URL without user name and password."],
            slack_enabled: ["Must be true or false."],
            traefik_outdated_slack_notifications: ["This field is not allowed."]
          }
        ],
        [
          "discord",
          { discord_webhook_url: "https://me:you@x.example/" },
          { discord_webhook_url: ["Must be an http:// or https:// URL without user name and password."] }
        ],
        [
          "telegram",
          { telegram_enabled: true, telegram_token: "1:a/../b", telegram_chat_id: "me" },
          {
            telegram_token: ["Must be a bot token, such as 123456:ABC-DEF."],
            telegram_chat_id: ["Must be the id of a chat, or @channel."]
          }
        ],
        [
          "pushover",
          { pushover_enabled: true, pushover_user_key: "k" },
          { pushover_api_token: ["Must be set, because pushover_enabled is true."] }
        ],
        [
          "email",
          { smtp_enabled: true },
          {
            smtp_host: ["Must be set, because smtp_enabled is true."],
            smtp_from_address: ["Must be set, because smtp_enabled is true."],
            smtp_recipients: ["Must be set, because smtp_enabled is true."]
          }
        ],
        [
          "email",
          { smtp_recipients: "a@b.example, c", smtp_port: 0, smtp_host: "a b", smtp_timeout: 31 },
          {
            smtp_recipients: ["Must be email addresses, separated by commas."],
            smtp_port: ["Must be a whole number from 1 to 65535."],
            smtp_host: ["Must be a host name or an IP address."],
            smtp_timeout: ["Must be a whole number from 1 to 30."]
          }
        ],
        [
          "email",
          { smtp_username: "u", smtp_password: "p", smtp_encryption: "none" },
          { smtp_encryption: ["Must not be none with smtp_password, which would be sent unencrypted."] }
        ],
        ["email", { smtp_password: "p" }, { smtp_username: ["Must be set, because smtp_password is set."] }],
        [
          "email",
          { use_instance_email_settings: true, smtp_recipients: "a@b.example" },
          { use_instance_email_settings: ["Must be false: this instance has no mail server (DEPLOY_MAIL_URL)."] }
        ]
      ]
      for (const [channel, body, errors] of cases) {
        expect(yield* ask(400, "PATCH", `/notifications/${channel}`, body), JSON.stringify(body)).toEqual({
          message: "Validation failed.",
          errors
        })
        expect(yield* ask(200, "GET", `/notifications/${channel}`)).toEqual(defaults[channel])
      }
    })
  )
})

describe("the stored password of the mail server", () => {
  it.live("is not sent to another server if the caller's token cannot read secrets", () =>
    Effect.gen(function* () {
      const { ask, mint } = yield* startRecording()
      yield* ask(200, "PATCH", "/notifications/email", enabled.email)
      const { text: token } = yield* mint("read", "write")
      for (const change of [{ smtp_host: "evil.example" }, { smtp_port: 2525 }, { smtp_username: "me" }]) {
        expect(yield* ask(400, "PATCH", "/notifications/email", change, { token })).toEqual({
          message: "Validation failed.",
          errors: {
            smtp_password: [
              "Must be sent again with another mail server, unless the token has `read:sensitive` or `root`."
            ]
          }
        })
      }
      const own = { smtp_host: "mail.example", smtp_password: "another" }
      expect((yield* ask(200, "PATCH", "/notifications/email", own, { token })).smtp_host).toBe("mail.example")
      yield* ask(200, "PATCH", "/notifications/email", { smtp_from_name: "Ops" }, { token })
      yield* ask(200, "PATCH", "/notifications/email", { smtp_host: "root.example" })
    })
  )
})

describe("a test notification", () => {
  it.live("requires an enabled channel and the `write` ability", () =>
    Effect.gen(function* () {
      const { ask, mint, requests } = yield* startRecording()
      expect(yield* ask(400, "POST", "/notifications/slack/test")).toEqual({
        message: "Validation failed.",
        errors: { slack_enabled: ["Must be true to send a test notification."] }
      })
      yield* ask(200, "PATCH", "/notifications/slack", enabled.slack)
      const { text: token } = yield* mint("read", "read:sensitive", "deploy")
      yield* ask(403, "POST", "/notifications/slack/test", undefined, { token })
      expect(requests).toEqual([])
    })
  )

  it.live("is sent to each service in its own format", () =>
    Effect.gen(function* () {
      const { ask, requests } = yield* startRecording()
      yield* ask(200, "PATCH", "/settings", { instance_domains: "https://deploy.example" })
      const documents: Record<string, unknown> = {}
      for (const channel of channels.filter((each) => each !== "email")) {
        yield* ask(200, "PATCH", `/notifications/${channel}`, enabled[channel])
        expect(yield* ask(200, "POST", `/notifications/${channel}/test`)).toEqual({
          message: "Test notification sent."
        })
        const { body, headers, method, url: to } = requests.at(-1) as HookRequest
        documents[channel] = [method, to, JSON.parse(body)]
        expect(headers).toMatchObject({ "Content-Type": "application/json", "User-Agent": "Slipway" })
        if (channel !== "webhook") expect(Object.keys(headers)).toEqual(["Content-Type", "User-Agent"])
      }
      expect(documents).toEqual({
        webhook: ["POST", url, { success: true, message: testText, event: "test" }],
        discord: [
          "POST",
          url,
          {
            allowed_mentions: { parse: [] },
            embeds: [
              {
                title: "Test notification",
                description: testText,
                color: 3_589_616,
                timestamp: expect.any(String)
              }
            ]
          }
        ],
        slack: [
          "POST",
          url,
          {
            text: `Test notification: ${testText}`,
            attachments: [
              {
                color: "#36c5f0",
                blocks: [
                  { type: "header", text: { type: "plain_text", text: "Test notification" } },
                  { type: "section", text: { type: "plain_text", text: testText } }
                ]
              }
            ]
          }
        ],
        telegram: [
          "POST",
          "https://api.telegram.org/bot123:AbC-d_e/sendMessage",
          {
            chat_id: "-1007",
            text: `Test notification\n\n${testText}`,
            link_preview_options: { is_disabled: true }
          }
        ],
        pushover: [
          "POST",
          "https://api.pushover.net/1/messages.json",
          {
            token: "aT0ken",
            user: "uKey1",
            title: "Test notification",
            message: testText,
            timestamp: expect.any(Number)
          }
        ]
      })
    })
  )

  it.live("is signed with HMAC-SHA-256 if the webhook has a secret", () =>
    Effect.gen(function* () {
      const { ask, requests } = yield* startRecording()
      yield* ask(200, "PATCH", "/notifications/webhook", enabled.webhook)
      yield* ask(200, "POST", "/notifications/webhook/test")
      yield* ask(200, "PATCH", "/notifications/webhook", { webhook_secret: null })
      yield* ask(200, "POST", "/notifications/webhook/test")
      const [signed, unsigned] = requests as [HookRequest, HookRequest]
      const tag = createHmac("sha256", "the webhook's secret").update(signed.body).digest("hex")
      const headers = {
        "Content-Type": "application/json",
        "User-Agent": "Slipway",
        "X-Slipway-Event": "test",
        "X-Slipway-Delivery": expect.stringMatching(/^[a-z0-9]{24}$/)
      }
      expect(signed.headers).toEqual({ ...headers, "X-Hub-Signature-256": `sha256=${tag}` })
      expect(unsigned.headers).toEqual(headers)
    })
  )

  it.live("is sent as an email to each recipient through the team's mail server", () =>
    Effect.gen(function* () {
      const { ask, emails } = yield* startRecording()
      yield* ask(200, "PATCH", "/notifications/email", enabled.email)
      yield* ask(200, "POST", "/notifications/email/test")
      expect(emails.map(({ mail }) => mail.to.address)).toEqual(["ann@a.example", "bob@b.example"])
      const [{ mail, server } = { mail: undefined, server: undefined }] = emails
      expect({
        ...server,
        user: { ...server?.user, password: Redacted.value(server?.user?.password as never) }
      }).toEqual({
        host: "mail.team.example",
        port: 587,
        encryption: "starttls",
        user: { name: "ops", password: "mail passw0rd" },
        from: { name: "Ops", address: "ops@team.example" },
        timeout: 5,
        clientName: "deploy.example"
      })
      expect(mail).toMatchObject({
        subject: "Slipway: This is a test notification from Slipway. The channel works",
        text: `${testText}\n\n-- \nSlipway sends this email because the address is a recipient of its notifications.\n`,
        headers: { "X-Slipway-Event": "test" },
        unsubscribe: null
      })
    })
  )

  it.live("is sent as an email through the instance's mail server if the team uses this server", () =>
    Effect.gen(function* () {
      const { ask, emails } = yield* startRecording(stores.memory, { hasMail: true })
      const body = { use_instance_email_settings: true, smtp_recipients: "ann@a.example" }
      yield* ask(200, "PATCH", "/notifications/email", body)
      yield* ask(200, "POST", "/notifications/email/test")
      expect(emails.map(({ mail, server }) => [server, mail.to.address])).toEqual([[null, "ann@a.example"]])
    })
  )

  it.live("reports the reason of a failed delivery (502), without the channel's secrets", () =>
    Effect.gen(function* () {
      const { ask, network } = yield* startRecording()
      yield* ask(200, "PATCH", "/notifications/slack", enabled.slack)
      const because = (because: string) => ({ message: `The notification could not be sent: ${because}.` })
      network.answer = 404
      expect(yield* ask(502, "POST", "/notifications/slack/test")).toEqual(because("the receiver responded with 404"))
      network.answer = 302
      expect(yield* ask(502, "POST", "/notifications/slack/test")).toEqual(
        because("the receiver redirects, and redirects are not followed")
      )
      network.answer = new HookUnsent({ because: `no route to ${url}`, refused: false })
      expect(yield* ask(502, "POST", "/notifications/slack/test")).toEqual(because("no route to …"))
      yield* ask(200, "PATCH", "/notifications/email", enabled.email)
      network.problem = "535 mail passw0rd is wrong"
      expect(yield* ask(502, "POST", "/notifications/email/test")).toEqual(because("535 … is wrong"))
    })
  )
})
