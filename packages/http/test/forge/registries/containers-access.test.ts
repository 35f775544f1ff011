import { describe, expect, it } from "@effect/vitest"
import { defaultSite, type RepositoryId } from "@slipway/domain/forge/base"
import { JobTokens } from "@slipway/forge/identity"
import { Effect, Fiber } from "effect"
import { IpNetwork } from "effect/net"
import { delayedBody } from "../../delayedBody.ts"
import { basic, bearer, type Sent, type Service, start } from "../support/harness.ts"
import {
  ann,
  as,
  digestOf,
  images,
  manifestOf,
  outcome,
  push,
  putBlob,
  putManifest,
  ticketFor
} from "../support/images.ts"

const hidden = "/v2/shut/lamp"

const site = Effect.gen(function* () {
  const api: Service = yield* start()
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shut", visibility: "private" } })
  yield* push(api, "1.0", ["one"])
  yield* push(api, "1.0", ["secret"], { base: hidden })
  return api
})

/** Reads a manifest and a blob, starts an upload, publishes and deletes, and returns the statuses. */
const tried = Effect.fnUntraced(function* (api: Service, base: string, layer: string, who: Sent) {
  const manifest = manifestOf([layer])
  const headers = { ...who.headers, "content-type": "application/vnd.oci.image.manifest.v1+json" }
  const all = [
    yield* api.fetch("GET", `${base}/manifests/1.0`, who),
    yield* api.fetch("GET", `${base}/blobs/${digestOf(layer)}`, who),
    yield* api.fetch("GET", `${base}/tags/list`, who),
    yield* api.fetch("POST", `${base}/blobs/uploads/`, who),
    yield* api.fetch("PUT", `${base}/manifests/1.1`, { headers, raw: manifest }),
    yield* api.fetch("DELETE", `${base}/manifests/1.1`, who)
  ]
  return all.map(({ status }) => status).join(" ")
})

