import { assert, describe, it } from "@effect/vitest"
import { serviceTemplates, templateUpdateOf } from "@slipway/domain/deploy/apps"
import { processorTime } from "../../../../../scripts/vitest/processor.ts"

const [template = assert.fail("the catalogue has templates")] = serviceTemplates

const updateOf = (dockerComposeRaw: string) =>
  templateUpdateOf(
    { dockerComposeRaw, templateCompose: null },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose texts have this form.
    { ...template, compose: "services: {web: {environment: {TOKEN: '${TOKEN}'}}}", images: ["wiki:2"] }
  )

describe("the update of a template", () => {
  it("compares images and variables, but no escaped ones", () => {
    const text = `services:
  web:
    image: 'wiki:1'
    command: echo $$\{ESCAPED} $\{OLD}
  db:
    image: postgres:17 # data
`
    assert.deepStrictEqual(updateOf(text), {
      isAvailable: true,
      isEdited: true,
      currentImages: ["wiki:1", "postgres:17"],
      newImages: ["wiki:2"],
      addedVariables: ["TOKEN"],
      removedVariables: ["OLD"]
    })
  })

  it("reads the longest text quickly, also if it has only empty lines (invariant I25)", () => {
    const time = processorTime()
    assert.deepStrictEqual(updateOf(`services: {}${"\n".repeat(999_000)}`).currentImages, [])
    assert.isBelow(time(), 1_000)
  })
})
