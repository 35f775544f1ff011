import { describe, expect, it } from "@effect/vitest"
import type { ForgeRequest } from "@slipway/domain/forge/integrations"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import type { Answer } from "../support/harness.ts"
import { otherForgeHost } from "../support/otherHost.ts"
import { bob, commitTo } from "../support/repositories.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const answer = (status: number, json: unknown): Answer => ({
  status,
  headers: new Headers(),
  text: typeof json === "string" ? json : JSON.stringify(json),
  json
})

/** Returns the data at a path of an API; lists in pages of two rows, whatever page size the request asks for. */
const answering =
  (said: Readonly<Record<string, Json>>) =>
  (_: unknown, { url }: ForgeRequest): Effect.Effect<Answer> => {
    const { pathname, searchParams } = new URL(url)
    const found = said[pathname]
    if (found === undefined) return Effect.succeed(answer(404, {}))
    const page = Number(searchParams.get("page") ?? 1)
    return Effect.succeed(answer(200, Array.isArray(found) ? found.slice(2 * page - 2, 2 * page) : found))
  }

const all = {
  issues: true,
  labels: true,
  milestones: true,
  pull_requests: true,
  releases: true,
  repo_name: "copy",
  auth_token: "t0ken!"
}
const at = { created_at: "2025-01-02T03:04:05.678Z", updated_at: "2025-02-02T03:04:05.000Z" }
const seen = { created_at: "2025-01-02T03:04:05Z", updated_at: "2025-02-02T03:04:05Z" }

/** Copies from a host with commits and given responses, and returns readers of the copy. */
const copied = Effect.fnUntraced(function* (
  address: string,
  service: string,
  say: (shas: { readonly base: string; readonly head: string }) => Readonly<Record<string, Json>>
) {
  let said: Readonly<Record<string, Json>> = {}
  const { api, asked, id } = yield* otherForgeHost((_, request) => answering(said)(_, request))
  const head = (yield* commitTo(api, id, { "a.txt": "a\n" }, { branch: "topic", from: "main" })) ?? ""
  const { commit } = yield* api.ask(200, "GET", "/repos/ann/app/branches/main", bob)
  said = say({ base: commit.id, head })
  yield* api.ask(201, "POST", "/repos/migrate", { ...bob, body: { ...all, clone_addr: address, service } })
  yield* api.within(Jobs.runDue)
  const progress = yield* api.ask(200, "GET", "/repos/bob/copy/migration", bob)
  expect(progress).toMatchObject({ state: "done", last_error: "" })
  const read = (path: string) => api.ask(200, "GET", `/repos/bob/copy/${path}`, bob)
  const text = (path: string) => Effect.map(api.fetch("GET", path, bob), (found) => found.text)
  return { asked, head, base: commit.id as string, progress, read, text }
})

