import { EngineInstaller, EngineUnreachable, InstallationFailed } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { type SshConnection, SshConnections } from "@slipway/ssh"
import { Effect, Layer, Stream } from "effect"

/** A step of an installation: the command, and a phrase for its result. */
interface Step {
  readonly command: string
  readonly done: string
}

/** The commands that install Docker on Debian or Ubuntu. They are constants, because a shell interprets them. */
const steps: ReadonlyArray<Step> = [
  // An installation that was killed leaves packages half configured.
  { command: "dpkg --configure -a", done: "completed interrupted installations" },
  { command: "apt-get -q -o DPkg::Lock::Timeout=300 update", done: "updated the package lists" },
  {
    command:
      "env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends docker.io",
    done: "installed docker.io"
  },
  { command: "systemctl enable --now docker", done: "started the service docker" }
]

/** The timeout of each step, in seconds. */
const timeout = 900

const families: ReadonlyArray<string> = ["debian", "ubuntu"]

/**
 * Reads a variable of the file `os-release`.
 *
 * @example
 * variableIn('ID=debian\nPRETTY_NAME="Debian 12"', "PRETTY_NAME") // => "Debian 12"
 */
export const variableIn = (text: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, "m")
    .exec(text)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2") ?? ""

const requireFamily = Effect.fnUntraced(function* (connection: SshConnection) {
  const text = yield* connection.readText("/etc/os-release")
  const name = (variableIn(text, "PRETTY_NAME") || "the operating system").slice(0, 100)
  const all = [variableIn(text, "ID"), ...variableIn(text, "ID_LIKE").split(/\s+/)]
  if (all.some((family) => families.includes(family))) return `found ${name}`
  const because = `${name} is not Debian or Ubuntu: install Docker or Podman with its packages`
  return yield* new InstallationFailed({ because })
})

const perform = Effect.fnUntraced(function* (connection: SshConnection, { command, done }: Step) {
  const { code, output } = yield* connection.run(command, timeout)
  if (code === 0) return done
  const [last = ""] = output.trim().split("\n").slice(-1)
  return yield* new InstallationFailed({ because: `\`${command}\` exited with ${code}: ${last.slice(0, 500)}` })
})

/** Provides the installation of Docker by the packages of Debian and Ubuntu, through SSH. */
export const layerEngineInstaller: Layer.Layer<EngineInstaller, never, SshConnections> = Layer.effect(
  EngineInstaller,
  Effect.map(SshConnections, (connections) => {
    const installing = new Set<ServerUuid>()
    return {
      isInstalling: (server) => Effect.sync(() => installing.has(server)),
      install: (access) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const { server } = access
            yield* Effect.acquireRelease(
              Effect.sync(() => installing.add(server)),
              () => Effect.sync(() => installing.delete(server))
            )
            const connection = yield* connections.open(access)
            return Stream.concat(
              Stream.fromEffect(requireFamily(connection)),
              Stream.mapEffect(Stream.fromIterable(steps), (step) => perform(connection, step))
            )
          })
        ).pipe(
          Stream.scoped,
          Stream.mapError((error) =>
            error._tag === "SshUnreachable" ? new EngineUnreachable({ because: error.because }) : error
          )
        )
    }
  })
)
