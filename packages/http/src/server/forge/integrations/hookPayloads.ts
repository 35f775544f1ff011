import type { OwnedStores } from "@slipway/domain/forge"
import type { RepositoryId, SiteSettings } from "@slipway/domain/forge/base"
import type { NamedCommit } from "@slipway/domain/forge/code"
import {
  type AttachmentStore,
  GitReader,
  type ProtectionStore,
  type PushedRef,
  type PushId,
  PushStore,
  pageAddress,
  type Repository,
  RepositoryStore
} from "@slipway/domain/forge/code"
import type { IssueStore } from "@slipway/domain/forge/collaboration"
import type { RenderedEvent } from "@slipway/domain/forge/events"
import type { NewEvent, OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { HookPayloads, type Occurrence } from "@slipway/domain/forge/integrations"

import { Context, Effect, Layer } from "effect"
import { PublicUrl, publicUrlOfListener } from "../base/PublicUrl.ts"
import { pathInUrl } from "../code/repositoryLinks.ts"
import { commitsOf, headsOf } from "./hookCommits.ts"
import { ofIssue } from "./hookIssues.ts"
import { ofPackage } from "./hookPackages.ts"
import {
  messageAt,
  notedCommit,
  objectIdsIn,
  type PayloadContext,
  payloadContextOf,
  repositoryPart
} from "./hookParts.ts"
import { ofRelease } from "./hookReleases.ts"
import { ofStatus } from "./hookStatuses.ts"
import { ofWork } from "./hookWorkflows.ts"

const heads = "refs/heads/"
const tags = "refs/tags/"

const noObjectLike = (id: string | null): string => "0".repeat(id?.length ?? 40)

const short = (id: string): string => id.slice(0, 10)

/** Returns the payloads of a push's commits and of the head commits of its refs; reads git once for all refs. */
const commitParts = Effect.fnUntraced(function* (place: PayloadContext, refs: ReadonlyArray<PushedRef>) {
  const heads = yield* headsOf(place.repository.id, refs)
  const all = [...refs.flatMap(({ commits }) => commits), ...[...heads.values()].map(notedCommit)]
  const commits = new Map(all.map((commit) => [commit.id, commit] as const))
  const first = refs.flatMap(({ commitCount, commits: listed }) =>
    listed.length === commitCount ? listed.slice(-1) : []
  )
  const roots = yield* (yield* GitReader)
    .commits(place.repository.id, objectIdsIn(first.map(({ id }) => id)))
    .pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed([])))
  return {
    parts: new Map((yield* commitsOf(place, [...commits.values()])).map((part) => [part.id, part])),
    heads,
    parents: new Map(roots.flatMap((commit) => (commit === undefined ? [] : [[String(commit.id), commit.parents[0]]])))
  }
})

/**
 * Returns the base revision of a push's compare URL; `""` for a deleted ref or the first branch.
 *
 * The base is the commit before the push. For a new branch it is the parent of its first commit, or else the default
 * branch.
 */
const comparedTo = (
  { repository }: PayloadContext,
  { after, before, commitCount, commits, ref }: PushedRef,
  { parents }: CommitParts
): string => {
  if (after === null) return ""
  if (before !== null) return before
  const parent = commits.length === commitCount ? parents.get(commits.at(-1)?.id ?? "") : undefined
  if (parent !== undefined) return parent
  return ref === `${heads}${repository.defaultBranch}` ? "" : pathInUrl(repository.defaultBranch)
}

type CommitParts = Effect.Success<ReturnType<typeof commitParts>>

/** Builds the `push` event of one branch or tag. */
const pushOf = (place: PayloadContext, pushed: PushedRef, partOf: CommitParts): Occurrence => {
  const { after, before, commitCount, commits, ref } = pushed
  const shown = commits.flatMap(({ id }) => partOf.parts.get(id) ?? [])
  const [from, to] = [before ?? noObjectLike(after), after ?? noObjectLike(before)]
  const base = comparedTo(place, pushed, partOf)
  const compare = base === "" ? "" : `${place.url}/compare/${base}...${after}`
  const branch = ref.startsWith(heads) ? ref.slice(heads.length) : undefined
  const lines = commits.map(({ author, id, subject }) => `${short(id)}: ${subject} - ${author}`)
  const of = branch ?? ref.replace(tags, "")
  return {
    event: "push",
    branch,
    payload: {
      ref,
      before: from,
      after: to,
      compare_url: compare,
      commits: shown,
      total_commits: commitCount,
      head_commit: partOf.parts.get(partOf.heads.get(after ?? "")?.id ?? after ?? "") ?? null,
      pusher: place.parts.sender,
      ...place.parts
    },
    message: messageAt(place, `${commitCount} new commits pushed to ${of}`, compare === "" ? place.url : compare, lines)
  }
}

/** Builds the `create` or `delete` event of a branch or tag. */
const refOf = (place: PayloadContext, what: "create" | "delete", { after, ref }: PushedRef): Occurrence => {
  const kind = ref.startsWith(tags) ? "tag" : "branch"
  const name = ref.slice((kind === "tag" ? tags : heads).length)
  return {
    event: what,
    branch: kind === "branch" ? name : undefined,
    payload: {
      ...(what === "create" ? { sha: after } : { pusher_type: "user" }),
      ref: name,
      ref_type: kind,
      ...place.parts
    },
    message: messageAt(place, `${kind} ${name} ${what}d`, place.url)
  }
}

const ofRef = (place: PayloadContext, ref: PushedRef, partOf: CommitParts): ReadonlyArray<Occurrence> => {
  const push = pushOf(place, ref, partOf)
  if (ref.before === null) return [refOf(place, "create", ref), push]
  return ref.after === null ? [push, refOf(place, "delete", ref)] : [push]
}

