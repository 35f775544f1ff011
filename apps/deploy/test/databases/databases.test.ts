import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layerFileEncryption } from "@slipway/blobs/deploy"
import { s3Server } from "@slipway/blobs/testing"
import { FileEncryption } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted, Stream } from "effect"
import { expect, test } from "vitest"
import { freePort, onPodman, persistentSettings } from "../containers.ts"
import { eventually, newDirectory, placesAt, send, start } from "../support.ts"

const { containersOf, podman, world } = onPodman("file")

/** No registry listens there, so that the image on the server is used. */
const image = "127.0.0.1:1/redis:1"

// It serves its start commands over HTTP, from its volume.
const programs = {
  "redis-server": `#!/bin/sh\necho "$*" >> /data/starts\necho ready\ntrap "exit 0" TERM\nhttpd -f -p 6379 -h /data &\nwait\n`,
  "redis-cli": `#!/bin/sh
[ "$1" = --rdb ] || exec wget -q -O /dev/null http://127.0.0.1:6379/starts
[ "$2" = - ] && exec echo "$REDISCLI_AUTH"
echo "$REDISCLI_AUTH" > "$2"
`
}

const makeImage = async () => {
  const directory = join(newDirectory(), "image")
  mkdirSync(directory)
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(directory, name), text)
    chmodSync(join(directory, name), 0o755)
  }
  writeFileSync(join(directory, "Dockerfile"), `FROM ${podman().image}\nCOPY redis-server redis-cli /bin/\n`)
  await run("build", "--quiet", "--tag", image, directory)
}

const run = (...args: ReadonlyArray<string>) => Effect.runPromise(podman().podman(...args))

const json = async (response: Promise<Response>) => (await response).json() as Promise<Record<string, string>>

test("a database starts after its service is killed, is reached by its UUID and port, and leaves its volumes on deletion", {
  timeout: 120_000
}, async () => {
  await makeImage()
  const { base: killed, directory, service, settings } = await world(persistentSettings)
  const port = await freePort()
  const { uuid = "" } = await json(
    send("POST", `${killed}/api/v1/databases/redis`, {
      ...(await placesAt(killed)),
      image,
      redis_password: "it's $secret",
      is_public: true,
      public_port: port,
      instant_deploy: true
    })
  )
  await eventually(async () => (await containersOf(uuid)).length > 0)
  await service.stop("SIGKILL")
  const base = await start(directory, settings).listening()
  const database = `${base}/api/v1/databases/${uuid}`
  await eventually(async () => (await json(send("GET", database))).status === "running:healthy")
  // It was started once.
  const starts = "--appendonly yes --requirepass it's $secret\n"
  expect(await (await fetch(`http://127.0.0.1:${port}/starts`)).text()).toBe(starts)
  const [container = "", ...others] = await containersOf(uuid)
  expect(others).toEqual([])
  const names = "{{range $name, $_ := .NetworkSettings.Networks}}{{$name}}{{end}}"
  const network = (await run("inspect", "--format", names, container)).trim()
  const fetched = ["wget", "-q", "-O", "-", `http://${uuid}:6379/starts`]
  expect(await run("run", "--rm", "--network", network, podman().image, ...fetched)).toBe(starts)
  expect(await json(send("GET", `${database}/logs`))).toEqual({ logs: "ready" })

  const backups = `${database}/backups`
  const { uuid: schedule } = await json(send("POST", backups, { frequency: "yearly", backup_now: true }))
  const made = async () => {
    const answer = await send("GET", `${backups}/${schedule}/executions`)
    const { executions } = (await answer.json()) as { executions: ReadonlyArray<Record<string, string>> }
    return executions[0]
  }
  await eventually(async () => ["success", "failed"].includes((await made())?.status ?? ""))
  const backup = await made()
  expect(backup).toMatchObject({ status: "success", message: "", size: "it's $secret\n".length })
  const file = `/var/lib/slipway-backups/${backup?.filename}`
  expect(await run("exec", container, "cat", file)).toBe("it's $secret\n")

  const deleted = await send("DELETE", database)
  const deletion = `${base}${deleted.headers.get("location")}`
  await eventually(async () => (await json(send("GET", deletion))).status === "finished")
  const left = [`${uuid}_backups`, `${uuid}_data`]
  expect(await json(send("GET", deletion))).toMatchObject({ left: left.map((name) => `volume ${name}`), reason: null })
  expect(await containersOf(uuid)).toEqual([])
  expect((await run("volume", "ls", "--format", "{{.Name}}")).trim().split("\n").toSorted()).toEqual(left)
})

