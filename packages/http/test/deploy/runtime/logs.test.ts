import { expect, layer } from "@effect/vitest"
import { ApplicationLogs } from "@slipway/deploy/runtime"
import { ApplicationStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerName, containerSpec } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, layer as memory } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Context, Effect, Layer, Stream } from "effect"
import { type Service, start, wrongFields } from "../support/harness.ts"
import { listen } from "../support/listen.ts"
import { makeMember } from "../support/members.ts"
import { shortSleeps } from "../support/shortSleeps.ts"
import { makeWorld, type World } from "../support/world.ts"

interface Rig {
  readonly service: Service
  readonly world: World
}
class Api extends Context.Service<Api, Rig>()("test/logs/Api") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const service = yield* start(Layer.merge(memory, shortSleeps))
      // Leaves enough time on a busy machine.
      yield* service.ask(201, "PATCH", `/servers/${service.server}`, { connection_timeout: 300 })
      return { service, world: yield* makeWorld(service) }
    })
  )
}

/** An application and functions with which the test creates, writes to and removes its containers. */
const running = Effect.gen(function* () {
  const { service, world } = yield* Api
  const application = (yield* world.create("dockerimage")) as ApplicationUuid
  const server = service.server as ServerUuid
  const { engine, simulation } = yield* service.within(
    Effect.gen(function* () {
      const simulation = yield* EngineSimulation
      yield* simulation.publish("image")
      const access = { _tag: "Local", server, connectionTimeout: 5, socket: null } as const
      const engine = yield* Effect.scoped((yield* ContainerEngine).open(access))
      yield* Stream.runDrain(engine.pull("image"))
      return { engine, simulation }
    })
  )
  const deployment = (n: number): DeploymentUuid => uuidOf("deployment", n)
  /** Starts the container of the `n`th deployment, or of one of its services. */
  const run = Effect.fnUntraced(function* (n: number, compose: string | null = null) {
    const owner = { application, deployment: deployment(n), service: compose }
    const name = containerName(owner)
    yield* engine.create(containerSpec({ owner, name, image: "image" }))
    yield* engine.start({ application, name })
    return {
      name,
      write: (...texts: ReadonlyArray<string>) =>
        Effect.forEach(texts, (text) => simulation.write(server, application, name, { stream: "stdout", text })),
      remove: engine.remove({ application, name })
    }
  }, Effect.orDie)
  const serve = (n: number | null) =>
    service.within(
      Effect.flatMap(ReleaseStore, (store) =>
        store.serve(
          application,
          n === null
            ? null
            : {
                applicationUuid: application,
                deploymentUuid: deployment(n),
                releaseUuid: `release${String(n).padStart(17, "0")}` as ReleaseUuid,
                serverUuid: server,
                destinationUuid: uuidOf("destination", 1)
              }
        )
      )
    )
  const path = `/applications/${application}/logs`
  const read = (query = "") => Effect.map(service.ask(200, "GET", `${path}${query}`), ({ lines }) => lines)
  const texts = (query = "") =>
    Effect.map(read(query), (lines: ReadonlyArray<{ text: string }>) => lines.map(({ text }) => text))
  return { ...service, application, path, read, run, serve, simulation, texts, hostServer: server }
})

const messages = (count: number) => (stream: { readonly texts: ReadonlyArray<string> }) => () =>
  stream.texts.length >= count

