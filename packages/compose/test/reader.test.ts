import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerComposeReader, layerComposeReaderIn, usualFolders } from "@slipway/compose"
import { ComposeReader, type ComposeRequest, readComposeProject } from "@slipway/domain/deploy/containers"
import { Clock, Effect, Fiber, Layer, Redacted, Result, Schedule } from "effect"
import { processorTime } from "../../../scripts/vitest/processor.ts"
import { directoryOf } from "./support.ts"

type Asked = Pick<ComposeRequest, "directory"> & Partial<ComposeRequest>

const reading = (layer: Layer.Layer<ComposeReader>, request: Asked) =>
  Effect.flatMap(ComposeReader, (reader) =>
    reader.read({ folder: "/", files: ["compose.yml"], profiles: [], variables: [], ...request })
  ).pipe(
    Effect.map(({ config }) => config),
    Effect.provide(layer, { local: true })
  )

/** Makes a fake compose program that reports version 2 and runs a shell script. */
const playing = (text: string) =>
  Effect.map(directoryOf({}), (folder) => {
    const path = join(folder, "docker-compose")
    writeFileSync(path, `#!/bin/sh\nif [ "$1" = version ]; then echo 2.29.7; exit; fi\nhere=\${0%/*}\n${text}\n`)
    chmodSync(path, 0o755)
    return {
      folder,
      layer: layerComposeReaderIn([folder]),
      told: (name: string) => readFileSync(join(folder, name), "utf8")
    }
  })

const printsNothing = playing("echo '{}'")

const plain = "services: {web: {image: x}}\n"

/** Returns why compose files are rejected before a program reads them. */
const refusal = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  more: Partial<ComposeRequest> = {}
) {
  const { layer } = yield* printsNothing
  const directory = yield* directoryOf(files)
  return (yield* Effect.flip(reading(layer, { directory, ...more }))).because
})

const outside = [
  "/etc/passwd",
  "../secret",
  "a/../../secret",
  "~/secret",
  "~root/secret",
  "https://a.example/x",
  "github.com/a/b"
]

const naming: Readonly<Record<string, (path: string) => string>> = {
  include: (path) => `include: ["${path}"]\n${plain}`,
  "include:path": (path) => `include: [{path: "${path}"}]\n${plain}`,
  "include:paths": (path) => `include: [{path: [ok.yml, "${path}"]}]\n${plain}`,
  "include.0.env_file": (path) => `include: [{path: ok.yml, env_file: ["${path}"]}]\n${plain}`,
  "include.project_directory": (path) => `include: [{path: ok.yml, project_directory: "${path}"}]\n${plain}`,
  "services.web.extends.file": (path) => `services: {web: {extends: {file: "${path}", service: x}}}`,
  "services.web.env_file": (path) => `services: {web: {env_file: "${path}"}}`,
  "services.web.env_file:list": (path) => `services: {web: {env_file: [ok.env, "${path}"]}}`,
  "services.web.env_file:long": (path) => `services: {web: {env_file: [{path: "${path}", required: false}]}}`,
  "services.web.label_file": (path) => `services: {web: {label_file: "${path}"}}`,
  "configs.c.file": (path) => `configs: {c: {file: "${path}"}}\n${plain}`,
  "secrets.s.file": (path) => `secrets: {s: {file: "${path}"}}\n${plain}`,
  "services.web.build": (path) => `services: {web: {build: "${path}"}}`,
  "services.web.build.context": (path) => `services: {web: {build: {context: "${path}"}}}`,
  "services.web.build.additional_contexts": (path) =>
    `services: {web: {build: {context: ., additional_contexts: ["a=${path}"]}}}`,
  "services.web.build.additional_contexts:map": (path) =>
    `services: {web: {build: {context: ., additional_contexts: {a: "${path}"}}}}`,
  // Fragments that the program resolves elsewhere.
  "services.web.env_file:fragment": (path) => `x-fragment: &f {env_file: "${path}"}\nservices: {web: {<<: *f}}`,
  "services.web.env_file:alias": (path) => `x-path: &p "${path}"\nservices: {web: {env_file: *p}}`,
  "services.web.<<.env_file": (path) => `services: {web: {"<<": {env_file: "${path}"}}}`
}