describe("copies from GitHub", () => {
  const root = "/repos/octo/app"
  const octocat = { login: "octocat", id: 583231, type: "User", site_admin: false }

  it.live("contain its API data with the original authors and times", () =>
    Effect.gen(function* () {
      const { asked, base, head, progress, read, text } = yield* copied(
        "https://github.com/octo/app.git",
        "github",
        (shas) => {
          const side = (ref: string, sha: string) => ({
            label: `octo:${ref}`,
            ref,
            sha,
            user: octocat,
            repo: { id: 7 }
          })
          const issue = {
            id: 11,
            node_id: "MDU6SXNzdWUx",
            number: 2,
            state: "closed",
            state_reason: "completed",
            title: "Found a bug",
            body: null,
            user: octocat,
            labels: [{ id: 208045946, name: "bug", color: "f29513", default: true, description: null }],
            milestone: { id: 1, number: 1, title: "v1.0", state: "open" },
            locked: true,
            active_lock_reason: "too heated",
            comments: 1,
            closed_at: "2025-02-01T00:00:00Z",
            author_association: "COLLABORATOR",
            ...at
          }
          const pull = { ...issue, id: 12, number: 3, state: "open", title: "Mend it", labels: [], locked: false }
          return {
            [`${root}/labels`]: [
              { id: 1, name: "bug", color: "f29513", default: true, description: "Broken" },
              { id: 2, name: "help", color: "008672", default: true, description: null },
              { id: 3, name: "odd", color: "ffffff", default: false, description: "" }
            ],
            [`${root}/milestones`]: [
              {
                id: 1,
                number: 1,
                state: "open",
                title: "v1.0",
                description: "First",
                due_on: null,
                closed_at: null,
                ...at
              }
            ],
            [`${root}/issues`]: [{ ...pull, closed_at: null, pull_request: { merged_at: null, url: "x" } }, issue],
            [`${root}/pulls`]: [
              {
                id: 12,
                number: 3,
                state: "open",
                head: side("topic", shas.head),
                base: side("main", shas.base),
                merged_at: null,
                merge_commit_sha: null,
                draft: false
              }
            ],
            [`${root}/issues/comments`]: [
              { id: 5, body: "Me too", user: octocat, issue_url: `https://api.github.com${root}/issues/2`, ...at }
            ],
            [`${root}/pulls/3/reviews`]: [
              {
                id: 80,
                user: octocat,
                body: "No",
                state: "CHANGES_REQUESTED",
                commit_id: shas.head,
                submitted_at: at.created_at
              },
              { id: 81, user: octocat, body: "", state: "PENDING", commit_id: shas.head }
            ],
            [`${root}/pulls/3/comments`]: [
              {
                id: 10,
                pull_request_review_id: 80,
                diff_hunk: "@@ -0,0 +1 @@\n+a",
                path: "a.txt",
                position: 1,
                original_position: 1,
                commit_id: shas.head,
                original_commit_id: shas.head,
                line: 1,
                original_line: 1,
                side: "RIGHT",
                body: "Why?",
                user: octocat,
                ...at
              }
            ],
            [`${root}/releases`]: [
              {
                id: 1,
                tag_name: "v1.0.0",
                target_commitish: "main",
                name: "v1.0.0",
                body: "Notes",
                draft: false,
                prerelease: true,
                created_at: at.created_at,
                published_at: at.updated_at,
                assets: [
                  {
                    url: `https://api.github.com${root}/releases/assets/1`,
                    browser_download_url: "https://github.com/octo/app/releases/download/v1.0.0/app.txt",
                    id: 1,
                    name: "app.txt",
                    state: "uploaded",
                    content_type: "text/plain",
                    size: 4,
                    created_at: at.created_at
                  },
                  { url: `https://api.github.com${root}/releases/assets/2`, id: 2, name: "lost.zip", size: 1 }
                ]
              }
            ],
            [`${root}/releases/assets/1`]: "made"
          }
        }
      )
      expect((yield* read("labels")).map(({ color, description, name }: Json) => [name, color, description])).toEqual([
        ["bug", "f29513", "Broken"],
        ["help", "008672", ""],
        ["odd", "ffffff", ""]
      ])
      expect(yield* read("issues/2")).toMatchObject({
        number: 2,
        state: "closed",
        title: "Found a bug",
        body: "",
        is_locked: true,
        labels: [{ name: "bug" }],
        milestone: { title: "v1.0", description: "First", closed_issues: 1 },
        original_author: "octocat",
        original_author_id: 583231,
        comments: 1,
        closed_at: "2025-02-01T00:00:00Z",
        ...seen
      })
      expect(yield* read("issues/2/comments")).toMatchObject([{ body: "Me too", original_author: "octocat", ...seen }])
      expect(yield* read("pulls/3")).toMatchObject({
        state: "open",
        title: "Mend it",
        mergeable: true,
        head: { ref: "topic", sha: head },
        base: { ref: "main", sha: base },
        changed_files: 1
      })
      const [review, ...others] = yield* read("pulls/3/reviews")
      expect([review, others]).toMatchObject([{ state: "REQUEST_CHANGES", body: "No", official: false }, []])
      expect(yield* read(`pulls/3/reviews/${review.id}/comments`)).toMatchObject([
        { path: "a.txt", body: "Why?", position: 1, diff_hunk: "@@ -0,0 +1 @@\n+a" }
      ])
      expect(yield* read("releases")).toMatchObject([
        { tag_name: "v1.0.0", prerelease: true, body: "Notes", assets: [{ name: "app.txt", size: 4 }] }
      ])
      expect(yield* text("/bob/copy/releases/download/v1.0.0/app.txt")).toBe("made")
      // A missing file is reported.
      expect(progress.left_out).toBe(1)
      const signed = `Basic ${btoa("oauth2:t0ken!")}`
      expect(asked.filter((each) => !each.startsWith("api.github.com/") || !each.endsWith(` ${signed}`))).toEqual([])
    })
  )
})

