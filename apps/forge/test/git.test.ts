import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const password = "correct horse battery"
const ann = workplace()
let base = ""
let stderrOf = () => ""
let send: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: any }>

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`
const address = (path: string, user = `ann:${encodeURIComponent(password)}`) =>
  `${base.replace("://", `://${user}${user === "" ? "" : "@"}`)}/${path}`

beforeAll(async () => {
  const service = forge.start(forge.directory(), {
    FORGE_DATABASE_URL: "memory:",
    FORGE_ADMIN_USERNAME: "ann",
    FORGE_ADMIN_PASSWORD: password
  })
  base = await service.listening()
  stderrOf = () => service.stderr
  send = async (method, path, body) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization: basic("ann", password), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
  }
}, 30_000)

afterAll(async () => {
  ann.remove()
  expect(stderrOf()).toBe("")
  await forge.end()
})

const commit = async (folder: string, file: string, text: string) => {
  writeFileSync(join(ann.home, folder, file), text)
  await ann.git(["-C", folder, "add", "-A"])
  await ann.git(["-C", folder, "commit", "-q", "-m", `change ${file}`])
  return (await ann.git(["-C", folder, "rev-parse", "HEAD"])).out.trim()
}

describe("git over HTTP", () => {
  test("clones, pushes branches and tags, forces and deletes, and leaves an event of each push", async () => {
    await send("POST", "/user/repos", { name: "tools" })
    expect(await ann.git(["clone", "-q", address("ann/tools.git"), "tools"])).toMatchObject({ code: 0 })
    const first = await commit("tools", "a.txt", "one\n")
    const push = (...args: ReadonlyArray<string>) => ann.git(["-C", "tools", "push", ...args])
    expect(await push("origin", "HEAD:refs/heads/trunk")).toMatchObject({ code: 0 })
    const { json } = await send("GET", "/repos/ann/tools")
    expect({ empty: json.empty, branch: json.default_branch }).toEqual({ empty: false, branch: "trunk" })
    await ann.git(["-C", "tools", "tag", "v1"])
    await ann.git(["-C", "tools", "branch", "side"])
    expect(await push("origin", "v1", "side")).toMatchObject({ code: 0 })
    await ann.git(["-C", "tools", "commit", "-q", "--amend", "-m", "again"])
    expect((await push("origin", "HEAD:refs/heads/side")).code).not.toBe(0)
    expect(await push("--force", "origin", "HEAD:refs/heads/side")).toMatchObject({ code: 0 })
    expect(await push("origin", ":refs/heads/side")).toMatchObject({ code: 0 })
    expect(await push("origin", ":refs/heads/trunk")).toMatchObject({
      code: 1,
      err: expect.stringContaining("refs/heads/trunk: the default branch can't be deleted")
    })
    const refs = await ann.git(["ls-remote", address("ann/tools")])
    expect(refs.out).toBe(`${first}\tHEAD\n${first}\trefs/heads/trunk\n${first}\trefs/tags/v1\n`)
    const { json: events } = await send("GET", "/admin/audit?action=git.push&limit=50")
    expect(events.map((each: any) => [each.details.ref, each.details.refs, each.details.commits])).toEqual([
      ["refs/heads/side", 1, 0],
      ["refs/heads/side", 1, 1],
      ["refs/tags/v1", 2, 0],
      ["refs/heads/trunk", 1, 1]
    ])
  }, 30_000)
})
