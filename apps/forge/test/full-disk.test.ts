import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceProcesses } from "@slipway/http/testing"
import { afterEach, describe, expect, test } from "vitest"
import { workplace } from "./support/git.ts"

const forge = new ServiceProcesses(join(import.meta.dirname, "..", "src", "main.ts"))
const mounted: Array<string> = []
afterEach(async () => {
  // Lazily: the service's open files are released when it exits, and its directory later.
  for (const folder of mounted.splice(0)) execFileSync("umount", ["--lazy", folder])
  await forge.end()
})

const password = "correct horse battery"
const headers = {
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`,
  "content-type": "application/json"
}

/** Mounts a disk of the given size. */
const disk = (folder: string, size: string): string => {
  mkdirSync(folder)
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder])
  mounted.push(folder)
  return folder
}

const fill = (folder: string): (() => void) => {
  const file = join(folder, "ballast")
  const { bavail, bsize } = statfsSync(folder)
  try {
    writeFileSync(file, new Uint8Array(bavail * bsize))
  } catch (cause) {
    // The service used some of the space meanwhile: the rest is full too.
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause
  }
  return () => rmSync(file)
}

/** How much longer a busy machine may take than an idle one. */
const slack = 4

const within = async <A>(millis: number, work: () => Promise<A>): Promise<A> => {
  const began = performance.now()
  const answer = await work()
  expect(performance.now() - began).toBeLessThan(slack * millis)
  return answer
}

const eventually = async (millis: number, check: () => Promise<boolean>): Promise<void> => {
  const began = performance.now()
  while (!(await check())) {
    expect(performance.now() - began).toBeLessThan(slack * millis)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe("a full disk", () => {
  test.for([
    ["the git repositories", "8m"],
    ["the embedded database", "80m"]
  ] as const)(
    "with %s makes requests return 503 within two seconds, and requests succeed again when there is space",
    {
      timeout: 60_000
    },
    async ([what, size]) => {
      const directory = forge.directory()
      const full = disk(join(directory, "disk"), size)
      const service = forge.start(directory, {
        FORGE_ADMIN_USERNAME: "ann",
        FORGE_ADMIN_PASSWORD: password,
        ...(what === "the git repositories"
          ? { FORGE_REPOSITORIES: join(full, "git") }
          : { FORGE_DATABASE_URL: `file:${join(full, "data")}` })
      })
      const base = await service.listening()
      const make = (name: string) =>
        fetch(`${base}/api/v1/user/repos`, {
          method: "POST",
          headers,
          body: JSON.stringify({ name, auto_init: true, description: "x".repeat(200) })
        })
      const ready = async () => (await fetch(`${base}/readyz`)).status
      expect((await make("before")).status).toBe(201)
      // The store has one second to answer, which a busy machine may miss once.
      await eventually(8_000, async () => (await ready()) === 200)

      const free = fill(full)
      expect(await within(2_000, ready)).toBe(503)
      // A database first fills its preallocated space; then writes fail.
      let refused: Response | undefined
      for (let n = 0; n < 400 && refused === undefined; n++) {
        const answer = await within(2_000, () => make(`during-${n}`))
        if (answer.status !== 201) refused = answer
      }
      expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([503, "2"])
      expect((await fetch(`${base}/healthz`)).status).toBe(200)

      free()
      await eventually(8_000, async () => (await ready()) === 200)
      await eventually(8_000, async () => (await make("after")).status === 201)
      expect(await service.stop()).toBe(0)
    }
  )

  test("with git and blobs makes every upload return 503, and stores and shows no partial data", {
    timeout: 120_000
  }, async () => {
    const directory = forge.directory()
    const full = disk(join(directory, "disk"), "16m")
    const service = forge.start(directory, {
      FORGE_ADMIN_USERNAME: "ann",
      FORGE_ADMIN_PASSWORD: password,
      FORGE_REPOSITORIES: join(full, "git"),
      FORGE_BLOBS: `file:${join(full, "blobs")}`
    })
    const base = await service.listening()
    const api = `${base}/api/v1`
    const send = async (method: string, url: string, body: BodyInit | null, more: Record<string, string> = {}) => {
      const { authorization } = headers
      const answer = await fetch(url, { method, headers: { authorization, ...more }, body })
      return { status: answer.status, json: (await answer.json().catch(() => undefined)) as { readonly id?: number } }
    }
    const json = { "content-type": "application/json" }
    const octets = { "content-type": "application/octet-stream" }
    const repository = JSON.stringify({ name: "app", auto_init: true, default_branch: "main" })
    expect((await send("POST", `${api}/user/repos`, repository, json)).status).toBe(201)
    const tag = JSON.stringify({ tag_name: "v1", target_commitish: "main" })
    const release = await send("POST", `${api}/repos/ann/app/releases`, tag, json)
    expect(release.status).toBe(201)

    const bytes = new Uint8Array(randomBytes(1_000_000))
    const digest = createHash("sha256").update(bytes).digest("hex")
    const assets = `${api}/repos/ann/app/releases/${release.json.id}/assets`
    const content = JSON.stringify({ content: Buffer.from(bytes).toString("base64"), branch: "main" })
    const form = () => {
      const data = new FormData()
      data.append("attachment", new Blob([bytes]), "a.bin")
      return data
    }
    const uploads: Readonly<Record<string, () => ReturnType<typeof send>>> = {
      lfs: () => send("PUT", `${base}/ann/app.git/info/lfs/objects/${digest}`, bytes),
      package: () => send("PUT", `${base}/api/packages/ann/generic/tool/1.0/a.bin`, bytes),
      "release file": () => send("POST", `${assets}?name=a.bin`, form()),
      contents: () => send("POST", `${api}/repos/ann/app/contents/a.bin`, content, json),
      "container blob": () => send("POST", `${base}/v2/ann/image/blobs/uploads/?digest=sha256:${digest}`, bytes, octets)
    }
    const archive = () => send("GET", `${api}/repos/ann/app/archive/main.tar.gz`, null)
    const remote = `${base.replace("://", `://ann:${encodeURIComponent(password)}@`)}/ann/app.git`
    const place = workplace()
    const git = async (...args: ReadonlyArray<string>) => {
      const { code, err, out } = await place.git(args)
      return { code, text: `${out}${err}` }
    }
    expect((await git("clone", "-q", remote, "work")).code).toBe(0)
    writeFileSync(join(place.home, "work", "b.bin"), bytes)
    for (const args of [
      ["add", "-A"],
      ["commit", "-q", "-m", "Add b.bin"]
    ]) {
      expect((await git("-C", "work", ...args)).code).toBe(0)
    }
    const push = () => git("-C", "work", "push", "-q", "origin", "HEAD:refs/heads/pushed")
    const free = fill(full)
    const files = () =>
      readdirSync(full, { recursive: true })
        .map(String)
        .filter((each) => /tmp_(?:pack|obj)_|fast_import_crash|incoming\/|quarantine/.test(each))
    for (const [what, upload] of Object.entries(uploads)) expect([what, (await upload()).status]).toEqual([what, 503])
    expect((await archive()).status).toBe(503)
    const pushed = await push()
    expect([pushed.code === 0, pushed.text]).toEqual([false, expect.stringMatching(/50[37]|No space|unpack|remote/)])
    expect((await git("ls-remote", remote, "refs/heads/pushed")).text).toBe("")
    expect((await send("HEAD", `${base}/v2/ann/image/blobs/sha256:${digest}`, null)).status).toBe(404)
    expect(files()).toEqual([])
    expect((await send("GET", assets, null)).json).toEqual([])
    expect((await send("GET", `${api}/repos/ann/app/contents/a.bin`, null)).status).toBe(404)
    expect((await send("GET", `${base}/api/packages/ann/generic/tool/1.0/a.bin`, null)).status).toBe(404)
    expect((await send("GET", `${api}/packages/ann`, null)).json).toEqual([])

    free()
    for (const [what, upload] of Object.entries(uploads)) {
      expect([what, (await upload()).status < 300]).toEqual([what, true])
    }
    expect((await archive()).status).toBe(200)
    expect((await push()).code).toBe(0)
    place.remove()
    expect(await service.stop()).toBe(0)
  })
})
