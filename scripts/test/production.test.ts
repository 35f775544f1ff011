import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { settingRows as deployRows } from "../../apps/deploy/src/help.ts"
import { settingRows as forgeRows } from "../../apps/forge/src/help.ts"

const folder = join(import.meta.dirname, "..", "..", "production")
const home = mkdtempSync(join(tmpdir(), "slipway-production-"))
afterAll(() => rmSync(home, { recursive: true }))

const run = (program: string, args: ReadonlyArray<string>, settings: Record<string, string> = {}) =>
  execFileSync(program, args, {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })

describe("the files for production", () => {
  test("include a Caddyfile that Caddy accepts for one process and for two", () => {
    const adapt = (settings: Record<string, string>) =>
      run("caddy", ["adapt", "--adapter", "caddyfile", "--config", "Caddyfile"], settings).match(/"dial":"[^"]+"/g)
    expect(adapt({})).toEqual(['"dial":"127.0.0.1:3000"'])
    expect(adapt({ FORGE_PROCESSES: "forge-1:3000 forge-2:3000" })).toEqual([
      '"dial":"forge-1:3000"',
      '"dial":"forge-2:3000"'
    ])
    run("caddy", ["validate", "--adapter", "caddyfile", "--config", "Caddyfile"])
  })

  test("include a compose file that the compose program accepts", () => {
    const [program, ...args] = spawnSync("docker-compose", ["--version"]).error
      ? ["docker", "compose"]
      : ["docker-compose"]
    const settings = { FORGE_HOST: "forge.example", POSTGRES_PASSWORD: "secret", DEPLOY_TOKEN: "chosen" }
    const read = run(program as string, [...args, "--file", "compose.yaml", "--profile", "deploy", "config"], settings)
    expect(read).toContain("FORGE_DATABASE_URL: postgres://slipway:secret@postgres:5432/slipway")
    expect(read).toContain("FORGE_ROOT_URL: https://forge.example")
    expect(read).toContain("DEPLOY_DATABASE_URL: postgres://slipway:secret@127.0.0.1:5432/slipway")
    // Both services know each other's addresses, and one container connects them once.
    expect(read).toContain("FORGE_ALLOWED_ADDRESSES: 10.90.0.1:8000")
    const introduce = read.split(/^ {2}(?=\w)/m).find((part) => part.startsWith("introduce:")) ?? ""
    expect(introduce).toContain("- scripts/connect-services.ts")
    expect(introduce).toContain("DEPLOY_TOKEN: chosen")
    expect(introduce).toContain("FORGE_ROOT_URL: https://forge.example")
    expect(introduce).toContain("HOST: 10.90.0.1")
    expect(introduce).toMatch(/restart: ['"]?no/)
    expect(read).toContain("subnet: 10.90.0.0/24")
  })

  test.skipIf(spawnSync("systemd-analyze", ["--version"]).error)("include a systemd unit that systemd accepts", () => {
    const unit = join(home, "slipway.service")
    const text = readFileSync(join(folder, "slipway.service"), "utf8")
    writeFileSync(unit, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
  })

  test("contain only settings that a service reads", () => {
    const known = new Set([...Object.keys(forgeRows), ...Object.keys(deployRows), "FORGE_HOST", "FORGE_PROCESSES"])
    for (const file of ["Containerfile", "compose.yaml", "slipway.env", "Caddyfile"]) {
      const named = readFileSync(join(folder, file), "utf8").match(/\b(?:FORGE|DEPLOY)_[A-Z_]+/g) ?? []
      expect(named.filter((name) => !known.has(name))).toEqual([])
    }
  })
})
