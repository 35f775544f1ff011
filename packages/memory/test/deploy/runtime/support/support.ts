import { assert } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { DecryptionFailed, type New, type Sealed, type SecretOwner, Vault } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Configuration,
  DeletionStore,
  type Deployment,
  DeploymentStore,
  hasEnded,
  ReleaseStore,
  type Variant
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { ComposeReader, ContainerEngine, type Engine, Proxy, type Upstream } from "@slipway/domain/deploy/containers"
import { KeyReader, type Server, ServerStore, UnusableKey } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import {
  bundleCipher,
  certificateIssuer,
  connectedForges,
  EngineSimulation,
  engineLayer,
  fileEncryption,
  forgeAppTokens,
  manifestReader,
  objectStorage,
  ProxySimulation,
  packers,
  proxy,
  type SimulatedCommit,
  SourceSimulation,
  sources,
  layer as stores
} from "@slipway/memory/deploy"
import { testLayer as secrets } from "@slipway/testkit"
import { configurationOf, newApplication, newDeployment, plantPlace, uuidOf } from "@slipway/testkit/deploy"
import { Clock, Context, DateTime, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"

/** An external effect of a worker, by name. */
export type Step = keyof Engine | "open" | "openProxy" | "apply" | "renew" | "save" | "insertRelease" | "serve"

/** The next step of a worker. */
export interface WorkerStep {
  readonly step: Step
  /** The state of the watched deployment; undefined before it exists. */
  readonly state: Deployment["status"] | undefined
}

/** An effect before a step. It may wait forever. */
export type Before = (taken: WorkerStep) => Effect.Effect<void>

/** Intercepts every step of workers. */
export class Gate extends Context.Service<
  Gate,
  {
    /** Runs an effect before each further step, with the state of a deployment. */
    readonly guard: (deployment: DeploymentUuid, before: Before) => Effect.Effect<void>
    readonly pass: (step: Step) => Effect.Effect<void>
    /** Stops a worker in order, so that it releases its work. A plain interruption kills it. */
    readonly endInOrder: (worker: Fiber.Fiber<unknown, unknown>) => Effect.Effect<void>
    readonly ending: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@slipway/memory/test/Gate") {}

const gate = Layer.effect(
  Gate,
  Effect.map(DeploymentStore, (deployments) => {
    let inOrder = false
    let guard: { readonly deployment: DeploymentUuid; readonly before: Before } | undefined
    return {
      guard: (deployment, before) =>
        Effect.sync(() => {
          guard = { deployment, before }
        }),
      endInOrder: (worker) =>
        Effect.gen(function* () {
          inOrder = true
          yield* Fiber.interrupt(worker)
          inOrder = false
        }),
      ending: (effect) => Effect.suspend(() => (inOrder ? effect : Effect.void)),
      pass: (step) =>
        Effect.suspend(() => {
          const present = guard
          if (present === undefined) return Effect.void
          return Effect.flatMap(deployments.find(present.deployment), (row) =>
            present.before({ step, state: row?.status })
          )
        })
    }
  })
)

/** All services that workers change, each change behind the gate. */
const gated = Layer.effectContext(
  Effect.gen(function* () {
    const { ending, pass } = yield* Gate
    const engines = yield* ContainerEngine
    const proxies = yield* Proxy
    const deployments = yield* DeploymentStore
    const deletions = yield* DeletionStore
    const releases = yield* ReleaseStore
    yield* (yield* EngineSimulation).onCall((_, operation) => pass(operation))
    const after = <A, E, R>(step: Step, effect: Effect.Effect<A, E, R>) => Effect.andThen(pass(step), effect)
    return Context.make(ContainerEngine, { open: (access) => after("open", engines.open(access)) }).pipe(
      Context.add(Proxy, {
        ...proxies,
        open: (access) =>
          Effect.map(after("openProxy", proxies.open(access)), (opened) => ({
            ...opened,
            apply: (application, routes, isWanted) => after("apply", opened.apply(application, routes, isWanted))
          }))
      }),
      Context.add(DeletionStore, { ...deletions, giveBack: (...its) => ending(deletions.giveBack(...its)) }),
      Context.add(DeploymentStore, {
        ...deployments,
        giveBack: (...its) => ending(deployments.giveBack(...its)),
        renew: (uuid, turn) => after("renew", deployments.renew(uuid, turn)),
        save: (row, worker) => after("save", deployments.save(row, worker))
      }),
      Context.add(ReleaseStore, {
        ...releases,
        insert: (row) => after("insertRelease", releases.insert(row)),
        serve: (application, next) => after("serve", releases.serve(application, next))
      })
    )
  })
)

/** Reads compose files in the normal form that programs print. */
const compose = Layer.effect(
  ComposeReader,
  Effect.map(SourceSimulation, ({ list }) => ({
    read: ({ directory, files }) =>
      Effect.map(list(directory), (present) => ({
        config: JSON.parse(present[files[0] ?? ""] ?? "{}"),
        unset: []
      })),
    readText: ({ text }) => Effect.succeed({ config: JSON.parse(text), unset: [], directory: "/text" }),
    outline: (text) => {
      const { services } = JSON.parse(text) as { readonly services: Readonly<Record<string, { image?: string }>> }
      return Effect.succeed(Object.entries(services).map(([name, { image = null }]) => ({ name, image })))
    }
  }))
).pipe(Layer.provideMerge(sources))

/** Generates numbered keys. */
const keys = Layer.sync(KeyReader, () => {
  let count = 0
  return {
    read: () => Effect.fail(new UnusableKey({ because: "keys are not read here" })),
    generate: Effect.sync(() => {
      count += 1
      return { privateKey: Redacted.make(`private key ${count}`), publicKey: `ssh-ed25519 key${count}` }
    })
  }
})

/** Seals without delay: real work would run while the test clock has moved on. */
const vault = Layer.sync(Vault, () => {
  const sealed = new Map<string, readonly [owner: string, secret: Redacted.Redacted]>()
  const nameOf = ({ field, uuid }: SecretOwner) => `${uuid} ${field}`
  const find = (owner: SecretOwner, text: string) => {
    const [of, secret] = sealed.get(text) ?? []
    return of === nameOf(owner) ? secret : undefined
  }
  return {
    seal: (owner, secret) =>
      Effect.sync(() => {
        const text = `sealed ${sealed.size + 1}` as Sealed
        sealed.set(text, [nameOf(owner), secret])
        return text
      }),
    open: (owner, text) =>
      Effect.suspend(() => {
        const secret = find(owner, text)
        return secret === undefined ? Effect.die(new DecryptionFailed()) : Effect.succeed(secret)
      }),
    tryOpen: (owner, text) =>
      Effect.suspend(() => {
        const secret = find(owner, text)
        return secret === undefined ? Effect.fail(new DecryptionFailed()) : Effect.succeed(secret)
      })
  }
})

/** The whole platform in memory, with a gate before the steps of its workers. */
const platform = gated.pipe(
  Layer.provideMerge(gate),
  Layer.provideMerge(
    Layer.mergeAll(
      stores,
      engineLayer,
      bundleCipher,
      certificateIssuer,
      fileEncryption,
      objectStorage,
      proxy,
      Layer.merge(secrets, vault),
      compose,
      packers,
      forgeAppTokens,
      connectedForges,
      keys,
      manifestReader
    )
  )
)

/** Settings with short times for tests. */
export const settings: Pipeline.WorkerSettings = {
  lease: 15,
  alone: false,
  drain: 3,
  atOnce: 8,
  keptReleases: 10,
  look: 20,
  timeout: 3_600
}

/** The server of the first placement. */
export const server = uuidOf<Deployment["serverUuid"]>("server", 1)

/** The logged states of a successful deployment, in order. */
export const states = ["building", "starting", "checking", "switching", "finished"]

/** Starts a worker process; interrupting the fiber kills it. */
export const startWorker = (chosen: Partial<Pipeline.WorkerSettings> = {}) =>
  Effect.forkScoped(Pipeline.run({ ...settings, ...chosen }))

/** Starts a process that checks routes; interrupting the fiber kills it. */
export const startKeeping = () => Effect.forkScoped(Pipeline.keepRoutes(settings.look))

/** Plants the `n`th placement for applications. */
export const place = Effect.fnUntraced(function* (facts: Partial<Server> = {}, n = 1) {
  const planted = yield* plantPlace(n)
  yield* Effect.orDie((yield* ServerStore).replace({ ...planted.server, ...facts }))
  return planted
})

/** Plants the `n`th application of a placement. The text of its Dockerfile defines its behaviour. */
export const plantApplication = Effect.fnUntraced(function* (
  { placement }: Pick<Application, "placement">,
  n = 1,
  facts: Partial<Configuration> = {},
  variant: Variant = "dockerfile"
) {
  return yield* Effect.orDie(
    (yield* ApplicationStore).insert(
      newApplication(n, placement, {
        variant,
        configuration: configurationOf({
          name: `application ${n}`,
          dockerfile: "FROM works",
          build_pack: "dockerfile",
          domains: `http://a${n}.example`,
          health_check_enabled: true,
          health_check_interval: 1,
          health_check_retries: 3,
          health_check_start_period: 0,
          ...facts
        })
      })
    )
  )
})

/** Queues the `n`th deployment. */
export const queue = Effect.fnUntraced(function* (
  n: number,
  { placement, uuid }: Application,
  facts: Partial<New<Deployment>> = {}
) {
  const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const { destinationUuid, serverUuid } = placement
  const target = { applicationUuid: uuid, serverUuid, destinationUuid }
  return yield* Effect.orDie(
    (yield* DeploymentStore).insert(newDeployment(n, target, { createdAt: at, updatedAt: at, ...facts }))
  )
})

/** Reads an existing deployment. */
export const shown = Effect.fnUntraced(function* ({ uuid }: Pick<Deployment, "uuid">) {
  return (yield* (yield* DeploymentStore).find(uuid)) ?? assert.fail("the deployment is gone")
})

/** Reads the lines of a deployment's log. */
export const linesOf = Effect.fnUntraced(function* ({ uuid }: Pick<Deployment, "uuid">) {
  return (yield* (yield* DeploymentLogStore).page(uuid, 0, 1_000)).map(({ text }) => text)
})

/** Visits the `n`th application. Returns the uuid of the deployment that responds, or the status. */
export const visit = Effect.fnUntraced(function* (n = 1, server = 1) {
  const { body, status } = yield* (yield* ProxySimulation).visit(uuidOf("server", server), {
    scheme: "http",
    host: `a${n}.example`,
    port: 80,
    method: "GET",
    path: "/",
    headers: {}
  })
  return status === 200 ? body : status
})

/** A service of a compose file in its normal form. */
export type ComposeFile = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Puts a commit with compose services on top of the repository of the `n`th application. */
export const commit = Effect.fnUntraced(function* (
  n: number,
  services: ComposeFile,
  files: SimulatedCommit["files"] = {}
) {
  const volumes = Object.fromEntries(["data", "more"].map((name) => [name, {}]))
  const networks = { default: {} }
  const text = JSON.stringify({ services, volumes, networks })
  const { commit: put } = yield* SourceSimulation
  return yield* put(repository(n), "main", {
    message: "a commit",
    files: { "compose.yaml": text, Dockerfile: "FROM works", ...files }
  })
})

const repository = (n: number) => `https://forge.example/application-${n}.git`

/** Settings for a build from the Dockerfile of the repository. */
export const ofDockerfile: Partial<Configuration> = {
  build_pack: "dockerfile",
  dockerfile_location: "/Dockerfile",
  docker_compose_domains: [],
  domains: "http://a1.example",
  ports_exposes: "3000"
}

/** Plants the `n`th application of a placement, with a compose file in its repository. */
export const plantRepository = Effect.fnUntraced(function* (
  { placement }: Pick<Application, "placement">,
  n: number,
  services: ComposeFile,
  facts: Partial<Configuration> = {}
) {
  yield* (yield* SourceSimulation).repository(repository(n), { _tag: "Anyone" })
  yield* commit(n, services)
  return yield* Effect.orDie(
    (yield* ApplicationStore).insert(
      newApplication(n, placement, {
        variant: "public",
        configuration: configurationOf({
          name: `application ${n}`,
          git_repository: repository(n),
          git_branch: "main",
          git_commit_sha: "HEAD",
          build_pack: "dockercompose",
          docker_compose_location: "/compose.yaml",
          docker_compose_domains: [{ name: "web", domain: `http://a${n}.example` }],
          health_check_enabled: false,
          health_check_start_period: 0,
          ...facts
        })
      })
    )
  )
})

/** The reachable containers, and the containers that respond with 500 instead of 200. */
export class Health extends Context.Service<
  Health,
  {
    readonly sick: Set<DeploymentUuid>
    readonly listening: Map<string, Upstream>
  }
>()("@slipway/memory/test/Health") {}

const health = Layer.sync(Health, () => ({ sick: new Set<DeploymentUuid>(), listening: new Map<string, Upstream>() }))

/** Makes running containers of a server listen, and stopped ones not. */
const connect = Effect.gen(function* () {
  const proxies = yield* ProxySimulation
  const engines = yield* EngineSimulation
  const { listening, sick } = yield* Health
  const present = yield* Effect.forEach([1, 2], (n) => engines.inventory(uuidOf("server", n)))
  const running = new Map(
    present
      .flatMap(({ containers }) => containers)
      .flatMap((each) => (each.state === "running" ? [[each.name, each] as const] : []))
  )
  const hostOf = (name: string) => {
    const container = running.get(name)
    const isOnHost = container?.spec.options.dangerous.network === "host"
    return isOnHost ? "127.0.0.1" : Object.values(container?.addresses ?? {}).at(-1)
  }
  for (const [name, upstream] of [...listening]) {
    if (hostOf(name) === upstream.host) continue
    yield* proxies.listen(upstream, null)
    listening.delete(name)
  }
  for (const [name, { owner }] of running) {
    const host = hostOf(name)
    if (host === undefined || listening.has(name)) continue
    const upstream = { host, port: 3000 }
    listening.set(name, upstream)
    const status = () => (sick.has(owner.deployment) ? 500 : 200)
    yield* proxies.listen(upstream, () => ({ status: status(), headers: {}, body: owner.deployment }))
  }
})

const step = 100

/** Advances time, and runs an effect ten times per second. */
export const pass = <E = never, R = never>(seconds: number, look: Effect.Effect<void, E, R> | undefined = undefined) =>
  Effect.gen(function* () {
    for (let passed = 0; passed < seconds * 1_000; passed += step) {
      yield* TestClock.adjust(step)
      yield* connect
      if (look !== undefined) yield* look
    }
  })

/** Advances time until a deployment has ended or the seconds are over, and a little more. */
export const passUntilEnded = Effect.fnUntraced(function* <E = never, R = never>(
  deployment: Pick<Deployment, "uuid">,
  most: number,
  look: Effect.Effect<void, E, R> | undefined = undefined
) {
  for (let passed = 0; passed < most && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1, look)
  yield* pass(5, look)
})

/** Everything that a test needs. */
export const world = Layer.merge(platform, health)
