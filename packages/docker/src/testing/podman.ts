import { type ChildProcess, spawn } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer, type Server } from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import type { LocalAccess } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, type Scope } from "effect"
import { ProgramUnavailable, programPath, run } from "./programs.ts"

/** A Podman service for a single test. */
export interface PodmanService {
  /** The path of the socket that serves the Docker Engine API. */
  readonly socket: string
  readonly access: LocalAccess
  /** The reference of an image that contains busybox in `/bin`, with a link for each of its commands. */
  readonly image: string
  /** Runs the `podman` command line program on the containers of this service. */
  readonly podman: (...args: ReadonlyArray<string>) => Effect.Effect<string, ProgramUnavailable>
  /** Kills the service and all containers, as a crash of the machine would. No container restarts before `start`. */
  readonly kill: Effect.Effect<void, ProgramUnavailable>
  /** Starts the service again after `kill`; containers stay stopped. */
  readonly start: Effect.Effect<void, ProgramUnavailable>
}

const prefix = "slipway-podman-"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const settingsIn = (directory: string, second: number): string => `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
exit_command_delay = 1
tmp_dir = "${directory}/tmp"
helper_binaries_dir = ["${directory}/helpers", "/usr/lib/podman"]
[network]
network_backend = "netavark"
network_config_dir = "${directory}/networks"
default_network = "podman${second}"
default_subnet = "10.${second}.0.0/24"
default_subnet_pools = [{ "base" = "10.${second}.0.0/16", "size" = 24 }]
`

const registries = `unqualified-search-registries = ["docker.io"]
[[registry]]
location = "127.0.0.1"
insecure = true
`

// In its info, Podman asks Debian for the packages of two of its programs, which takes 22 ms of a processor each time,
// and no test needs that.
const packages = "dpkg-query"

const environmentOf = (directory: string) => ({
  PATH: `${join(directory, "helpers")}:${process.env.PATH}`,
  CONTAINERS_CONF: join(directory, "containers.conf"),
  CONTAINERS_REGISTRIES_CONF: join(directory, "registries.conf"),
  REGISTRY_AUTH_FILE: join(directory, "auth.json"),
  TMPDIR: join(directory, "tmp")
})

const globals = (directory: string) => ["--root", join(directory, "root"), "--runroot", join(directory, "run")]

// Podmans share the machine's iptables, where the first one creates the chains, named after networks. So each has a
// default network with a separate name, and one at a time changes the chains; processes that netavark leaves running
// keep no lock. Each also has a separate DNS server: one for all confuses the networks that have the same name. Podman
// names its directory in the first two arguments.
const netavark = (directory: string) => `#!/bin/sh
shift 2
exec flock --close ${tmpdir()}/slipway-netavark.lock /usr/lib/podman/netavark --config ${directory}/dns "$@"
`

const claim = (name: string) =>
  Effect.callback<Server | undefined>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen(`\0${name}`, () => resume(Effect.succeed(server)))
  })

/**
 * Reserves a network `10.x` that no interface of this machine and no other test uses. The lock is the name of an
 * abstract unix socket: the kernel gives it to one process at a time, and releases it when the process exits.
 */
const freeSecond = Effect.acquireRelease(
  Effect.gen(function* () {
    const taken = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
    for (let second = 100; second < 220; second++) {
      if (taken.some((address) => address.startsWith(`10.${second}.`))) continue
      const server = yield* claim(`slipway-podman-${second}`)
      if (server !== undefined) return { second, server }
    }
    return yield* new ProgramUnavailable({ message: "no addresses from 10.100 to 10.219 are free" })
  }),
  ({ server }) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
)

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Returns the line of the root mount in a process's `mountinfo`. Its fifth field is the mount point. */
const rootMountOf = (pid: number): string =>
  textOf(`/proc/${pid}/mountinfo`)
    .split("\n")
    .findLast((line) => line.split(" ")[4] === "/") ?? ""

/**
 * Returns whether a process belongs to a Podman service: its command line or its root mount contains the service's
 * directory.
 */
const belongsTo = (directory: string, pid: number): boolean =>
  textOf(`/proc/${pid}/cmdline`).includes(directory) || rootMountOf(pid).includes(directory)

/** Kills the helper processes that Podman left running for a service. */
const endHelpers = (directory: string): void => {
  for (const name of readdirSync("/proc")) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid || !belongsTo(directory, pid)) continue
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It has exited by itself.
    }
  }
}

