import { assert } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  BranchName,
  type GitHookProgram,
  GitRepositories,
  type GitRequest,
  GitTransport,
  type ProposedPush,
  type PushVerdict
} from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"
import { Hex } from "effect/encoding"
import type { Contract } from "../../../contract.ts"
import { equal } from "../base/fixtures.ts"

const encoder = new TextEncoder()
const id = 1 as RepositoryId
const none = "0".repeat(40)

/** A git pack without objects, in hexadecimal: its header, and the SHA-1 of the header. */
const emptyPack = "5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e"

const line = (text: string): string => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`

const bytesOf = (text: string, pack = ""): Uint8Array => {
  const [head, tail] = [encoder.encode(text), Hex.decode(pack)]
  const body = tail._tag === "Success" ? tail.success : new Uint8Array()
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}

const ask = (request: Partial<GitRequest>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const answer = yield* (yield* GitTransport).serve({
        repository: id,
        service: "upload-pack",
        exchange: "answer",
        protocol: undefined,
        input: Stream.empty,
        ...request
      })
      yield* Effect.forkScoped(Stream.runDrain(answer.said))
      const text = yield* Stream.runFold(
        answer.output,
        () => "",
        (all, bytes) => all + new TextDecoder().decode(bytes)
      )
      return { text, code: yield* answer.exitCode }
    })
  )

const fixture = Effect.gen(function* () {
  const git = yield* GitRepositories
  const author = { name: "Ann", email: "ann@x.example" }
  const at = "2026-01-02T03:04:05.678Z"
  const commit = { files: { a: "b" }, author, message: "first", at }
  yield* git.create(id, { defaultBranch: BranchName.make("main"), commit, madeAt: at })
  const tip = (yield* git.refs(id, ["refs/heads/main"])).get("refs/heads/main") ?? ""
  const names = ["refs/heads/one", "refs/heads/two"]
  const propose = (allowed: boolean, answer?: NonNullable<GitRequest["propose"]>) => {
    const first = `${none} ${tip} refs/for/main`
    const input = Stream.make(bytesOf(`${line(`${first}\0report-status report-status-v2`)}0000`, emptyPack))
    const decide = () => verdict(...(allowed ? [] : ["refs/for/main"]))
    return ask({ service: "receive-pack", input, decide, ...(answer === undefined ? {} : { propose: answer }) })
  }
  const push = (
    decide: (push: ProposedPush) => Effect.Effect<PushVerdict>,
    hooks: ReadonlyArray<GitHookProgram> = []
  ) => {
    const [first = "", second = ""] = names.map((name) => `${none} ${tip} ${name}`)
    const input = Stream.make(bytesOf(`${line(`${first}\0report-status`)}${line(second)}0000`, emptyPack))
    return ask({ service: "receive-pack", input, decide, hooks })
  }
  const there = Effect.map(git.refs(id, names), (refs) => [...refs.keys()])
  return { git, tip, push, propose, there }
})

const verdict = (...refused: ReadonlyArray<string>) => Effect.succeed({ refused: new Set(refused), messages: ["no"] })

/** Contract tests of the transport that serves git clients. Every implementation must pass them. */
export const gitTransport: Contract<GitRepositories | GitTransport> = {
  port: "GitTransport",
  musts: {
    "advertise refs to a client": Effect.gen(function* () {
      const { tip } = yield* fixture
      const { text } = yield* ask({ exchange: "advertise" })
      assert.include(text, `${tip} refs/heads/main\n`)
    }),
    "send missing objects to a client": Effect.gen(function* () {
      const { tip } = yield* fixture
      const wanted = bytesOf(`${line(`want ${tip}\n`)}0000${line("done\n")}`)
      const { code, text } = yield* ask({ input: Stream.make(wanted) })
      assert.include(text, "PACK")
      equal(code, 0)
    }),
    "accept the allowed refs of a push, and store nothing of a rejected push": Effect.gen(function* () {
      const { push, there } = yield* fixture
      yield* push(() => verdict("refs/heads/one", "refs/heads/two"))
      equal(yield* there, [])
      yield* push(() => verdict())
      equal(yield* there, ["refs/heads/one", "refs/heads/two"])
    }),
    "decide each ref of a push separately": Effect.gen(function* () {
      const { push, there } = yield* fixture
      const { text } = yield* push(() => verdict("refs/heads/one"))
      assert.include(text, "ng refs/heads/one")
      assert.include(text, "ok refs/heads/two")
      equal(yield* there, ["refs/heads/two"])
    }),
    "change no ref when the decision about a push fails": Effect.gen(function* () {
      const { push, there } = yield* fixture
      yield* push(() => Effect.die("broken"))
      equal(yield* there, [])
    }),
    "hide the objects of a push until it is decided": Effect.gen(function* () {
      const { push, there, tip } = yield* fixture
      let seen: unknown
      yield* push(({ changes }) =>
        Effect.flatMap(there, (refs) => {
          seen = [refs, changes.map(({ after, before, ref }) => [ref, before, after === tip])]
          return verdict()
        })
      )
      const asked = [
        ["refs/heads/one", undefined, true],
        ["refs/heads/two", undefined, true]
      ]
      equal(seen, [[], asked])
    }),
    "write no ref below refs/for/, and report the answer of the service for it": Effect.gen(function* () {
      const { git, propose, tip } = yield* fixture
      let asked = 0
      const keeps: GitRequest["propose"] = ({ after = "", ref }) => {
        equal([ref, after], ["refs/for/main", tip])
        asked += 1
        const pullRef = "refs/pull/1/head"
        return Effect.succeed({
          _tag: "Kept",
          ref: pullRef,
          before: undefined,
          after,
          forced: true,
          messages: ["opened"]
        })
      }
      const output = (yield* propose(true, keeps)).text
      for (const said of ["ok refs/for/main", "option refname refs/pull/1/head", `option new-oid ${tip}`]) {
        assert.include(output, said)
      }
      assert.include(output, "option forced-update")
      const refuses = () => Effect.succeed({ _tag: "Refused", reason: "no\nroom" } as const)
      assert.include((yield* propose(true, refuses)).text, "ng refs/for/main no room")
      assert.include((yield* propose(true, () => Effect.die("broken"))).text, "ng refs/for/main the service could not")
      assert.include((yield* propose(true)).text, "ng refs/for/main refs below refs/for/")
      assert.include((yield* propose(false, keeps)).text, "ng refs/for/main")
      equal(asked, 1)
      equal([...(yield* git.refs(id, ["refs/for/main", "refs/pull/1/head"])).keys()], [])
    }),
    "run the custom hooks of a repository on allowed refs, and reject the refs that they reject": Effect.gen(
      function* () {
        const { push, there } = yield* fixture
        const refuse = `#!/bin/sh\nread -r before after ref\necho "never $ref"\nexit 1\n`
        const { text } = yield* push(() => verdict(), [{ name: "pre-receive", content: refuse }])
        assert.include(text, "ng refs/heads/one pre-receive hook declined")
        equal(yield* there, [])
        const one = `#!/bin/sh\n[ "$1" = refs/heads/one ]\n`
        yield* push(() => verdict(), [{ name: "update", content: one }])
        equal(yield* there, ["refs/heads/one"])
        // A custom hook cannot accept a push that the service rejects.
        const all = `#!/bin/sh\nexit 0\n`
        const programs = (["pre-receive", "update", "post-receive"] as const).map((name) => ({ name, content: all }))
        yield* push(() => verdict("refs/heads/two"), programs)
        equal(yield* there, ["refs/heads/one"])
      }
    ),
    "report a missing repository": Effect.gen(function* () {
      yield* fixture
      const refused = yield* Effect.flip(ask({ repository: 7 as RepositoryId, exchange: "advertise" }))
      equal(refused._tag, "GitRepositoryMissing")
    })
  }
}
