import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, bob, commitTo, makeRepository, withPeople } from "./support/repositories.ts"

const at = "/repos/ann/site"

const bug = `---
name: Bug
about: Something is broken
labels: [bug, "kind/crash"]
---

What happened?
`

const form = `name: Idea
description: Something new
title: "[Idea] "
body:
  - type: markdown
    attributes: { value: Thank you }
  - type: input
    id: what
    attributes: { label: What }
    validations: { required: true }
`

// Each line names the one before it nine times.
const bomb = [
  "a0: &a0 x",
  ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`)
].join("\n")

describe("the templates of issues", () => {
  it.live("are read from the default branch, and files that hold none are left out", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(() => ({}))
      const id = yield* makeRepository(api, "site")
      expect(yield* api.ask(200, "GET", `${at}/issue_templates`)).toEqual([])
      expect(yield* api.ask(200, "GET", `${at}/issue_config`)).toEqual({
        blank_issues_enabled: true,
        contact_links: []
      })
      yield* commitTo(api, id, {
        ".github/ISSUE_TEMPLATE/bug.md": bug,
        ".github/ISSUE_TEMPLATE/idea.yaml": form,
        ".github/ISSUE_TEMPLATE/bomb.yaml": `${form}\n${bomb}`,
        ".github/ISSUE_TEMPLATE/broken.md": "---\nname: [\n---\n",
        ".github/ISSUE_TEMPLATE/config.yml":
          "blank_issues_enabled: false\ncontact_links:\n  - { name: Chat, url: 'https://chat.example', about: Talk }\n"
      })
      expect(yield* api.ask(200, "GET", `${at}/issue_templates`)).toEqual([
        {
          name: "Bug",
          title: "",
          about: "Something is broken",
          labels: ["bug", "kind/crash"],
          assignees: [],
          ref: "",
          content: "What happened?",
          body: [],
          file_name: ".github/ISSUE_TEMPLATE/bug.md"
        },
        {
          name: "Idea",
          title: "[Idea] ",
          about: "Something new",
          labels: [],
          assignees: [],
          ref: "",
          content: "",
          body: [
            { id: "0", type: "markdown", attributes: { value: "Thank you" }, validations: {}, visible: ["form"] },
            {
              id: "what",
              type: "input",
              attributes: { label: "What" },
              validations: { required: true },
              visible: ["form", "content"]
            }
          ],
          file_name: ".github/ISSUE_TEMPLATE/idea.yaml"
        }
      ])
      expect(yield* api.ask(200, "GET", `${at}/issue_config`)).toEqual({
        blank_issues_enabled: false,
        contact_links: [{ name: "Chat", url: "https://chat.example", about: "Talk" }]
      })
      expect(yield* api.ask(200, "GET", `${at}/issue_config/validate`)).toEqual({ valid: true, message: "" })
      yield* commitTo(api, id, { ".github/ISSUE_TEMPLATE/config.yml": "contact_links: 7\n" })
      expect((yield* api.ask(200, "GET", `${at}/issue_config/validate`)).valid).toBe(false)
      // CVE-2026-27783: they lie in the code.
      yield* api.ask(200, "PATCH", at, { ...ann, body: { has_code: false } })
      expect((yield* api.send("GET", `${at}/issue_templates`, bob)).status).toBe(403)
    })
  )
})