const mountsBelow = (directory: string): ReadonlyArray<string> =>
  textOf("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${directory}/`))
    .toReversed()

/** Removes the containers, networks, volumes, processes and files of a Podman service. */
const cleanUp = (podman: string, directory: string) =>
  Effect.gen(function* () {
    const environment = environmentOf(directory)
    const quietly = (...args: ReadonlyArray<string>) =>
      Effect.ignore(run(podman, [...globals(directory), ...args], environment))
    yield* quietly("rm", "--force", "--all", "--time", "0")
    yield* quietly("network", "prune", "--force")
    yield* quietly("volume", "prune", "--force")
    yield* Effect.sync(() => endHelpers(directory))
    for (const path of mountsBelow(directory)) yield* Effect.ignore(run("umount", ["--lazy", path], {}))
    yield* Effect.sync(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  })

/** Removes the leftovers of killed test runs, especially their containers, which would keep running. */
const sweep = (podman: string) =>
  Effect.forEach(readdirSync(tmpdir()), (name) => {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    return owner === undefined || isAlive(Number(owner)) ? Effect.void : cleanUp(podman, join(tmpdir(), name))
  })

const baseImage = "docker.io/slipway-test/busybox:1"

/** Imports an image with busybox. This takes a third of the time of an image build. */
const importBase = (podman: string, busybox: string, directory: string) =>
  Effect.gen(function* () {
    const [bin, archive] = [join(directory, "base", "bin"), join(directory, "base.tar")]
    mkdirSync(bin, { recursive: true })
    copyFileSync(busybox, join(bin, "busybox"))
    const names = yield* run(busybox, ["--list"], {})
    for (const name of names.trim().split("\n")) {
      if (name !== "busybox") symlinkSync("busybox", join(bin, name))
    }
    yield* run("tar", ["-C", join(directory, "base"), "-cf", archive, "bin"], {})
    const changes = ["ENV PATH=/bin", 'CMD ["sleep", "1000"]'].flatMap((change) => ["--change", change])
    yield* run(podman, [...globals(directory), "import", ...changes, archive, baseImage], environmentOf(directory))
  })

const stopped = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  }).pipe(Effect.timeout("5 seconds"), Effect.ignore, Effect.andThen(Effect.sync(() => child.kill("SIGKILL"))))

const listening = (socket: string, child: ChildProcess) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
      if (existsSync(socket)) return
      yield* Effect.sleep("50 millis")
    }
    return yield* new ProgramUnavailable({
      message: `podman's service doesn't listen; it ended with ${child.exitCode}`
    })
  })

/**
 * Starts a Podman service with its own containers, images and networks in a temporary directory. When the scope closes,
 * all of them are removed.
 *
 * Requires root, and the Debian packages podman, runc, netavark, aardvark-dns, iptables and busybox-static.
 */
export const startPodman: Effect.Effect<PodmanService, ProgramUnavailable, Scope.Scope> = Effect.gen(function* () {
  const podman = yield* programPath("podman", "podman")
  yield* programPath("runc", "runc")
  yield* programPath("iptables", "iptables")
  const busybox = yield* programPath("busybox", "busybox-static")
  for (const helper of ["netavark", "aardvark-dns"]) {
    if (!existsSync(`/usr/lib/podman/${helper}`)) yield* programPath(helper, helper)
  }
  const { second } = yield* freeSecond
  yield* sweep(podman)
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))),
    (path) => cleanUp(podman, path)
  )
  const environment = environmentOf(directory)
  const socket = join(directory, "podman.sock")
  yield* Effect.sync(() => {
    for (const name of ["tmp", "networks", "helpers", "dns"]) mkdirSync(join(directory, name))
    writeFileSync(join(directory, "helpers", "netavark"), netavark(directory), { mode: 0o755 })
    symlinkSync("/bin/false", join(directory, "helpers", packages))
    writeFileSync(environment.CONTAINERS_CONF, settingsIn(directory, second))
    writeFileSync(environment.CONTAINERS_REGISTRIES_CONF, registries)
    writeFileSync(environment.REGISTRY_AUTH_FILE, "{}")
  })
  yield* importBase(podman, busybox, directory)
  const begin = () =>
    spawn(podman, [...globals(directory), "system", "service", "--time", "0", `unix://${socket}`], {
      env: { ...process.env, ...environment },
      stdio: "ignore"
    })
  let child: ChildProcess = yield* Effect.acquireRelease(Effect.sync(begin), () => Effect.suspend(() => stopped(child)))
  yield* listening(socket, child)
  const access: LocalAccess = {
    _tag: "Local",
    server: "podman".padEnd(24, "0") as ServerUuid,
    socket,
    connectionTimeout: 10
  }
  return {
    socket,
    access,
    image: "slipway-test/busybox:1",
    podman: (...args) => run(podman, [...globals(directory), ...args], environment),
    kill: Effect.gen(function* () {
      yield* Effect.callback<void>((resume) => {
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
      // Podman detects a reboot by files below /run; without one it takes exited processes for running.
      yield* run(podman, [...globals(directory), "kill", "--all"], environment)
      yield* Effect.sync(() => rmSync(socket, { force: true }))
    }),
    start: Effect.suspend(() => {
      child = begin()
      return listening(socket, child)
    })
  }
})
