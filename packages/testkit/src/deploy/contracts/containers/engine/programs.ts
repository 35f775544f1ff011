import { assert } from "@effect/vitest"
import { CommandFailed, FileSizeDiffers, label } from "@slipway/domain/deploy/containers"
import { Effect, Fiber, Redacted, Stream } from "effect"
import type { Promised } from "../../../../contract.ts"
import { bytesOf, type EngineTested, eventually, openEngine, readScreen } from "./support.ts"

const hostile = "$(id) `id` \u0024{HOME} 'one' \"two\" \\ ; | & > < * ? # = \u{1f6a2}"

/** Contract tests of container engines: the start of programs in containers, and their output. */
export const programs: Readonly<Record<string, Promised<EngineTested>>> = {
  "pass variables, arguments and labels unchanged (invariant I23)": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const values = [hostile, "", "a\nb", "x".repeat(10_000)]
    const ref = yield* run(
      spec(1, 1, {
        environment: values.map((value, n) => [`VALUE_${n}`, Redacted.make(value)] as const),
        labels: [
          ["hostile", hostile],
          [label.application, "another"],
          [label.managed, "false"],
          [label.service, "another"]
        ],
        command: world.programs.says([hostile], [])
      })
    )
    for (const [n, value] of values.entries()) {
      const { output } = yield* engine.exec(ref, world.commands.variable(`VALUE_${n}`))
      assert.strictEqual(output.map(({ text }) => text).join("\n"), value)
    }
    const { labels, owner } = yield* engine.inspect(ref)
    assert.strictEqual(labels.hostile, hostile)
    assert.deepStrictEqual(owner, spec(1, 1).owner)
    const written = yield* eventually(Stream.runCollect(engine.logs(ref)), (lines) => lines.length > 0)
    assert.deepStrictEqual(
      written.map(({ text }) => text),
      [hostile]
    )
    yield* engine.remove(ref)
  }),

  "run a program in a running container": Effect.gen(function* () {
    const { engine, refOf, run, spec, world } = yield* openEngine
    const { echo, fails } = world.commands
    const ref = yield* run(spec(1, 1))
    assert.deepStrictEqual(yield* engine.exec(ref, echo(hostile)), {
      exitCode: 0,
      output: [{ stream: "stdout", text: hostile }]
    })
    assert.deepStrictEqual(yield* engine.exec(ref, fails(7, "no")), {
      exitCode: 7,
      output: [{ stream: "stderr", text: "no" }]
    })
    const missing = yield* engine.exec(ref, { argv: ["/missing/program"] })
    assert.include([126, 127], missing.exitCode)
    yield* engine.kill(ref)
    assert.strictEqual((yield* Effect.flip(engine.exec(ref, echo("a"))))._tag, "ContainerNotRunning")
    yield* engine.remove(ref)
    assert.strictEqual((yield* Effect.flip(engine.exec(refOf(spec(1, 1)), echo("a"))))._tag, "ContainerNotFound")
  }),

  "run an interactive program in a terminal of a given size, until it exits": Effect.gen(function* () {
    const { engine, refOf, run, spec, world } = yield* openEngine
    const ref = yield* run(spec(1, 1))
    const opened = Effect.gen(function* () {
      const terminal = yield* engine.terminal(ref, world.commands.shell, { columns: 100, rows: 30 })
      const screen = yield* readScreen(terminal)
      yield* terminal.write(bytesOf("stty size\r"))
      yield* eventually(screen.text, (text) => text.includes("\n30 100\r\n"))
      yield* terminal.resize({ columns: 120, rows: 40 })
      yield* terminal.write(bytesOf("stty size\r"))
      yield* eventually(screen.text, (text) => text.includes("\n40 120\r\n"))
      yield* terminal.write(bytesOf("echo é-ü\r"))
      yield* eventually(screen.text, (text) => text.includes("\né-ü\r\n"))
      yield* terminal.write(bytesOf("exit\r"))
      yield* screen.ended
    })
    yield* Effect.scoped(opened)
    const shell = Effect.scoped(engine.terminal(ref, world.commands.shell, { columns: 80, rows: 24 }))
    yield* engine.kill(ref)
    assert.strictEqual((yield* Effect.flip(shell))._tag, "ContainerNotRunning")
    yield* engine.remove(ref)
    assert.strictEqual((yield* Effect.flip(shell))._tag, "ContainerNotFound")
    const others = { application: world.application(2), name: refOf(spec(1, 1)).name }
    const hidden = Effect.scoped(engine.terminal(others, world.commands.shell, { columns: 80, rows: 24 }))
    assert.strictEqual((yield* Effect.flip(hidden))._tag, "ContainerNotFound")
  }),

  "kill an interactive program and the programs that it started when its scope closes": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const ref = yield* run(spec(1, 1))
    const opened = Effect.gen(function* () {
      const terminal = yield* engine.terminal(ref, world.commands.shell, { columns: 80, rows: 24 })
      const screen = yield* readScreen(terminal)
      yield* terminal.write(bytesOf(`${world.lastingLine}\r`))
      yield* eventually(world.isLasting, (isLasting) => isLasting)
      return screen
    })
    yield* Effect.scoped(opened)
    assert.isFalse(yield* world.isLasting)
    assert.strictEqual((yield* engine.inspect(ref)).state, "running")
    const killed = Effect.gen(function* () {
      const screen = yield* opened
      yield* engine.kill(ref)
      yield* screen.ended
    })
    yield* Effect.scoped(killed)
    yield* engine.remove(ref)
  }),

  "stream the output of a program as bytes, and report its failure": Effect.gen(function* () {
    const { engine, refOf, run, spec, world } = yield* openEngine
    const { echo, fails } = world.commands
    const ref = yield* run(spec(1, 1))
    const bytes = yield* Stream.mkUint8Array(engine.execOutput(ref, echo(hostile)))
    assert.strictEqual(new TextDecoder().decode(bytes), `${hostile}\n`)
    const failure = yield* Effect.flip(Stream.runDrain(engine.execOutput(ref, fails(7, "no"))))
    assert.deepStrictEqual(failure, new CommandFailed({ exitCode: 7, errors: "no" }))
    const missing = yield* Effect.flip(Stream.runDrain(engine.execOutput(ref, { argv: ["/missing/program"] })))
    assert.strictEqual(missing._tag, "CommandFailed")
    yield* engine.remove(ref)
    const gone = yield* Effect.flip(Stream.runDrain(engine.execOutput(refOf(spec(1, 1)), echo("a"))))
    assert.strictEqual(gone._tag, "ContainerNotFound")
  }),

  "write a streamed file into a running or new container, and report bytes of another size": Effect.gen(function* () {
    const { engine, refOf, run, spec, world } = yield* openEngine
    const ref = yield* run(spec(1, 1))
    const chunks = Stream.fromIterable(["one ", "two"]).pipe(Stream.map((text) => new TextEncoder().encode(text)))
    yield* engine.writeFile(ref, { path: "/written-file", size: 7 }, chunks)
    const { exitCode, output } = yield* engine.exec(ref, world.commands.read("/written-file"))
    assert.deepStrictEqual([exitCode, output], [0, [{ stream: "stdout", text: "one two" }]])
    for (const size of [6, 8]) {
      const failure = yield* Effect.flip(engine.writeFile(ref, { path: "/other-file", size }, chunks))
      assert.deepStrictEqual(failure, new FileSizeDiffers({ size }))
    }
    const broken = yield* Effect.flip(
      engine.writeFile(ref, { path: "/other-file", size: 9 }, Stream.concat(chunks, Stream.fail("broken" as const)))
    )
    assert.strictEqual(broken, "broken")
    const fresh = refOf(spec(2, 1))
    yield* engine.create(spec(2, 1))
    yield* engine.writeFile(fresh, { path: "/written-file", size: 7 }, chunks)
    yield* engine.start(fresh)
    const early = yield* engine.exec(fresh, world.commands.read("/written-file"))
    assert.deepStrictEqual(early.output, [{ stream: "stdout", text: "one two" }])
    yield* engine.remove(fresh)
    yield* engine.kill(ref)
    const stopped = yield* Effect.flip(engine.writeFile(ref, { path: "/written-file", size: 7 }, chunks))
    assert.strictEqual(typeof stopped === "string" ? stopped : stopped._tag, "ContainerNotRunning")
    yield* engine.remove(ref)
    const gone = yield* Effect.flip(engine.writeFile(refOf(spec(1, 1)), { path: "/written-file", size: 7 }, chunks))
    assert.strictEqual(gone._tag, "ContainerNotFound")
  }),

  "create a container with its files, in missing directories too": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const files = [
      { path: "/first-file", text: Redacted.make("first") },
      { path: "/missing/directories/second-file", text: Redacted.make(hostile) }
    ]
    const ref = yield* run(spec(1, 1, { files }))
    for (const { path, text } of files) {
      const { output } = yield* engine.exec(ref, world.commands.read(path))
      assert.deepStrictEqual(output, [{ stream: "stdout", text: Redacted.value(text) }])
    }
    yield* engine.remove(ref)
  }),

  "stream a directory of a container as an archive, and report a missing one": Effect.gen(function* () {
    const { engine, refOf, run, spec } = yield* openEngine
    const volume = { source: { _tag: "Volume", name: "archived" }, target: "/volume", readOnly: false } as const
    const ref = yield* run(spec(1, 1, { mounts: [volume] }))
    yield* engine.writeFile(ref, { path: "/volume/inside", size: 3 }, Stream.make(new TextEncoder().encode("abc")))
    const inside = yield* Stream.mkUint8Array(engine.archive(ref, "/volume/inside"))
    assert.include(new TextDecoder().decode(inside), "abc")
    const content = new TextEncoder().encode("one two")
    yield* engine.writeFile(ref, { path: "/written-file", size: 7 }, Stream.make(content))
    const read = Effect.map(Stream.mkUint8Array(engine.archive(ref, "/written-file")), (bytes) =>
      new TextDecoder().decode(bytes)
    )
    const text = yield* read
    assert.isTrue(text.startsWith("written-file\0") && text.includes("one two\0"))
    assert.strictEqual(text.length % 512, 0)
    yield* engine.kill(ref)
    assert.strictEqual(yield* read, text)
    const missing = yield* Effect.flip(Stream.runDrain(engine.archive(ref, "/missing-directory")))
    assert.strictEqual(missing._tag, "EngineRefused")
    yield* engine.remove(ref)
    yield* engine.removeVolume(ref.application, "archived")
    const gone = yield* Effect.flip(Stream.runDrain(engine.archive(refOf(spec(1, 1)), "/written-file")))
    assert.strictEqual(gone._tag, "ContainerNotFound")
  }),

  "return container logs with stream and time, in lines of bounded length (invariant I25)": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const ref = yield* run(spec(1, 1, { command: world.programs.says(["one", "", "three"], ["wrong"]) }))
    const all = yield* eventually(Stream.runCollect(engine.logs(ref)), (lines) => lines.length === 4)
    const from = (stream: string) => all.filter((line) => line.stream === stream).map(({ text }) => text)
    assert.deepStrictEqual(from("stdout"), ["one", "", "three"])
    assert.deepStrictEqual(from("stderr"), ["wrong"])
    for (const { at } of all) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    assert.strictEqual((yield* Stream.runCollect(engine.logs(ref, { tail: 2 }))).length, 2)
    assert.deepStrictEqual(yield* Stream.runCollect(engine.logs(ref, { since: "2999-01-01T00:00:00.5Z" })), [])
    const since = all[0]?.at ?? ""
    assert.deepStrictEqual(yield* Stream.runCollect(engine.logs(ref, { since })), all)
    yield* engine.remove(ref)

    const long = yield* run(spec(1, 2, { command: world.programs.saysLong(40_000) }))
    const parts = yield* eventually(
      Stream.runCollect(engine.logs(long)),
      (lines) => lines.map(({ text }) => text).join("").length === 40_000
    )
    for (const { text } of parts) assert.isAtMost(text.length, 16_384)
    yield* engine.remove(long)
    assert.strictEqual((yield* Effect.flip(Stream.runCollect(engine.logs(ref))))._tag, "ContainerNotFound")
  }),

  "follow the logs of a container until it exits": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const ref = yield* run(spec(1, 1, { command: world.programs.slow }))
    const lines = yield* Stream.runCollect(engine.logs(ref, { follow: true }))
    assert.deepStrictEqual(
      lines.map(({ text }) => text),
      ["first", "second"]
    )
    assert.strictEqual((yield* engine.inspect(ref)).state, "exited")
    const running = yield* run(spec(1, 2))
    const following = yield* Effect.forkChild(Stream.runDrain(engine.logs(running, { follow: true })), {
      startImmediately: true
    })
    yield* Fiber.interrupt(following)
    const again = yield* Effect.forkChild(Stream.runDrain(engine.logs(running, { follow: true })), {
      startImmediately: true
    })
    yield* engine.kill(running)
    yield* Fiber.join(again)
    for (const each of [ref, running]) yield* engine.remove(each)
  })
}
