import { assert, describe, it } from "@effect/vitest"
import {
  type Application,
  decide,
  isWatched,
  type PullRequestEvent,
  type PushEvent,
  type WebhookEvent,
  watchLines
} from "@slipway/domain/deploy/apps"
import { newer, older } from "./samples.ts"

/** Treats a glob as a folder or as the file itself. */
const byFolder = {
  compile: (glob: string) => {
    if (glob === "broken") return undefined
    return (path: string) => (glob.endsWith("/**") ? path.startsWith(glob.slice(0, -2)) : path === glob)
  }
}

const push: PushEvent = {
  _tag: "Push",
  branch: "main",
  commit: newer,
  before: older,
  changed: ["src/a.ts"],
  deleted: false,
  author: null,
  message: null,
  pusher: null
}

type Settings = Partial<Application["configuration"]>

const decided = (event: WebhookEvent, settings: Settings = {}, variant: Application["variant"] = "public") => {
  const unset = {
    git_branch: "main",
    git_commit_sha: "HEAD",
    is_auto_deploy_enabled: true,
    is_commit_skip_enabled: true,
    watch_paths: ""
  }
  const configuration = { ...unset, ...settings } as Application["configuration"]
  const decision = decide({ configuration, variant }, event, byFolder)
  if (decision._tag === "Ignore") return decision.reason
  return decision._tag === "Deploy" ? decision.commit : decision
}

const asked: PullRequestEvent = {
  _tag: "PullRequest",
  number: 12,
  change: "updated",
  head: "feature/x",
  base: "main",
  commit: newer,
  fork: false,
  open: true,
  at: null
}

describe("a pull request event", () => {
  const on = { is_preview_deployments_enabled: true }

  it("creates a preview of its branch, and ends the preview when the pull request closes", () => {
    const wanted = { _tag: "Preview", pullRequestId: 12, branch: "feature/x" } as const
    assert.deepStrictEqual(decided(asked, on), { ...wanted, commit: newer })
    assert.deepStrictEqual(decided({ ...asked, commit: null }, on), { ...wanted, commit: null })
    for (const settings of [on, {}]) {
      for (const more of [{}, { fork: true }, { base: "other" }]) {
        assert.deepStrictEqual(decided({ ...asked, ...more, change: "closed" }, settings), {
          _tag: "EndPreview",
          pullRequestId: 12
        })
      }
    }
  })

  it("is ignored for forks, and where the application disables previews (invariant I21)", () => {
    assert.strictEqual(decided({ ...asked, fork: true }, on), "pull_request_of_fork")
    assert.strictEqual(decided(asked), "pull_request")
    assert.strictEqual(decided({ ...asked, base: "other" }, on), "other_base")
    assert.strictEqual(decided({ ...asked, change: "other" }, on), "pull_request_unchanged")
    assert.strictEqual(decided({ ...asked, open: false }, on), "pull_request_over")
    assert.strictEqual(decided({ ...asked, commit: "--x" }, on), "invalid_commit")
    assert.strictEqual(decided({ ...asked, head: "--x" }, on), "unreadable")
    for (const number of [0, -1, 1.5, 2 ** 31]) assert.strictEqual(decided({ ...asked, number }, on), "unreadable")
    assert.strictEqual(decided(asked, on, "dockerimage"), "not_from_git")
  })
})

