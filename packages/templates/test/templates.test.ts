import { describe, expect, it } from "@effect/vitest"
import { Templates } from "@slipway/domain/forge/code"
import { layerTemplates } from "@slipway/templates"
import { Effect } from "effect"

const templates = <A>(use: (templates: Templates["Service"]) => A) =>
  Effect.map(Templates, use).pipe(Effect.provide(layerTemplates))

describe("Templates", () => {
  it.effect("include the most common licences, by their SPDX identifiers", () =>
    templates(({ license, licenses }) => {
      for (const key of ["MIT", "Apache-2.0", "GPL-3.0-or-later", "AGPL-3.0-only", "BSD-3-Clause", "MPL-2.0", "ISC"]) {
        expect(licenses.some((each) => each.key === key)).toBe(true)
        expect(license(key)?.body.length).toBeGreaterThan(500)
      }
      expect(license("MIT")).toMatchObject({ key: "MIT", name: "MIT License" })
      for (const { key, name, url } of licenses) {
        expect([key, typeof license(key)?.body, name !== "", URL.canParse(url)]).toEqual([key, "string", true, true])
      }
    })
  )

  it.effect("include the gitignore templates of the most common languages", () =>
    templates(({ gitignore, gitignores }) => {
      for (const name of ["Node", "Python", "Java", "Go", "Rust", "C++"]) expect(gitignore(name)).toBeTruthy()
      for (const name of gitignores) expect([name, typeof gitignore(name)]).toEqual([name, "string"])
    })
  )

  it.effect("return nothing for an unknown name", () =>
    templates(({ gitignore, license }) => {
      for (const name of [
        "",
        "nothing",
        "../package",
        "MIT/../MIT",
        "mit",
        "constructor",
        "Node.gitignore",
        "Node\0"
      ]) {
        expect([name, gitignore(name), license(name)]).toEqual([name, undefined, undefined])
      }
    })
  )
})
