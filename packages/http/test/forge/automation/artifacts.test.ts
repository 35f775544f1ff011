import { describe, expect, it } from "@effect/vitest"
import { ArtifactId, ArtifactLinks, artifacts, workflowJobs } from "@slipway/domain/forge/automation"
import { artifactSweep } from "@slipway/forge/automation"
import { JobTokens } from "@slipway/forge/identity"
import { Effect } from "effect"
import {
  actions,
  ann,
  as,
  begin,
  blobsOf,
  call,
  jobIn,
  missing,
  pathOf,
  put,
  service,
  sha256,
  siteIn,
  uploaded,
  zip
} from "../support/artifacts.ts"
import { basic, bearer, rootUrl } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

for (const [kind, store] of stores) {
  describe(`artifacts in ${kind}`, () => {
    it.live("keep their content type for single files, and run no script in a browser", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const served = Effect.fnUntraced(function* (name: string, more: object) {
          const ended = yield* uploaded(api, job, name, "<script>x</script>", more)
          const { json } = yield* call(api, job, "GetSignedArtifactURL", { name })
          const { headers, text } = yield* api.fetch("GET", pathOf(json.signed_url))
          const path = `${actions}/artifacts/${ended.json.artifact_id}/zip`
          const { location } = Object.fromEntries((yield* api.send("GET", path, ann)).headers)
          const other = yield* api.fetch("GET", pathOf(location ?? ""))
          const told = (all: Headers) => [all.get("content-type"), all.get("content-disposition")?.split("; ")[1]]
          expect([text, told(other.headers)]).toEqual(["<script>x</script>", told(headers)])
          return told(headers)
        })
        expect(yield* served("build", { version: 4 })).toEqual(["application/zip", 'filename="build.zip"'])
        expect(yield* served("dist", { version: 7, mime_type: "application/zip" })).toEqual([
          "application/zip",
          'filename="dist.zip"'
        ])
        const page = { version: 7, mimeType: "text/html; charset=utf-8" }
        expect(yield* served("a.html", page)).toEqual(["text/plain; charset=utf-8", 'filename="a.html"'])
        for (const [name, mime_type] of [
          ["a.svg", "image/svg+xml"],
          ["a.bin", "no type\r\n"]
        ] as const) {
          expect(yield* served(name, { version: 7, mime_type })).toEqual([
            "application/octet-stream",
            `filename="${name}"`
          ])
        }
      })
    )

    it.live("are uploaded in parts by a job, listed, and downloaded by signed links", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const ended = yield* uploaded(api, job, "build", zip)
        expect(ended).toEqual({ status: 200, json: { ok: true, artifact_id: expect.stringMatching(/^\d+$/) } })
        const id = Number(ended.json.artifact_id)
        // The parts are merged now.
        expect(yield* blobsOf(api)).toBe(1)

        const url = `${rootUrl}/api/v1${actions}/artifacts/${id}`
        const shown = {
          id,
          name: "build",
          size_in_bytes: 19,
          url,
          archive_download_url: `${url}/zip`,
          expired: false,
          workflow_run: { id: job.run.id, repository_id: job.run.repositoryId, head_sha: "1".repeat(40) }
        }
        expect(yield* api.ask(200, "GET", `${actions}/artifacts/${id}`, ann)).toMatchObject(shown)
        const listed = yield* api.ask(200, "GET", `${actions}/artifacts`, ann)
        expect(listed).toMatchObject({ total_count: 1, artifacts: [shown] })
        expect(yield* api.ask(200, "GET", `${actions}/runs/${job.run.id}/artifacts?name=build`, ann)).toEqual(listed)
        expect(yield* api.ask(200, "GET", `${actions}/artifacts?name=buil`, ann)).toEqual({
          total_count: 0,
          artifacts: []
        })

        const led = yield* api.send("GET", `${actions}/artifacts/${id}/zip`, ann)
        expect(led.status).toBe(302)
        expect(led.headers.get("cache-control")).toBe("no-store")
        const location = led.headers.get("location") ?? ""
        expect(location.startsWith(`${url}/zip/raw?sig=`)).toBe(true)
        const got = yield* api.fetch("GET", pathOf(location))
        expect([got.status, got.text, got.headers.get("x-content-type-options")]).toEqual([200, zip, "nosniff"])
        expect(got.headers.get("content-disposition")).toContain("build.zip")
        const part = yield* api.fetch("GET", pathOf(location), { headers: { range: "bytes=14-18" } })
        expect([part.status, part.text]).toEqual([206, "bytes"])

        yield* api.ask(204, "DELETE", `${actions}/artifacts/${id}`, ann)
        expect((yield* api.fetch("GET", pathOf(location))).json).toEqual(missing)
        expect(yield* api.ask(404, "GET", `${actions}/artifacts/${id}`, ann)).toEqual(missing)
        yield* api.ask(404, "DELETE", `${actions}/artifacts/${id}`, ann)
      })
    )

    it.live("I7: cannot be downloaded by a signed link after the link's user lost access", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const id = Number((yield* uploaded(api, job, "build", zip)).json.artifact_id)
        yield* api.user("carl")
        const root = { headers: basic("boss") }
        yield* api.user("boss", { admin: true })
        const linkFor = (who: object) =>
          Effect.map(api.send("GET", `${actions}/artifacts/${id}/zip`, who), ({ headers }) =>
            pathOf(headers.get("location") ?? "")
          )
        const token = yield* api.mint("ann", ["read:repository"])
        const narrow = yield* api.mint("ann", ["read:repository", "public-only"])
        yield* api.ask(204, "PUT", "/repos/ann/site/collaborators/bob", { ...ann, body: { permission: "read" } })
        const links = {
          owner: yield* linkFor(ann),
          anonymous: yield* linkFor({}),
          bob: yield* linkFor(as("bob")),
          carl: yield* linkFor(as("carl")),
          token: yield* linkFor({ headers: bearer(token) }),
          narrow: yield* linkFor({ headers: bearer(narrow) }),
          job: yield* linkFor({ headers: bearer(job.token) }),
          service: pathOf((yield* call(api, job, "GetSignedArtifactURL", { name: "build" })).json.signed_url as string)
        }
        const open = Effect.gen(function* () {
          const still: Array<string> = []
          for (const [who, link] of Object.entries(links)) {
            const answer = yield* api.fetch("GET", link)
            if (answer.status === 200) still.push(who)
            else expect([who, answer.status]).toEqual([who, 404])
          }
          return still.join(" ")
        })
        expect(yield* open).toBe("owner anonymous bob carl token narrow job service")
        yield* api.ask(200, "PATCH", "/repos/ann/site", { ...ann, body: { private: true } })
        expect(yield* open).toBe("owner bob token job service")
        yield* api.ask(204, "DELETE", "/repos/ann/site/collaborators/bob", ann)
        expect(yield* open).toBe("owner token job service")
        yield* api.ask(204, "DELETE", "/token", { headers: bearer(token) })
        expect(yield* open).toBe("owner job service")
        yield* api.within(Effect.orDie(JobTokens.revoke([job.job.id])))
        expect(yield* open).toBe("owner service")
        yield* api.within(
          Effect.gen(function* () {
            const jobs = yield* workflowJobs.store
            yield* Effect.orDie(jobs.patch({ runId: job.run.id }, job.job.id, { status: "done" }))
          })
        )
        expect(yield* open).toBe("owner")
        yield* api.ask(200, "PATCH", "/admin/users/ann", { ...root, body: { prohibit_login: true } })
        expect(yield* open).toBe("")
      })
    )

    it.live("cannot be named `.` or `..`", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        for (const name of [".", ".."]) {
          const { json, status } = yield* call(api, job, "CreateArtifact", { name, version: 4 })
          expect([name, status, json.msg]).toEqual([name, 400, "the name must not be `.` or `..`"])
        }
        yield* uploaded(api, job, "...", zip)
      })
    )

    it.live("are downloaded only by the signed link that was issued for them", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const ids: Array<number> = []
        for (const name of ["one", "two"]) {
          ids.push(Number((yield* uploaded(api, job, name, `bytes ${name}`)).json.artifact_id))
        }
        const [one, two] = ids
        const led = yield* api.send("GET", `${actions}/artifacts/${one}/zip`, ann)
        const [path = "", sig = ""] = pathOf(led.headers.get("location") ?? "").split("?sig=")
        const status = (at: string) => Effect.map(api.fetch("GET", at), (answer) => answer.status)
        expect(yield* status(`${path}?sig=${sig}`)).toBe(200)
        const wrong = [
          "",
          "?sig=",
          `?sig=${sig.slice(0, -2)}`,
          `?sig=${sig}AA`,
          `?sig=${sig.split("").reverse().join("")}`
        ]
        for (const query of wrong) {
          const answer = yield* api.fetch("GET", `${path}${query}`)
          expect([query, answer.status, answer.json.message]).toEqual([
            query,
            401,
            "the link is not valid or has expired"
          ])
        }
        expect(yield* status(`/api/v1${actions}/artifacts/${two}/zip/raw?sig=${sig}`)).toBe(404)
        expect(yield* status(`/api/v1/repos/ann/other/actions/artifacts/${one}/zip/raw?sig=${sig}`)).toBe(404)
        const over = yield* api.within(
          ArtifactLinks.sign(
            {
              use: "download",
              repositoryId: job.run.repositoryId,
              artifactId: ArtifactId.make(one ?? 0),
              jobId: null,
              by: null
            },
            0
          )
        )
        expect(yield* status(`${path}?sig=${over}`)).toBe(401)
        // A download link does not accept uploads, and an upload link returns no bytes.
        const download = (yield* call(api, job, "GetSignedArtifactURL", { name: "one" })).json.signed_url as string
        expect((yield* api.fetch("GET", pathOf(download))).text).toBe("bytes one")
        const signature = download.split("?sig=")[1]
        expect(yield* put(api, `${rootUrl}${service}/UploadArtifact?sig=${signature}`, "x")).toBe(403)
        const upload = yield* begin(api, job, "three")
        const asDownload = pathOf(upload).replace("UploadArtifact", "DownloadArtifact")
        expect(yield* status(asDownload)).toBe(403)
        expect(yield* status(`${path}?sig=${upload.split("?sig=")[1]}`)).toBe(401)
      })
    )

    it.live("require read access to the actions of their repository, and are missing below another repository", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const id = (yield* uploaded(api, job, "build", "bytes")).json.artifact_id
        const elsewhere = "/repos/ann/other/actions"
        for (const path of [`/artifacts/${id}`, `/artifacts/${id}/zip`, `/runs/${job.run.id}/artifacts`]) {
          expect(yield* api.ask(404, "GET", `${elsewhere}${path}`, ann)).toEqual(missing)
        }
        yield* api.ask(404, "DELETE", `${elsewhere}/artifacts/${id}`, ann)
        yield* api.ask(200, "GET", `${actions}/artifacts/${id}`, as("bob"))
        yield* api.ask(403, "DELETE", `${actions}/artifacts/${id}`, as("bob"))
        yield* api.ask(200, "PATCH", "/repos/ann/site", { ...ann, body: { private: true } })
        expect(yield* api.ask(404, "GET", `${actions}/artifacts/${id}`, as("bob"))).toEqual(missing)
        yield* api.ask(404, "GET", `${actions}/artifacts`, as("bob"))
        yield* api.ask(200, "PATCH", "/repos/ann/site", { ...ann, body: { private: false, has_actions: false } })
        yield* api.ask(403, "GET", `${actions}/artifacts/${id}`, ann)
        yield* api.ask(403, "GET", `${actions}/artifacts`, ann)
      })
    )

    it.live("are uploaded only by a running job, and only to its own run", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const other = yield* jobIn(api, "ann/other")
        const created = (headers: Readonly<Record<string, string>>, ids: object = job.ids) =>
          Effect.map(
            api.fetch("POST", `${service}/CreateArtifact`, { headers, body: { ...ids, name: "x" } }),
            ({ json, status }) => [status, json.code]
          )
        const no = [401, "unauthenticated"]
        expect(yield* created({})).toEqual(no)
        expect(yield* created(basic("ann"))).toEqual(no)
        expect(yield* created(bearer(yield* api.mint("ann", ["all"])))).toEqual(no)
        expect(yield* created(bearer(`${job.runtime}x`))).toEqual(no)
        expect(yield* created(bearer(job.runtime), other.ids)).toEqual([404, "not_found"])
        // The job's token also works.
        expect((yield* created(bearer(job.token)))[0]).toBe(200)

        yield* uploaded(api, other, "secret", "bytes")
        expect((yield* call(api, job, "ListArtifacts", {})).json).toEqual({ artifacts: [] })
        for (const method of ["GetSignedArtifactURL", "DeleteArtifact", "FinalizeArtifact"]) {
          const { json, status } = yield* call(api, job, method, { name: "secret", size: "5" })
          expect([method, status, json.code]).toEqual([method, 404, "not_found"])
        }

        const address = yield* begin(api, job, "late")
        const { id, repositoryId } = job.job
        const end = { status: "done", conclusion: "success" } as const
        yield* api.within(
          Effect.orDie(Effect.flatMap(workflowJobs.store, (rows) => rows.patch({ repositoryId }, id, end)))
        )
        expect(yield* put(api, address, "bytes")).toBe(404)
        expect(yield* created(bearer(job.runtime))).toEqual(no)
        expect(yield* blobsOf(api)).toBe(1)
      })
    )

    it.live("have unique names within an attempt of a run, and a later attempt can replace an artifact", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const first = yield* uploaded(api, job, "build", "first")
        const again = yield* call(api, job, "CreateArtifact", { name: "build" })
        expect([again.status, again.json.code]).toEqual([409, "already_exists"])
        // A repeated finalization returns the same response.
        expect((yield* call(api, job, "FinalizeArtifact", { name: "build", size: "5" })).json).toEqual(first.json)
        const next = yield* jobIn(api, "ann/site", job.run, { attempt: 2 })
        const second = yield* uploaded(api, next, "build", "second")
        expect(second.json.artifact_id).not.toBe(first.json.artifact_id)
        const { json } = yield* call(api, job, "ListArtifacts", { nameFilter: "build" })
        expect(json.artifacts).toEqual([
          {
            ...job.ids,
            database_id: second.json.artifact_id,
            name: "build",
            size: "6",
            created_at: expect.any(String),
            digest: `sha256:${sha256("second")}`
          }
        ])
        expect((yield* call(api, job, "DeleteArtifact", { name: "build" })).json).toEqual(second.json)
        expect((yield* call(api, job, "ListArtifacts", {})).json).toEqual({ artifacts: [] })
        // An unfinished upload is replaced.
        yield* begin(api, job, "half")
        expect((yield* uploaded(api, job, "half", "a whole")).status).toBe(200)
      })
    )

    it.live("lose their bytes if they expire or remain unfinished", () =>
      Effect.gen(function* () {
        const { api, job } = yield* siteIn(store)
        const soon = "2031-01-01T00:00:00Z"
        const id = (yield* uploaded(api, job, "build", "bytes", { expires_at: soon })).json.artifact_id
        yield* begin(api, job, "never ended")
        const shown = yield* api.ask(200, "GET", `${actions}/artifacts/${id}`, ann)
        const lasting = (Date.parse(shown.expires_at) - Date.parse(shown.created_at)) / 86_400_000
        expect(Math.round(lasting)).toBe(90)
        const led = yield* api.send("GET", `${actions}/artifacts/${id}/zip`, ann)
        const past = "2020-01-01T00:00:00.000Z"
        yield* api.within(
          Effect.gen(function* () {
            const rows = yield* artifacts.store
            const { repositoryId } = job.run
            const all = yield* rows.list({ repositoryId }, { limit: 10 })
            yield* rows.patchMany(
              { repositoryId },
              all.rows.map((row) => ({ id: row.id, change: { createdAt: past, expiresAt: past } }))
            )
            yield* artifactSweep.run
          }).pipe(Effect.orDie)
        )
        expect(yield* api.ask(200, "GET", `${actions}/artifacts/${id}`, ann)).toMatchObject({ expired: true })
        expect(yield* api.ask(404, "GET", `${actions}/artifacts/${id}/zip`, ann)).toEqual(missing)
        expect((yield* api.fetch("GET", pathOf(led.headers.get("location") ?? ""))).json).toEqual(missing)
        expect((yield* call(api, job, "GetSignedArtifactURL", { name: "build" })).status).toBe(404)
        // The name of the unfinished one is free.
        expect((yield* call(api, job, "FinalizeArtifact", { name: "never ended", size: "0" })).status).toBe(404)
      })
    )
  })
}
