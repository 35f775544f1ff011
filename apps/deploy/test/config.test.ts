import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { settings } from "../src/config.ts"

const problemOf = (env: Readonly<Record<string, string>>): Promise<string> =>
  Effect.runPromise(
    Effect.flip(Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))
  ).then(String)

describe("the error names the invalid setting, and contains no secret, if", () => {
  test.for([
    ["DEPLOY_PORT", "70000"],
    ["DEPLOY_PORT", "80.5"],
    ["DEPLOY_RETENTION", "-1"],
    ["DEPLOY_RETENTION", "1 year"],
    ["DEPLOY_DATABASE_URL", "mysql://user:hunter2@db/x"],
    ["DEPLOY_DATABASE_URL", "postgres://user:hunter2@db:99999/x"],
    ["DATABASE_URL", "postgres://user:hunter2 @db:99999/x"],
    ["DEPLOY_TOKEN", "hunter2 with spaces"],
    ["DEPLOY_ENCRYPTION_KEY", "aHVudGVyMg=="]
  ] as const)("%s is %s", async ([name, value]) => {
    // Without data no key is generated.
    const data = /URL|KEY/.test(name) ? {} : { DEPLOY_DATABASE_URL: "memory:" }
    const said = await problemOf({ ...data, [name]: value })
    expect(said).toContain(`\`${name}\``)
    expect(said).not.toContain("hunter2")
  })

  // Prevents: a wrong key is found only when the service stores data for the first time.
  test.for([
    [
      { DEPLOY_ENCRYPTION_KEY: "aHVudGVyMg==" },
      "the encryption key in `DEPLOY_ENCRYPTION_KEY` must be 32 bytes in base64"
    ],
    [{ DEPLOY_ENCRYPTION_KEY_FILE: "/dev/null" }, "the encryption key in `/dev/null` must be 32 bytes in base64"],
    [{ DEPLOY_ENCRYPTION_KEY: "x", DEPLOY_ENCRYPTION_KEY_FILE: "y" }, "exclude each other"]
  ] as const)("an invalid key is set without stored data, number %$", async ([key, problem]) => {
    expect(await problemOf({ DEPLOY_DATABASE_URL: "memory:", ...key })).toContain(problem)
  })

  test("DEPLOY_ENCRYPTION_KEY_FILE is a file that can't be created", async () => {
    expect(await problemOf({ DEPLOY_ENCRYPTION_KEY_FILE: "/dev/null/key" })).toContain("`/dev/null/key`")
  })

  test("both the key and its file are set", async () => {
    expect(await problemOf({ DEPLOY_ENCRYPTION_KEY: "x", DEPLOY_ENCRYPTION_KEY_FILE: "y" })).toContain(
      "`DEPLOY_ENCRYPTION_KEY` and `DEPLOY_ENCRYPTION_KEY_FILE` exclude each other"
    )
  })

  test.for([
    [null, "isn't there"],
    ['{"auths": {"ghcr.io": "hunter2"', "does not have the format of `docker login`"],
    [`{"auths": {}, "hunter2": "${"x".repeat(300_000)}"}`, "is larger than 256 KiB"]
  ] as const)("a file of registry passwords is invalid, number %$", async ([content, problem]) => {
    const directory = mkdtempSync(join(tmpdir(), "slipway-config-"))
    try {
      const file = join(directory, "config.json")
      if (content !== null) writeFileSync(file, content)
      const said = await problemOf({ DEPLOY_DATABASE_URL: "memory:", DEPLOY_REGISTRY_AUTH_FILE: file })
      expect(said).toContain("the setting `DEPLOY_REGISTRY_AUTH_FILE` must be the path of a file")
      expect(said).toContain(problem)
      expect(said).not.toContain("hunter2")
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
