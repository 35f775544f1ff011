import { expect, layer } from "@effect/vitest"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerSpec } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { EngineSimulation, runs } from "@slipway/memory/deploy"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Context, Effect, Layer, Stream } from "effect"
import { endpoints } from "../support/endpoints.ts"
import { type Service, start } from "../support/harness.ts"
import { listen } from "../support/listen.ts"
import { makeMember } from "../support/members.ts"
import { makeWorld, type World } from "../support/world.ts"

interface Rig {
  readonly service: Service
  readonly world: World
  readonly validator: (template: string, within: string) => ReturnType<Ajv2020["compile"]>
  /** The ids of the events of an endpoint, by event name. */
  readonly events: (template: string) => ReadonlyMap<string, number>
}
class Api extends Context.Service<Api, Rig>()("test/openapi-streams/Api") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const service = yield* start()
      const document = (yield* service.send("GET", "/api/v1/openapi.json", { token: undefined })).json
      const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, "openapi")
      const pointer = (path: string) => path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")
      return {
        service,
        world: yield* makeWorld(service),
        validator: (template, within) =>
          ajv.compile({
            $ref: `openapi#/paths/${pointer(template)}/get/responses/200/content/text~1event-stream/schema${within}`
          }),
        events: (template) => {
          const { schema } = document.paths[template].get.responses[200].content["text/event-stream"]
          const members = schema.anyOf as ReadonlyArray<{ properties: { event: { enum: readonly [string] } } }>
          return new Map(members.map(({ properties }, n) => [properties.event.enum[0], n]))
        }
      }
    })
  )
}

const deploymentStream = "/api/v1/deployments/{uuid}/logs/stream"
const accessStream = "/api/v1/access/subjects/stream"
const applicationStream = "/api/v1/applications/{uuid}/logs/stream"

/** Listens until each described event was received, and validates all of them against the description. */
const isAsDescribed = (
  template: string,
  uuid: string,
  query: string,
  meanwhile: (hear: (event: string) => Effect.Effect<void>) => Effect.Effect<unknown> = () => Effect.void
) =>
  Effect.gen(function* () {
    const { events, service, validator } = yield* Api
    const named = events(template)
    const path = template.replace("/api/v1", "").replace("{uuid}", uuid)
    const stream = yield* listen(service, `${path}${query}`)
    const isHeard = (name: string) => stream.heard.some(({ event }) => event === name)
    yield* meanwhile((name) => stream.until(() => isHeard(name)))
    yield* stream.until(() => [...named.keys()].every(isHeard))
    expect([...new Set(stream.heard.map(({ event }) => event))].sort()).toEqual([...named.keys()].sort())
    for (const { data, event, id } of stream.heard) {
      const sent = { ...(id === undefined ? {} : { id }), event, data: JSON.stringify(data) }
      for (const [within, value] of [
        ["", sent],
        [`/anyOf/${named.get(event)}/properties/data/contentSchema`, data]
      ] as const) {
        const validate = validator(template, within)
        validate(value)
        expect(validate.errors, JSON.stringify(sent)).toBeNull()
      }
    }
  }).pipe(Effect.scoped)

layer(Api.layer, { excludeTestServices: true })("the description of the streams", (it) => {
  it.effect("lists exactly three streams", () =>
    Effect.sync(() => {
      const streams = endpoints.map(({ template }) => template).filter((template) => template.endsWith("/stream"))
      expect(streams.sort()).toEqual([accessStream, applicationStream, deploymentStream])
    })
  )

  it.effect("matches the stream of access decisions", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const application = yield* world.create("dockerimage")
      const { account } = yield* makeMember(service, "ann", [])
      const meanwhile = Effect.fnUntraced(function* (hear: (event: string) => Effect.Effect<void>) {
        yield* hear("decisions")
        const place = { place_type: "project", place_uuid: service.project }
        yield* service.ask(201, "POST", "/grants", { account_uuid: account.uuid, ...place, role: "viewer" })
        yield* hear("changes")
        yield* service.ask(200, "DELETE", `/applications/${application}`)
        yield* service.ask(201, "POST", "/roles", { name: "unused", capabilities: ["view"] })
      })
      yield* isAsDescribed(accessStream, "", `?action=application.read&object=${application}`, meanwhile)
    })
  )

  it.effect("matches the stream of a deployment", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const application = yield* world.create("dockerimage")
      const { deployment_uuid: uuid } = yield* service.ask(200, "POST", `/applications/${application}/start`)
      const line = { at: "2026-01-01T00:00:00.000Z", stream: "stdout", text: "x" } as const
      yield* service.within(Effect.flatMap(DeploymentLogStore, (store) => store.append(uuid as DeploymentUuid, [line])))
      yield* service.ask(200, "POST", `/deployments/${uuid}/cancel`)
      yield* isAsDescribed(deploymentStream, uuid, "")
    })
  )

  it.effect("matches the stream of an application", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const application = (yield* world.create("dockerimage")) as ApplicationUuid
      const server = service.server as ServerUuid
      const simulation = yield* service.within(EngineSimulation)
      yield* service
        .within(
          Effect.gen(function* () {
            const access = { _tag: "Local", server, connectionTimeout: 5, socket: null } as const
            const engine = yield* Effect.scoped((yield* ContainerEngine).open(access))
            yield* simulation.publish("image", { program: () => runs("one") })
            yield* Stream.runDrain(engine.pull("image"))
            const owner = { application, deployment: "deployment" as DeploymentUuid, service: null }
            yield* engine.create(containerSpec({ owner, name: "web", image: "image" }))
            yield* engine.start({ application, name: "web" })
          })
        )
        .pipe(Effect.orDie)
      const meanwhile = Effect.fnUntraced(function* (hear: (event: string) => Effect.Effect<void>) {
        yield* hear("message")
        yield* simulation.cutOff(server, "it is away")
        yield* hear("unreachable")
        yield* simulation.cutOff(server, null)
        yield* service.ask(200, "DELETE", `/applications/${application}`)
      })
      yield* isAsDescribed(applicationStream, application, "?after=2000-01-01T00:00:00.000000000Z~0~web", meanwhile)
    })
  )
})
