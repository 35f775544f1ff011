import { layerFileEncryption } from "@slipway/blobs/deploy"
import { s3Server } from "@slipway/blobs/testing"
import { FileEncryption } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { expect, test } from "vitest"
import { json, onPodman, persistentSettings } from "../containers.ts"
import { buildDatabaseImage } from "../images/debianImages.ts"
import { eventually, placesAt, send, start } from "../support.ts"

const { containersOf, podman, world } = onPodman("file")

/** No registry listens there, so that the image on the server is used. */
const image = "127.0.0.1:1/redis:1"

type Json = Readonly<Record<string, string>>

const run = (...args: ReadonlyArray<string>) => Effect.runPromise(podman().podman(...args))

test(
  "an encrypted backup of a volume replaces its files, also after the platform is killed during the restore",
  { timeout: 240_000 },
  () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      const { recipient } = yield* (yield* FileEncryption).generate
      yield* Effect.promise(async () => {
        await buildDatabaseImage(podman(), "redis", image)
        const { base, directory, service, settings } = await world({
          ...persistentSettings,
          DEPLOY_ALLOW_PRIVATE_ADDRESSES: "true"
        })
        const databases = `${base}/api/v1/databases`
        const created = { ...(await placesAt(base)), image, name: "cache" }
        const { uuid = "" } = await json<Json>(send("POST", `${databases}/redis`, created))
        const disk = { type: "persistent", name: "extra", mount_path: "/srv/extra" }
        const { uuid: storage } = await json<Json>(send("POST", `${databases}/${uuid}/storages`, disk))
        await send("POST", `${databases}/${uuid}/start`)
        const isHealthy = (at: string) => async () =>
          (await json<Json>(send("GET", `${at}/api/v1/databases/${uuid}`))).status === "running:healthy"
        await eventually(isHealthy(base))
        const execute = async (command: string) => {
          const [container = ""] = await containersOf(uuid)
          return (await run("exec", container, "sh", "-c", command)).trim()
        }
        await execute(
          "cd /srv/extra && mkdir -m 700 deep && echo first > deep/file && chmod 640 deep/file && ln -s deep/file link && ln deep/file hard"
        )

        const { uuid: s3Storage } = await json<Json>(
          send("POST", `${base}/api/v1/s3-storages`, {
            name: "off-site",
            endpoint: place.endpoint,
            bucket: place.bucket,
            region: place.region,
            key: place.keyId,
            secret: Redacted.value(place.secret),
            age_recipient: recipient
          })
        )
        await send("POST", `${base}/api/v1/s3-storages/${s3Storage}/validate`)
        const path = `/api/v1/databases/${uuid}/storages/${storage}`
        const backups = `${base}${path}/backups`
        await send("PUT", backups, { frequency: "yearly", s3_storage_uuid: s3Storage })
        await send("POST", `${backups}/run`)
        const newest = async () => (await json<{ executions: ReadonlyArray<Json> }>(send("GET", backups))).executions[0]
        await eventually(async () => ["failed", "success"].includes((await newest())?.status ?? ""))
        const backup = await newest()
        expect(backup?.status, backup?.message).toBe("success")

        await execute("cd /srv/extra && echo second > deep/file && rm link && echo more > other")
        const isDownload = (request: string) => request.startsWith("GET ")
        const held = Promise.withResolvers<void>()
        state.before = (request) => (isDownload(request) ? held.promise : Promise.resolve())
        const requested = await send("POST", `${backups}/${backup?.uuid}/restore`)
        expect(requested.status).toBe(201)
        const again = await send("POST", `${backups}/${backup?.uuid}/restore`)
        expect(again.status).toBe(409)
        await eventually(async () => state.requests.some(isDownload))
        await service.stop("SIGKILL")
        held.resolve()

        const restarted = await start(directory, settings).listening()
        const restores = async () => json<ReadonlyArray<Json>>(send("GET", `${restarted}${path}/restores`))
        await eventually(async () => ["failed", "success"].includes((await restores())[0]?.status ?? ""))
        const [restore] = await restores()
        expect(restore?.status, restore?.message).toBe("success")
        await eventually(isHealthy(restarted))
        expect(await execute("cd /srv/extra && ls && cat deep/file link hard && stat -c %a deep deep/file")).toBe(
          ["deep", "hard", "link", "first", "first", "first", "700", "640"].join("\n")
        )
        expect(await execute("cd /srv/extra && [ deep/file -ef hard ] && readlink link")).toBe("deep/file")
        expect(await containersOf(uuid)).toHaveLength(1)
        const volumes = (await run("volume", "ls", "--format", "{{.Name}}")).trim().split("\n").toSorted()
        expect(volumes).toEqual([`${uuid}_backups`, `${uuid}_data`, `${uuid}_extra`])
      })
    }).pipe(Effect.provide(layerFileEncryption), Effect.scoped, Effect.runPromise)
)
