import {
  type ApplicationUuid,
  ContainerEngine,
  containerSpec,
  type DeploymentUuid,
  type Engine,
  type LocalAccess,
  noOptions,
  ProxyUnreachable,
  type SshAccess
} from "@slipway/domain/deploy"
import { SshConnections } from "@slipway/ssh"
import { Effect, Redacted, Scope, Stream } from "effect"
import { NoAnswer, type Way } from "./exchange.ts"
import { type Directory, pointersIn } from "./pointers.ts"
import type { Caddy } from "./serverProxy.ts"
import type { CaddySettings } from "./settings.ts"
import { isThere } from "./start.ts"

// Whose the containers of proxies are: no application is given this uuid.
const owner = {
  application: "slipwayproxy000000000000" as ApplicationUuid,
  deployment: "caddy0000000000000000000" as DeploymentUuid,
  service: null
}
const ref = { application: owner.application, name: "slipway-proxy" }
const volume = "slipway-proxy"
const data = "/data"
// The server's own loopback: containers have loopbacks of their own.
const admin = { _tag: "Tcp", host: "127.0.0.1", port: 2019 as number } as const
const probePort = 2020

const patience = 30_000
const pause = 200

const spec = (image: string) =>
  containerSpec({
    owner,
    name: ref.name,
    image,
    entrypoint: ["caddy"],
    // With what it served last, if there is anything.
    command: ["run", "--resume"],
    environment: [
      ["XDG_CONFIG_HOME", Redacted.make(`${data}/config`)],
      ["XDG_DATA_HOME", Redacted.make(data)]
    ],
    mounts: [{ source: { _tag: "Volume", name: volume }, target: data, readOnly: false }],
    restart: { _tag: "UnlessStopped" },
    // The ports of the server, and the addresses of all its containers, whatever their networks.
    options: { ...noOptions, dangerous: { ...noOptions.dangerous, network: "host" } }
  })

const unreachable = (because: string) => new ProxyUnreachable({ because })
const told = (error: { readonly _tag: string; readonly because?: string }) =>
  unreachable(`the proxy's container can't be used: ${error.because ?? error._tag}`)

/** A directory in the container, by the programs that its image has; no shell reads their arguments. */
const directoryIn = (engine: Engine, root: string): Directory => {
  const run = (...argv: ReadonlyArray<string>) => Effect.mapError(engine.exec(ref, { argv }), told)
  const must = Effect.fnUntraced(function* (...argv: ReadonlyArray<string>) {
    const { exitCode, output } = yield* run(...argv)
    if (exitCode !== 0) {
      const because = output.map(({ text }) => text).join(" ")
      return yield* unreachable(`the proxy's container can't ${argv[0]}: ${because}`)
    }
  })
  const below = (path: string) => (path === "" ? root : `${root}/${path}`)
  return {
    root,
    list: (path) =>
      Effect.map(run("ls", "-1", below(path)), ({ exitCode, output }) =>
        exitCode === 0 ? output.flatMap(({ stream, text }) => (stream === "stdout" ? [text] : [])).sort() : []
      ),
    make: (path, file) => Effect.andThen(must("mkdir", "-p", below(path)), must("touch", `${below(path)}/${file}`)),
    remove: (paths) => must("rm", "-rf", ...paths.map(below))
  }
}

const imageOf = (engine: Engine, reference: string) =>
  Effect.catchTag(engine.inspectImage(reference), "ImageNotFound", () => Stream.runDrain(engine.pull(reference)))

const startIn = (engine: Engine, image: string) =>
  Effect.gen(function* () {
    yield* engine.ensureVolume(owner.application, volume)
    yield* Effect.catchTag(engine.inspect(ref), "ContainerNotFound", () =>
      Effect.andThen(imageOf(engine, image), engine.create(spec(image)))
    )
    yield* engine.start(ref)
  }).pipe(Effect.mapError(told))

const lastLine = (engine: Engine) =>
  engine.logs(ref, { tail: 1 }).pipe(
    Stream.runFold(
      () => "",
      (_, { text }) => text
    ),
    Effect.catch(() => Effect.succeed(""))
  )

const wayTo = (access: LocalAccess | SshAccess, address: typeof admin) =>
  Effect.gen(function* () {
    if (access._tag === "Local") return { address, connect: null } satisfies Way
    const connections = yield* SshConnections
    const scope = yield* Effect.scope
    const connect = Scope.provide(connections.open(access), scope).pipe(
      Effect.flatMap((connection) => connection.stream(address)),
      Effect.mapError((error) => {
        const because = error._tag === "HostKeyChanged" ? `the server shows another key: ${error.shown}` : error.because
        return new NoAnswer({ because, reason: "absent" })
      })
    )
    return { address, connect } satisfies Way
  })

/** Gives the Caddy in the proxy's container of a server, which is started where there is none. */
export const containerCaddy = Effect.fnUntraced(function* (settings: CaddySettings, access: LocalAccess | SshAccess) {
  const engine = yield* Effect.mapError((yield* ContainerEngine).open(access), told)
  const way = yield* wayTo(access, admin)
  if (!(yield* isThere(way))) {
    yield* startIn(engine, settings.image)
    for (let waited = 0; !(yield* isThere(way)); waited += pause) {
      if (waited >= patience)
        return yield* unreachable(`the proxy's container doesn't answer: ${yield* lastLine(engine)}`)
      yield* Effect.sleep(pause)
    }
  }
  const { http, https } = access._tag === "Local" ? settings : settings.servers
  const caddy: Omit<Caddy, "inTurn"> = {
    admin: way,
    probe: yield* wayTo(access, { ...admin, port: probePort }),
    layout: { http, https, acme: settings.acme },
    pointers: pointersIn(directoryIn(engine, `${data}/slipway/upstreams`))
  }
  return caddy
})
