import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Runners } from "@slipway/forge/automation"
import { postgresMissing, testDatabase } from "@slipway/sql/testing"
import { ConfigProvider, Effect, Redacted } from "effect"
import { TestConsole } from "effect/testing"
import { onStore } from "../src/forge/store.ts"
import { fixture, run, runForOutput as saidOf } from "./support/command.ts"

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMoc5kcqVKqT3e3fJ5y3bGYQ1zVbW3yQK2qWq0pNO3tT ann@example"
const sealing = Buffer.alloc(32, 7).toString("base64")

/** A folder of git repositories with one unadopted repository. */
const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = mkdtempSync(join(tmpdir(), "slipway-cli-"))
    execFileSync("git", ["init", "-q", "--bare", "--template=", join(made, "unadopted", "ann", "old.git")])
    return made
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

/** Runs a command below `slipway forge admin`. */
const said = (...args: ReadonlyArray<string>) => saidOf("forge", "admin", ...args)

describe.skipIf(postgresMissing() !== undefined)("slipway forge admin", () => {
  it.live(
    "manages users, organizations, keys, badges, tasks, webhooks, runners, notices and adoption, with help for each",
    () =>
      Effect.gen(function* () {
        const env = {
          FORGE_DATABASE_URL: Redacted.value((yield* testDatabase).url),
          FORGE_ENCRYPTION_KEY: sealing,
          FORGE_REPOSITORIES: yield* folder
        }
        yield* Effect.gen(function* () {
          expect(yield* said("user", "create", "ann", "--email", "ann@example.com")).toContain("created user 1: ann")
          const memory = { FORGE_DATABASE_URL: "memory:" }
          expect(
            yield* said("user", "list").pipe(
              Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: memory }))
            )
          ).toContain("`memory:` stores nothing")
          expect(yield* said("user", "token", "nope")).toContain("there is no user `nope`")
          expect(yield* said("user", "token", "nope", "--scopes", "read:all")).toContain("`read:all` is not a scope")
          expect(yield* said("user", "list")).toBe("1\tann\tann@example.com\tpublic\t")
          // A lost password.
          expect(yield* said("user", "change-password", "ann")).toMatch(/^password: [A-Za-z0-9]{40}$/m)
          expect(yield* said("badge", "create", "first", "--description", "Who was first")).toBe(
            "created the badge first"
          )
          expect(yield* said("badge", "give", "first", "ann")).toBe("granted first to ann")
          expect(yield* said("badge", "list")).toBe("first\tWho was first")
          expect(yield* said("badge", "list", "--user", "ann")).toBe("first\tWho was first")
          expect(yield* said("badge", "give", "second", "ann")).toBe("there is no badge `second`")
          expect(yield* said("badge", "take", "first", "ann")).toBe("removed first from ann")
          expect(yield* said("badge", "delete", "first")).toBe("deleted the badge first")
          expect(yield* said("cron", "run", "nothing")).toBe("there is no task `nothing`")
          expect(yield* said("cron", "run", "git_gc_repos")).toContain("git_gc_repos is due")
          expect(yield* said("cron", "list")).toMatch(/^git_gc_repos\t17 3 \* \* \*\t\d{4}-/m)
          expect(yield* said("key", "add", "ann", key)).toMatch(/^added the key 1: SHA256:/)
          expect(yield* said("key", "remove", "ann", "2")).toBe("the user has no key 2")
          expect(yield* said("key", "remove", "ann", "1")).toBe("removed the key 1")
          yield* said("user", "create", "root", "--email", "root@example.com", "--admin")
          expect(yield* said("organization", "create", "acme", "--owner", "ann")).toBe(
            "created the organization 3: acme"
          )
          expect(yield* said("organization", "create", "acme", "--owner", "ann")).toBe("the name `acme` is taken")
          expect(yield* said("organization", "list")).toBe("3\tacme\tpublic\t")
          expect(yield* said("organization", "list", "--user", "ann")).toBe("3\tacme\tpublic\t")
          expect(yield* said("organization", "list", "--user", "root")).toBe("")
          expect(yield* said("repository", "create", "ann", "app", "--private", "--init")).toMatch(
            /^created the repository \d+: ann\/app$/
          )
          expect(yield* said("repository", "create", "ann", "app")).toBe("the owner already has a repository `app`")
          expect(yield* said("email", "list", "--search", "root")).toBe("root@example.com\troot\tprimary")
          expect(yield* said("user", "remove-second-factor", "ann")).toBe("the user has no second factor")
          expect(yield* said("user", "edit", "ann", "--full-name", "Ann", "--restricted", "yes")).toBe(
            "changed the user ann"
          )
          expect(yield* said("user", "list")).toContain("ann\tann@example.com\tpublic\trestricted")
          expect(yield* said("user", "edit", "ann", "--restricted", "no")).toBe("changed the user ann")
          expect(yield* said("user", "edit", "root", "--admin", "no")).toBe("the last site administrator must stay")
          expect(yield* said("audit", "list", "--action", "admin.user.repository.create")).toMatch(
            /^\S+\t\tadmin\.user\.repository\.create\tdone\tann\/app\t/
          )
          expect(yield* said("unadopted", "list")).toBe("ann/old")
          expect(yield* said("unadopted", "adopt", "ann", "older")).toBe(
            "there is no unadopted git repository with that name"
          )
          expect(yield* said("unadopted", "adopt", "ann", "old")).toBe("adopted ann/old, private for now")
          expect(yield* said("unadopted", "list")).toBe("")
          const create = ["hook", "create", "https://ci.example/hook"]
          const [mine, root] = [
            ["--as", "ann"],
            ["--as", "root"]
          ]
          for (const [number, place] of [
            ["--own"],
            ["--organization", "acme"],
            ["--repository", "ann/old", "--events", "push,issues", "--branch-filter", "main"]
          ].entries()) {
            expect(yield* said(...create, ...mine, ...place)).toBe(`created the webhook ${number + 1}`)
          }
          expect(yield* said(...create, ...root, "--system")).toBe("created the webhook 4")
          expect(yield* said(...create, ...mine)).toMatch(/^the user in --as lacks permission: /)
          expect(yield* said(...create, "--as", "nobody")).toBe("the user in --as does not exist")
          expect(yield* said(...create, ...mine, "--own", "--events", "all")).toBe("`all` is not an event")
          expect(yield* said("hook", "create", "ftp://x", ...mine, "--own")).toMatch(/^config.url must be an address/)
          const site = ["--repository", "ann/old"]
          const off = ["--state", "off", "--address", "https://new.example/"]
          expect(yield* said("hook", "edit", "3", ...mine, ...site, ...off)).toBe("changed the webhook 3")
          expect(yield* said("hook", "list", ...root, ...site)).toBe("3\trepository\tgitea\thttps://new.example/\toff")
          expect(yield* said("hook", "list", ...root)).toBe("4\tsystem\tgitea\thttps://ci.example/hook\t")
          expect(yield* said("hook", "deliveries", "3", ...mine, ...site)).toBe("")
          expect(yield* said("hook", "redeliver", "3", "1", ...mine, ...site)).toBe("the webhook has no delivery 1")
          expect(yield* said("hook", "delivery", "3", "1", ...mine, ...site)).toBe("the webhook has no delivery 1")
          expect(yield* said("hook", "delete", "3", ...root)).toBe("webhook 3 does not exist in this scope")
          expect(yield* said("hook", "delete", "4", ...root)).toBe("deleted the webhook 4")
          expect(yield* said("runner", "token")).toMatch(/^[A-Za-z0-9]{40}$/)
          expect(yield* said("runner", "list")).toBe("")
          yield* Effect.gen(function* () {
            const token = Redacted.make(yield* said("runner", "token"))
            const labels = ["linux:docker://debian", "arm"]
            yield* Runners.register(token, { name: "box", version: "", labels, ephemeral: false })
          }).pipe(onStore)
          expect(yield* said("runner", "list")).toBe("1\tbox\tlinux,arm\tonline\t")
          expect(yield* said("runner", "disable", "1")).toBe("disabled the runner 1")
          expect(yield* said("runner", "list")).toBe("1\tbox\tlinux,arm\tonline\tdisabled")
          expect(yield* said("runner", "enable", "1")).toBe("enabled the runner 1")
          expect(yield* said("runner", "delete", "1")).toBe("deleted the runner 1")
          expect(yield* said("runner", "delete", "1")).toBe("the site has no runner 1")
          expect(yield* said("notice", "list")).toBe("")
          expect(yield* said("notice", "remove", "1")).toBe("there is no notice 1")
          expect(yield* said("user", "create", "bob", "--email", "bob@example.com")).toMatch(/created user \d+: bob/)
          expect(yield* said("user", "rename", "bob", "rob")).toBe("renamed bob to rob")
          expect(yield* said("user", "delete", "rob")).toBe("deleted the user rob")
          yield* run(["--completions", "bash"])
          const completion = (yield* TestConsole.logLines).join("\n")
          for (const word of [
            "user",
            "organization",
            "repository",
            "key",
            "email",
            "badge",
            "cron",
            "hook",
            "runner",
            "notice",
            "audit",
            "unadopted"
          ]) {
            expect(completion).toContain(word)
            expect(yield* said(word, "--help")).toContain(`slipway forge admin ${word}`)
          }
          for (const word of ["create", "list", "change-password", "token"]) {
            expect(completion).toContain(word)
            expect(yield* said("user", word, "--help")).toContain(`slipway forge admin user ${word}`)
          }
          for (const shell of ["zsh", "fish"]) {
            yield* run(["--completions", shell])
            expect((yield* TestConsole.logLines).at(-1)).toContain("change-password")
          }
        }).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
          Effect.provide(fixture)
        )
      })
  )
})
