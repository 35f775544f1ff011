import { readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Packed, PackerFailed, Packers, type PackRequest, type Pairs } from "@slipway/domain/deploy/containers"
import { type FolderKind, privateFolder, sweepFolders } from "@slipway/subprocess"
import { Duration, Effect, Layer, Redacted, Schema } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { archiveOf } from "./archive.ts"
import { type Run, runReading, runReportingLines } from "./program.ts"

/** The settings for running build-pack programs (Nixpacks and pack). */
export interface PackersSettings {
  /** The directories in which the programs are searched, in the format of `PATH`. */
  readonly path: string
  /** The builder image with which the build pack `packer_b` builds. */
  readonly builder: string
  /** The parent of temporary folders; by default the temporary folder of the operating system. */
  readonly folder?: string
}

/**
 * The temporary folders of builds, which contain secret variables (invariant I15). They are removed after a day, which
 * is longer than any build takes.
 */
const builds: FolderKind = { prefix: "slipway-packer-", abandoned: Duration.days(1) }

/**
 * The limits of the operating system in bytes: for one environment variable with its name, and for all of them together
 * with a margin.
 */
const [mostOfOne, mostTogether] = [131_071, 1_500_000]

const sizeOf = ([name, value]: Pairs[number]): number => Buffer.byteLength(`${name}=${Redacted.value(value)}`)
const count = (bytes: number): string => bytes.toLocaleString("en")

/**
 * Fails if the environment variables exceed the limits of the operating system. The error names the longest variable.
 */
const requireRoom = (program: string, variables: Pairs) => {
  const [longest] = variables.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  if (longest === undefined) return Effect.void
  const together = variables.reduce((sum, each) => sum + sizeOf(each), 0)
  if (sizeOf(longest) <= mostOfOne && together <= mostTogether) return Effect.void
  const because =
    sizeOf(longest) > mostOfOne
      ? `the variable ${longest[0]} has ${count(sizeOf(longest))} bytes, and ${program} accepts at most ${count(mostOfOne)}`
      : `the variables have ${count(together)} bytes, and ${program} accepts at most ${count(mostTogether)}; the longest is ${longest[0]}`
  return Effect.fail(new PackerFailed({ because }))
}

/**
 * The variables that control how programs run. An application must not set them for a program on the platform's
 * machine.
 */
const reservedVariables =
  /^(?:PATH|HOME|TMPDIR|SHELL|IFS|ENV|BASH_.*|LC_.*|LANG|LD_.*|DYLD_.*|DOCKER_.*|PACK_.*|GIT_.*|SSL_.*|XDG_.*|RUST_.*|GODEBUG|GO.*|.*_PROXY|.*_proxy)$/

const isPassed = ([name]: Pairs[number]): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reservedVariables.test(name)

/**
 * Returns whether a variable makes Nixpacks read a settings file outside the repository. Its error messages could
 * disclose that file.
 */
const leadsOut = ([name, value]: Pairs[number]): boolean =>
  name === "NIXPACKS_CONFIG_FILE" && /^\/|(?:^|\/)\.\.(?:\/|$)/.test(Redacted.value(value))

const optionsOf = ({ build, install, start }: PackRequest["commands"]): ReadonlyArray<string> =>
  [
    ["--install-cmd", install],
    ["--build-cmd", build],
    ["--start-cmd", start]
  ].flatMap(([name, command]) => (command === "" ? [] : [`${name}=${command}`]))

const NixpacksPlan = Schema.fromJsonString(
  Schema.Struct({ variables: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String))) })
)
const dockerfile = ".nixpacks/Dockerfile"