describe("compose files", () => {
  for (const [name, file] of Object.entries(naming)) {
    it.live(`reject a path outside the repository in ${name} (invariant I25)`, () =>
      Effect.gen(function* () {
        for (const path of outside) {
          const because = yield* refusal({ "compose.yml": file(path), "ok.yml": plain, "ok.env": "" })
          const [field = ""] = name.split(":")
          assert.include(because, field, `${path}: ${because}`)
          assert.match(because, /repository|no file/)
        }
      })
    )
  }

  it.live("cannot open a file outside the repository by a symlink, a variable or another file (invariant I25)", () =>
    Effect.gen(function* () {
      const { layer } = yield* printsNothing
      const directory = yield* directoryOf({
        "secret.env": "A=1",
        "repo/compose.yml": "services: {web: {env_file: a.env}}"
      })
      const repo = join(directory, "repo")
      symlinkSync("../secret.env", join(repo, "a.env"))
      assert.include((yield* Effect.flip(reading(layer, { directory: repo }))).because, "points out")
      writeFileSync(join(repo, "compose.yml"), plain)
      symlinkSync("../secret.env", join(repo, ".env"))
      assert.include((yield* Effect.flip(reading(layer, { directory: repo }))).because, "`.env` points out")
      const linked = join(directory, "linked")
      mkdirSync(linked)
      symlinkSync("../repo/compose.yml", join(linked, "compose.yml"))
      assert.include((yield* Effect.flip(reading(layer, { directory: linked }))).because, "points out")

      assert.include(
        yield* refusal({ "compose.yml": "services: {web: {env_file: $A}}" }),
        "must not depend on variables"
      )
      const extending = "services: {web: {extends: {file: inner/base.yml, service: web}}}"
      const hidden = { "compose.yml": extending, "inner/base.yml": "services: {web: {env_file: ../../x}}" }
      assert.include(yield* refusal(hidden), "`services.web.env_file` in `inner/base.yml` points out")
      const together = { "compose.yml": "include: [{path: [a/b/one.yml, two.yml]}]", "a/b/one.yml": plain }
      const second = { "two.yml": "services: {web: {env_file: ../../../x}}" }
      assert.include(yield* refusal({ ...together, ...second }), "in `two.yml` points out")
      const included = {
        "compose.yml": "include: [one.yml]",
        "one.yml": "include: [a/two.yml]",
        "a/two.yml": "include: [/x.yml]"
      }
      assert.include(yield* refusal(included), "`include` in `a/two.yml` points out")
    })
  )

  it.live("are rejected if the compose program could read them differently (invariant I25)", () =>
    Effect.gen(function* () {
      const hidden = "services: {web: {image: x}} # comment"
      const endings = ["\r", "\u0085", "\u2028", "\u2029", "\0"]
      for (const end of endings) {
        const because = yield* refusal({ "compose.yml": `${hidden}${end}include: [/etc/passwd]` })
        assert.include(because, "`compose.yml` can't be read: it has line separators")
      }
      for (const tag of ["!!binary", "!!python/object:os.system", "!include", "!<tag:yaml.org,2002:binary>"]) {
        const because = yield* refusal({ "compose.yml": `services: {web: {env_file: ${tag} L2V0Yy9wYXNzd2Q=}}` })
        assert.match(because, /can't be read/)
      }
      const { layer } = yield* printsNothing
      const directory = yield* directoryOf({})
      writeFileSync(join(directory, "compose.yml"), Buffer.from("\ufeffinclude: [/etc/passwd]", "utf16le"))
      assert.include((yield* Effect.flip(reading(layer, { directory }))).because, "not UTF-8 text")
      assert.include(yield* refusal({ "compose.yml": "services: {web: {image: x, image: y}}" }), "can't be read")
      const documents = `${plain}---\ninclude: [/etc/passwd]\n`
      assert.include(yield* refusal({ "compose.yml": documents }), "`include` in `compose.yml` points out")
    })
  )

  it.live(
    "are limited in size, number and depth (invariant I25)",
    () =>
      Effect.gen(function* () {
        const large = `services: {web: {image: x}}\n#${"x".repeat(1024 * 1024)}`
        assert.include(yield* refusal({ "compose.yml": large }), "more than 1 MiB")
        const reads = "services: {web: {env_file: a.env}}"
        assert.include(yield* refusal({ "compose.yml": reads, "a.env": large }), "more than 1 MiB")
        const lines = Array.from(
          { length: 12 },
          (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`
        )
        const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x]", ...lines].join("\n")
        assert.include(yield* refusal({ "compose.yml": bomb }), "can't be read")
        const deep = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}.yml`, `include: [${n + 1}.yml]`]))
        assert.include(yield* refusal({ ...deep, "compose.yml": "include: [0.yml]" }), "too deeply")
        const many = Array.from({ length: 200 }, (_, n) => `${n}.yml`)
        const wide = Object.fromEntries(many.map((name) => [name, plain]))
        assert.include(yield* refusal({ ...wide, "compose.yml": `include: [${many.join(", ")}]` }), "more than 100")
        assert.include(yield* refusal({ "compose.yml": `a: ${"[".repeat(100_000)}` }), "can't be read")
        const ports = Array.from({ length: 100 }, (_, n) => `  s${n}: {image: x, ports: ["1-65000:1-65000"]}`).join(
          "\n"
        )
        const wideOpen = yield* directoryOf({ "compose.yml": `services:\n${ports}` })
        const small = layerComposeReaderIn(usualFolders, { memory: 64 * 1024 * 1024 })
        yield* reading(small, { directory: yield* directoryOf({ "compose.yml": plain }) })
        const failed = yield* Effect.flip(reading(small, { directory: wideOpen }))
        // On a busy machine the timeout comes first.
        assert.match(failed.because, /took too (?:much memory|long)$/)
        const circle = { "compose.yml": "include: [one.yml]", "one.yml": "include: [compose.yml]" }
        const { layer } = yield* printsNothing
        yield* reading(layer, { directory: yield* directoryOf(circle) })
      }),
    60_000
  )
})

