import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Notifications } from "@slipway/deploy/infrastructure"
import { Vault } from "@slipway/domain"
import { system } from "@slipway/domain/deploy/entry"
import {
  type ChannelValues,
  type NotificationChannel,
  NotificationServices
} from "@slipway/domain/deploy/infrastructure"
import { layerEgress, layerHookSender } from "@slipway/egress"
import { layerCryptography } from "@slipway/http/node"
import { layer as memory } from "@slipway/memory/deploy"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"

/** Runs a receiver on this machine while the scope is open. */
const receiver = Effect.gen(function* () {
  const received: Array<readonly [path: string, contentType: string | undefined, body: string]> = []
  const state = { status: 200 }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push([request.url ?? "", request.headers["content-type"], Buffer.concat(chunks).toString()])
      response.writeHead(state.status, state.status === 302 ? { location: "/elsewhere" } : {}).end("{}")
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise<void>((done) => server.close(() => done()))
      })
  )
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, state }
})

/** The stores, and the network by the egress rule. */
const platform = (base: string, allowPrivate: boolean) =>
  Layer.mergeAll(
    memory,
    Vault.layer(Redacted.make(new Uint8Array(32).fill(7))).pipe(Layer.provideMerge(layerCryptography)),
    Layer.provide(layerHookSender, layerEgress({ allowPrivate })),
    Layer.succeed(NotificationServices, { telegram: base, pushover: base })
  )

/** Sets a channel, and sends a test through it. */
const tested = (channel: NotificationChannel, values: ChannelValues) =>
  TestClock.withLive(
    Effect.andThen(
      Notifications.update(system("notification.update"), channel, values, undefined),
      Notifications.test(system("notification.test"), channel)
    )
  )

const text = "This is a test notification from Slipway. The channel works."

const settingsOf = (base: string): ReadonlyArray<readonly [NotificationChannel, ChannelValues]> => [
  ["webhook", { webhook_enabled: true, webhook_url: `${base}/hook?key=1` }],
  ["discord", { discord_enabled: true, discord_webhook_url: `${base}/discord` }],
  ["slack", { slack_enabled: true, slack_webhook_url: `${base}/slack` }],
  ["telegram", { telegram_enabled: true, telegram_token: "1:t", telegram_chat_id: "7" }],
  ["pushover", { pushover_enabled: true, pushover_user_key: "u", pushover_api_token: "a" }]
]

describe("the delivery of notifications over the network", () => {
  it.effect("sends each channel the payload in its format", () =>
    Effect.gen(function* () {
      const { base, received } = yield* receiver
      yield* Effect.provide(
        Effect.forEach(settingsOf(base), ([channel, values]) => tested(channel, values)),
        platform(base, true)
      )
      const json = "application/json"
      const masked = received.map(([path, type, body]) => [
        path,
        type,
        body.replace(/"timestamp":("[^"]*"|\d+)/, '"timestamp":0')
      ])
      expect(masked).toEqual([
        ["/hook?key=1", json, `{"success":true,"message":"${text}","event":"test"}`],
        [
          "/discord",
          json,
          `{"allowed_mentions":{"parse":[]},"embeds":[{"title":"Test notification","description":"${text}","color":3589616,"timestamp":0}]}`
        ],
        [
          "/slack",
          json,
          `{"text":"Test notification: ${text}","attachments":[{"color":"#36c5f0","blocks":[{"type":"header","text":{"type":"plain_text","text":"Test notification"}},{"type":"section","text":{"type":"plain_text","text":"${text}"}}]}]}`
        ],
        [
          "/bot1:t/sendMessage",
          json,
          `{"chat_id":"7","text":"Test notification\\n\\n${text}","link_preview_options":{"is_disabled":true}}`
        ],
        [
          "/1/messages.json",
          json,
          `{"token":"a","user":"u","title":"Test notification","message":"${text}","timestamp":0}`
        ]
      ])
    })
  )

  it.effect("follows no redirect, and reports the error status of a receiver", () =>
    Effect.gen(function* () {
      const { base, received, state } = yield* receiver
      const because = Effect.fnUntraced(function* (status: number) {
        state.status = status
        return (yield* Effect.flip(tested("slack", settingsOf(base)[2]?.[1] ?? {}))) as { readonly because?: string }
      })
      const failures = yield* Effect.provide(Effect.forEach([302, 410, 500], because), platform(base, true))
      expect(failures.map((failure) => failure.because)).toEqual([
        "the receiver redirects, and redirects are not followed",
        "the receiver responded with 410",
        "the receiver responded with 500"
      ])
      expect(received.map(([path]) => path)).toEqual(["/slack", "/slack", "/slack"])
    })
  )

  it.effect("connects to no private address unless the instance allows it (invariant I14)", () =>
    Effect.gen(function* () {
      const { base, received } = yield* receiver
      const failures = yield* Effect.provide(
        Effect.forEach(settingsOf(base), ([channel, values]) => Effect.flip(tested(channel, values))),
        platform(base, false)
      )
      for (const failure of failures) {
        expect(failure).toMatchObject({
          because: "the host's address 127.0.0.1 is private and this instance doesn't allow that",
          isRejected: true
        })
      }
      expect(received).toEqual([])
    })
  )
})