layer(Api.layer, { excludeTestServices: true })("GET /applications/{uuid}/logs", (it) => {
  it.effect("is empty while no container runs", () =>
    Effect.gen(function* () {
      const { read } = yield* running
      expect(yield* read()).toEqual([])
    })
  )

  it.effect("returns the last lines, or the lines after a given line, without changes", () =>
    Effect.gen(function* () {
      const { path, read, run, texts, ask } = yield* running
      const { name, write } = yield* run(1)
      const hostile = "a\r\ndata: b\u0000\tc \u001b[31mred\u2028\ud800"
      yield* write("one", hostile, "", "four")
      const all = yield* read()
      expect(all[0]).toEqual({
        id: expect.stringMatching(/^[\d-]+T[\d:.]+Z~0~/),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
        stream: "stdout",
        container: name,
        service: null,
        text: "one"
      })
      expect(all.map(({ text }: { text: string }) => text)).toEqual(["one", hostile, "", "four"])
      expect(yield* texts("?lines=2")).toEqual(["", "four"])
      expect(yield* texts(`?lines=2&after=${all[0].id}`)).toEqual([hostile, ""])
      expect(yield* texts(`?since=${all[2].at}`)).toEqual(["", "four"])
      expect(yield* texts(`?since=${all[3].at}&after=${all[0].id}`)).toEqual(["four"])
      expect(yield* texts(`?after=${all[3].id}`)).toEqual([])
      expect(yield* texts("?since=2999-01-01T00:00:00%2B02:00")).toEqual([])
      const { logs } = yield* ask(200, "GET", `${path}?since=${all[2].at}`)
      expect(logs).toBe("\nfour")
      const dated = yield* ask(200, "GET", `${path}?lines=1&show_timestamps=true`)
      expect(dated.logs).toBe(`${all[3].at} four`)
      const wrong = "?lines=0&since=now&after=1%0a&container=a%0ab"
      expect(Object.keys((yield* ask(400, "GET", `${path}${wrong}`)).errors).sort()).toEqual([
        "after",
        "container",
        "lines",
        "since"
      ])
      expect((yield* ask(400, "GET", `${path}?lines=10001`)).errors).toEqual({
        lines: ["Must be a whole number from 1 to 10000."]
      })
      expect((yield* ask(400, "GET", `${path}?after=x`)).errors).toEqual({
        after: ["Must be the id of a line or an event."]
      })
    })
  )

  it.effect("returns the lines of the serving containers, of one container or of one service", () =>
    Effect.gen(function* () {
      const { run, serve, texts } = yield* running
      const old = yield* run(1)
      const web = yield* run(2, "web")
      const db = yield* run(2, "db")
      yield* old.write("old")
      yield* web.write("web")
      yield* db.write("db")
      expect((yield* texts()).sort()).toEqual(["db", "old", "web"])
      yield* serve(2)
      expect((yield* texts()).sort()).toEqual(["db", "web"])
      expect(yield* texts("?service=db")).toEqual(["db"])
      expect(yield* texts(`?container=${old.name}`)).toEqual(["old"])
      expect(yield* texts("?container=nobody")).toEqual([])
      yield* serve(null)
    })
  )

  it.effect("returns no lines of another application (I22)", () =>
    Effect.gen(function* () {
      const mine = yield* running
      const others = yield* running
      const container = yield* mine.run(1)
      const other = yield* others.run(2)
      yield* container.write("mine")
      yield* other.write("another's")
      expect(yield* mine.texts()).toEqual(["mine"])
      expect(yield* mine.texts(`?container=${other.name}`)).toEqual([])
      const stream = yield* listen(mine, `${mine.path}/stream`)
      const [{ id }] = yield* others.read()
      const resumed = yield* listen(mine, `${mine.path}/stream?since=2000-01-01T00:00:00Z`, { last: id })
      yield* other.write("another's again")
      yield* container.write("mine again")
      for (const each of [stream, resumed]) {
        yield* each.until(() => each.texts.includes("mine again"))
        expect(each.raw()).not.toContain("another's")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("reports why a server doesn't answer (502)", () =>
    Effect.gen(function* () {
      const { ask, hostServer, path, simulation } = yield* running
      yield* simulation.cutOff(hostServer, "connect ECONNREFUSED")
      for (const each of [path, `${path}/stream`]) {
        expect(yield* ask(502, "GET", each)).toEqual({
          message: "The engine cannot be reached: connect ECONNREFUSED."
        })
      }
      yield* simulation.cutOff(hostServer, null)
    })
  )
})

layer(Api.layer, { excludeTestServices: true })("GET /applications/{uuid}/logs/stream", (it) => {
  it.effect("sends each line as one event, regardless of its characters", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { name, write } = yield* service.run(1)
      const hostile = "a\r\nevent: end\ndata: b\rid: 1\n\n\u0000\tc\u2028\ud800"
      yield* write("before", hostile)
      const stream = yield* listen(service, `${service.path}/stream?lines=2`)
      expect(stream.headers.get("content-type")).toBe("text/event-stream")
      expect(stream.headers.get("cache-control")).toContain("no-store")
      yield* stream.until(messages(2)(stream))
      yield* write("after")
      yield* stream.until(messages(3)(stream))
      expect(stream.texts).toEqual(["before", hostile, "after"])
      expect(stream.raw().startsWith("retry: 2000\n\n")).toBe(true)
      expect(stream.heard.map(({ event }) => event)).toEqual(["message", "message", "message"])
      expect(stream.heard[2]?.data).toEqual((yield* service.read("?lines=1"))[0])
      expect(stream.heard[2]?.data.container).toBe(name)
    }).pipe(Effect.scoped)
  )

  it.effect("resumes after any event, without gaps or duplicates, across a change of containers", () =>
    Effect.gen(function* () {
      const service = yield* running
      const old = yield* service.run(1)
      yield* service.serve(1)
      yield* old.write("1", "2", "3")
      const path = `${service.path}/stream`
      const first = yield* listen(service, `${path}?lines=2`)
      yield* first.until(messages(2)(first))
      const fresh = yield* service.run(2)
      // Simulated containers can write in the same millisecond.
      yield* Effect.sleep("5 millis")
      yield* fresh.write("4")
      yield* service.serve(2)
      yield* old.write("5")
      yield* first.until(messages(4)(first))
      yield* old.remove
      yield* fresh.write("6")
      yield* first.until(messages(5)(first))
      const texts = first.texts
      expect([...texts].sort()).toEqual(["2", "3", "4", "5", "6"])
      yield* fresh.write("7")
      for (const [n, { id }] of first.heard.entries()) {
        const again = yield* listen(service, n % 2 === 0 ? path : `${path}?after=${id}`, {
          last: n % 2 === 0 ? id : undefined
        })
        yield* again.until(() => again.texts.includes("7"))
        // The lines of the removed container are gone with it.
        const rest = [...texts.slice(n + 1), "7"].filter((text) => !["2", "3", "5"].includes(text))
        expect(again.texts, `after ${texts[n]}`).toEqual(rest)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("sends the later lines of a container that another one replaced before the first poll", () =>
    Effect.gen(function* () {
      const service = yield* running
      const old = yield* service.run(1)
      yield* service.serve(1)
      yield* old.write("before")
      const texts = yield* service.within(
        Effect.gen(function* () {
          const application = yield* (yield* ApplicationStore).find(service.application)
          if (application === undefined) return yield* Effect.die("the application is gone")
          const proof = system("application.logs", { application })
          const wanted = { lines: 10, since: null, after: null, container: null, service: null }
          // The stream polls when it runs; it has read the past lines by then.
          const stream = yield* ApplicationLogs.follow(proof, wanted)
          yield* service.run(2)
          yield* service.serve(2)
          yield* old.write("after")
          const events = yield* Stream.runCollect(Stream.take(stream, 2))
          return events.map((event) => (event._tag === "Line" ? event.line.text : event._tag))
        })
      )
      expect(texts).toEqual(["before", "after"])
    })
  )

  it.effect("reports that its server is unreachable, without the path of its socket", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { hostServer, simulation } = service
      yield* service.run(1)
      const stream = yield* listen(service, `${service.path}/stream`)
      yield* simulation.cutOff(hostServer, "connect ENOENT /run/podman/podman.sock")
      yield* stream.until(() => stream.heard.some(({ event }) => event === "unreachable"))
      const message = "the engine cannot be reached: connect ENOENT the socket"
      expect(stream.heard.find(({ event }) => event === "unreachable")?.data).toEqual({ message })
      const read = yield* service.ask(502, "GET", service.path)
      expect(read.message).toBe("The engine cannot be reached: connect ENOENT the socket.")
      yield* simulation.cutOff(hostServer, null)
    }).pipe(Effect.scoped)
  )

  it.effect("continues after a restart of the container, and of its server", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { application, hostServer, simulation } = service
      const { name, write } = yield* service.run(1)
      const stream = yield* listen(service, `${service.path}/stream`)
      yield* write("one")
      yield* stream.until(messages(1)(stream))
      yield* simulation.crash(hostServer, application, name, 1)
      yield* write("last words")
      yield* simulation.cutOff(hostServer, "it is away")
      yield* stream.until(() => stream.heard.some(({ event }) => event === "unreachable"))
      expect(stream.heard.find(({ event }) => event === "unreachable")?.data).toEqual({
        message: "the engine cannot be reached: it is away"
      })
      yield* simulation.cutOff(hostServer, null)
      yield* stream.until(messages(2)(stream))
      yield* service.run(1)
      yield* write("two")
      yield* stream.until(messages(3)(stream))
      expect(stream.texts).toEqual(["one", "last words", "two"])
    }).pipe(Effect.scoped)
  )

  it.effect("ends when the application is deleted", () =>
    Effect.gen(function* () {
      const service = yield* running
      const stream = yield* listen(service, `${service.path}/stream`)
      yield* service.ask(200, "DELETE", `/applications/${service.application}`)
      yield* stream.until(() => false)
      expect(stream.heard).toEqual([{ id: undefined, event: "end", data: { reason: "the application was deleted" } }])
    }).pipe(Effect.scoped)
  )

  it.effect("ends when the token is revoked (I7)", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { text, uuid } = yield* service.mint("read")
      const stream = yield* listen(service, `${service.path}/stream`, { token: text })
      const { write } = yield* service.run(1)
      yield* service.ask(200, "DELETE", `/tokens/${uuid}`)
      yield* stream.until(() => false)
      yield* write("secret")
      expect(stream.heard).toEqual([])
      const refused = yield* service.send("GET", `/api/v1${service.path}/stream`, { token: text })
      expect(refused.status).toBe(401)
    }).pipe(Effect.scoped)
  )

  it.effect("ends when the API is disabled (I7)", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { text } = yield* service.mint("read")
      const stream = yield* listen(service, `${service.path}/stream`, { token: text })
      const { write } = yield* service.run(1)
      yield* service.ask(200, "POST", "/disable")
      yield* stream.until(() => false)
      yield* write("secret")
      expect(stream.heard).toEqual([])
      const refused = yield* service.send("GET", `/api/v1${service.path}/stream`, { token: text })
      expect(refused.status).toBe(403)
      // Other tests share the service.
      yield* service.ask(200, "POST", "/enable")
    }).pipe(Effect.scoped)
  )

  it.effect("ends when the role of the account is revoked (I7)", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { account, token } = yield* makeMember(service, "reader", [{ role: "viewer" }])
      const stream = yield* listen(service, `${service.path}/stream`, { token })
      const { write } = yield* service.run(1)
      yield* service.ask(200, "DELETE", `/teams/0/members/${account.uuid}`)
      yield* stream.until(() => false)
      yield* write("secret")
      expect(stream.heard).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "allows twenty listeners per application and a hundred in total, and a disconnect frees a place (I25)",
    () =>
      Effect.gen(function* () {
        const services = yield* Effect.all([running, running, running, running, running, running])
        const [one, two] = services
        const open = (service: (typeof services)[number]) => listen(service, `${service.path}/stream`)
        const streams = yield* Effect.replicateEffect(open(one), 20)
        const full = yield* one.send("GET", `/api/v1${one.path}/stream`)
        expect([full.status, full.json, full.headers.get("retry-after")]).toEqual([
          429,
          { message: "This application has 20 open streams, which is the limit." },
          "10"
        ])
        yield* streams[0]?.leave ?? Effect.void
        yield* open(one)
        for (const service of services.slice(1, 5)) yield* Effect.replicateEffect(open(service), 20)
        const last = yield* two.send("GET", `/api/v1${services[5].path}/stream`)
        expect([last.status, last.json]).toEqual([
          429,
          { message: "This process has 100 open streams, which is the limit." }
        ])
        // Rejected requests and requests without a body free their slot.
        yield* streams[1]?.leave ?? Effect.void
        for (let n = 0; n < 3; n += 1) {
          const head = yield* one.fetch("HEAD", `/api/v1${one.path}/stream`, { token: one.root })
          expect(head.status).toBe(200)
          expect((yield* one.send("GET", `/api/v1${one.path}/stream?lines=0`)).status).toBe(400)
        }
        yield* open(services[5])
      }).pipe(Effect.scoped)
  )

  it.effect("sends all lines of a container that writes quickly", () =>
    Effect.gen(function* () {
      const service = yield* running
      const { write } = yield* service.run(1)
      const stream = yield* listen(service, `${service.path}/stream`)
      const many = Array.from({ length: 20_000 }, (_, n) => `${n} ${"x".repeat(1_000)}`)
      yield* write(...many)
      yield* stream.until(() => stream.texts.length === many.length)
      expect(stream.texts).toEqual(many)
    }).pipe(Effect.scoped)
  )

  it.effect("rejects an invalid event id", () =>
    Effect.gen(function* () {
      const service = yield* running
      for (const path of [`${service.path}/stream`, `${service.path}/stream?after=1`]) {
        const answer = yield* service.send("GET", `/api/v1${path}`, { headers: { "last-event-id": "x" } })
        expect([answer.status, wrongFields(answer)]).toEqual([400, ["last-event-id"]])
      }
    })
  )
})
