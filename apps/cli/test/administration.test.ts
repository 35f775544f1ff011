import { describe, expect, it } from "@effect/vitest"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { ConfigProvider, Effect, Redacted } from "effect"
import { TestConsole } from "effect/testing"
import { ground, run, said as saidOf } from "./support/command.ts"

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMoc5kcqVKqT3e3fJ5y3bGYQ1zVbW3yQK2qWq0pNO3tT ann@example"
const sealing = Buffer.alloc(32, 7).toString("base64")

/** Runs a command below `slipway forge admin`. */
const said = (...args: ReadonlyArray<string>) => saidOf("forge", "admin", ...args)

describe.skipIf(postgresMissing() !== undefined)("15. slipway forge admin", () => {
  it.live("has badges, tasks, keys, webhooks, notices and users, with help for each", () =>
    Effect.gen(function* () {
      const env = { FORGE_DATABASE_URL: Redacted.value((yield* testDatabase).url), FORGE_ENCRYPTION_KEY: sealing }
      yield* Effect.gen(function* () {
        expect(yield* said("user", "create", "ann", "--email", "ann@example.com")).toContain("created user 1: ann")
        expect(yield* said("badge", "create", "first", "--description", "Who was first")).toBe("made the badge first")
        expect(yield* said("badge", "give", "first", "ann")).toBe("gave first to ann")
        expect(yield* said("badge", "list")).toBe("first\tWho was first")
        expect(yield* said("badge", "give", "second", "ann")).toBe("there is no badge `second`")
        expect(yield* said("badge", "take", "first", "ann")).toBe("took first from ann")
        expect(yield* said("badge", "delete", "first")).toBe("deleted the badge first")
        expect(yield* said("cron", "run", "nothing")).toBe("there is no task `nothing`")
        expect(yield* said("cron", "run", "git_gc_repos")).toContain("git_gc_repos is due")
        expect(yield* said("cron", "list")).toMatch(/^git_gc_repos\t17 3 \* \* \*\t\d{4}-/m)
        expect(yield* said("key", "add", "ann", key)).toMatch(/^added the key 1: SHA256:/)
        expect(yield* said("key", "remove", "ann", "2")).toBe("the user has no key 2")
        expect(yield* said("key", "remove", "ann", "1")).toBe("removed the key 1")
        expect(yield* said("hook", "list")).toBe("")
        expect(yield* said("hook", "delete", "1")).toBe("there is no webhook 1 of the site")
        expect(yield* said("notice", "list")).toBe("")
        expect(yield* said("notice", "remove", "1")).toBe("there is no notice 1")
        expect(yield* said("user", "rename", "ann", "anna")).toBe("ann is called anna")
        expect(yield* said("user", "delete", "anna")).toBe("deleted the user anna")
        yield* run(["--completions", "bash"])
        const completion = (yield* TestConsole.logLines).join("\n")
        for (const word of ["user", "key", "badge", "cron", "hook", "notice"]) {
          expect(completion).toContain(word)
          expect(yield* said(word, "--help")).toContain(`slipway forge admin ${word}`)
        }
      }).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
        Effect.provide(ground)
      )
    })
  )
})
