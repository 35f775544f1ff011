import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerPackers } from "@slipway/buildpacks"
import { Packers, type PackRequest } from "@slipway/domain/deploy/containers"
import { Clock, Effect, Layer, Redacted, Stream } from "effect"
import { Tar } from "effect/encoding"

/** Fake programs that record their calls. */
const world = (programs: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = mkdtempSync(join(tmpdir(), "slipway-packers-test-"))
      for (const folder of ["bin", "files", "files/sub"]) mkdirSync(join(root, folder))
      writeFileSync(join(root, "files", "sub", "page.txt"), "hello")
      for (const [name, text] of Object.entries(programs)) {
        const path = join(root, "bin", name)
        writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${root}/calls\nenv >> ${root}/env\n${text}\n`)
        chmodSync(path, 0o755)
      }
      const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : "")
      const layer = layerPackers({ path: `${join(root, "bin")}:/usr/bin:/bin`, builder: "example/builder" })
      return { root, files: join(root, "files"), read, layer }
    }),
    ({ root }) => Effect.sync(() => rmSync(root, { recursive: true }))
  )

const requested = (directory: string, more: Partial<PackRequest> = {}): PackRequest => ({
  packer: "packer_a",
  directory,
  commands: { install: "", build: "", start: "" },
  variables: [],
  reference: "slipway/app:one",
  socket: "/engine.sock",
  fresh: false,
  say: () => Effect.void,
  ...more
})

const pack = (request: PackRequest) => Effect.flatMap(Packers, (packers) => packers.pack(request))

const whyNot = (request: PackRequest) => Effect.map(Effect.flip(pack(request)), ({ because }) => because)

const secret = [
  ["TOKEN", Redacted.make("swordfish")],
  ["LD_PRELOAD", Redacted.make("/evil.so")],
  ["PATH", Redacted.make("/evil")]
] as const

const nixpacks = `
if [ "$1" = plan ]; then echo '{"variables":{"CI":"true"}}'; exit 0; fi
echo "building"; echo "warned" >&2
for each; do directory=$each; done
mkdir "$directory/.nixpacks"; echo "FROM scratch" > "$directory/.nixpacks/Dockerfile"`

describe("the build pack packer_a", () => {
  it.live("returns the files with the Dockerfile from Nixpacks and its planned build arguments", () =>
    Effect.gen(function* () {
      const { files, layer, read } = yield* world({ nixpacks })
      const said: Array<string> = []
      const say = (line: string) => Effect.sync(() => void said.push(line))
      const commands = { install: "", build: "make; touch $(id)", start: "" }
      const packed = yield* pack(requested(files, { commands, say, variables: secret })).pipe(Effect.provide(layer))
      if (packed._tag !== "Context") return assert.fail("it built an image")
      assert.sameMembers(said, [
        "not passed to nixpacks, because their names would change its own run: LD_PRELOAD, PATH",
        "building",
        "warned"
      ])
      assert.deepStrictEqual(
        packed.arguments.map(([name, value]) => [name, Redacted.value(value)]),
        [["CI", "true"]]
      )
      const entries = yield* packed.archive.pipe(
        Stream.pipeThroughChannel(Tar.decode()),
        Stream.map(({ header }) => header.path),
        Stream.runCollect
      )
      assert.include(entries, packed.dockerfile)
      assert.include(entries, "sub/page.txt")
      // A command is always one argument (invariant I23), and no value is an argument (invariant I15).
      assert.include(read("calls").split("\n"), "--build-cmd=make; touch $(id)")
      assert.notInclude(read("calls"), "swordfish")
      assert.include(read("env"), "TOKEN=swordfish")
      assert.notInclude(read("env"), "evil")
      assert.notInclude(read("env"), "npm_")
    }).pipe(Effect.scoped)
  )

  it.live(
    "rejects a configuration path outside the repository, so that no error quotes such a file (invariant I25)",
    () =>
      Effect.gen(function* () {
        const { files, layer, read } = yield* world({ nixpacks })
        const because = (path: string) =>
          whyNot(requested(files, { variables: [["NIXPACKS_CONFIG_FILE", Redacted.make(path)]] }))
        for (const path of ["/etc/own.toml", "../own.toml", "sub/../../own.toml", ".."]) {
          assert.strictEqual(
            yield* Effect.provide(because(path), layer),
            "NIXPACKS_CONFIG_FILE points outside of the repository",
            path
          )
        }
        assert.strictEqual(read("calls"), "")
        const variables = [["NIXPACKS_CONFIG_FILE", Redacted.make("sub/..own.toml")]] as const
        yield* Effect.provide(pack(requested(files, { variables })), layer)
      }).pipe(Effect.scoped)
  )

  it.live("names a variable that is too long for the environment (invariant I25)", () =>
    Effect.gen(function* () {
      const { files, layer } = yield* world({ nixpacks })
      const because = (...sizes: ReadonlyArray<number>) =>
        Effect.provide(
          whyNot(requested(files, { variables: sizes.map((size, n) => [`V${n}`, Redacted.make("x".repeat(size))]) })),
          layer
        )
      assert.strictEqual(
        yield* because(1, 131_069),
        "the variable V1 has 131,072 bytes, and nixpacks accepts at most 131,071"
      )
      assert.strictEqual(
        yield* because(...Array.from({ length: 20 }, (_, n) => 99_000 + n)),
        "the variables have 1,980,260 bytes, and nixpacks accepts at most 1,500,000; the longest is V19"
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports why it cannot pack", () =>
    Effect.gen(function* () {
      const none = yield* world({})
      assert.match(yield* Effect.provide(whyNot(requested(none.files)), none.layer), /nixpacks isn't installed/)
      const fails = yield* world({ nixpacks: "exit 3" })
      assert.strictEqual(yield* Effect.provide(whyNot(requested(fails.files)), fails.layer), "nixpacks exited with 3")
      const odd = yield* world({ nixpacks: "echo '{}'" })
      assert.match(yield* Effect.provide(whyNot(requested(odd.files)), odd.layer), /wrote no Dockerfile/)
      const endless = yield* world({ nixpacks: "yes" })
      const because = yield* Effect.provide(whyNot(requested(endless.files)), endless.layer)
      assert.strictEqual(because, "nixpacks wrote too much")
    }).pipe(Effect.scoped)
  )
})

describe("the build pack packer_b", () => {
  it.live("passes variables to pack without showing them on its command line (invariant I15)", () =>
    Effect.gen(function* () {
      const program = 'cat "$(printf "%s\\n" "$@" | sed -n s/^--env-file=//p)"'
      const { files, layer, read } = yield* world({ pack: program })
      const said: Array<string> = []
      const say = (line: string) => Effect.sync(() => void said.push(line))
      const request = requested(files, { packer: "packer_b", say, variables: secret })
      const packed = yield* Effect.provide(pack(request), layer)
      assert.strictEqual(packed._tag, "Image")
      assert.include(said, "TOKEN=swordfish")
      const calls = read("calls").split("\n")
      assert.deepStrictEqual(calls.slice(0, 4), [
        "build",
        "slipway/app:one",
        `--path=${files}`,
        "--builder=example/builder"
      ])
      assert.notInclude(read("calls"), "swordfish")
      assert.include(read("env"), "DOCKER_HOST=unix:///engine.sock")
      const commands = { install: "npm ci", build: "", start: "" }
      assert.match(yield* Effect.provide(whyNot({ ...request, commands }), layer), /supports no install/)
    }).pipe(Effect.scoped)
  )

  // Prevents: a key or a certificate is dropped silently, and the build runs without it.
  it.live("passes line breaks and trailing blanks of values unchanged (invariant I15)", () =>
    Effect.gen(function* () {
      const program = 'printf "[%s]" "$CERTIFICATE" "$PADDED"; cat "$(printf "%s\\n" "$@" | sed -n s/^--env-file=//p)"'
      const { files, layer, read } = yield* world({ pack: program })
      const said: Array<string> = []
      const say = (line: string) => Effect.sync(() => void said.push(line))
      const variables = [
        ["CERTIFICATE", Redacted.make("-----BEGIN\nswordfish\n-----END\n.")],
        ["PADDED", Redacted.make("swordfish\u00a0")],
        ["PLAIN", Redacted.make(' "in" one line')]
      ] as const
      const request = requested(files, { packer: "packer_b", say, variables })
      yield* Effect.provide(pack(request), layer)
      assert.strictEqual(said.join("\n"), '[-----BEGIN\nswordfish\n-----END\n.][swordfish\u00a0]PLAIN= "in" one line')
      assert.deepStrictEqual(
        read("calls")
          .split("\n")
          .filter((each) => each.startsWith("--env=")),
        ["--env=CERTIFICATE", "--env=PADDED"]
      )
      assert.notInclude(read("calls"), "swordfish")
      const because = (name: string, value: string) =>
        Effect.provide(whyNot({ ...request, variables: [[name, Redacted.make(value)]] }), layer)
      assert.strictEqual(
        yield* because("LD_PRELOAD", "a\nb"),
        "the variable LD_PRELOAD has line breaks or trailing blanks, which pack does not support"
      )
      assert.strictEqual(
        yield* because("LONG", `${"é".repeat(70_000)}\n`),
        "the variable LONG has 140,006 bytes, and pack accepts at most 131,071"
      )
    }).pipe(Effect.scoped)
  )

  it.live("ignores project.toml, which may name addresses and paths to fetch from (invariant I14)", () =>
    Effect.gen(function* () {
      const program = 'cat "$(printf "%s\\n" "$@" | sed -n s/^--descriptor=//p)"'
      const { files, layer } = yield* world({ pack: program })
      writeFileSync(join(files, "project.toml"), '[[io.buildpacks.group]]\nuri = "http://169.254.169.254/"\n')
      const said: Array<string> = []
      const say = (line: string) => Effect.sync(() => void said.push(line))
      yield* Effect.provide(pack(requested(files, { packer: "packer_b", say })), layer)
      assert.deepStrictEqual(said, ["[_]", 'schema-version = "0.2"'])
    }).pipe(Effect.scoped)
  )

  it.live("reads a bounded number of lines and bytes from output without a line end (invariant I25)", () =>
    Effect.gen(function* () {
      const said: Array<number> = []
      const say = (line: string) => Effect.sync(() => void said.push(line.length))
      const wide = yield* world({ pack: "head -c 50000000 /dev/zero | tr '\\0' x" })
      yield* Effect.provide(pack(requested(wide.files, { packer: "packer_b", say })), wide.layer)
      assert.deepStrictEqual(said.splice(0), [8 * 1_024 * 1_024])
      const long = yield* world({ pack: "yes | head -n 100000" })
      yield* Effect.provide(pack(requested(long.files, { packer: "packer_b", say })), long.layer)
      assert.lengthOf(said, 10_000)
    }).pipe(Effect.scoped)
  )
})

describe("the files to pack", () => {
  it.live("are rejected if a name is not UTF-8", () =>
    Effect.gen(function* () {
      const { files, layer } = yield* world({ nixpacks })
      const name = Buffer.concat([Buffer.from(`${files}/`), Buffer.from([0xff])])
      mkdirSync(name)
      assert.match(yield* Effect.provide(whyNot(requested(files)), layer), /names that are not UTF-8/)
      rmSync(join(files, ".nixpacks"), { recursive: true })
      rmdirSync(name)
      writeFileSync(name, "")
      assert.match(yield* Effect.provide(whyNot(requested(files)), layer), /names that are not UTF-8/)
    }).pipe(Effect.scoped)
  )

  it.live("are removed a day after their process was killed, with their variables (invariant I15)", () =>
    Effect.gen(function* () {
      const { root } = yield* world({})
      const folder = join(root, "files")
      const now = (yield* Clock.currentTimeMillis) / 1_000
      for (const [name, age] of [
        ["slipway-packer-old", 90_000],
        ["slipway-packer-new", 80_000]
      ] as const) {
        mkdirSync(join(folder, name))
        writeFileSync(join(folder, name, "variables"), "TOKEN=swordfish")
        utimesSync(join(folder, name), now - age, now - age)
      }
      yield* Layer.build(layerPackers({ path: "", builder: "", folder }))
      assert.deepStrictEqual(readdirSync(folder).sort(), ["slipway-packer-new", "sub"])
    }).pipe(Effect.scoped)
  )
})
