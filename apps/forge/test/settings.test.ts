import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { settings } from "../src/config.ts"

const read = (env: Record<string, string>) =>
  Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const mail = {
  FORGE_DATABASE_URL: "memory:",
  FORGE_MAIL_URL: "smtp://127.0.0.1:1",
  FORGE_MAIL_FROM: "forge@example.com"
}

const site = { FORGE_ROOT_URL: "https://forge.example" }

describe("notification emails", () => {
  it.effect(
    "are on by default with mail, unless the operator disables them, and new accounts get the configured preference",
    () =>
      Effect.gen(function* () {
        const usual = yield* read({ ...mail, ...site })
        expect([usual.notificationMail, usual.emailNotifications]).toEqual([true, "enabled"])
        const chosen = { FORGE_NOTIFICATION_MAIL: "false", FORGE_EMAIL_NOTIFICATIONS: "onmention" }
        const set = yield* read({ ...mail, ...site, ...chosen })
        expect([set.notificationMail, set.emailNotifications]).toEqual([false, "onmention"])
        const off = { FORGE_DATABASE_URL: "memory:" }
        expect((yield* read(off)).notificationMail).toBe(false)
        const needs = yield* Effect.flip(read({ ...off, FORGE_NOTIFICATION_MAIL: "true" }))
        expect(needs.message).toContain("`FORGE_NOTIFICATION_MAIL` needs mail")
        expect((yield* read({ ...mail, ...site, FORGE_NEWS_MAIL: "false" })).notificationMail).toBe(false)
        const both = { ...mail, ...site, FORGE_NEWS_MAIL: "false", FORGE_NOTIFICATION_MAIL: "false" }
        expect((yield* Effect.flip(read(both))).message).toBe(
          "the setting `FORGE_NEWS_MAIL` is the former name of FORGE_NOTIFICATION_MAIL: remove it"
        )
        const odd = yield* Effect.flip(read({ ...off, FORGE_EMAIL_NOTIFICATIONS: "often" }))
        expect(odd.message).toContain("must be one of enabled, onmention, andyourown, disabled")
      })
  )
})

describe("registration", () => {
  it.effect("is off unless set to a known mode", () =>
    Effect.gen(function* () {
      const usual = { FORGE_DATABASE_URL: "memory:" }
      expect((yield* read(usual)).registration).toBe("off")
      expect((yield* read({ ...usual, FORGE_REGISTRATION: "approval" })).registration).toBe("approval")
      const odd = yield* Effect.flip(read({ ...usual, FORGE_REGISTRATION: "true" }))
      expect(odd.message).toContain("`FORGE_REGISTRATION` must be one of off, on, approval")
    })
  )
})

describe("added email addresses", () => {
  it.effect("must be confirmed if the forge sends email, which requires the setting FORGE_ROOT_URL", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(read(mail))
      expect(message).toBe("the setting `FORGE_ROOT_URL` must be set if FORGE_MAIL_URL is set: emails link to the site")
      const set = { ...mail, FORGE_ROOT_URL: "https://forge.example" }
      expect((yield* read(set)).switches.confirmationRequired).toBe(true)
    })
  )

  it.effect("are valid immediately without mail, or if the operator says so", () =>
    Effect.gen(function* () {
      const set = { ...mail, FORGE_ROOT_URL: "https://forge.example", FORGE_CONFIRM_ADDRESSES: "false" }
      expect((yield* read(set)).switches.confirmationRequired).toBe(false)
      const off = { FORGE_DATABASE_URL: "memory:" }
      expect((yield* read(off)).switches.confirmationRequired).toBe(false)
      const { message } = yield* Effect.flip(read({ ...off, FORGE_CONFIRM_ADDRESSES: "true" }))
      expect(message).toContain("`FORGE_CONFIRM_ADDRESSES` needs mail")
    })
  )
})