describe("access to container images", () => {
  it.live("I2, I3: requires permission on the owner's packages, with every credential and with its ticket", () =>
    Effect.gen(function* () {
      const api = yield* site
      const token = yield* api.mint("ann", ["write:package"])
      const reading = yield* api.mint("ann", ["read:package"])
      const elsewhere = yield* api.mint("ann", ["write:repository"])
      const open = yield* api.mint("ann", ["all", "public-only"])
      const oauth2 = yield* api.mintOf("oauth2", "ann", ["read:package"])
      const { id } = yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "site" } })
      const job = yield* Effect.orDie(
        api.within(JobTokens.mint({ jobId: 7, repositoryId: id as RepositoryId, level: 2 }))
      )
      const callers: Readonly<Record<string, Sent>> = {
        nobody: {},
        bob: as("bob"),
        ann,
        "ann's token": { headers: bearer(token) },
        "a token as the password": { headers: basic("ann", token) },
        "a read-only token": { headers: bearer(reading) },
        "an OAuth2 token": { headers: basic("oauth2", oauth2) },
        "a public-only token": { headers: bearer(open) },
        "a job token": { headers: basic("job", job) },
        "a token with another scope": { headers: bearer(elsewhere) }
      }
      const scopes = ["repository:ann/tools/lamp:*", "repository:shut/lamp:*", "repository:gone/lamp:*"]
      const seen: Array<string> = []
      for (const [name, sent] of Object.entries(callers)) {
        const ticket = yield* ticketFor(api, scopes, sent)
        for (const [base, layer] of [
          [images, "one"],
          [hidden, "secret"],
          ["/v2/gone/lamp", "one"]
        ] as const) {
          const direct = yield* tried(api, base, layer, sent)
          seen.push(`${name} ${base}: ${direct}`)
          if (ticket.status !== 200) continue
          // A ticket covers the granted scopes: everything else needs another one.
          expect([name, base, yield* tried(api, base, layer, ticket)]).toEqual([
            name,
            base,
            direct.replaceAll(/40[34]/g, "401")
          ])
        }
        seen.push(`${name} gets a ticket: ${ticket.status}`)
      }
      const all = "200 200 200 202 201 202"
      const reads = "200 200 200 403 403 403"
      const [none, asked, refused] = ["404 404 404 404 404 404", "401 401 401 401 401 401", "403 403 403 403 403 403"]
      const each = (name: string, own: string, shut: string, gone: string) => [
        `${name} ${images}: ${own}`,
        `${name} ${hidden}: ${shut}`,
        `${name} /v2/gone/lamp: ${gone}`,
        `${name} gets a ticket: ${own === refused ? 403 : 200}`
      ]
      expect(seen).toEqual([
        // I9: an anonymous caller can't distinguish hidden images from missing ones.
        ...each("nobody", "200 200 200 401 401 401", asked, asked),
        ...each("bob", reads, none, none),
        ...each("ann", all, all, none),
        ...each("ann's token", all, all, none),
        ...each("a token as the password", all, all, none),
        ...each("a read-only token", reads, reads, "404 404 404 403 403 403"),
        ...each("an OAuth2 token", reads, reads, "404 404 404 403 403 403"),
        ...each("a public-only token", all, refused, none),
        ...each("a job token", reads, "404 404 404 403 403 403", "404 404 404 403 403 403"),
        ...each("a token with another scope", refused, refused, refused)
      ])
    })
  )

  it.live("I5, I7: a ticket covers the requested and permitted scopes, as long as its credential is valid", () =>
    Effect.gen(function* () {
      const api = yield* site
      const text = yield* api.mint("ann", ["write:package"])
      const pull = yield* ticketFor(api, ["repository:ann/tools/lamp:pull"], { headers: bearer(text) })
      const manifest = `${images}/manifests/1.0`
      expect(yield* outcome(api, "GET", manifest, pull)).toBe("200")
      const refused = yield* api.fetch("POST", `${images}/blobs/uploads/`, pull)
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer realm="https://forge.test/v2/token",service="forge.test",scope="repository:ann/tools/lamp:pull,push",' +
          'error="insufficient_scope", Basic realm="Slipway", charset="UTF-8"'
      ])
      expect(yield* outcome(api, "GET", "/v2/ann/other/tags/list", pull)).toBe("401 UNAUTHORIZED")
      // It is valid for nothing else, gets no other ticket, and is rejected after a changed character.
      yield* api.ask(401, "GET", "/user", pull)
      yield* api.ask(401, "GET", "/packages/ann", pull)
      expect((yield* ticketFor(api, ["repository:ann/tools/lamp:push"], pull)).status).toBe(401)
      const { authorization } = pull.headers
      const last = authorization.at(-5) === "A" ? "B" : "A"
      const spoilt = { headers: { authorization: `${authorization.slice(0, -5)}${last}${authorization.slice(-4)}` } }
      expect(yield* outcome(api, "GET", manifest, spoilt)).toBe("401 UNAUTHORIZED")
      // A caller with sudo gets no ticket.
      expect((yield* ticketFor(api, [], { headers: { ...ann.headers, sudo: "bob" } })).status).toBe(403)

      const [mine] = yield* api.ask(200, "GET", "/users/ann/tokens", ann)
      yield* api.ask(204, "DELETE", `/users/ann/tokens/${mine.id}`, ann)
      expect(yield* outcome(api, "GET", manifest, pull)).toBe("401 UNAUTHORIZED")

      const byPassword = yield* ticketFor(api, ["repository:shut/lamp:pull"], ann)
      const secret = "/v2/shut/lamp/manifests/1.0"
      expect(yield* outcome(api, "GET", secret, byPassword)).toBe("200")
      yield* api.ask(200, "PUT", "/user/password", { ...ann, body: { password: "another horse battery" } })
      expect(yield* outcome(api, "GET", secret, byPassword)).toBe("401 UNAUTHORIZED")
    })
  )

  it.live("I6, I9: to one image gives no access to another image by digest, mount or upload", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", "/orgs", { ...as("bob"), body: { username: "open" } })
      const own = "/v2/open/lamp"
      const bob = as("bob")
      const secret = digestOf("secret")
      expect(yield* outcome(api, "GET", `${images}/blobs/${secret}`, ann)).toBe("404 BLOB_UNKNOWN")
      // Naming a hidden image starts an upload, as for a missing one.
      for (const from of ["shut/lamp", "gone/lamp", "ann/other", "lamp", ""]) {
        const path = `${own}/blobs/uploads/?mount=${secret}&from=${from}`
        expect([from, yield* outcome(api, "POST", path, bob)]).toEqual([from, "202"])
      }
      expect(yield* outcome(api, "GET", `${own}/blobs/${secret}`, bob)).toBe("404 BLOB_UNKNOWN")
      expect(yield* putManifest(api, "1.0", manifestOf(["secret"]), { base: own, who: bob })).toBe(
        "400 MANIFEST_BLOB_UNKNOWN"
      )
      const mounting = (image: string) => `${own}/blobs/uploads/?mount=${digestOf("one")}&from=${image}`
      expect(yield* outcome(api, "POST", mounting("ann/tools/lamp"), bob)).toBe("201")
      // A ticket mounts only from images that it may pull.
      const scopes = ["repository:open/lamp:pull,push", "repository:ann/tools/lamp:pull"]
      const both = yield* ticketFor(api, scopes, bob)
      const one = yield* ticketFor(api, scopes.slice(0, 1), bob)
      expect(yield* outcome(api, "POST", mounting("ann/tools/lamp"), one)).toBe("202")
      expect(yield* outcome(api, "POST", mounting("ann/tools/lamp"), both)).toBe("201")

      const begun = yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)
      const upload = begun.headers.get("docker-upload-uuid") ?? ""
      for (const [base, who] of [
        ["/v2/ann/other", ann],
        [own, bob],
        ["/v2/shut/lamp", ann]
      ] as const) {
        for (const method of ["GET", "PATCH", "DELETE"]) {
          const sent = method === "PATCH" ? { ...who, raw: "x" } : who
          expect(yield* outcome(api, method, `${base}/blobs/uploads/${upload}`, sent)).toBe("404 BLOB_UPLOAD_UNKNOWN")
        }
      }
      expect(yield* outcome(api, "DELETE", `${images}/blobs/uploads/${upload}`, ann)).toBe("204")
      expect(yield* outcome(api, "DELETE", `${images}/blobs/uploads/${upload}`, ann)).toBe("404 BLOB_UPLOAD_UNKNOWN")
    })
  )

  it.live("I7: nothing is published if the permission ends during the upload", () =>
    Effect.gen(function* () {
      const api = yield* site
      const text = yield* api.mint("ann", ["write:package"])
      const [mine] = yield* api.ask(200, "GET", "/users/ann/tokens", ann)
      const held = delayedBody("late")
      const path = `${images}/blobs/uploads/?digest=${digestOf("late")}`
      const sending = yield* Effect.forkChild(outcome(api, "POST", path, { headers: bearer(text), raw: held.stream }))
      yield* held.isRead
      yield* api.ask(204, "DELETE", `/users/ann/tokens/${mine.id}`, ann)
      held.release()
      expect(yield* Fiber.join(sending)).toBe("401 UNAUTHORIZED")
      expect(yield* outcome(api, "GET", `${images}/blobs/${digestOf("late")}`, ann)).toBe("404 BLOB_UNKNOWN")
    })
  )

  it.live("I7: a ticket is useless when the owner becomes hidden, or the user is disabled", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.user("root", { admin: true })
      yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "open" } })
      yield* push(api, "1.0", ["one"], { base: "/v2/open/lamp" })
      const scopes = ["repository:open/lamp:pull", "repository:shut/lamp:pull"]
      const [bobs, anns, nobodys] = [
        yield* ticketFor(api, scopes, as("bob")),
        yield* ticketFor(api, scopes, ann),
        yield* ticketFor(api, scopes)
      ]
      const seen = (base: string) =>
        Effect.forEach([bobs, anns, nobodys], (who) => outcome(api, "GET", `${base}/manifests/1.0`, who))
      expect(yield* seen("/v2/open/lamp")).toEqual(["200", "200", "200"])
      yield* api.ask(200, "PATCH", "/orgs/open", { ...ann, body: { visibility: "private" } })
      expect(yield* seen("/v2/open/lamp")).toEqual(["404 NAME_UNKNOWN", "200", "401 UNAUTHORIZED"])
      expect(yield* seen(hidden)).toEqual(["401 UNAUTHORIZED", "200", "401 UNAUTHORIZED"])
      const barred = { source_id: 0, login_name: "ann", prohibit_login: true }
      yield* api.ask(200, "PATCH", "/admin/users/ann", { ...as("root"), body: barred })
      expect(yield* seen(hidden)).toEqual(["401 UNAUTHORIZED", "403 DENIED", "401 UNAUTHORIZED"])
    })
  )

  it.live("I2: with every sign-in method acts as the named user, and reports missing images", () =>
    Effect.gen(function* () {
      const api = yield* start({
        site: {
          signIn: {
            queryTokens: true,
            proxyUser: true,
            trustedProxies: [IpNetwork.fromStringUnsafe("0.0.0.0/32")]
          }
        }
      })
      for (const name of ["ann", "bob", "root"]) yield* api.user(name, { admin: name === "root" })
      const text = yield* api.mint("ann", ["all"])
      const gone = "/v2/gone/lamp/manifests/1.0"
      for (const [path, sent] of [
        [gone, ann],
        [`${gone}?token=${text}`, {}],
        [gone, { headers: { "x-webauth-user": "ann" } }]
      ] as const) {
        expect(yield* outcome(api, "GET", path, sent)).toBe("404 NAME_UNKNOWN")
      }
      const roots = yield* ticketFor(api, ["repository:root/lamp:pull,push"], as("root"))
      const began = (who: Sent) => outcome(api, "POST", "/v2/root/lamp/blobs/uploads/", who)
      const asBob = { sudo: "bob" }
      expect([yield* began(roots), yield* began(as("root"))]).toEqual(["202", "202"])
      expect([
        yield* began({ headers: { ...roots.headers, ...asBob } }),
        yield* began({ headers: { ...as("root").headers, ...asBob } })
      ]).toEqual(["403 DENIED", "403 DENIED"])
    })
  )

  it.live("I7: an upload fails if the owner was renamed and the name belongs to another owner", () =>
    Effect.gen(function* () {
      const api = yield* site
      const held = delayedBody("late")
      const path = `${hidden}/blobs/uploads/?digest=${digestOf("late")}`
      const sending = yield* Effect.forkChild(outcome(api, "POST", path, { ...ann, raw: held.stream }))
      yield* held.isRead
      yield* api.ask(204, "POST", "/orgs/shut/rename", { ...ann, body: { new_name: "closed" } })
      yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shut" } })
      held.release()
      expect(yield* Fiber.join(sending)).toBe("404 NAME_UNKNOWN")
      for (const owner of ["shut", "closed"]) {
        expect(yield* outcome(api, "GET", `/v2/${owner}/lamp/blobs/${digestOf("late")}`, ann)).toBe("404 BLOB_UNKNOWN")
      }
    })
  )

  it.live("images are found under the former name of their owner, also with a ticket", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(204, "POST", "/orgs/shut/rename", { ...ann, body: { new_name: "closed" } })
      const ticket = yield* ticketFor(api, ["repository:shut/lamp:pull,push"], ann)
      expect(yield* outcome(api, "GET", `${hidden}/manifests/1.0`, ticket)).toBe("200")
      expect(yield* putBlob(api, "more", { base: hidden, who: ticket })).toBe("201")
      expect(yield* outcome(api, "GET", `/v2/closed/lamp/blobs/${digestOf("more")}`, ann)).toBe("200")
      expect(yield* outcome(api, "GET", `${hidden}/manifests/1.0`, as("bob"))).toBe("404 NAME_UNKNOWN")
      expect(yield* outcome(api, "GET", `${hidden}/manifests/1.0`)).toBe("401 UNAUTHORIZED")
    })
  )

  it.live("I25: a blob has a maximum size, in one part or in many", () =>
    Effect.gen(function* () {
      const api = yield* start({ site: { packages: { ...defaultSite.packages, maxFileSize: 1 } } })
      yield* api.user("ann")
      const most = 1_048_576
      expect(yield* putBlob(api, "x".repeat(most))).toBe("201")
      expect(yield* putBlob(api, "x".repeat(most + 1))).toBe("413 SIZE_INVALID")
      const upload = (yield* api.fetch("POST", `${images}/blobs/uploads/`, ann)).headers.get("location") ?? ""
      expect(yield* outcome(api, "PATCH", upload, { ...ann, raw: "x".repeat(most - 1) })).toBe("202")
      expect(yield* outcome(api, "PATCH", upload, { ...ann, raw: "yz" })).toBe("413 SIZE_INVALID")
      const whole = `${"x".repeat(most - 1)}yz`
      expect(yield* outcome(api, "PUT", `${upload}?digest=${digestOf(whole)}`, { ...ann, raw: "yz" })).toBe(
        "413 SIZE_INVALID"
      )
      expect(yield* outcome(api, "PUT", `${upload}?digest=${digestOf(whole.slice(0, -1))}`, { ...ann, raw: "y" })).toBe(
        "201"
      )
    })
  )
})
