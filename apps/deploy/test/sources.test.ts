import { createHmac } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { putCommit, startForge } from "@slipway/git/testing"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { create, deploy, endOf, json, logOf, onPodman, type Shown, visit, type World } from "./containers.ts"
import { buildNginx } from "./images/nginx.ts"
import { eventually, newDirectory, send } from "./support.ts"

const { containersOf, podman, world } = onPodman("file")
const scope = Scope.makeUnsafe()
let forge: Effect.Success<typeof startForge>

/** Creates a build-pack program, and returns its path. */
const packer = (): string => {
  const bin = newDirectory()
  mkdirSync(bin, { recursive: true })
  const program = join(bin, "nixpacks")
  writeFileSync(
    program,
    `#!/bin/sh
if [ "$1" = plan ]; then echo '{"variables":{"NODE_ENV":"production"}}'; exit 0; fi
for each; do directory=$each; done
mkdir "$directory/.nixpacks"
cat > "$directory/.nixpacks/Dockerfile" <<'END'
FROM slipway-test/busybox:1
ARG NODE_ENV
COPY page /www/index.html
RUN echo "$NODE_ENV" > /www/mode
CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]
END
`
  )
  chmodSync(program, 0o755)
  return bin
}

let shared: Promise<World>
beforeAll(async () => {
  shared = world({ DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true", PATH: `${packer()}:${process.env.PATH}` })
  forge = await Effect.runPromise(Scope.provide(startForge, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

let repositories = 0

/** Creates a repository with a commit, and returns its address. */
const repository = (files: Readonly<Record<string, string>>, account?: string) => {
  const name = `repository-${++repositories}.git`
  const path = forge.repository(name, account)
  const put = (more: Readonly<Record<string, string>>, message = "a change") =>
    putCommit(path, "main", { message, files: more })
  return { commit: put(files, "the first"), put, address: `http://127.0.0.1:${forge.port}/${name}` }
}

const fromGit = (address: string, fields: Readonly<Record<string, unknown>>) => ({
  git_repository: address,
  git_branch: "main",
  build_pack: "dockerfile",
  ...fields
})

const serving = `FROM slipway-test/busybox:1
ARG GREETING=none
COPY page /www/index.html
RUN echo "$GREETING" > /www/greeting
CMD ["httpd", "-f", "-p", "8080", "-h", "/www"]
`

const pageAt = async (port: number, host: string, path: string) => {
  const { body, status } = await visit(port, host, path)
  return [status, body]
}

describe.concurrent("deployments from git repositories", () => {
  it("build the Dockerfile below the base directory, follow the branch, and return the serving commit", async () => {
    const { base, port } = await shared
    const { address, commit, put } = repository({ "apps/web/Dockerfile": serving, "apps/web/page": "one" })
    const fields = { base_directory: "/apps/web", domains: "http://git.test" }
    const uuid = await create(base, "public", fromGit(address, fields))
    const path = `${base}/api/v1/applications/${uuid}`
    // No shell of the server reads the build arguments (I23).
    const greeting = "hello $(id)\n`touch /tmp/x`; $HOME 'quoted\" --build-arg A=b"
    await send("POST", `${path}/envs`, { key: "GREETING", value: greeting, is_literal: true, is_multiline: true })
    const first = await deploy(base, uuid)
    const ended = await endOf(base, first)
    expect([ended.status, ended.reason], await logOf(base, first)).toEqual(["finished", null])
    expect(await logOf(base, first)).toContain(`commit ${commit}: the first`)
    expect(await visit(port, "git.test")).toEqual({ status: 200, body: "one" })
    expect(await pageAt(port, "git.test", "/greeting")).toEqual([200, greeting])
    expect(await json(send("GET", `${path}/status`))).toMatchObject({ state: "running", serving: { commit } })

    const next = put({ "apps/web/Dockerfile": serving, "apps/web/page": "two" })
    const second = await deploy(base, uuid)
    expect((await endOf(base, second)).status, await logOf(base, second)).toBe("finished")
    expect((await visit(port, "git.test")).body).toBe("two")
    expect(await json(send("GET", `${path}/status`))).toMatchObject({ serving: { commit: next }, changed: [] })

    // A push webhook deploys the commit that it names.
    const pushed = put({ "apps/web/Dockerfile": serving, "apps/web/page": "pushed" })
    await send("PATCH", path, { manual_webhook_secret_forgeA: "between us" })
    const body = JSON.stringify({ ref: "refs/heads/main", before: next, after: pushed, commits: [], deleted: false })
    const signature = `sha256=${createHmac("sha256", "between us").update(body).digest("hex")}`
    const told = await fetch(`${path}/webhooks/github`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": signature },
      body
    })
    const { deployment_uuid: followed } = (await told.json()) as Shown
    const pushedTo = await endOf(base, followed)
    expect(pushedTo, await logOf(base, followed)).toMatchObject({
      status: "finished",
      commit: pushed,
      commit_message: "a change",
      is_webhook: true
    })
    expect((await visit(port, "git.test")).body).toBe("pushed")
    expect(await json(send("GET", `${path}/status`))).toMatchObject({ serving: { commit: pushed } })

    // A commit that is no longer the tip of the branch can be requested.
    await send("PATCH", path, { git_commit_sha: commit })
    const third = await deploy(base, uuid)
    expect((await endOf(base, third)).status, await logOf(base, third)).toBe("finished")
    expect((await visit(port, "git.test")).body).toBe("one")

    await send("PATCH", path, { git_commit_sha: "HEAD", base_directory: "/apps/missing" })
    const fourth = await endOf(base, await deploy(base, uuid))
    expect([fourth.status, fourth.reason]).toEqual(["failed", "there is no folder `apps/missing` in the repository"])
    expect((await visit(port, "git.test")).body).toBe("one")
  }, 180_000)

  it("fetch nothing from private addresses unless the instance allows it (I14)", async () => {
    const { base } = await world()
    const { address } = repository({ Dockerfile: "FROM scratch" })
    const uuid = await create(base, "public", fromGit(address, {}))
    const { reason, status } = await endOf(base, await deploy(base, uuid))
    expect([status, reason]).toEqual(["failed", expect.stringMatching(/private/)])
    expect(forge.asked.filter(({ path }) => path.startsWith(new URL(address).pathname))).toEqual([])
  })

  it("serve static sites, as files or as a single-page application", async () => {
    const { base, port } = await shared
    await buildNginx(podman())
    const { address } = repository({
      "public/index.html": "home",
      "public/about.html": "about",
      "public/docs/index.html": "docs",
      "public/.dockerignore": "*",
      "secret.txt": "not published"
    })
    const fields = { build_pack: "static", publish_directory: "/public", domains: "http://static.test" }
    const uuid = await create(base, "public", fromGit(address, { ...fields, health_check_path: "/about" }))
    const first = await deploy(base, uuid)
    const ended = await endOf(base, first)
    expect([ended.status, ended.reason], await logOf(base, first)).toEqual(["finished", null])
    const pages = async (...paths: ReadonlyArray<string>) =>
      Promise.all(paths.map((path) => pageAt(port, "static.test", path)))
    expect(await pages("/", "/about", "/docs/")).toEqual([
      [200, "home"],
      [200, "about"],
      [200, "docs"]
    ])
    const missing = ["/none", "/secret.txt", "/.slipway-added/Dockerfile", "/.slipway-added/server.conf"]
    expect((await pages(...missing)).map(([status]) => status)).toEqual([404, 404, 404, 404])

    await send("PATCH", `${base}/api/v1/applications/${uuid}`, { is_spa: true })
    const second = await deploy(base, uuid)
    expect((await endOf(base, second)).status, await logOf(base, second)).toBe("finished")
    expect(await pages("/none/of/these", "/docs/")).toEqual([
      [200, "home"],
      [200, "docs"]
    ])
  }, 180_000)

  it("run the services of compose files, in order, each under its domain, and leave nothing", async () => {
    const { base, port } = await shared
    const compose = `services:
  web:
    build: ./web
    expose: ["8080"]
    environment:
      GREETING: \${GREETING}
    depends_on:
      seed:
        condition: service_completed_successfully
      api:
        condition: service_started
    volumes: ["shared:/shared:ro"]
    stop_grace_period: 0s
  api:
    image: slipway-test/busybox:1
    command: ["sh", "-c", "mkdir -p /www && echo api > /www/index.html && exec httpd -f -p 9000 -h /www"]
    expose: ["9000"]
    stop_grace_period: 0s
  seed:
    image: slipway-test/busybox:1
    command: ["sh", "-c", "echo seeded > /shared/page"]
    volumes: ["shared:/shared"]
volumes:
  shared: {}
`
    const web = `FROM slipway-test/busybox:1
CMD ["sh", "-c", "mkdir -p /www; cp /shared/page /www/index.html; echo $GREETING > /www/greeting; wget -q -O /www/api http://api:9000/; exec httpd -f -p 8080 -h /www"]
`
    const { address } = repository({ "docker-compose.yaml": compose, "web/Dockerfile": web })
    const uuid = await create(
      base,
      "public",
      fromGit(address, {
        build_pack: "dockercompose",
        docker_compose_domains: [
          { name: "web", domain: "http://web.test" },
          { name: "api", domain: "http://api.test" }
        ],
        custom_docker_run_options: ""
      })
    )
    const path = `${base}/api/v1/applications/${uuid}`
    await send("POST", `${path}/envs`, { key: "GREETING", value: "hello", is_literal: true })
    const first = await deploy(base, uuid)
    const ended = await endOf(base, first)
    expect([ended.status, ended.reason], await logOf(base, first)).toEqual(["finished", null])
    expect(await visit(port, "web.test")).toEqual({ status: 200, body: "seeded" })
    expect(await visit(port, "api.test")).toEqual({ status: 200, body: "api" })
    expect(await pageAt(port, "web.test", "/greeting")).toEqual([200, "hello"])
    expect(await pageAt(port, "web.test", "/api")).toEqual([200, "api"])

    // The same release in new containers, with the same images.
    const again = await json<Shown>(send("POST", `${path}/restart`))
    expect((await endOf(base, again.deployment_uuid)).status, await logOf(base, again.deployment_uuid)).toBe("finished")
    expect(await visit(port, "web.test")).toEqual({ status: 200, body: "seeded" })
    expect((await containersOf(uuid)).toSorted()).toEqual(
      ["api", "seed", "web"].map((service) => `${uuid}-${again.deployment_uuid}-${service}`)
    )

    const gone = await send("DELETE", path)
    const deletion = `${base}${gone.headers.get("location")}`
    await eventually(async () => (await json<Shown>(send("GET", deletion))).status === "finished", 60_000)
    expect(await json(send("GET", deletion))).toMatchObject({ left: [] })
    expect(await containersOf(uuid)).toEqual([])
    const left = await Promise.all(
      [
        ["images", "--format", "{{.Repository}}"],
        ["volume", "ls", "--quiet"],
        ["network", "ls", "--format", "{{.Name}}"]
      ].map((args) => Effect.runPromise(podman().podman(...args)))
    )
    expect(left.join("\n")).not.toContain(uuid)
  }, 240_000)

  it("reject compose files with access to the server, and name the place (I22)", async () => {
    const { base } = await shared
    const compose = `services:
  web:
    image: slipway-test/busybox:1
    privileged: true
    volumes: ["/:/host"]
`
    const { address } = repository({ "docker-compose.yaml": compose })
    const uuid = await create(base, "public", fromGit(address, { build_pack: "dockercompose" }))
    const { reason, status } = await endOf(base, await deploy(base, uuid))
    expect(status).toBe("failed")
    expect(reason).toContain("services.web.privileged")
    expect(reason).toContain("services.web.volumes")
    expect(await containersOf(uuid)).toEqual([])
  })

  it("use a build-pack program to create the Dockerfile, pass the port to it, and report a missing program", async () => {
    const { base, port } = await shared
    const { address } = repository({ page: "packed" })
    const fields = { build_pack: "packer_a", domains: "http://packed.test", ports_exposes: "3456" }
    const uuid = await create(base, "public", fromGit(address, fields))
    const first = await deploy(base, uuid)
    const ended = await endOf(base, first)
    expect([ended.status, ended.reason], await logOf(base, first)).toEqual(["finished", null])
    expect(await visit(port, "packed.test")).toEqual({ status: 200, body: "packed" })
    expect(await pageAt(port, "packed.test", "/mode")).toEqual([200, "production"])
    await send("PATCH", `${base}/api/v1/applications/${uuid}`, { build_pack: "packer_b" })
    const { reason, status } = await endOf(base, await deploy(base, uuid))
    expect([status, reason]).toEqual(["failed", "the program pack isn't installed on the platform's machine"])
  }, 120_000)
})