test(
  "a backup that is killed during its upload is replaced by the next one, which only its recipient decrypts",
  {
    timeout: 180_000
  },
  () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      const { decrypt, generate } = yield* FileEncryption
      const { identity, recipient } = yield* generate
      yield* Effect.promise(async () => {
        await makeImage()
        const {
          base: killed,
          directory,
          service,
          settings
        } = await world({
          ...persistentSettings,
          DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true"
        })
        const { uuid = "" } = await json(
          send("POST", `${killed}/api/v1/databases/redis`, {
            ...(await placesAt(killed)),
            image,
            redis_password: "it's $secret",
            instant_deploy: true
          })
        )
        await eventually(
          async () => (await json(send("GET", `${killed}/api/v1/databases/${uuid}`))).status === "running:healthy"
        )
        const { uuid: storage } = await json(
          send("POST", `${killed}/api/v1/s3-storages`, {
            name: "off-site",
            endpoint: place.endpoint,
            bucket: place.bucket,
            region: place.region,
            key: place.keyId,
            secret: Redacted.value(place.secret),
            age_recipient: recipient
          })
        )
        expect(await json(send("POST", `${killed}/api/v1/s3-storages/${storage}/validate`))).toEqual({
          valid: true,
          message: "S3 storage connection is valid."
        })
        const isUpload = (request: string) => request.startsWith("PUT ")
        const held = Promise.withResolvers<void>()
        state.before = (request) => (isUpload(request) ? held.promise : Promise.resolve())
        const { uuid: schedule } = await json(
          send("POST", `${killed}/api/v1/databases/${uuid}/backups`, {
            frequency: "yearly",
            save_s3: true,
            s3_storage_uuid: storage,
            disable_local_backup: true,
            backup_now: true
          })
        )
        await eventually(async () => state.requests.some(isUpload))
        await service.stop("SIGKILL")
        held.resolve()
        // The server received all bytes, so that it stores an object that no process knows.
        await eventually(async () => state.objects.size === 1)
        const [orphan] = state.objects.keys()

        const base = await start(directory, settings).listening()
        const path = `${base}/api/v1/databases/${uuid}/backups/${schedule}`
        const executions = async () => {
          const answer = await send("GET", `${path}/executions`)
          return ((await answer.json()) as { executions: ReadonlyArray<Record<string, unknown>> }).executions
        }
        await eventually(async () => (await executions())[0]?.status === "failed")
        await send("PATCH", path, { backup_now: true })
        await eventually(async () => (await executions())[0]?.status === "success")
        const [made] = await executions()
        expect(made).toMatchObject({ is_local: false, s3_uploaded: true, size: "it's $secret\n".length })
        expect([...state.objects.keys()]).toEqual([made?.s3_key])
        expect(made?.s3_key).not.toBe(orphan)
        const bytes = new Uint8Array(state.objects.get(String(made?.s3_key))?.body ?? [])
        const plain = await Effect.runPromise(Stream.mkUint8Array(decrypt(Stream.make(bytes), identity)))
        expect(new TextDecoder().decode(plain)).toBe("it's $secret\n")
        const [container = ""] = await containersOf(uuid)
        expect(await run("exec", container, "ls", "/var/lib/slipway-backups")).toBe("")
      })
    }).pipe(Effect.provide(layerFileEncryption), Effect.scoped, Effect.runPromise)
)