/** Runs Nixpacks, which writes a Dockerfile into the source directory. The container engine builds the image later. */
const nixpacks = Effect.fnUntraced(function* (request: PackRequest, { folder = tmpdir(), path }: PackersSettings) {
  const { commands, directory, say } = request
  const home = yield* privateFolder(builds, folder)
  const variables = request.variables.filter(isPassed)
  const others = request.variables.filter((each) => !isPassed(each)).map(([name]) => name)
  if (others.length > 0)
    yield* say(`not passed to nixpacks, because their names would change its own run: ${others.join(", ")}`)
  yield* requireRoom("nixpacks", variables)
  if (variables.some(leadsOut)) {
    return yield* new PackerFailed({ because: "NIXPACKS_CONFIG_FILE points outside of the repository" })
  }
  const options = [...optionsOf(commands), ...variables.map(([name]) => `--env=${name}`)]
  const run = (args: ReadonlyArray<string>): Run => ({
    program: "nixpacks",
    args,
    home,
    environment: Object.fromEntries(variables)
  })
  const plan = yield* runReading(run(["plan", "--format=json", ...options, "--", directory]), path)
  const { variables: planned } = yield* Effect.mapError(
    Schema.decodeUnknownEffect(NixpacksPlan)(plan),
    () => new PackerFailed({ because: "nixpacks created an unreadable plan" })
  )
  // Without Nixpacks' caches: they would be mounts, which Docker supports only with BuildKit, and shared by
  // applications.
  const flags = ["--no-error-without-start", "--no-cache"]
  yield* runReportingLines(run(["build", `--out=${directory}`, ...flags, ...options, "--", directory]), path, say)
  yield* Effect.tryPromise({
    try: () => readFile(join(directory, dockerfile)),
    catch: () => new PackerFailed({ because: "nixpacks wrote no Dockerfile: it may not know this kind of project" })
  })
  const packed: Packed = {
    _tag: "Context",
    archive: yield* archiveOf(directory),
    dockerfile,
    arguments: Object.entries(planned ?? {}).map(([name, value]) => [name, Redacted.make(value)] as const)
  }
  return packed
})

/**
 * Returns whether pack reads the value of a variable unchanged from a file with one variable per line. The file format
 * has no quotes, and pack removes trailing whitespace.
 */
const fitsLine = ([, value]: Pairs[number]): boolean => !/\n|[\s\u0085]$/.test(Redacted.value(value))

/** Builds an image with the pack program of Cloud Native Buildpacks, directly on the container engine. */
const buildpacks = Effect.fnUntraced(function* (
  request: PackRequest,
  { builder, folder = tmpdir(), path }: PackersSettings
) {
  const { commands, directory, fresh, reference, say, socket } = request
  if (Object.values(commands).some((command) => command !== "")) {
    const because = "packer_b supports no install, build or start command: use variables (BP_…) or a Procfile"
    return yield* new PackerFailed({ because })
  }
  const home = yield* privateFolder(builds, folder)
  const file = join(home, "variables")
  // In a file, since other users of the machine can read a command line.
  const lines = request.variables.filter(fitsLine).map(([name, value]) => `${name}=${Redacted.value(value)}\n`)
  yield* Effect.promise(() => writeFile(file, lines.join(""), { mode: 0o600 }))
  const others = request.variables.filter((each) => !fitsLine(each))
  const own = others.find(([name]) => reservedVariables.test(name))
  if (own !== undefined) {
    const because = `the variable ${own[0]} has line breaks or trailing blanks, which pack does not support`
    return yield* new PackerFailed({ because })
  }
  yield* requireRoom("pack", others)
  // Replaces the repository's own, with which pack would fetch from any address in it (invariant I14).
  const descriptor = join(home, "project.toml")
  yield* Effect.promise(() => writeFile(descriptor, '[_]\nschema-version = "0.2"\n'))
  const run: Run = {
    program: "pack",
    args: [
      "build",
      reference,
      `--path=${directory}`,
      `--builder=${builder}`,
      `--env-file=${file}`,
      `--descriptor=${descriptor}`,
      "--pull-policy=if-not-present",
      "--no-color",
      ...others.map(([name]) => `--env=${name}`),
      ...(fresh ? ["--clear-cache"] : [])
    ],
    home,
    environment: { ...Object.fromEntries(others), DOCKER_HOST: `unix://${socket}`, PACK_HOME: home }
  }
  yield* runReportingLines(run, path, say)
  return { _tag: "Image" } as Packed
})

/** Packs applications with the build-pack programs that are installed on this machine. */
export const layerPackers = (settings: PackersSettings): Layer.Layer<Packers> =>
  Layer.effect(
    Packers,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      yield* sweepFolders(builds, settings.folder ?? tmpdir())
      return {
        pack: (request) =>
          (request.packer === "packer_a" ? nixpacks(request, settings) : buildpacks(request, settings)).pipe(
            Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner)
          )
      }
    })
  ).pipe(Layer.provide(NodeServices.layer))
