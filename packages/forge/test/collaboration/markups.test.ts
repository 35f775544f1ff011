import { describe, expect, it } from "@effect/vitest"
import { Markdown, referenceKey } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { type MarkupInput, Markups } from "@slipway/forge/collaboration"
import { Effect, Layer } from "effect"

// A fake renderer that returns its input. The tests of the renderer check its output.
const asked = Layer.succeed(Markdown, {
  render: ({ kind, links, place, text }) =>
    Effect.succeed(JSON.stringify([kind, text, place?.repository, place?.tree, place?.folder, [...links.keys()]]))
})

const origin = "https://forge.example"
// BOUNDARY: the guard makes proofs; these use cases look at the repository alone.
const proof = {
  resource: { repository: { owner: { name: "acme" }, name: "site" } }
} as unknown as Proof<"repository.markdown.render">
const siteProof = proof as unknown as Proof<"markdown.render">

const resolve: Markups.Resolve = (references, repository) =>
  Effect.succeed(new Map(references.map((each) => [`${repository} ${referenceKey(each)}`, "/x"])))

const shown = (effect: Effect.Effect<string, unknown, Markdown>) =>
  Effect.map(Effect.provide(effect, asked), (text) => JSON.parse(text) as ReadonlyArray<unknown>)
const onSite = (input: MarkupInput) => shown(Markups.render(siteProof, origin, input, resolve))

describe("rendering for a caller", () => {
  it.effect("renders a text in the given mode, and links references only in context of a repository", () =>
    Effect.gen(function* () {
      expect(yield* onSite({ text: "#1" })).toEqual(["markdown", "#1", null, null, null, []])
      expect(yield* onSite({ text: "#1", mode: "markdown" })).toEqual(["markdown", "#1", null, null, null, []])
      const context = "/acme/site"
      const at = [`${origin}/acme/site`, null, "", ["acme/site #1"]]
      expect(yield* onSite({ text: "#1", mode: "gfm", context })).toEqual(["comment", "#1", ...at])
      expect(yield* onSite({ text: "#1", mode: "comment", context })).toEqual(["comment", "#1", ...at])
      expect(yield* onSite({ text: "#1", wiki: true, context })).toEqual(["wiki", "#1", ...at])
      const file = { text: "`#1`", mode: "file", context: `${origin}/acme/site/src/branch/main/a/b`, filePath: "x.MD" }
      expect(yield* onSite(file)).toEqual(["file", "`#1`", `${origin}/acme/site`, "branch/main", "a/b", []])
    })
  )

  it.effect("rejects unknown modes and files in other languages", () =>
    Effect.gen(function* () {
      for (const input of [{ mode: "html" }, { mode: "toString" }, { mode: "file", filePath: "x.rst" }]) {
        expect(yield* Effect.flip(onSite({ text: "a", ...input }))).toHaveProperty("_tag", "MarkdownRefused")
      }
    })
  )

  it.effect("uses the repository of the request, and ignores another repository in the context", () =>
    Effect.gen(function* () {
      const input = { text: "#1", mode: "file", context: "/evil/other/src/tag/v1/docs" }
      expect(yield* shown(Markups.renderInRepository(proof, origin, input, resolve))).toEqual([
        "file",
        "#1",
        `${origin}/acme/site`,
        "tag/v1",
        "docs",
        ["acme/site #1"]
      ])
    })
  )

  it.each([
    "",
    "/",
    "acme",
    "/acme/..",
    "/acme/site/src/branch",
    "/acme/site/raw/branch/main",
    "/acme/site/src/x/main",
    "/acme//site",
    "/acme/site/src/branch/main/../../x",
    "https://evil.example/acme/site",
    "/acme/si\nte",
    "//evil.example/acme"
  ])("rejects %j as a context", (context) => {
    expect(Markups.placeOf(origin, context)).toBeUndefined()
  })
})