describe("copies from GitLab", () => {
  const root = "/api/v4/projects/group%2Fpart%2Fapp"
  const author = { id: 18, username: "eileen", name: "Eileen", state: "active" }
  const upload = "/uploads/66dbcd21ec5d24ed6ea225176098d52b/shot.txt"
  // Secrets of the project, which only its administrators may read.
  const elsewhere = upload.replace("shot.txt", "../../variables")

  it.live("contain its public API data, with merge requests numbered after the issues", () =>
    Effect.gen(function* () {
      const { asked, base, head, progress, read, text } = yield* copied(
        "https://gitlab.example/group/part/app.git",
        "gitlab",
        (shas) => {
          const item = { author, assignees: [], user_notes_count: 0, ...at }
          const issue = {
            ...item,
            id: 76,
            iid: 2,
            project_id: 4,
            title: "It breaks",
            description: `See ![shot](${upload}), ${elsewhere}, ${upload.replace("shot.txt", "%2e%2e")}`,
            state: "opened",
            labels: ["bug"],
            milestone: { id: 1, iid: 3, title: "v1.0", state: "active", due_date: null },
            user_notes_count: 2,
            due_date: "2026-07-22",
            closed_at: null,
            confidential: false,
            discussion_locked: true,
            type: "ISSUE"
          }
          const request = {
            ...item,
            id: 1,
            iid: 1,
            project_id: 4,
            title: "Draft: Mend it",
            description: null,
            state: "opened",
            merged_at: null,
            closed_at: null,
            target_branch: "main",
            source_branch: "topic",
            source_project_id: 4,
            target_project_id: 4,
            labels: [],
            draft: true,
            milestone: null,
            sha: shas.head,
            merge_commit_sha: null,
            squash_commit_sha: null,
            discussion_locked: null,
            user_notes_count: 2
          }
          const merged = {
            ...request,
            id: 2,
            iid: 2,
            title: "Done",
            state: "merged",
            merged_at: "2025-03-01T00:00:00.000Z",
            user_notes_count: 0
          }
          const diff_refs = { base_sha: shas.base, head_sha: shas.head, start_sha: shas.base }
          const note = { type: null, attachment: null, author, system: false, noteable_id: 76, internal: false, ...at }
          const position = { ...diff_refs, old_path: "a.txt", new_path: "a.txt", position_type: "text" }
          return {
            [`${root}/labels`]: [
              { id: 1, name: "bug", color: "#d9534f", text_color: "#FFFFFF", description: null, is_project_label: true }
            ],
            [`${root}/milestones`]: [
              { id: 12, iid: 3, title: "v1.0", description: "First", due_date: "2026-11-29", state: "active", ...at },
              { id: 13, iid: 4, title: "v0.9", description: null, due_date: null, state: "closed", ...at }
            ],
            [`${root}/issues`]: [
              { ...issue, id: 78, iid: 4, title: "Secret", description: "hidden", confidential: true },
              issue,
              { ...issue, id: 75, iid: 1, title: "First", state: "closed", description: null, user_notes_count: 0 }
            ],
            [`${root}/issues/2/notes`]: [
              { ...note, id: 302, body: "Here too" },
              { ...note, id: 303, body: "changed the description", system: true },
              { ...note, id: 304, body: "Between us", internal: true, confidential: true }
            ],
            [`${root}/merge_requests`]: [merged, request],
            [`${root}/merge_requests/1`]: { ...request, diff_refs },
            [`${root}/merge_requests/2`]: { ...merged, merge_commit_sha: shas.head, diff_refs },
            [`${root}/merge_requests/1/notes`]: [
              { ...note, id: 401, body: "Looks odd" },
              {
                ...note,
                id: 402,
                type: "DiffNote",
                body: "Why?",
                position: { ...position, old_line: null, new_line: 1 }
              }
            ],
            [`${root}/merge_requests/2/notes`]: [],
            [`${root}/merge_requests/1/approvals`]: {
              approved: true,
              approved_by: [{ user: author, approved_at: "2025-02-03T00:00:00.000Z" }]
            },
            [`${root}/merge_requests/2/approvals`]: { approved: false, approved_by: [] },
            [`${root}/releases`]: [
              {
                tag_name: "v0.1",
                description: "Notes",
                name: "Awesome app",
                created_at: at.created_at,
                released_at: at.updated_at,
                upcoming_release: false,
                author,
                commit: { id: shas.base, short_id: shas.base.slice(0, 8) },
                assets: {
                  count: 2,
                  sources: [{ format: "zip", url: "https://gitlab.example/x.zip" }],
                  links: [
                    {
                      id: 3,
                      name: "app.txt",
                      url: "https://files.example/app.txt",
                      direct_asset_url: "https://files.example/app.txt",
                      link_type: "other"
                    }
                  ]
                }
              }
            ],
            [`${root}${upload}`]: "pixels",
            [`${root}/variables`]: "hush",
            "/app.txt": "made"
          }
        }
      )
      expect(yield* read("labels")).toMatchObject([{ name: "bug", color: "d9534f" }])
      expect(yield* read("milestones?state=all")).toMatchObject([
        { title: "v1.0", state: "open", due_on: "2026-11-29T00:00:00Z" },
        { title: "v0.9", state: "closed", closed_at: seen.updated_at }
      ])
      // Confidential data is not copied.
      const listed = yield* read("issues?state=all&type=issues")
      expect(listed.map(({ number, state, title }: Json) => [number, state, title])).toEqual([
        [2, "open", "It breaks"],
        [1, "closed", "First"]
      ])
      const issue = yield* read("issues/2")
      expect(issue).toMatchObject({
        body: `See ![shot](/attachments/${issue.assets[0].uuid}), ${elsewhere}, ${upload.replace("shot.txt", "%2e%2e")}`,
        labels: [{ name: "bug" }],
        milestone: { title: "v1.0" },
        original_author: "eileen",
        is_locked: true,
        due_date: "2026-07-22T00:00:00Z",
        assets: [{ name: "shot.txt", size: 6 }],
        ...seen
      })
      expect(yield* text(`/attachments/${issue.assets[0].uuid}`)).toBe("pixels")
      expect(yield* read("issues/2/comments")).toMatchObject([{ body: "Here too", original_author: "eileen" }])
      const pulls = yield* read("pulls?state=all&sort=oldest")
      expect(pulls.map(({ draft, merged, number, title }: Json) => [number, title, draft, merged])).toEqual([
        [5, "Draft: Mend it", true, false],
        [6, "Done", false, true]
      ])
      expect(pulls[0]).toMatchObject({ head: { ref: "topic", sha: head }, base: { ref: "main", sha: base } })
      expect(yield* read("issues/5/comments")).toMatchObject([{ body: "Looks odd" }])
      const reviews = yield* read("pulls/5/reviews")
      expect(reviews).toMatchObject([{ state: "COMMENT" }, { state: "APPROVED", official: false }])
      expect(yield* read(`pulls/5/reviews/${reviews[0].id}/comments`)).toMatchObject([
        { path: "a.txt", body: "Why?", position: 1 }
      ])
      expect(yield* read("releases")).toMatchObject([
        { tag_name: "v0.1", name: "Awesome app", target_commitish: base, assets: [{ name: "app.txt" }] }
      ])
      expect(yield* text("/bob/copy/releases/download/v0.1/app.txt")).toBe("made")
      expect(progress).toMatchObject({ copied: 6, left_out: 0 })
      // The token is sent only to the host, and not to link targets.
      expect(asked.filter((each) => !each.endsWith(" Bearer t0ken!"))).toEqual(["files.example/app.txt "])
    })
  )
})
