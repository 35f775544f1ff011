import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerEngineInstaller } from "@slipway/docker"
import { sshAccessTo, startSshd, startSshdWithCommands } from "@slipway/docker/testing"
import { EngineInstaller, type SshAccess } from "@slipway/domain/deploy/containers"
import { type Server, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { newServer } from "@slipway/testkit/deploy"
import { Effect, Layer, Stream } from "effect"
import { variableIn } from "../src/installer.ts"

const layer = layerEngineInstaller.pipe(Layer.provide(layerSshConnections), Layer.provideMerge(memory))

/** Puts programs on the server that note their arguments, and of which `failing` fails. */
const programsIn = (directory: string, failing = "") => {
  const log = join(directory, "log")
  for (const name of ["apt-get", "dpkg", "systemctl"]) {
    const end = name === failing ? "echo no space left >&2; exit 100" : "exit 0"
    writeFileSync(join(directory, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${end}\n`, { mode: 0o755 })
  }
  return () => readFileSync(log, "utf8").trim().split("\n")
}

const accessTo = Effect.fnUntraced(function* (sshd: Effect.Success<typeof startSshd>) {
  const server: Server = yield* Effect.orDie((yield* ServerStore).insert(newServer(1)))
  return sshAccessTo(sshd, server.uuid)
})

const installed = Effect.fnUntraced(function* (access: SshAccess) {
  return yield* Stream.runCollect((yield* EngineInstaller).install(access))
})

describe("the installation of an engine", () => {
  it.live("runs the package manager of Debian through SSH, step by step", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshdWithCommands
      const logged = programsIn(sshd.programs)
      const [found, ...steps] = yield* installed(yield* accessTo(sshd))
      assert.match(found ?? "", /^found /)
      assert.deepStrictEqual(steps, [
        "completed interrupted installations",
        "updated the package lists",
        "installed docker.io",
        "started the service docker"
      ])
      assert.deepStrictEqual(logged(), [
        "dpkg --configure -a",
        "apt-get -q -o DPkg::Lock::Timeout=300 update",
        "apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends docker.io",
        "systemctl enable --now docker"
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("stops at a step that fails, and reports the end of its output", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshdWithCommands
      const logged = programsIn(sshd.programs, "apt-get")
      const failure = yield* Effect.flip(installed(yield* accessTo(sshd)))
      assert.strictEqual(failure._tag, "InstallationFailed")
      assert.strictEqual(
        "because" in failure ? failure.because : "",
        "`apt-get -q -o DPkg::Lock::Timeout=300 update` exited with 100: no space left"
      )
      assert.strictEqual(logged().length, 2)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("is reported while it runs", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshdWithCommands
      programsIn(sshd.programs)
      const access = yield* accessTo(sshd)
      const installer = yield* EngineInstaller
      const during: Array<boolean> = []
      yield* Stream.runForEach(installer.install(access), () =>
        Effect.map(installer.isInstalling(access.server), (isInstalling) => void during.push(isInstalling))
      )
      assert.deepStrictEqual(during, [true, true, true, true, true])
      assert.isFalse(yield* installer.isInstalling(access.server))
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("fails on a server that allows no commands", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshd
      const failure = yield* Effect.flip(Effect.timeout(installed(yield* accessTo(sshd)), "20 seconds"))
      assert.include(["InstallationFailed", "EngineUnreachable"], failure._tag)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it("reads the names of operating systems", () => {
    const text = 'NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\nPRETTY_NAME="Ubuntu 24.04 LTS"\n'
    assert.deepStrictEqual(
      ["ID", "ID_LIKE", "PRETTY_NAME", "NONE"].map((name) => variableIn(text, name)),
      ["ubuntu", "debian", "Ubuntu 24.04 LTS", ""]
    )
  })
})