describe("the YAML of compose files", () => {
  it.live("is parsed fast even with very many names and anchors (invariant I25)", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 50_000 }, (_, n) => `a${n}: &a${n} 1`)
      const { layer } = yield* printsNothing
      yield* reading(layer, { directory: yield* directoryOf({ "compose.yml": `${plain}\n${names.join("\n")}` }) })
      const inFlow = `${plain}\nx: {${names.map((name) => name.replace(/&.*/, "1")).join(", ")}}`
      yield* reading(layer, { directory: yield* directoryOf({ "compose.yml": inFlow }) })
      const merging = `a: &a {${names.slice(0, 40_000).join(", ")}}\nb: {<<: [${Array(900).fill("*a").join(", ")}]}`
      assert.include(yield* refusal({ "compose.yml": merging }), "YAML aliases expand to too many nodes")
      const wide = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`${n}.yml`, `# ${"x".repeat(1_000_000)}`]))
      const included = `include: [${Object.keys(wide).join(", ")}]`
      assert.include(yield* refusal({ ...wide, "compose.yml": included }), "more than 4 MiB together")
    })
  )

  it.live("does not delay other callers while it is parsed, and is abandoned at the timeout (invariant I25)", () =>
    Effect.gen(function* () {
      const { folder, layer } = yield* printsNothing
      const directory = yield* directoryOf({ "compose.yml": `${plain}x: [${"1,".repeat(500_000)}1]` })
      const began = yield* Clock.currentTimeMillis
      let [last, longest] = [began, 0]
      const turning = Effect.forever(
        Effect.gen(function* () {
          yield* Effect.sleep("10 millis")
          const now = yield* Clock.currentTimeMillis
          longest = Math.max(longest, now - last)
          last = now
        })
      )
      yield* Effect.raceFirst(reading(layer, { directory }), turning)
      assert.isBelow(longest, ((yield* Clock.currentTimeMillis) - began) / 2)
      const hasty = layerComposeReaderIn([folder], { timeout: "100 millis" })
      const { because } = yield* Effect.flip(reading(hasty, { directory }))
      assert.strictEqual(because, "reading the files took too long")
    })
  )

  it.live("rejects duplicate keys, because programs differ in which one they use (invariant I25)", () =>
    Effect.gen(function* () {
      for (const twice of ["a: 1\na: 2", "a: {b: 1, b: 2}", "a: {1: x, 1: y}"]) {
        assert.include(yield* refusal({ "compose.yml": twice }), "map keys must be unique", twice)
      }
    })
  )
})

