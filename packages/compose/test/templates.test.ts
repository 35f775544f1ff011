import { assert, describe, it } from "@effect/vitest"
import { layerComposeReader } from "@slipway/compose"
import { type ServiceTemplate, serviceTemplates, serviceVariables } from "@slipway/domain/deploy/apps"
import { ComposeReader, type ComposeService, readComposeProject } from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Result } from "effect"
import { parse } from "yaml"

interface Composed {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly volumes?: Readonly<Record<string, unknown>>
}

const renamed = <A>(record: Readonly<Record<string, A>> = {}, name: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [`${name}-${key}`, value]))

/** Parses a template, and prefixes the names of its services and volumes with the name of the template. */
const composed = ({ compose, name }: ServiceTemplate): Composed => {
  const { services, volumes } = parse(compose) as Composed
  const moved = Object.entries(services).map(([service, fields]) => {
    const {
      depends_on: needs,
      volumes: mounts = [],
      ...rest
    } = fields as {
      readonly depends_on?: Readonly<Record<string, unknown>>
      readonly volumes?: ReadonlyArray<string>
    }
    return [service, { ...rest, depends_on: renamed(needs, name), volumes: mounts.map((mount) => `${name}-${mount}`) }]
  })
  return { services: renamed(Object.fromEntries(moved), name), volumes: renamed(volumes, name) }
}

/** Reads several templates as one text, because the program takes seconds to start. */
const read = Effect.fnUntraced(function* (templates: ReadonlyArray<ServiceTemplate>) {
  const all = templates.map(composed)
  const text = JSON.stringify({
    services: Object.assign({}, ...all.map(({ services }) => services)),
    volumes: Object.assign({}, ...all.map(({ volumes }) => volumes))
  })
  const keys = templates.flatMap(({ compose, variables }) =>
    [...serviceVariables(compose), ...variables].map(({ key }) => key)
  )
  const values = [...new Set(keys)].map((key) => [key, Redacted.make(`value-of-${key}`)] as const)
  const { config, directory, unset } = yield* (yield* ComposeReader).readText({ text, variables: values })
  const project = readComposeProject(config, { directory, allowed: { hostAccess: false }, isText: true })
  return Result.isFailure(project) ? assert.fail(JSON.stringify(project.failure)) : { project: project.success, unset }
})

const version = /^(?:[a-z0-9.-]+(?::[0-9]+)?\/)?[a-z0-9._/-]+:(?=.*[0-9])[A-Za-z0-9_.-]+$/
const rolling = /:(?:latest|stable|edge|main|master|nightly|develop|next)(?:-|$)/

const breaches = ({ healthCheck, image, name, options, ports, restart }: ComposeService): ReadonlyArray<string> => {
  const { capAdd, devices, gpus, ipc, mounts, network, pid, privileged, securityOptions } = options.dangerous
  return [
    ...(version.test(image ?? "") && !rolling.test(image ?? "") ? [] : [`${name}: the image ${image} has no version`]),
    ...(healthCheck === null || healthCheck === "disabled" ? [`${name}: has no health check`] : []),
    ...(privileged || capAdd.length + devices.length + securityOptions.length > 0 ? [`${name}: is privileged`] : []),
    ...(mounts.length > 0 || options.mounts.some(({ source }) => source._tag === "Host")
      ? [`${name}: mounts a path of the server`]
      : []),
    ...([gpus, ipc, network, pid].some((each) => each !== null) ? [`${name}: joins the server`] : []),
    ...(ports.length > 0 ? [`${name}: takes ports of the server`] : []),
    ...(restart?._tag === "UnlessStopped" ? [] : [`${name}: does not restart`])
  ]
}

/** The number of templates in one text: a project has at most 50 services, and a template at most four. */
const inGroups = 12

describe("one-click templates", () => {
  it("are at least 40, each with a unique name, a title, a description and a category", () => {
    const names = serviceTemplates.map(({ name }) => name)
    assert.isAtLeast(names.length, 40)
    assert.deepStrictEqual(names, [...new Set(names)].toSorted())
    for (const { category, description, memory, name, title } of serviceTemplates) {
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      assert.isAbove(Math.min(title.length, description.length, category.length), 0, name)
      assert.isAtLeast(memory, 64, name)
    }
  })

  it.effect("list exactly the images of their compose texts", () =>
    Effect.gen(function* () {
      const { outline } = yield* ComposeReader
      for (const { compose, images } of serviceTemplates) {
        assert.deepStrictEqual(
          (yield* outline(compose)).map(({ image }) => image),
          [...images]
        )
      }
    }).pipe(Effect.provide(layerComposeReader))
  )

  for (let first = 0; first < serviceTemplates.length; first += inGroups) {
    const templates = serviceTemplates.slice(first, first + inGroups)
    it.effect(
      `from ${templates[0]?.name} to ${templates.at(-1)?.name} are valid for the compose program and follow the policy`,
      () =>
        Effect.gen(function* () {
          const { project, unset } = yield* read(templates)
          assert.deepStrictEqual(project.services.flatMap(breaches), [])
          assert.deepStrictEqual(unset, [])
          assert.sameMembers(
            project.services.map(({ image }) => image),
            templates.flatMap(({ images }) => images)
          )
          assert.sameMembers(
            project.services.flatMap(({ exposed }) => exposed),
            templates.flatMap(({ port }) => port ?? [])
          )
        }).pipe(Effect.provide(layerComposeReader))
    )
  }

  it.effect("fail if a required variable is missing, and the error names the variable", () =>
    Effect.gen(function* () {
      const { compose, variables } = serviceTemplates.find(({ name }) => name === "pgadmin") ?? assert.fail()
      assert.deepStrictEqual(
        variables.map(({ key }) => key),
        ["PGADMIN_EMAIL"]
      )
      const failed = yield* Effect.flip((yield* ComposeReader).readText({ text: compose, variables: [] }))
      assert.include(failed.because, "set the variable PGADMIN_EMAIL")
    }).pipe(Effect.provide(layerComposeReader))
  )
})
