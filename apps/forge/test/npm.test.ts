import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { basic, forge, packageSite, run } from "./support/packageSite.ts"

afterEach(() => forge.end())

const write = (folder: string, files: Readonly<Record<string, string>>) => {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

describe("the npm client", () => {
  it("publishes packages, tags them, and installs them with their dependencies", async () => {
    const { base, directory, token } = await packageSite()
    const registry = `${base}/api/packages/acme/npm/`
    const npmrc = `registry=${registry}\n${registry.replace(/^http:/, "")}:_authToken=${token}\nfund=false\naudit=false\n`
    /** Runs npm in a folder, with only the settings there. */
    const npm = async (folder: string, ...args: ReadonlyArray<string>) => {
      const env = {
        PATH: process.env.PATH ?? "",
        HOME: directory,
        npm_config_cache: join(directory, "cache"),
        npm_config_userconfig: join(folder, ".npmrc"),
        npm_config_update_notifier: "false"
      }
      return (await run("npm", [...args], { cwd: folder, env })).stdout
    }
    const folderOf = (name: string) => join(directory, "sources", name)
    const source = (folder: string, manifest: Readonly<Record<string, unknown>>) =>
      write(folderOf(folder), {
        ".npmrc": npmrc,
        "package.json": JSON.stringify(manifest),
        "index.js": `module.exports = ${JSON.stringify(`${manifest.name} ${manifest.version}`)}\n`
      })
    source("lamp", { name: "@acme/lamp", version: "1.0.0" })
    source("tool", { name: "tool", version: "2.0.0-rc.1", dependencies: { "@acme/lamp": "^1.0.0" } })
    await npm(folderOf("lamp"), "publish")
    await npm(folderOf("tool"), "publish", "--tag", "next")
    // A version is immutable.
    await expect(npm(folderOf("lamp"), "publish")).rejects.toThrow(/409|previously published/)
    await npm(folderOf("tool"), "dist-tag", "add", "tool@2.0.0-rc.1", "stable")
    expect((await npm(folderOf("tool"), "dist-tag", "ls", "tool")).trim().split("\n").sort()).toEqual([
      "latest: 2.0.0-rc.1",
      "next: 2.0.0-rc.1",
      "stable: 2.0.0-rc.1"
    ])
    await npm(folderOf("tool"), "dist-tag", "rm", "tool", "stable")

    const program = join(directory, "program")
    write(program, { ".npmrc": npmrc, "package.json": JSON.stringify({ name: "program", version: "1.0.0" }) })
    await npm(program, "install", "tool@next")
    expect(readFileSync(join(program, "node_modules/tool/index.js"), "utf8")).toContain("tool 2.0.0-rc.1")
    expect(readFileSync(join(program, "node_modules/@acme/lamp/index.js"), "utf8")).toContain("@acme/lamp 1.0.0")
    const lock = readFileSync(join(program, "package-lock.json"), "utf8")
    expect(lock).toContain(`${registry}%40acme%2Flamp/-/1.0.0/lamp-1.0.0.tgz`)
    expect(lock).toMatch(/"integrity": "sha512-/)

    expect((await npm(program, "whoami")).trim()).toBe("ann")
    source("tool", { name: "tool", version: "2.0.0" })
    await npm(folderOf("tool"), "publish")
    await npm(program, "unpublish", "tool@2.0.0-rc.1")
    expect([JSON.parse(await npm(program, "view", "tool", "versions", "--json"))].flat()).toEqual(["2.0.0"])
    await npm(program, "unpublish", "@acme/lamp", "--force")
    await expect(npm(program, "view", "@acme/lamp")).rejects.toThrow(/E404/)
    // A caller who can't see the organization installs nothing of it.
    write(program, { ".npmrc": `registry=${registry}\n` })
    await expect(npm(program, "view", "tool")).rejects.toThrow(/E404/)
    const listed = await fetch(`${base}/api/v1/packages/acme?type=npm`, { headers: basic })
    const rows = (await listed.json()) as ReadonlyArray<{ readonly name: string; readonly version: string }>
    expect(rows.map(({ name, version }) => `${name} ${version}`)).toEqual(["tool 2.0.0"])
  })
})
