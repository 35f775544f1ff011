import { timeOf } from "@slipway/domain"
import type { Notice } from "@slipway/domain/forge/background"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import type { Activity } from "@slipway/domain/forge/events"
import { type Event, type Person, UserStore } from "@slipway/domain/forge/identity"
import { Notices } from "@slipway/forge/background"
import { Audit } from "@slipway/forge/identity"
import { DateTime, Effect, Option, Schema } from "effect"
import { type ActivityOperation, auditEndpoints } from "../../../api/forge/administration/audit.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { readOptionalTime } from "../base/queries.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { handle, type Listed, mapRows } from "../entry/handle.ts"

const showPerson = (person: Person | null) => (person === null ? null : { id: person.id, login: person.name })

const showEvent = (event: Event) => ({
  id: event.id,
  created: event.at,
  action: event.action,
  outcome: event.outcome,
  refused_by: event.refusedBy,
  actor: showPerson(event.actor),
  signed_in_as: showPerson(event.signedInAs),
  credential: event.signedInWith.kind,
  token: event.signedInWith.kind === "token" ? { id: event.signedInWith.id, name: event.signedInWith.name } : null,
  address: event.address,
  subject: event.subject,
  details: event.details
})

const pushed = ({ after, ref }: Event["details"]): "commit_repo" | "delete_branch" | "delete_tag" | "push_tag" => {
  const isTag = typeof ref === "string" && ref.startsWith("refs/tags/")
  if (after === null) return isTag ? "delete_tag" : "delete_branch"
  return isTag ? "push_tag" : "commit_repo"
}

type Operation = typeof ActivityOperation.Type

/** The activity names of events on issues (first) and on pull requests (second, for the unit `repo.pulls`). */
const onIssues = {
  "issue.create": ["create_issue", "create_pull_request"],
  "pull.create": ["create_issue", "create_pull_request"],
  "issue.comment.create": ["comment_issue", "comment_pull"],
  "pull.merge": ["merge_pull_request", "merge_pull_request"],
  closed: ["close_issue", "close_pull_request"],
  open: ["reopen_issue", "reopen_pull_request"]
} as const satisfies Readonly<Record<string, readonly [Operation, Operation]>>

const operation = ({ action, details }: Event): Operation => {
  if (action === "git.push") return pushed(details)
  if (action.startsWith("repository.release.")) return "publish_release"
  const key = action === "issue.edit" || action === "pull.edit" ? details.state : action
  if (typeof key === "string" && Object.hasOwn(onIssues, key)) {
    const [ofIssue, ofPull] = onIssues[key as keyof typeof onIssues]
    return details.unit === "repo.pulls" ? ofPull : ofIssue
  }
  if (action !== "repository.edit") return "create_repo"
  return typeof details.to === "string" ? "rename_repo" : "edit_repo"
}

/** A commit as stored in the details of a push event. */
const ListedCommit = Schema.Struct({
  id: Schema.String,
  at: Schema.String,
  subject: Schema.String,
  author: Schema.String,
  email: Schema.String
})

const listedIn = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(ListedCommit)))

/** Returns the commits of a push event in the format of Gitea's feeds; empty for events without stored commits. */
const commitsOf = ({ listed }: Event["details"]) =>
  Option.getOrElse(listedIn(listed), () => []).map(({ at, author, email, id, subject }) => ({
    Sha1: id,
    Message: subject,
    AuthorName: author,
    AuthorEmail: email,
    CommitterName: author,
    CommitterEmail: email,
    Timestamp: at
  }))

const contentOf = (event: Event, { name, owner }: Activity["repository"]): string => {
  const { details } = event
  // A name that a repository had while it was hidden stays hidden later.
  if (operation(event) === "rename_repo") return name
  if (operation(event) === "publish_release") return String(details.text)
  if (typeof details.issueId === "number") return `${details.issue ?? details.pull}|${details.text}`
  if (operation(event) !== "commit_repo") return ""
  const commits = commitsOf(details)
  const compared = `${owner.name}/${name}/compare/${details.before}...${details.after}`
  return JSON.stringify({
    Commits: commits,
    HeadCommit: commits.find(({ Sha1 }) => Sha1 === details.after) ?? null,
    CompareURL: details.before === null ? "" : compared,
    Len: details.commits
  })
}

