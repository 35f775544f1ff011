import { ConfigProvider, Effect } from "effect"
import { expect, test } from "vitest"
import { settings } from "../src/config.ts"

const problemOf = (env: Readonly<Record<string, string>>): Promise<string> =>
  Effect.runPromise(
    Effect.flip(Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))
  ).then(String)

test.for([
  ["FORGE_PORT", "http"],
  ["FORGE_DATABASE_URL", "mysql://user:hunter2@db/x"],
  ["FORGE_ADMIN_PASSWORD", "x".repeat(257)],
  ["FORGE_ADMIN_USERNAME", "not a name"],
  ["FORGE_ROOT_URL", "forge.example"],
  ["FORGE_TRUSTED_PROXIES", "10.0.0.0/99"],
  ["FORGE_SSH_TRUSTED_USER_CA_KEYS", "ssh-ed25519 hunter2"],
  ["FORGE_PROXY_USER_HEADER", "X-WEBAUTH-USER"],
  ["FORGE_QUERY_TOKENS", "perhaps"],
  ["FORGE_PAGE_SIZE", "51"],
  ["FORGE_ALLOWED_ADDRESSES", "127.0.0.1"],
  ["FORGE_ALLOWED_ADDRESSES", "10.0.0.0/8:80"],
  ["FORGE_ALLOWED_ADDRESSES", "user:hunter2@127.0.0.1:80"],
  ["FORGE_WORKFLOW_APPROVAL", "everybody"]
] as const)("%s=%s is rejected with the name of the setting, and no secret is printed", async ([name, value]) => {
  const env = { FORGE_DATABASE_URL: "memory:", [name]: value }
  const said = await problemOf(env)
  expect(said).toContain(`\`${name}\``)
  expect(said).not.toContain("hunter2")
})

// Prevents: a wrong key is found only when the service stores data for the first time.
test.for([
  [{ FORGE_ENCRYPTION_KEY: "aHVudGVyMg==" }, "the encryption key in `FORGE_ENCRYPTION_KEY` must be 32 bytes in base64"],
  [{ FORGE_ENCRYPTION_KEY_FILE: "/dev/null" }, "the encryption key in `/dev/null` must be 32 bytes in base64"],
  [{ FORGE_ENCRYPTION_KEY: "x", FORGE_ENCRYPTION_KEY_FILE: "y" }, "exclude each other"]
] as const)("an invalid key is rejected even without stored data, number %$", async ([key, problem]) => {
  expect(await problemOf({ FORGE_DATABASE_URL: "memory:", ...key })).toContain(problem)
})

test("trusted certificate authorities are separated by commas and line breaks", async () => {
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMoc5kcqVKqT3e3fJ5y3bGYQ1zVbW3yQK2qWq0pNO3tT"
  const env = { FORGE_DATABASE_URL: "memory:", FORGE_SSH_TRUSTED_USER_CA_KEYS: `${key} one, ${key}\n${key} two\n` }
  const { trustedAuthorities } = await Effect.runPromise(
    Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )
  // The format of `ssh-keygen -l`.
  expect(trustedAuthorities).toEqual(
    Array.from({ length: 3 }, () => "SHA256:UEakgBa/+ndIIdS5XO8HrIU7tZHBjPMLK/5SP5fkawQ")
  )
})

test("runs of first-time contributors require approval by default, and former policy names are accepted (I21)", async () => {
  const approvalOf = async (env: Readonly<Record<string, string>>) => {
    const from = ConfigProvider.fromEnv({ env: { FORGE_DATABASE_URL: "memory:", ...env } })
    const read = await Effect.runPromise(Effect.provideService(settings, ConfigProvider.ConfigProvider, from))
    return read.workflows.approval
  }
  expect(await approvalOf({})).toBe("first-time-contributors")
  const policies = ["external-contributors", "never", "newcomers", "strangers", "nobody"]
  const read = await Promise.all(policies.map((policy) => approvalOf({ FORGE_WORKFLOW_APPROVAL: policy })))
  expect(read).toEqual(["external-contributors", "never", "first-time-contributors", "external-contributors", "never"])
})

test("addresses that webhooks may reach are hosts with ports, separated by commas", async () => {
  const env = { FORGE_DATABASE_URL: "memory:", FORGE_ALLOWED_ADDRESSES: "127.0.0.1:8000, [::1]:80,Deploy.lan:443" }
  const read = Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  expect((await Effect.runPromise(read)).allowedAddresses).toEqual([
    { host: "127.0.0.1", port: 8000 },
    { host: "::1", port: 80 },
    { host: "deploy.lan", port: 443 }
  ])
})
