import { describe, expect, it } from "@effect/vitest"
import { Templates } from "@slipway/domain/forge/code"
import { Recognition } from "@slipway/domain/forge/collaboration"
import { layerRecognition, layerTemplates } from "@slipway/templates"
import { Effect, Fiber, Layer } from "effect"
import { processorTime } from "../../../scripts/vitest/processor.ts"

const known = <A, E>(use: (recognition: Recognition["Service"]) => Effect.Effect<A, E, Templates>) =>
  Effect.flatMap(Recognition, use).pipe(Effect.provide(Layer.merge(layerRecognition, layerTemplates)))

describe("Recognition", () => {
  it.effect("detect the programming or markup language of a file by its name", () =>
    known(({ languages }) =>
      Effect.map(languages, (language) => {
        const names = ["a.ts", "b/C.RS", "x.h", "Makefile", "page.html", "style.css", "y.test.tsx", "main.go", "s.py"]
        expect(names.map(language)).toEqual([
          "TypeScript",
          "Rust",
          "C",
          "Makefile",
          "HTML",
          "CSS",
          "TSX",
          "Go",
          "Python"
        ])
      })
    )
  )

  it.effect("return nothing for data and prose formats, and for vendored files", () =>
    known(({ languages }) =>
      Effect.map(languages, (language) => {
        for (const path of ["README.md", "a.json", "node_modules/a.js", "lib/x.min.js", "none", ""]) {
          expect([path, language(path)]).toEqual([path, undefined])
        }
      })
    )
  )

  it.effect("detect the licence of a text, ignoring its holder and year", () =>
    known(({ license }) =>
      Effect.map(Templates, (templates) => {
        for (const key of ["MIT", "Apache-2.0", "GPL-3.0-only", "BSD-3-Clause", "ISC", "MIT-0", "Unlicense"]) {
          const body = templates.license(key)?.body ?? ""
          expect(license(body.replace(/<year>/g, "2026").replace(/<copyright holders>/g, "Ann and others"))).toBe(key)
        }
      })
    )
  )

  it.effect("return nothing for a text that is not a licence", () =>
    known(({ license }) =>
      Effect.sync(() =>
        expect(["", "All rights reserved.", "MIT License"].map(license)).toEqual([undefined, undefined, undefined])
      )
    )
  )

  it.effect("return the editor settings of a file from a settings text", () =>
    known(({ editorSettings }) =>
      Effect.gen(function* () {
        const text = new TextEncoder().encode("root = true\n[*]\nindent_style = tab\n[*.md]\nindent_size = 2\n")
        expect(yield* editorSettings(text, "src/a.ts")).toEqual({ indent_style: "tab", indent_size: "tab" })
        expect(yield* editorSettings(text, "a.md")).toEqual({
          indent_style: "tab",
          indent_size: 2,
          tab_width: 2
        })
        expect(yield* editorSettings(new TextEncoder().encode("[{"), "a.md")).toEqual({})
      })
    )
  )

  it.live("finish fast on texts that are crafted to be slow", () =>
    known(({ editorSettings, license }) =>
      Effect.gen(function* () {
        const time = processorTime()
        expect(license("copyright ".repeat(26_000))).toBeUndefined()
        expect(license("a ".repeat(130_000))).toBeUndefined()
        expect(time()).toBeLessThan(2_000)
        const globs = new TextEncoder().encode(`[${"*a".repeat(12)}b]\nindent_size = 2\n`)
        let beats = 0
        const beat = Effect.sync(() => (beats += 1)).pipe(Effect.delay("20 millis"), Effect.forever)
        expect(yield* Effect.raceFirst(editorSettings(globs, "a".repeat(60)), beat)).toEqual({})
        expect(beats).toBeGreaterThan(10)
        const text = new TextEncoder().encode("[*]\nindent_size = 2\n")
        expect(yield* editorSettings(text, "a.md")).toMatchObject({ indent_size: 2 })
      })
    )
  )

  it.effect("parse issue templates and their configuration", () =>
    known(({ issueConfig, issueTemplate }) =>
      Effect.gen(function* () {
        const head = "---\nname: A\nabout: B\n---\n\nText"
        expect(yield* issueTemplate("a.md", head)).toMatchObject({ name: "A", about: "B", content: "Text" })
        expect(yield* issueTemplate("a.md", "Text")).toBeUndefined()
        expect((yield* issueConfig("blank_issues_enabled: false"))?.blankIssues).toBe(false)
        expect(yield* issueConfig("a: [")).toBeUndefined()
        // Reading runs in a thread, so a caller does not block others.
        let turns = 0
        const others = yield* Effect.forkChild(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => (turns += 1)),
              Effect.yieldNow
            )
          )
        )
        expect(yield* issueConfig(`a: ${"[".repeat(30_000)}${"]".repeat(30_000)}`)).toBeUndefined()
        yield* Fiber.interrupt(others)
        expect(turns).toBeGreaterThan(10)
      })
    )
  )
})