/** Converts activities to API responses with full users and repositories, read in one query for all rows. */
const showFeed = Effect.fnUntraced(function* <E, R>(
  acting: ViewerResource,
  feed: Effect.Effect<Listed<Activity>, E, R>
) {
  const page = yield* feed
  const ids = [...new Set(page.rows.map(({ repository }) => repository.id))]
  const held = yield* (yield* RepositoryStore).heldOn(acting.actor.userId, ids)
  const shown = yield* showRepositoriesTo(acting, [...held.values()])
  const repositories = new Map(shown.map((each) => [each.id as number, each]))
  const people = yield* (yield* UserStore).findMany(acting.actor, [
    ...new Set(page.rows.flatMap(({ person }) => person?.id ?? []))
  ])
  const showUser = yield* showUserTo(acting)
  const rows = page.rows.flatMap(({ event, person, repository }) => {
    const repo = repositories.get(repository.id)
    const user = person && people.get(person.id)
    // It was deleted or hidden since the page was read.
    if (repo === undefined) return []
    return [
      {
        id: event.id,
        op_type: operation(event),
        act_user_id: person?.id ?? null,
        act_user: user === undefined ? null : showUser(user),
        repo_id: repository.id,
        repo,
        ref_name: String(event.details.ref ?? event.details.release ?? ""),
        comment_id: typeof event.details.commentId === "number" ? event.details.commentId : 0,
        content: contentOf(event, repository),
        is_private: repository.private,
        created: event.at
      }
    ]
  })
  return { ...page, rows }
})

const showNotice = ({ createdAt, id, text }: Notice) => ({ id, description: text, created: createdAt })

interface LogQuery {
  readonly actor?: string
  readonly action?: string
  readonly since?: string
  readonly until?: string
}

const logFilter = ({ action, actor, since, until }: LogQuery): Audit.LogFilter => ({
  action,
  actor,
  since: readOptionalTime(since),
  until: readOptionalTime(until)
})

const dayOf = ({ date }: { readonly date?: string }): Audit.FeedTime => {
  if (date === undefined) return {}
  const since = DateTime.makeUnsafe(`${date}T00:00:00Z`)
  return { since: timeOf(since), until: timeOf(DateTime.add(since, { days: 1 })) }
}

/** The handlers of the audit log. */
export const layerAudit = handle(auditEndpoints, {
  "admin.audit.list": ({ page, proof, query }) => mapRows(Audit.ofSite(proof, logFilter(query), page), showEvent),
  "organization.audit.list": ({ page, proof, query }) =>
    mapRows(Audit.ofOrganization(proof, logFilter(query), page), showEvent),
  "organization.feed.list": ({ page, proof, query }) =>
    showFeed(proof.resource, Audit.organizationFeed(proof, dayOf(query), page)),
  "team.feed.list": ({ page, proof, query }) => showFeed(proof.resource, Audit.teamFeed(proof, dayOf(query), page)),
  "repository.feed.list": ({ page, proof, query }) =>
    showFeed(proof.resource, Audit.repositoryFeed(proof, dayOf(query), page)),
  "user.heatmap": ({ proof }) =>
    Effect.map(Audit.heatmap(proof), (times) =>
      times.map(({ count, seconds }) => ({ timestamp: seconds, contributions: count }))
    ),
  "user.feed.list": ({ page, proof, query }) =>
    showFeed(
      proof.resource,
      Audit.userFeed(proof, { ...dayOf(query), watchedToo: !isYes(query["only-performed-by"] ?? "false") }, page)
    ),
  "admin.notice.list": ({ page, proof }) => mapRows(Notices.list(proof, page), showNotice),
  "admin.notice.remove": ({ params, proof }) => Notices.remove(proof, numberIn(params.id))
})