describe("the compose program", () => {
  it.live("receives paths and the application's variables, and none of the platform's (invariant I23)", () =>
    Effect.gen(function* () {
      const telling = [
        `printf '%s\\n' "$@" >"$here/args"`,
        'env >"$here/env"',
        'pwd >"$here/cwd"',
        `file=\${3#--env-file=}`,
        'stat -c %a "$file" >"$here/mode"',
        'cp "$file" "$here/text"',
        "echo '{}'"
      ].join("\n")
      const { layer, told } = yield* playing(telling)
      const directory = yield* directoryOf({ "a/compose.yml": plain, "a/.env": "BESIDE=1" })
      const variables = [
        ["A", Redacted.make('$x "y" \\\n\r')],
        ["COMPOSE_FILE", Redacted.make("/etc/passwd")],
        ["LD_PRELOAD", Redacted.make("x")],
        ["no name", Redacted.make("x")]
      ] as const
      yield* reading(layer, { directory, folder: "a", files: ["a/compose.yml"], profiles: ["p"], variables })
      const args = told("args").trim().split("\n")
      const file = args[2]?.slice("--env-file=".length) ?? ""
      assert.deepStrictEqual(args, [
        "--project-name=slipway",
        `--project-directory=${directory}/a`,
        `--env-file=${file}`,
        `--file=${directory}/a/compose.yml`,
        "--profile=p",
        "config",
        "--format=json"
      ])
      // A shell adds the variables that are left out here.
      const env = told("env")
        .trim()
        .split("\n")
        .filter((line) => !/^(?:PWD|OLDPWD|SHLVL|_)=/.test(line))
      assert.deepStrictEqual(env.sort(), [
        "COMPOSE_EXPERIMENTAL_GIT_REMOTE=false",
        "COMPOSE_EXPERIMENTAL_OCI_REMOTE=false",
        "DOCKER_CONFIG=/nonexistent",
        "HOME=/nonexistent",
        "LC_ALL=C.UTF-8",
        "PATH=/usr/local/bin:/usr/bin:/bin"
      ])
      assert.deepStrictEqual([told("cwd"), told("mode")], ["/\n", "600\n"])
      assert.strictEqual(told("text"), 'BESIDE=1\nA="\\$x \\"y\\" \\\\\n\\r"\nLD_PRELOAD="x"\n')
      assert.isFalse(existsSync(file))
    })
  )

  it.live("is killed when the caller is interrupted (invariant I25)", () =>
    Effect.gen(function* () {
      const endless = 'echo $$ >"$here/pid"; exec sleep 1000'
      const { folder, layer } = yield* playing(endless)
      const directory = yield* directoryOf({ "compose.yml": plain })
      const fiber = yield* Effect.forkChild(reading(layer, { directory }))
      const pid = yield* Effect.try({
        try: () => {
          const read = Number(readFileSync(join(folder, "pid"), "utf8"))
          if (read === 0) throw new Error("not yet")
          return read
        },
        catch: () => "not yet"
      }).pipe(Effect.retry(Schedule.spaced("20 millis")))
      yield* Fiber.interrupt(fiber)
      assert.throws(() => process.kill(pid, 0))
    })
  )

  it.live("fails if it prints more than 4 MiB or unreadable output (invariant I25)", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "compose.yml": plain })
      const secrets = ["secret!", "secret!ly", "BEGIN KEY\nAb/cd\nEND KEY"]
      const variables = secrets.map((secret, n) => [`A${n}`, Redacted.make(secret)] as const)
      const because = (text: string) =>
        Effect.flatMap(playing(text), ({ layer }) =>
          Effect.map(Effect.flip(reading(layer, { directory, variables })), (failed) => failed.because)
        )
      assert.strictEqual(yield* because("exec head -c 5242880 /dev/zero"), "the files are too large to read")
      assert.include(yield* because("echo no json"), "is unreadable")
      const failing = `echo 'wrong in ${directory}/compose.yml: secret!' >&2; exit 1`
      assert.strictEqual(yield* because(failing), "wrong in compose.yml: …")
      // A secret that starts with another one, or has many lines, must not appear in part (invariant I15).
      assert.strictEqual(yield* because("echo 'secret!ly wrong' >&2; exit 1"), "… wrong")
      const escaped = yield* because(`echo "'BEGIN KEY\\\\nAb/cd\\\\nEND KEY' is wrong" >&2; exit 1`)
      assert.notMatch(escaped, /KEY|Ab/)
      // A broken `.env` makes the program quote the text after it.
      const quoting = `echo "failed to read \${3#--env-file=}: unexpected character near 'A0=s\\\\$ecret'" >&2; exit 1`
      assert.strictEqual(yield* because(quoting), "`.env` can't be read")
    })
  )

  it.live("has every occurrence of a long secret removed from its error message (invariant I15)", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "compose.yml": plain })
      const variables = [["KEY", Redacted.make("k".repeat(99_999))]] as const
      const twice = `for n in 1 2; do head -c 99999 /dev/zero | tr '\\0' k >&2; echo ' is wrong' >&2; done; exit 1`
      const { layer } = yield* playing(twice)
      const { because } = yield* Effect.flip(reading(layer, { directory, variables }))
      assert.strictEqual(because, "… is wrong\n… is wrong")
    })
  )

  it.live("has many possible secrets removed from its output fast (invariant I25)", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({ "compose.yml": plain })
      const { layer } = yield* playing("head -c 1000000 /dev/zero | tr '\\0' a >&2; exit 1")
      const lines = (count: number, from: number) =>
        Array.from({ length: count }, (_, n) => `aaaa${"b".repeat(8)}${(from + n).toString(36)}`).join("\n")
      const because = (values: ReadonlyArray<string>) => {
        const variables = values.map((value, n) => [`A${n}`, Redacted.make(value)] as const)
        return Effect.map(Effect.flip(reading(layer, { directory, variables })), (failed) => failed.because)
      }
      const time = processorTime()
      assert.strictEqual(yield* because([lines(4_000, 0)]), "a".repeat(2_000))
      const many = Array.from({ length: 50 }, (_, n) => lines(4_000, n * 4_000))
      assert.include(yield* because(many), "its message is hidden because it may contain secrets")
      assert.isBelow(time(), 5_000)
    })
  )

  it.live("has its variable files deleted an hour after its process was killed (invariant I15)", () =>
    Effect.gen(function* () {
      const files = {
        "slipway-compose-old/variables": "A=1",
        "slipway-compose-new/variables": "",
        "other/variables": ""
      }
      const parent = yield* directoryOf(files)
      const now = (yield* Clock.currentTimeMillis) / 1_000
      for (const [name, age] of [
        ["slipway-compose-old", 3_700],
        ["slipway-compose-new", 3_500],
        ["other", 3_700]
      ] as const) {
        utimesSync(join(parent, name), now - age, now - age)
      }
      yield* Layer.build(layerComposeReaderIn([], { parent }))
      assert.deepStrictEqual(readdirSync(parent).sort(), ["other", "slipway-compose-new"])
    })
  )

  it.live("is named in the error when it is not installed", () =>
    Effect.gen(function* () {
      const empty = yield* directoryOf({})
      const directory = yield* directoryOf({ "compose.yml": plain })
      const failed = yield* Effect.flip(reading(layerComposeReaderIn([empty]), { directory }))
      assert.include(failed.because, "install Docker's compose plugin")
    })
  )

  it.live("combines several files, profiles, YAML aliases and variables", () =>
    Effect.gen(function* () {
      const directory = yield* directoryOf({
        "deploy/compose.yml": `x-common: &common
  environment: &env {SHARED: "1e3", ZERO: "0777", ANSWER: "no"}
services:
  web:
    extends: {file: ../base/web.yml, service: web}
    image: "x:\${TAG}"
    env_file: web.env
    ports: ["\${PORT:-8080}:80"]
  tool: {<<: *common, image: tool, profiles: [tools]}
  other: {<<: *common, image: other, profiles: [others]}
`,
        "deploy/.env": "TAG=beside\nPORT=9000\n",
        "deploy/web.env": "FROM_FILE=a b\n",
        "base/web.yml": "services: {web: {image: base, build: {context: .}, environment: {BASE: '1'}}}\n"
      })
      const config = yield* reading(layerComposeReader, {
        directory,
        folder: "deploy",
        files: ["deploy/compose.yml"],
        profiles: ["tools"],
        variables: [["TAG", Redacted.make("own")]]
      })
      const project = Result.getOrThrow(readComposeProject(config, { directory, allowed: { hostAccess: false } }))
      const [tool, web] = project.services.toSorted((one, other) => (one.name < other.name ? -1 : 1))
      assert.strictEqual(project.services.length, 2)
      assert.deepStrictEqual(Object.fromEntries(tool?.environment ?? []), { SHARED: "1e3", ZERO: "0777", ANSWER: "no" })
      assert.deepStrictEqual(Object.fromEntries(web?.environment ?? []), { BASE: "1", FROM_FILE: "a b" })
      assert.deepStrictEqual([web?.image, web?.build?.context, web?.ports[0]?.host], ["x:own", "base", 9000])
    })
  )
})
