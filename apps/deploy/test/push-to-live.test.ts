import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, expect, it } from "vitest"
import { freePort, onPodman, visit } from "./containers.ts"
import { buildNginx } from "./images/nginx.ts"
import { eventually, newDirectory, send } from "./support.ts"

const { podman } = onPodman()
const root = join(import.meta.dirname, "..", "..", "..")
const run = promisify(execFile)

let services: ChildProcess | undefined
let proxy: string | undefined
afterEach(async () => {
  if (services?.pid !== undefined && services.exitCode === null) {
    const closed = new Promise((resolve) => services?.once("close", resolve))
    process.kill(-services.pid, "SIGTERM")
    await closed
  }
  if (proxy !== undefined) process.kill(Number(readFileSync(join(proxy, "pid"), "utf8")), "SIGKILL")
})

/** Returns the commands in the `sh` blocks of a section of a page. */
const commandsIn = (path: string, heading: string): ReadonlyArray<string> => {
  const section = readFileSync(join(root, path), "utf8")
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`))
  const blocks = [...(section ?? "").matchAll(/^```sh[^\n]*\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text)
  return blocks.flatMap((text) => text.trim().split("\n"))
}

/** Returns the commands of the README, with the ports of this test. */
const commandsOf = (ports: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  commandsIn("README.md", "From a push to a live page").map((line) =>
    line.replace(/127\.0\.0\.1:(\d+)/g, (all, port: string) => `127.0.0.1:${ports[port] ?? all}`)
  )

/** Returns the texts of commands that a person has to make up or copy: quoted words, and words that look generated. */
const valuesIn = (commands: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = commands.join("\n")
  const quoted = [...text.matchAll(/[:=]'([^']*)'|-u '([^']*)'/g)].map(([, one, other = ""]) => one ?? other)
  const generated = text.match(/\b(?:slp_\w+|[0-9a-f]{16,}|[a-z0-9]{24,}|[A-Za-z0-9_-]{32,})\b/g) ?? []
  return [...new Set([...quoted.map((value) => value.replace(/^ann:/, "")), ...generated])]
}

/** Makes a clone without data that shares the sources and installed packages of this one. */
const cloneIn = (directory: string): string => {
  const clone = join(directory, "clone")
  mkdirSync(clone)
  for (const name of ["apps", "node_modules", "package.json", "packages", "scripts"]) {
    symlinkSync(join(root, name), join(clone, name))
  }
  return clone
}

it("the guide and the README show the same commands", () => {
  expect(commandsIn("docs/guides/push-to-live.md", "The four commands")).toEqual(
    commandsIn("README.md", "From a push to a live page")
  )
})

it("the platform serves a pushed page after the four commands of the README, and later pushes without further commands", async () => {
  await buildNginx(podman())
  const directory = newDirectory()
  const clone = cloneIn(directory)
  const ports = {
    3000: await freePort(),
    8000: await freePort(),
    8080: await freePort(),
    8443: await freePort()
  }
  proxy = join(directory, "proxy")
  // The password is typed at git's prompt.
  const askpass = join(directory, "askpass")
  writeFileSync(askpass, "#!/bin/sh\necho 'correct horse battery'\n", { mode: 0o700 })
  const env = {
    HOME: directory,
    PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
    TMPDIR: process.env.TMPDIR ?? "/tmp",
    GIT_ASKPASS: askpass,
    GIT_CONFIG_NOSYSTEM: "1",
    DEPLOY_DATABASE_URL: "memory:",
    DEPLOY_DRAIN: "0",
    DEPLOY_ENGINE_SOCKET: podman().socket,
    DEPLOY_PORT: String(ports[8000]),
    DEPLOY_PROXY_DIRECTORY: proxy,
    FORGE_DATABASE_URL: "memory:",
    FORGE_PORT: String(ports[3000]),
    FORGE_SSH_PORT: String(await freePort()),
    // Installed already: the scripts before others are not run.
    npm_config_ignore_scripts: "true"
  }
  const type = (line: string) => run("sh", ["-c", line], { cwd: clone, env })
  await type(`git init -q -b main ../site && cd ../site && echo first > index.html && git add . &&
    git -c user.name=Ann -c user.email=ann@example.com commit -q -m first`)

  const commands = commandsOf(ports)
  expect(commands.length, "commands").toBe(4)
  expect(valuesIn(commands), "values that a person makes up or copies").toEqual(["correct horse battery"])
  // No command uses the output of another one.
  expect(commands.join("\n"), "values of a shell").not.toMatch(/[$`|<>]/)
  const [starting = "", ...others] = commands
  services = spawn("sh", ["-c", starting], { cwd: clone, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [services.stdout, services.stderr]) stream?.on("data", (chunk) => (output += chunk))
  await eventually(async () => /is connected to http/.test(output) || services?.exitCode !== null).catch(() => {
    throw new Error(output)
  })
  expect(output).toContain(`Slipway deploy is connected to http://127.0.0.1:${ports[3000]} as ann`)
  expect(statSync(join(clone, ".slipway", "deploy.json")).mode & 0o777).toBe(0o600)

  let said = ""
  for (const line of others) said = (await type(line)).stdout
  expect(said.trim().split("\n").at(-1)).toBe(`http://site.localhost:${ports[8080]}`)
  const page = async () => (await visit(ports[8080], "site.localhost")).body.trim()
  expect(await page()).toBe("first")

  await type(
    "cd ../site && echo second > index.html && git -c user.name=Ann -c user.email=ann@example.com commit -q -a -m second"
  )
  await type(others[1] ?? "")
  await eventually(async () => (await page()) === "second")

  const access = JSON.parse(readFileSync(join(clone, ".slipway", "deploy.json"), "utf8"))
  const ask = async (method: string, path: string) =>
    (await send(method, `${access.url}/api/v1${path}`, undefined, access.token)).json()
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  const atForge = async (path: string, method = "GET", body?: object): Promise<any> => {
    const authorization = `Basic ${Buffer.from("ann:correct horse battery").toString("base64")}`
    const headers = { authorization, "content-type": "application/json" }
    const answer = await fetch(`http://127.0.0.1:${ports[3000]}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return answer.status === 204 ? undefined : answer.json()
  }
  const hooks = async () =>
    ((await atForge("/repos/ann/site/hooks")) as ReadonlyArray<{ config: { url: string } }>).map(
      ({ config }) => config.url
    )
  /** Returns the latest status of the first application, because others deploy the same commit. */
  const statusOf = async (commit: string) =>
    ((await atForge(`/repos/ann/site/commits/${commit}/statuses`)) as ReadonlyArray<{ context: string }>).find(
      ({ context }) => context.startsWith("deploy/site-main-")
      // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
    ) as any
  await eventually(async () => (await statusOf("main"))?.status === "success")
  const { context, creator, description, target_url } = await statusOf("main")
  expect([creator.login, target_url]).toEqual(["ann", `http://site.localhost:${ports[8080]}`])
  expect(context).toMatch(/^deploy\/site-main-[a-z0-9]{24}$/)
  expect(description).toMatch(/^Deployed in \d+ s$/)
  expect((await atForge("/repos/ann/site/commits/main/status")).state).toBe("success")
  const [{ uuid }] = await ask("GET", "/applications")
  expect(await atForge("/repos/ann/site/keys")).toMatchObject([{ title: `slipway deploy ${uuid}`, read_only: true }])
  expect(await hooks()).toEqual([`${access.url}/api/v1/applications/${uuid}/webhooks/gitea`])

  /** Pushes a manifest, and returns the status of its commit once it has the expected state. */
  const declare = async (manifest: string, state: string) => {
    await type(`mkdir -p ../site/docs && echo docs > ../site/docs/index.html && cat > ../site/slipway.yaml <<'END'
${manifest}
END
      cd ../site && git add . && git -c user.name=Ann -c user.email=ann@example.com commit -q -m declare`)
    await type(others[1] ?? "")
    await eventually(async () => (await statusOf("main"))?.status === state)
    return statusOf("main")
  }
  const refused = await declare("applications:\n  web:\n    domain: http://site.localhost", "failure")
  expect(refused.description).toBe("slipway.yaml: line 3: applications.web.domain: This field is not allowed.")
  const domains = (name: string) => `domains: ["http://${name}.localhost:${ports[8080]}"]`
  const accepted = await declare(
    `applications:
  web:
    ${domains("site")}
  docs: # built from another folder
    build_pack: static
    base_directory: /docs
    ${domains("docs")}`,
    "success"
  )
  expect(accepted.context).toBe("deploy/site-main-".concat(uuid))
  await eventually(async () => (await visit(ports[8080], "docs.localhost")).body.trim() === "docs")
  expect((await ask("GET", "/applications")).map(({ name }: { name: string }) => name)).toEqual(["web", "docs"])
  const [{ environments }, deployments] = await Promise.all([
    atForge("/repos/ann/site/environments"),
    atForge("/repos/ann/site/deployments")
  ])
  expect(environments).toMatchObject([{ name: "production" }])
  expect(deployments.length).toBeGreaterThanOrEqual(4)
  expect((await type("npx slipway deploy ann/site --plan")).stdout.trim()).toBe("no changes")

  /** Commits a page, and pushes it. */
  const push = async (text: string) => {
    await type(
      `cd ../site && echo ${text} > index.html && git -c user.name=Ann -c user.email=ann@example.com commit -q -a -m x`
    )
    await type(others[1] ?? "")
    return (await type("git -C ../site rev-parse HEAD")).stdout.trim()
  }
  // A protected environment waits for its reviewer.
  const { id: reviewer } = await atForge("/user")
  const production = "/repos/ann/site/environments/production"
  await atForge(production, "PUT", { reviewers: [{ type: "User", id: reviewer }] })
  const third = await push("third")
  const waiting = async () =>
    ((await atForge("/repos/ann/site/deployments")) as ReadonlyArray<{ id: number; sha: string; approval: object }>)
      .filter(({ approval, sha }) => sha === third && (approval as { state: string }).state === "waiting")
      .map(({ id }) => id)
  await eventually(async () => (await waiting()).length === 2)
  expect(await page()).toBe("second")
  for (const id of await waiting()) {
    await atForge(`/repos/ann/site/deployments/${id}/approval`, "POST", { state: "approved" })
  }
  await eventually(async () => (await page()) === "third")
  await atForge(production, "DELETE")

  // Revoking the token of either side stops the other, and both say so.
  const [{ uuid: connection }] = await ask("GET", "/forge-connections")
  const source = async () => {
    const { source_reason, source_status } = await ask("GET", `/applications/${uuid}`)
    return [source_status, source_reason]
  }
  const tokens = async () => ((await atForge("/users/ann/tokens")) as ReadonlyArray<{ id: number }>).map(({ id }) => id)
  const isConnected = async () => (await atForge("/repos/ann/site/deployments?limit=1"))[0].connected as boolean
  const connectAgain = async (name: string) => {
    const scopes = ["write:repository", "write:issue", "read:user"]
    const { sha1 } = await atForge("/users/ann/tokens", "POST", { name, scopes })
    await send("PATCH", `${access.url}/api/v1/forge-connections/${connection}`, { token: sha1 }, access.token)
    expect(await source()).toEqual(["connected", null])
  }
  const lastDelivery = async () => (await ask("GET", `/applications/${uuid}/webhook-deliveries`))[0]
  expect([await source(), await isConnected()]).toEqual([["connected", null], true])
  // A rotation interrupts nothing: both tokens work, and the forge gets another secret for its webhooks.
  const rotated = await type(`npx slipway rotate http://127.0.0.1:${ports[3000]}`)
  expect(rotated.stdout).toContain(`rotated the token of ann at http://127.0.0.1:${ports[3000]}`)
  expect((await ask("GET", `/forge-connections/${connection}`)).is_rotating).toBe(true)
  expect((await tokens()).length).toBe(2)
  await push("rotated")
  await eventually(async () => (await page()) === "rotated")
  expect([await source(), await isConnected()]).toEqual([["connected", null], true])
  // Revoking one of both tokens revokes the other.
  for (const id of await tokens()) await atForge(`/users/ann/tokens/${id}`, "DELETE")
  await eventually(async () => (await source())[0] === "disconnected")
  expect((await source())[1]).toBe("the forge rejects the token (401): it was revoked or has expired")
  expect(await isConnected()).toBe(false)
  const fourth = await push("fourth")
  await eventually(async () => (await lastDelivery()).commit === fourth)
  expect(await lastDelivery()).toMatchObject({ outcome: "ignored", reason: "disconnected" })
  await connectAgain("second")
  await push("fifth")
  await eventually(async () => (await page()) === "fifth")
  expect([(await tokens()).length, await isConnected()]).toEqual([1, true])
  await send("POST", `${access.url}/api/v1/forge-connections/${connection}/disconnect`, undefined, access.token)
  expect((await source())[0]).toBe("disconnected")
  expect([await tokens(), await isConnected()]).toEqual([[], false])
  const sixth = await push("sixth")
  await eventually(async () => (await lastDelivery()).commit === sixth)
  expect([(await lastDelivery()).reason, await page()]).toEqual(["disconnected", "fifth"])
  await connectAgain("third")

  for (const each of await ask("GET", "/applications")) await ask("DELETE", `/applications/${each.uuid}`)
  const ended = async () => {
    const all = await ask("GET", "/deletions")
    return all.length === 2 && all.every(({ status }: { status: string }) => status === "finished")
  }
  await eventually(ended)
  expect((await ask("GET", "/deletions"))[0].removed).toContain("webhook and deploy key of ann/site")
  expect([await hooks(), await atForge("/repos/ann/site/keys")]).toEqual([[], []])
}, 600_000)