describe("a push event", () => {
  it("deploys the pushed commit", () => {
    assert.strictEqual(decided(push), newer)
    assert.strictEqual(decided({ ...push, commit: "a".repeat(64) }), "a".repeat(64))
    assert.strictEqual(decided(push, { git_commit_sha: "" }), newer)
    assert.strictEqual(decided(push, {}, "private-deploy-key"), newer)
  })

  it("is ignored with the first matching reason if it must not deploy the application", () => {
    assert.strictEqual(decided({ _tag: "Ping" }), "ping")
    assert.strictEqual(decided({ _tag: "Unreadable" }), "unreadable")
    assert.strictEqual(decided({ _tag: "Other", event: "issues" }), "other_event")
    assert.strictEqual(decided({ _tag: "Tag", name: "main" }), "tag")
    assert.strictEqual(decided(asked), "pull_request")
    assert.strictEqual(decided(push, {}, "dockerfile"), "not_from_git")
    assert.strictEqual(decided(push, {}, "dockerimage"), "not_from_git")
    assert.strictEqual(decided(push, { is_auto_deploy_enabled: false, git_branch: "x" }), "auto_deploy_off")
    assert.strictEqual(decided({ ...push, deleted: true }, { git_branch: "Main" }), "other_branch")
    assert.strictEqual(decided({ ...push, deleted: true }), "branch_deleted")
    assert.strictEqual(decided(push, { git_commit_sha: older }), "commit_pinned")
    assert.strictEqual(decided(push, { watch_paths: "docs/" }), "nothing_watched")
  })

  it("is ignored if the commit message requests to skip the deployment, unless the application disables skipping", () => {
    for (const message of [
      "Mend [skip ci]",
      "[ci skip] Mend",
      "Mend [Skip CD]",
      "Mend\n\nA body with [no ci]",
      "***NO_CI*** Mend",
      "Mend\n\nskip-checks: true\n"
    ]) {
      assert.strictEqual(decided({ ...push, message }), "skip_asked", message)
      assert.strictEqual(decided({ ...push, message }, { is_commit_skip_enabled: false }), newer, message)
    }
    for (const message of [null, "Skip ci", "[skipci]", "Explain skip-checks: true", "skip-checks: false"]) {
      assert.strictEqual(decided({ ...push, message }), newer, message ?? "none")
    }
  })

  it("is ignored without a full commit id (invariant I23)", () => {
    for (const commit of ["", "HEAD", "0a1b2c3", "--upload-pack=x", "$(touch x)", `${newer}\n`, newer.slice(1), "é"]) {
      assert.strictEqual(decided({ ...push, commit }), "invalid_commit", commit)
    }
  })
})

describe("watched paths", () => {
  const watched = (lines: string, changed: ReadonlyArray<string> | null) => isWatched(lines, changed, byFolder)

  it("include every path if no patterns are set, or if the push has no list of changed paths", () => {
    assert.isTrue(watched("", []))
    assert.isTrue(watched(" \r\n\n", ["a"]))
    assert.isTrue(watched("src/", null))
    assert.isFalse(watched("src/", []))
  })

  it("are decided by the last pattern that matches a path", () => {
    const lines = "/src/**\r\n  !src/docs/  \nsrc/docs/keep.md\n"
    assert.isTrue(watched(lines, ["src/a.ts"]))
    assert.isFalse(watched(lines, ["a.ts", "src/docs/a.md"]))
    assert.isTrue(watched(lines, ["src/docs/keep.md"]))
    assert.isTrue(watched(lines, ["src/docs/a.md", "src/a.ts"]))
  })

  it("may be separated by commas outside of braces", () => {
    const lines = "src/{a,b}/, docs/,\n!docs/old/"
    assert.deepStrictEqual(watchLines(lines), [
      { glob: "src/{a,b}/**", negated: false },
      { glob: "docs/**", negated: false },
      { glob: "docs/old/**", negated: true }
    ])
    assert.isTrue(watched("src/,docs/", ["docs/a.md"]))
    assert.isFalse(watched("src/,docs/", ["a.md"]))
  })

  it("include all other paths when the first pattern excludes paths", () => {
    assert.isFalse(watched("!docs/", ["docs/a.md"]))
    assert.isTrue(watched("!docs/", ["docs/a.md", "a"]))
    assert.isTrue(watched("!docs/\ndocs/keep.md", ["docs/keep.md"]))
  })

  it("include every path when the patterns are invalid or slow to match (invariant I25)", () => {
    assert.isTrue(watched("broken", ["a"]))
    assert.isTrue(watched("x".repeat(501), ["a"]))
    assert.isTrue(watched("x\n".repeat(201), ["a"]))
    assert.isTrue(watched("*a*a*a*a*b", ["a".repeat(1_000)]))
    assert.isTrue(watched(`${"{a,aa}".repeat(40)}b`, ["a"]))
    assert.isTrue(watched("{a,{b,c}}", ["d"]))
    assert.isFalse(
      watched(
        "src/**/*.test.{ts,tsx}",
        Array.from({ length: 500 }, (_, n) => `docs/guides/page-${n}.md`)
      )
    )
  })
})
