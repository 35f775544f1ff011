import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layerFileEncryption } from "@slipway/blobs/deploy"
import { keyId, type S3State, s3Server, secret } from "@slipway/blobs/testing"
import { startSshd } from "@slipway/docker/testing"
import { FileEncryption } from "@slipway/domain/deploy/infrastructure"
import { blocksOf, runScript, ServiceProcesses, scriptOf } from "@slipway/http/testing"
import { Effect, Redacted } from "effect"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { onPodman, visit } from "./containers.ts"
import { buildDatabaseImage } from "./images/debianImages.ts"
import { buildNginx } from "./images/nginx.ts"
import { eventually, newDirectory } from "./support.ts"

const { podman, world } = onPodman()
const root = join(import.meta.dirname, "..", "..", "..")
const forge = new ServiceProcesses(join(root, "apps", "forge", "src", "main.ts"))
const provided = new Set(["container-engine", "finished-backup", "s3-server", "second-instance"])
const settings = { DEPLOY_TOKEN: "only-for-trying", DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true" }

afterEach(() => forge.end())

beforeAll(async () => {
  const { image, podman: run } = podman()
  for (const name of ["busybox", "alpine"]) {
    await Effect.runPromise(run("tag", image, `docker.io/library/${name}:latest`))
  }
})

const blocksIn = (name: string) => blocksOf(readFileSync(join(root, "docs", "guides", `${name}.md`), "utf8"))

/** Returns the executable blocks of a guide. */
const stepsOf = (name: string): ReadonlyArray<string> =>
  blocksIn(name)
    .map((block) => scriptOf([block], provided))
    .filter((step) => step !== "")

/** Replaces texts of the guides by those of a test. */
const replaced = (text: string, texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts).reduce((all, [documented, own]) => all.replaceAll(documented, own), text)

/** The functions of a reader who waits: `await <value> <path> <field>`. */
const waiting = `state() { curl -H "$auth" "$deploy/$1" | field "$2"; }
await() {
  for i in $(seq 120); do
    [ "$(state "$2" "$3")" = "$1" ] && return
    sleep 0.5
  done
  curl -H "$auth" "$deploy/$2" | tail -c 1500 >&2
  docker ps --all >&2
  return 1
}
deployed() { await finished "deployments/applications/$application" ".deployments[0].status"; }
`

/** A reader's shell on a platform with Podman. */
const startReader = async (texts: Readonly<Record<string, string>> = {}) => {
  const { base, port } = await world(settings)
  const directory = newDirectory()
  const docker = `#!/bin/sh\nexec podman --remote --url unix://${podman().socket} "$@"\n`
  writeFileSync(join(directory, "docker"), docker, { mode: 0o755 })
  const variables = blocksIn("first-steps")[1]?.text ?? ""
  const addresses = { "http://127.0.0.1:8000": base, "localhost:8080": `localhost:${port}`, ...texts }
  return {
    directory,
    port,
    /** Runs scripts in one shell. */
    run: (scripts: ReadonlyArray<string>) =>
      runScript(
        replaced([`PATH=${directory}:$PATH`, variables, waiting, ...scripts].join("\n"), addresses),
        directory,
        {}
      )
  }
}

/** Runs a test with an S3 server and a pair of keys for age. */
const withS3 = (
  test: (s3: {
    readonly state: S3State
    readonly identity: string
    readonly texts: Readonly<Record<string, string>>
  }) => Promise<void>
) =>
  Effect.gen(function* () {
    const { place, state } = yield* s3Server
    const { identity, recipient } = yield* (yield* FileEncryption).generate
    const texts = {
      "https://s3.eu-central-1.amazonaws.com": place.endpoint,
      "my-backups": place.bucket,
      "AKIA…": keyId,
      '"secret": "…"': `"secret": "${secret}"`,
      "age1…": recipient
    }
    yield* Effect.promise(() => test({ state, identity: Redacted.value(identity), texts }))
  }).pipe(Effect.provide(layerFileEncryption), Effect.scoped, Effect.runPromise)

describe("the guides on Podman", { timeout: 300_000 }, () => {
  it("deploying.md and logs.md deploy a page and follow its logs", async () => {
    const { run } = await startReader()
    const logs = stepsOf("logs").map((step) =>
      // The log of an application has no end: the reader presses Ctrl-C.
      step.replace(/^curl -N (.*\/applications\/.*\/logs\/stream)$/m, "curl -N --max-time 2 $1 || [ $? = 28 ]")
    )
    const output = await run([...stepsOf("deploying"), "deployed", ...logs])
    expect(output).toContain("\nhello\n")
    expect(output).toMatch(/event: end\ndata: \{"status":"finished","reason":null\}/)
  })

  it("several-servers.md adds a destination on a second server, and removes it", async () => {
    const { run } = await startReader()
    const output = await run(stepsOf("several-servers"))
    expect(output).toMatch(/"is_additional":true,"application_uuid":"[a-z0-9]{24}"/)
    expect(output).toContain("Removal of the destination queued.")
  })

  it("server-transfers.md moves a server with a running application to another instance, and back", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshd
      const target = yield* Effect.promise(() => world(settings))
      const texts = {
        "https://deploy.example.com": target.base,
        '"target_token": "…"': '"target_token": "only-for-trying"'
      }
      const { directory, run } = yield* Effect.promise(() => startReader(texts))
      writeFileSync(join(directory, "key.json"), JSON.stringify({ private_key: Redacted.value(sshd.privateKey) }))
      const [migrate = "", bundle = ""] = stepsOf("server-transfers")
      const create = `
key=$(curl -H "$auth" $deploy/security/keys -d @key.json | field .uuid)
server=$(curl -H "$auth" $deploy/servers -d '{"name": "remote", "ip": "127.0.0.1", "port": ${sshd.port}, "user": "${sshd.user}",
  "private_key_uuid": "'$key'", "engine_socket": "${podman().socket}", "proxy_type": "none"}' | field .uuid)
project=$(curl -H "$auth" $deploy/projects | field '[0].uuid')
application=$(curl -H "$auth" $deploy/applications/dockerfile -d '{
  "project_uuid": "'$project'", "environment_name": "production", "server_uuid": "'$server'", "autogenerate_domain": false,
  "dockerfile": "FROM busybox\\nCMD [\\"sleep\\", \\"9999\\"]"}' | field .uuid)
curl -X POST -H "$auth" $deploy/applications/$application/start
deployed`
      const started = `docker ps --no-trunc --filter label=slipway.application=$application --format "{{.ID}} {{.CreatedAt}} {{.Status}}" | cut -d" " -f1-4`
      const addressed = `target=${target.base}/api/v1\ntarget_auth="$auth"\n`
      const swap = "former=$deploy; deploy=$target; target=$former"
      const restart = `
curl -X POST -H "$auth" $deploy/applications/$application/restart
deployed
${started}
curl -X POST -H "$auth" $deploy/applications/$application/stop
deployed
${started}`
      const marked = (name: string, script: string) => `echo "== ${name}"\n${script}`
      const output = yield* Effect.promise(() =>
        run([
          create,
          addressed,
          marked("first", started),
          migrate,
          marked("second", started),
          swap,
          bundle,
          marked("third", started),
          swap,
          marked("restarted", restart)
        ])
      )
      const sections = output.split("== ")
      const containersIn = (name: string) =>
        (sections.find((section) => section.startsWith(name)) ?? "").match(/[0-9a-f]{64} .*$/gm) ?? []
      const first = containersIn("first")
      expect(first, output).toHaveLength(1)
      expect([containersIn("second"), containersIn("third")], output).toEqual([first, first])
      const [restarted, ...others] = containersIn("restarted")
      expect([others, restarted === undefined || restarted === first[0]], output).toEqual([[], false])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("databases.md restores a backup of PostgreSQL and stores an encrypted one in S3, and database-tls.md turns on TLS", () =>
    withS3(async ({ state, texts }) => {
      await buildDatabaseImage(podman(), "postgresql", "docker.io/library/postgres:17-alpine")
      const { run } = await startReader(texts)
      const [create = "", ...others] = stepsOf("databases")
      const restore = others.pop() ?? ""
      const sql = (text: string) =>
        `docker exec $(docker ps -q -f name=$database) psql -U postgres orders -Atc "${text}"`
      /** Starts a backup of a schedule and waits for its end. */
      const backUp = (schedule: number) => `
schedule=$(curl -H "$auth" $deploy/databases/$database/backups | field '[${schedule}].uuid')
curl -X PATCH -H "$auth" $deploy/databases/$database/backups/$schedule -d '{"backup_now": true}'
await success databases/$database/backups/$schedule/executions '.executions[0].status'`
      const output = await run([
        create,
        'curl -X POST -H "$auth" $deploy/databases/$database/start\nawait running:healthy databases/$database .status',
        sql("create table orders as select 'a lamp' as name"),
        ...others,
        backUp(0),
        backUp(1),
        sql("drop table orders"),
        restore,
        "await success databases/$database/restores '[0].status'",
        sql("select name from orders"),
        ...stepsOf("database-tls").slice(1),
        "cat ca.crt"
      ])
      expect(output).toContain("a lamp\n")
      expect(output.trimEnd()).toMatch(/-----END CERTIFICATE-----$/)
      expect([...state.objects.keys()]).toEqual([expect.stringMatching(/^slipway\/databases\/.*\.dump\.age$/)])
      const [object] = state.objects.values()
      expect(object?.body.subarray(0, 21).toString()).toBe("age-encryption.org/v1")
    }))

  it("volume-backups.md restores a volume by the API, and from an object that age decrypts", () =>
    withS3(async ({ identity, state, texts }) => {
      const { directory, run } = await startReader(texts)
      const storing = stepsOf("databases").find((step) => step.includes("/s3-storages")) ?? ""
      const [add = "", schedule = "", restoreByApi = "", restore = ""] = stepsOf("volume-backups")
      writeFileSync(join(directory, "key.txt"), `${identity}\n`)
      const file = "/srv/uploads/lamp.txt"
      const inContainer = (command: string) => `docker exec $(docker ps -q -f name=$application) sh -c '${command}'`
      const reading = run([
        ...stepsOf("deploying"),
        `deployed\ndatabase=none\n${storing.split("\n").slice(0, 5).join("\n")}\ns3_storage=$storage`,
        add,
        "deployed",
        inContainer(`echo light > ${file}`),
        schedule,
        "until [ -s backup.tar.age ]; do sleep 0.2; done",
        inContainer(`rm ${file}`),
        "await success applications/$application/storages/$storage/backups '.executions[0].status'",
        restoreByApi,
        "await success applications/$application/storages/$storage/restores '[0].status'",
        inContainer(`cat ${file} && rm ${file}`),
        restore,
        inContainer(`cat ${file}`)
      ])
      const isStored = async () => state.objects.size === 1
      await Promise.race([reading, eventually(isStored)])
      const [object] = state.objects.values()
      // The download of an S3 client.
      writeFileSync(join(directory, "backup.tar.age"), object?.body ?? "")
      expect((await reading).trimEnd()).toMatch(/light$/)
    }))

  it("previews.md deploys a pull request next to its application", async () => {
    await buildNginx(podman())
    const home = forge.directory()
    const forgeUrl = await forge
      .start(home, {
        FORGE_DATABASE_URL: "memory:",
        FORGE_ADMIN_USERNAME: "ann",
        FORGE_ADMIN_PASSWORD: "correct horse battery",
        FORGE_SSH_PORT: "off"
      })
      .listening()
    const { port, run } = await startReader({
      "http://127.0.0.1:3000": forgeUrl,
      "https://git.example": forgeUrl,
      "http://site.example": "http://site.localhost"
    })
    // The eleven numbers before the pull request are issues.
    const pullRequest = `
curl -u "$me" $api/orgs -d '{"username": "acme"}'
curl -u "$me" $api/orgs/acme/repos -d '{"name": "site", "auto_init": true}'
for i in $(seq 11); do curl -u "$me" $api/repos/acme/site/issues -d '{"title": "a lamp"}'; done
curl -u "$me" $api/repos/acme/site/contents/index.html -d '{
  "branch": "main", "new_branch": "lamp", "message": "Add a lamp", "content": "'$(echo lamp | base64)'"}'
curl -u "$me" $api/repos/acme/site/pulls -d '{"base": "main", "head": "lamp", "title": "Add a lamp"}'`
    const served = `preview=$(state applications/$application/previews '[0].uuid')
await finished deployments/applications/$preview '.deployments[0].status'`
    await run([pullRequest, ...stepsOf("previews"), served])
    await eventually(async () => (await visit(port, "pr-12.site.localhost")).body === "lamp")
  })
})
