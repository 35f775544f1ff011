import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { settings as deploySettings } from "@slipway/deploy-app/config"
import { settingRows as deployRows } from "@slipway/deploy-app/help"
import { settings as forgeSettings } from "@slipway/forge-app/config"
import { settingRows as forgeRows } from "@slipway/forge-app/help"
import { MakesKeys, observabilitySettings, readTogether } from "@slipway/http/node"
import { ConfigProvider, Effect } from "effect"
import { fixture, runForOutput } from "./support/command.ts"

const withSettings =
  (env: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

describe("slipway config", () => {
  const set = {
    DATABASE_URL: "postgres://ann:hunter2@db/site?password=hunter2",
    FORGE_ADMIN_PASSWORD: "hunter2",
    FORGE_MAIL_URL: "smtps://ann:hunter2@mail.example",
    FORGE_PORT: "3001",
    FORGE_ENCRYPTION_KEY_FILE: join(tmpdir(), randomUUID())
  }

  it.effect("prints the meaning, source and default of each setting, and no secret", () =>
    Effect.gen(function* () {
      const text = yield* runForOutput("config", "--json", "--service", "forge")
      const [forge, ...others] = JSON.parse(text.slice(0, text.indexOf("\n]\n") + 2))
      expect(others).toEqual([])
      const found = (name: string) =>
        forge.settings.find(({ variable }: { readonly variable: string }) => variable === name)
      expect(found("FORGE_PORT")).toMatchObject({ value: "3001", from: "FORGE_PORT", default: "3000" })
      expect(found("FORGE_GIT_IDLE")).toMatchObject({ value: "120", from: null, default: "120" })
      expect(found("FORGE_ADMIN_EMAIL")).toMatchObject({ value: null, from: null, default: null })
      expect(found("FORGE_DATABASE_URL")).toMatchObject({ value: "postgres://db/site", from: "DATABASE_URL" })
      expect(found("FORGE_MAIL_URL")).toMatchObject({ value: "smtps://mail.example" })
      expect(found("FORGE_ADMIN_PASSWORD")).toMatchObject({ value: "(hidden)" })
      expect(text).not.toContain("hunter2")
      expect(yield* runForOutput("config")).not.toContain("hunter2")
      expect(existsSync(set.FORGE_ENCRYPTION_KEY_FILE)).toBe(false)
    }).pipe(withSettings(set), Effect.provide(fixture))
  )

  it.effect("reports all errors together", () =>
    Effect.gen(function* () {
      const text = yield* runForOutput("config")
      for (const [variable, problem] of [
        ["FORGE_PORT", "must be a port"],
        ["FORGE_ALLOWED_ORIGINS", "must be * or comma-separated origins, such as https://app.example"],
        ["FORGE_PAGE_SIZE", "must not be larger than `FORGE_MAX_PAGE_SIZE`"],
        ["FORGE_LOG_FORMAT", "must be text or json"],
        ["DEPLOY_TRUSTED_PROXIES", "must be comma-separated networks, such as 10.0.0.0/8"],
        ["DEPLOY_PROXY", "must be spawn, container or external"]
      ]) {
        expect(text).toContain(`the setting \`${variable}\` ${problem}`)
      }
    }).pipe(
      withSettings({
        FORGE_PORT: "http",
        FORGE_ALLOWED_ORIGINS: "https://app.example/",
        FORGE_PAGE_SIZE: "51",
        FORGE_LOG_FORMAT: "xml",
        DEPLOY_TRUSTED_PROXIES: "10.0.0.0/99",
        DEPLOY_PROXY: "nginx"
      }),
      Effect.provide(fixture)
    )
  )

  it.effect.each([
    ["FORGE", forgeSettings, forgeRows],
    ["DEPLOY", deploySettings, deployRows]
  ] as const)("the documented defaults of %s equal the actual defaults", ([prefix, settings, rows]) =>
    Effect.gen(function* () {
      const read = readTogether({
        own: Effect.map(settings as typeof forgeSettings, ({ secretKey: _, ...others }) => others),
        observed: observabilitySettings(prefix)
      }).pipe(Effect.provideService(MakesKeys, false))
      // Once `HOST` is set, the address of the proxy depends on it.
      const told = Object.entries(rows).flatMap(([name, { unlessSet }]) =>
        unlessSet === undefined || name === "HOST" ? [] : [[name, unlessSet] as const]
      )
      const unset = yield* withSettings({})(read)
      expect(yield* withSettings(Object.fromEntries(told))(read)).toEqual(unset)
      expect(told.length).toBeGreaterThan(15)
    })
  )
})
