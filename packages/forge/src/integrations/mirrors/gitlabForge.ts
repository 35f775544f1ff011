import { OtherForge as Other, percentDecoded } from "@slipway/domain/forge/integrations"
import { Effect, Schema } from "effect"
import { apiOf, type OtherForge, readAll, readOne, requireFewRows } from "./forgeApi.ts"

const { opt, Text } = Other

const Author = Schema.Struct({ id: Schema.Int, username: Schema.String })

const Milestone = Schema.Struct({
  title: Schema.String,
  description: Text,
  state: Schema.Literals(["active", "closed"]),
  due_date: Text,
  created_at: Text,
  updated_at: Text
})

const Item = {
  id: Schema.Int,
  iid: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5_000_000 })),
  title: Schema.String,
  description: Text,
  author: opt(Author),
  labels: opt(Schema.Array(Schema.String)),
  milestone: opt(Schema.Struct({ title: Schema.String })),
  discussion_locked: opt(Schema.Boolean),
  user_notes_count: opt(Schema.Int),
  created_at: Text,
  updated_at: Text,
  closed_at: Text
}

const Issue = Schema.Struct({
  ...Item,
  state: Schema.Literals(["opened", "closed"]),
  due_date: Text,
  confidential: opt(Schema.Boolean)
})

const MergeRequest = Schema.Struct({
  ...Item,
  state: Schema.Literals(["opened", "closed", "locked", "merged"]),
  merged_at: Text
})

const WholeMergeRequest = Schema.Struct({
  iid: Schema.Int,
  source_branch: Schema.String,
  target_branch: Schema.String,
  source_project_id: opt(Schema.Int),
  target_project_id: opt(Schema.Int),
  merged_at: Text,
  sha: Text,
  merge_commit_sha: Text,
  squash_commit_sha: Text,
  allow_collaboration: opt(Schema.Boolean),
  diff_refs: opt(Schema.Struct({ base_sha: Text, head_sha: Text, start_sha: Text }))
})

const Note = Schema.Struct({
  id: Schema.Int,
  body: Text,
  author: opt(Author),
  created_at: Text,
  updated_at: Text,
  system: opt(Schema.Boolean),
  internal: opt(Schema.Boolean),
  confidential: opt(Schema.Boolean),
  resolved_by: opt(Author),
  position: opt(
    Schema.Struct({
      head_sha: Text,
      old_path: Text,
      new_path: Text,
      old_line: opt(Schema.Int),
      new_line: opt(Schema.Int)
    })
  )
})
type Note = typeof Note.Type

const Approvals = Schema.Struct({
  approved_by: Schema.Array(Schema.Struct({ user: Author, approved_at: Text }))
})

const Release = Schema.Struct({
  tag_name: Schema.String,
  name: Text,
  description: Text,
  created_at: Text,
  released_at: Text,
  commit: opt(Schema.Struct({ id: Schema.String })),
  assets: opt(
    Schema.Struct({
      links: opt(Schema.Array(Schema.Struct({ name: Schema.String, url: Schema.String, direct_asset_url: Text })))
    })
  )
})

const person = (author: typeof Author.Type | null | undefined) =>
  author ? { id: author.id, login: author.username } : undefined

