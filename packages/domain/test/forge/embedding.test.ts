import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { editing, reading } from "./embedding.ts"

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

describe("the README's example of embedding the core", () => {
  it("decides as the README says", () => {
    expect(reading).toEqual({ allowed: true, by: ["organization.member"] })
    expect(editing).toMatchObject({ allowed: false, answer: { status: 403, message: "Must be an organization owner" } })
  })

  it("is what the README shows", () => {
    const [, example] = /```ts\n(.*?)```/s.exec(textOf("../../../../README.md")) ?? []
    expect(example).toBe(textOf("embedding.ts"))
  })
})