const ofPush = Effect.fnUntraced(function* (place: PayloadContext, { details }: NewEvent) {
  const push = yield* (yield* PushStore).find(Number(details.push) as PushId)
  const refs = (push?.refs ?? []).filter(({ ref }) => ref.startsWith(heads) || ref.startsWith(tags))
  const partOf = yield* commitParts(place, refs)
  return refs.flatMap((ref) => ofRef(place, ref, partOf))
})

const ofRepository = (place: PayloadContext, action: "created" | "deleted"): ReadonlyArray<Occurrence> => [
  {
    event: "repository",
    branch: undefined,
    // Here Gitea names the owner as a user, even an organization.
    payload: { action, ...place.parts, organization: place.owner },
    message: messageAt(place, `repository ${action}`, action === "created" ? place.url : "")
  }
]

/** Returns the events of a wiki page that was changed through the API; a git push to a wiki causes no event. */
const ofWiki = (place: PayloadContext, { details: { comment, did, page } }: NewEvent): ReadonlyArray<Occurrence> =>
  page === undefined
    ? []
    : [
        {
          event: "wiki",
          branch: undefined,
          payload: { action: did, page, comment, ...place.parts },
          message: messageAt(
            place,
            `wiki page ${page} ${did}`,
            `${place.url}/wiki/${pathInUrl(pageAddress(String(page)))}`
          )
        }
      ]

/** Builds the `fork` event for webhooks of the parent repository. */
const ofFork = Effect.fnUntraced(function* (place: PayloadContext, { after, event }: RenderedEvent) {
  const fork = after?.fork ?? (yield* (yield* RepositoryStore).find(Number(event.details.fork) as RepositoryId))
  if (fork === undefined) return []
  const { repository: forkee, ...parts } = place.parts
  const name = `${fork.owner.name}/${fork.name}`
  return [
    {
      event: "fork",
      branch: undefined,
      payload: { forkee, repository: yield* repositoryPart(fork), ...parts },
      message: messageAt(place, `forked to ${name}`, place.url)
    }
  ] satisfies ReadonlyArray<Occurrence>
})

const payloadsOf = Effect.fnUntraced(function* (renderedEvent: RenderedEvent, repository: Repository | null) {
  const { before, event } = renderedEvent
  if (before.packageVersion !== undefined) return yield* ofPackage(event, before.packageVersion, repository)
  if (repository === null) return []
  if (before.work !== undefined) return yield* ofWork(repository, before.work)
  const place = yield* payloadContextOf(repository, event.actor)
  if (event.action === "git.push" || event.action === "repository.mirror.sync") return yield* ofPush(place, event)
  if (event.action === "git.wiki.push") return ofWiki(place, event)
  if (event.action.startsWith("issue.") || event.action.startsWith("pull.")) return yield* ofIssue(place, renderedEvent)
  if (event.action.startsWith("repository.release.")) return yield* ofRelease(place, renderedEvent)
  if (event.action === "repository.status.create") return yield* ofStatus(place, renderedEvent)
  if (event.action === "repository.fork.create" && event.details.fork !== undefined)
    return yield* ofFork(place, renderedEvent)
  if (event.action === "repository.delete") return ofRepository(place, "deleted")
  // A repository with an undone creation has no event.
  return event.details.undone === undefined ? ofRepository(place, "created") : []
})

/** Builds a test `push` event of a commit, by default the newest commit of the default branch. */
const test = Effect.fnUntraced(function* (repository: Repository, sender: NewEvent["actor"], named?: NamedCommit) {
  const git = yield* GitReader
  const ref = named === undefined ? `${heads}${repository.defaultBranch}` : (named.ref ?? named.name)
  const newest = yield* Effect.gen(function* () {
    if (named !== undefined) return (yield* git.commits(repository.id, [named.commit]))[0]
    const found = yield* git.refs(repository.id, ref, { page: 1, perPage: 1 })
    const [id] = found.rows.flatMap((row) => (String(row.name) === ref ? [row.id] : []))
    return id === undefined ? undefined : (yield* git.commits(repository.id, [id]))[0]
  }).pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed(undefined)))
  const commits = newest === undefined ? [] : [notedCommit(newest)]
  const id = newest?.id ?? null
  const place = yield* payloadContextOf(repository, sender)
  const pushed = { ref, before: id, after: id, forced: false, commits, commitCount: commits.length }
  return pushOf(place, pushed, yield* commitParts(place, [pushed]))
})

type Needs =
  | AttachmentStore
  | GitReader
  | IssueStore
  | OrganizationStore
  | OwnedStores
  | ProtectionStore
  | PublicUrl
  | PushStore
  | RepositoryStore
  | SiteSettings
  | TeamStore
  | UserStore

/** The context for rendering payloads: outside of a request, links use the configured or the listener's URL. */
const linkedContext = Effect.map(Effect.context<Needs>(), (context) =>
  Context.add(context, PublicUrl, publicUrlOfListener(Context.get(context, PublicUrl)))
)

/** Layer that builds webhook payloads, with the same formats as API responses. */
export const layerHookPayloads: Layer.Layer<never, never, Needs> = Layer.effect(
  HookPayloads,
  Effect.map(linkedContext, (context) => ({
    render: (renderedEvent: RenderedEvent, repository: Repository | null) =>
      Effect.provideContext(payloadsOf(renderedEvent, repository), context),
    parts: (repository: Repository, sender: NewEvent["actor"]) =>
      Effect.provideContext(
        Effect.map(payloadContextOf(repository, sender), ({ parts }) => parts),
        context
      ),
    test: (repository: Repository, sender: NewEvent["actor"], named?: NamedCommit) =>
      Effect.provideContext(test(repository, sender, named), context)
  }))
)
