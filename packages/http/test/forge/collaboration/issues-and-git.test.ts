import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitReader, PushStore, Revision } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import type { Service } from "../support/harness.ts"
import { ann, bob, commitTo, makeRepository, withPeople } from "../support/repositories.ts"

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

describe("issue templates", () => {
  it.live("are read from the default branch; files without a template are skipped", () =>
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
      // CVE-2026-27783: they are part of the code.
      yield* api.ask(200, "PATCH", at, { ...ann, body: { has_code: false } })
      expect((yield* api.send("GET", `${at}/issue_templates`, bob)).status).toBe(403)
    })
  )
})

const ref = "refs/heads/main"

/** Records a push of Ann's like the git protocols do, and runs the due jobs; the last one twice. */
const pushed = (api: Service, repositoryId: RepositoryId, before: string | null, after: string) =>
  api.within(
    Effect.gen(function* () {
      const ann = (yield* (yield* UserStore).named("ann"))?.user
      const at = "2026-01-01T00:00:00.000Z"
      const { id } = yield* (yield* PushStore).begin({
        repositoryId,
        at,
        refs: [{ ref, before, after, forced: false, commits: [], commitCount: 1 }],
        size: 0,
        event: {
          at,
          action: "git.push",
          outcome: "done",
          refusedBy: null,
          actor: ann === undefined ? null : { id: ann.id, name: ann.name },
          signedInAs: null,
          signedInWith: { kind: "password" },
          address: "",
          subject: { kind: "repository", id: repositoryId, name: "ann/site" },
          organizationId: null,
          teamId: null,
          repositoryId,
          details: {}
        }
      })
      const add = (work: Parameters<typeof Jobs.add>[0]) =>
        Effect.flatMap(Transaction, (transaction) => transaction.run(Jobs.add(work)))
      yield* add({ _tag: "SettlePush", pushId: id })
      yield* Jobs.runDue
      yield* add({ _tag: "LandCommits", pushId: id })
      yield* Jobs.runDue
    })
  )

const tipOf = (api: Service, id: RepositoryId) =>
  api.within(
    Effect.orDie(
      Effect.flatMap(GitReader, (git) => Effect.map(git.resolve(id, Revision.make(ref)), (tip) => tip?.commit ?? null))
    )
  )

describe("commits that reach the default branch", () => {
  it.live("add timeline entries to the issues that they name, and close only issues that the pusher may close", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(() => ({}))
      const id = yield* makeRepository(api, "site")
      yield* makeRepository(api, "other")
      for (const title of ["One", "Two"]) yield* api.ask(201, "POST", `${at}/issues`, { ...ann, body: { title } })
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "own" } })
      yield* api.ask(201, "POST", "/repos/bob/own/issues", { ...bob, body: { title: "Not Ann's" } })
      const before = yield* tipOf(api, id)
      const message = "Oil the door\n\nSee #2, fixes #1 and closes bob/own#1\n"
      const after = yield* commitTo(api, id, { "a.txt": "x" }, { message })
      yield* pushed(api, id, before, after)
      const state = (path: string) => Effect.map(api.ask(200, "GET", path, ann), (issue) => issue.state)
      expect(yield* state(`${at}/issues/1`)).toBe("closed")
      expect(yield* state(`${at}/issues/2`)).toBe("open")
      expect(yield* state("/repos/bob/own/issues/1")).toBe("open")
      const told = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, bob)
      expect(told).toMatchObject([
        { type: "commit_ref", user: { login: "ann" }, ref_commit_sha: after, ref_action: "closes" },
        { type: "close", user: { login: "ann" } }
      ])
      expect(yield* api.ask(200, "GET", "/repos/bob/own/issues/1/timeline", bob)).toMatchObject([
        { type: "commit_ref" }
      ])
      // A caller who can't read the code doesn't see references from it.
      yield* api.ask(200, "PATCH", at, { ...ann, body: { private: true } })
      expect(yield* api.ask(200, "GET", "/repos/bob/own/issues/1/timeline", bob)).toEqual([])
    })
  )
})
