import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories, GitTransport, type ObjectFormat } from "@slipway/domain/forge/code"
import { layerGitRepositories, layerGitTransport } from "@slipway/git/forge"
import { Effect, Layer, Stream } from "effect"

const root = mkdtempSync(join(tmpdir(), "slipway-capabilities-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const told = (repository: number) =>
  Effect.gen(function* () {
    const { exitCode, output, said } = yield* (yield* GitTransport).serve({
      repository: repository as RepositoryId,
      service: "upload-pack",
      exchange: "advertise",
      protocol: "version=2",
      input: Stream.empty
    })
    yield* Effect.forkScoped(Stream.runDrain(said))
    const text = yield* Stream.mkString(Stream.decodeText(output))
    return { text, code: yield* exitCode }
  }).pipe(Effect.scoped)

describe("the capabilities of git", () => {
  it.live("are cached for each object format, and fail for a missing repository", () =>
    Effect.gen(function* () {
      const git = yield* GitRepositories
      const formats: ReadonlyArray<ObjectFormat> = ["sha1", "sha256"]
      for (const [at, objectFormat] of formats.entries()) {
        yield* git.create((at + 1) as RepositoryId, {
          defaultBranch: BranchName.make("main"),
          commit: undefined,
          objectFormat,
          madeAt: "2026-01-02T03:04:05.000Z"
        })
      }
      const first = [yield* told(1), yield* told(2)]
      const second = [yield* told(1), yield* told(2)]
      expect(second).toEqual(first)
      expect(first.map(({ code, text }) => [code, /object-format=(\w+)\n/.exec(text)?.[1]])).toEqual([
        [0, "sha1"],
        [0, "sha256"]
      ])
      expect(yield* Effect.flip(told(3))).toMatchObject({ _tag: "GitRepositoryMissing" })
    }).pipe(Effect.provide(Layer.merge(layerGitRepositories(root), layerGitTransport(root))))
  )
})