/** Returns the uploaded files that a text references. */
const uploadsIn = (text: string | null | undefined): ReadonlyArray<Other.OtherFile> => {
  const found = (text ?? "").matchAll(/\/uploads\/[0-9a-f]{32}\/([^\s()<>"'\]/\\?#]+)/g)
  const files = new Map([...found].map(([path, written = ""]) => [path, percentDecoded(written)]))
  // The text's author chooses the path, and the request carries the importer's credentials: it must stay below the
  // project.
  return [...files].flatMap(([path, name]) =>
    /^\.{1,2}$|[/\\]/.test(name) ? [] : { name, browser_download_url: path, url: undefined, created_at: undefined }
  )
}

type Either = Omit<typeof Issue.Type, "state"> | Omit<typeof MergeRequest.Type, "state">

const itemOf = ({ author, closed_at, created_at, description, discussion_locked, iid, ...item }: Either) => ({
  id: item.id,
  number: iid,
  title: item.title,
  body: description,
  assets: uploadsIn(description),
  comments: item.user_notes_count,
  user: person(author),
  labels: (item.labels ?? []).map((name) => ({ name })),
  milestone: item.milestone,
  is_locked: discussion_locked,
  created_at,
  updated_at: item.updated_at,
  closed_at
})

const issueOf = (issue: typeof Issue.Type): Other.OtherIssue => ({
  ...itemOf(issue),
  state: issue.state === "closed" ? "closed" : "open",
  due_date: issue.due_date
})

const pullIssueOf = (request: typeof MergeRequest.Type, before: number): Other.OtherIssue => {
  const item = itemOf(request)
  return {
    ...item,
    number: item.number + before,
    state: request.state === "opened" || request.state === "locked" ? "open" : "closed",
    closed_at: request.closed_at ?? request.merged_at,
    pull_request: { merged_at: request.merged_at }
  }
}

const pullOf = (request: typeof WholeMergeRequest.Type, before: number): Other.OtherPull => {
  const { diff_refs, sha, source_project_id, target_project_id } = request
  return {
    number: request.iid + before,
    head: { ref: request.source_branch, sha: diff_refs?.head_sha ?? sha, repo_id: source_project_id },
    base: { ref: request.target_branch, sha: diff_refs?.start_sha, repo_id: target_project_id },
    merged_at: request.merged_at,
    merge_commit_sha: request.merge_commit_sha ?? request.squash_commit_sha ?? sha,
    merge_base: diff_refs?.base_sha,
    allow_maintainer_edit: request.allow_collaboration
  }
}

/** Returns whether a note is a user's comment that is visible to everyone who sees the issue. */
const isOpen = ({ confidential, internal, system }: Note): boolean =>
  system !== true && internal !== true && confidential !== true

const commentOf = ({ author, ...note }: Note): Other.OtherComment => ({
  ...note,
  assets: uploadsIn(note.body),
  user: person(author)
})

const lineCommentOf = ({ body, created_at, position, resolved_by, updated_at }: Note): Other.OtherLineComment => {
  const { head_sha, new_line, new_path, old_line, old_path } = position ?? {}
  const isOld = !new_line && !!old_line
  const line = (isOld ? old_line : new_line) ?? 0
  return {
    body,
    path: (isOld ? old_path : new_path) ?? "",
    line,
    original_line: line,
    side: isOld ? "LEFT" : "RIGHT",
    commit_id: head_sha,
    original_commit_id: head_sha,
    resolver: person(resolved_by),
    created_at,
    updated_at
  }
}

const review = (id: number, state: string, at: string | null | undefined): Other.OtherReview => ({
  id,
  state,
  submitted_at: at,
  updated_at: at
})

/** The id of a placeholder review that contains all line comments, because GitLab has no reviews. */
const ofLines = 0

const readIssues = (forge: OtherForge) => readAll(Issue)(forge, "issues?scope=all")
const readNotes = (forge: OtherForge, path: string) =>
  readAll(Note)(forge, `${path}/notes?sort=asc&order_by=created_at`)

/** Returns the highest issue number; merge requests, numbered separately by GitLab, get the numbers after it. */
export const numbersBefore = Effect.fnUntraced(function* (forge: OtherForge) {
  return (yield* readIssues(forge)).reduce((most, { iid }) => Math.max(most, iid), 0)
})

/**
 * Reads a repository from a GitLab API; its merge requests are numbered after its issues.
 *
 * Omits confidential issues and internal notes.
 */
export const gitlabReader = (forge: OtherForge, before: number): Other.ForgeReader => ({
  labels: readAll(Other.OtherLabel)(forge, "labels"),
  milestones: Effect.map(readAll(Milestone)(forge, "milestones?include_ancestors=true"), (milestones) =>
    milestones.map(({ due_date, state, ...milestone }) => ({
      ...milestone,
      state: state === "active" ? ("open" as const) : state,
      due_on: due_date,
      closed_at: state === "closed" ? milestone.updated_at : undefined
    }))
  ),
  releases: Effect.map(readAll(Release)(forge, "releases"), (releases) =>
    releases.map(({ assets, commit, description, released_at, ...release }) => ({
      ...release,
      target_commitish: commit?.id,
      body: description,
      published_at: released_at,
      assets: (assets?.links ?? []).map(({ direct_asset_url, name, url }) => ({
        name,
        browser_download_url: direct_asset_url ?? url,
        url: undefined,
        created_at: undefined
      }))
    }))
  ),
  issues: Effect.gen(function* () {
    // Issues created after the numbering would collide with merge requests.
    const issues = (yield* readIssues(forge)).filter(({ confidential, iid }) => confidential !== true && iid <= before)
    const requests = yield* readAll(MergeRequest)(forge, "merge_requests?state=all&scope=all")
    return [...issues.map(issueOf), ...requests.map((request) => pullIssueOf(request, before))]
  }),
  pulls: Effect.gen(function* () {
    const requests = yield* readAll(MergeRequest)(forge, "merge_requests?state=all&scope=all")
    // A list omits the diff between the two branches.
    return yield* Effect.forEach(requests, ({ iid }) =>
      Effect.map(readOne(WholeMergeRequest)(forge, `merge_requests/${iid}`), (request) => pullOf(request, before))
    )
  }),
  comments: Effect.fnUntraced(function* (issues: ReadonlyArray<Other.OtherIssue>) {
    const all: Array<Other.NumberedComment> = []
    for (const { comments, number, pull_request } of issues) {
      if (comments === 0) continue
      const path = pull_request ? `merge_requests/${number - before}` : `issues/${number}`
      const notes = (yield* readNotes(forge, path)).filter((note) => isOpen(note) && !note.position)
      all.push(...notes.map((note) => ({ number, comment: commentOf(note) })))
      yield* requireFewRows("notes", all)
    }
    return all
  }),
  reviews: Effect.fnUntraced(function* (number: number) {
    const path = `merge_requests/${number - before}`
    const said = (yield* readNotes(forge, path)).filter((note) => isOpen(note) && note.position)
    const { approved_by } = yield* readOne(Approvals)(forge, `${path}/approvals`)
    const approved = approved_by.map(({ approved_at, user }) => review(user.id, "APPROVED", approved_at))
    const spoken = said.slice(0, 1).map(({ created_at }) => review(ofLines, "COMMENTED", created_at))
    return {
      reviews: [...spoken, ...approved],
      remarks: said.map((note) => ({ remark: lineCommentOf(note), reviewId: ofLines }))
    }
  }),
  placeOf: ({ browser_download_url: place }) => {
    if (!place) return undefined
    if (!place.startsWith("/uploads/")) return URL.canParse(place) ? { url: place, names: [] } : undefined
    return { url: `${apiOf(forge.service, forge.remote.url)}${place}`, names: [place] }
  }
})
