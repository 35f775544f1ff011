import { assert, describe, it } from "@effect/vitest"
import { ScheduledTasks, Variables } from "@slipway/deploy/apps"
import { Backups } from "@slipway/deploy/databases"
import { Notifications } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { type HookRequest, HookSender, type Mail } from "@slipway/domain"
import { EngineRefused } from "@slipway/domain/deploy/containers"
import { defaultBackup } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import {
  type ChannelValues,
  eventSetting,
  type NotificationChannel,
  NotificationMailer,
  notificationEventNames
} from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { plantDatabase, runDatabase } from "../support/databaseSupport.ts"
import {
  pass,
  passUntilEnded,
  place,
  plantApplication,
  queue,
  settings,
  shown,
  startWorker,
  world
} from "../support/support.ts"

/** The bodies of requests, emails, and log lines about notifications. */
class Sent extends Context.Service<
  Sent,
  { readonly bodies: Array<string>; readonly mails: Array<Mail>; readonly logged: Array<string> }
>()("@slipway/memory/test/Sent") {}

const sent = Layer.sync(Sent, () => ({ bodies: [], mails: [], logged: [] }))
const network = Layer.effectContext(
  Effect.map(Sent, ({ bodies, logged, mails }) => {
    const logger = Logger.make<unknown, void>(({ message }) => {
      if (String(message).startsWith("the notification ")) logged.push(String(message))
    })
    return Context.make(HookSender, {
      send: ({ body, url }: HookRequest) =>
        Effect.sync(() => {
          bodies.push(body)
          return { status: url.includes("slack") ? 410 : 200, headers: {}, body: "" }
        })
    }).pipe(
      Context.add(NotificationMailer, {
        instance: null,
        through: (_, mail) => Effect.sync(() => void mails.push(mail))
      }),
      Context.add(Logger.CurrentLoggers, new Set([logger]))
    )
  })
)

const platform = Layer.merge(world, Layer.provideMerge(network, sent))

const channels: Readonly<Record<NotificationChannel, ChannelValues>> = {
  email: {
    smtp_enabled: true,
    smtp_host: "mail.example",
    smtp_from_address: "ops@team.example",
    smtp_recipients: "ann@a.example",
    smtp_username: "ops",
    smtp_password: "channel-secret-e"
  },
  webhook: {
    webhook_enabled: true,
    webhook_url: "https://hooks.example/channel-secret-w"
  },
  discord: { discord_enabled: true, discord_webhook_url: "https://hooks.example/channel-secret-d" },
  slack: { slack_enabled: true, slack_webhook_url: "https://slack.example/channel-secret-s" },
  telegram: { telegram_enabled: true, telegram_token: "1:channel-secret-t", telegram_chat_id: "7" },
  pushover: { pushover_enabled: true, pushover_user_key: "u", pushover_api_token: "a" }
}

/** Secrets that reasons and outputs quote; each is hostile to another format. */
const corpus = [
  "variable-secret-1",
  'variable-secret-"2',
  "variable-secret-<3>&",
  "variable-secret-\\4\\n",
  "variable-secret-%35",
  "variable-secret-`6` @here"
]
const all = corpus.join("; ")

describe("notifications", () => {
  it.effect("contain no secret, even if a reason, an output or a channel setting contains one (invariant I15)", () =>
    Effect.gen(function* () {
      const { bodies, logged, mails } = yield* Sent
      for (const [channel, values] of Object.entries(channels) as Array<[NotificationChannel, ChannelValues]>) {
        const every = Object.fromEntries(notificationEventNames.map((event) => [eventSetting(event, channel), true]))
        yield* Notifications.update(system("notification.update"), channel, { ...values, ...every }, undefined)
      }
      const simulation = yield* EngineSimulation
      const output = [{ stream: "stderr" as const, text: all }]
      yield* simulation.publish("postgres:17-alpine", { command: () => ({ exitCode: 1, output }) })
      yield* simulation.onBuild(() => ({ image: { command: () => ({ exitCode: 1, output }) } }))
      const there = yield* place()
      const application = yield* plantApplication(there)
      for (const [n, value] of corpus.entries()) {
        const input = { key: `SECRET_${n}`, value: Redacted.make(value) }
        yield* Variables.create(system("application.update", { application }), input)
      }
      yield* startWorker()
      yield* passUntilEnded(yield* queue(1, application), 60)
      yield* Effect.forkScoped(Pipeline.runTasks(settings))
      yield* Effect.forkScoped(Pipeline.runBackups(settings))
      const task = yield* ScheduledTasks.create(system("task.create", { application }), {
        name: "nightly",
        command: "printenv",
        frequency: "yearly",
        container: null,
        timeout: 30,
        isEnabled: true
      })
      yield* ScheduledTasks.execute(system("task.execute", { application, task }))
      const database = yield* runDatabase(yield* plantDatabase(there, { name: "orders" }))
      const input = { ...defaultBackup, frequency: "yearly", keeps: 2, timeout: 60 }
      yield* Backups.create(system("database.backup.create", { database }), input, true)
      yield* pass(5)
      yield* simulation.onCall((_, operation) =>
        operation === "create" || operation === "start" ? Effect.fail(new EngineRefused({ because: all })) : Effect.void
      )
      const broken = yield* queue(2, application)
      yield* passUntilEnded(broken, 60)
      assert.include((yield* shown(broken)).reason ?? "", "variable-secret-1")
      assert.strictEqual((yield* runDatabase(database)).state, "failed")
      yield* pass(5)
      const events = [
        "Deployment of application 2 failed",
        "nightly of application 1 failed",
        "orders failed",
        "orders could"
      ]
      const everything = [...bodies, ...mails.map((mail) => JSON.stringify(mail)), ...logged]
      for (const event of events) {
        // Each of the six channels reports it once.
        assert.strictEqual(everything.filter((text) => text.includes(event)).length, 6, event)
      }
      assert.isAbove(logged.length, 0)
      for (const text of everything) {
        assert.notInclude(text, "variable-secret")
        assert.notInclude(text, "channel-secret")
      }
    }).pipe(Effect.scoped, Effect.provide(platform))
  )
})
