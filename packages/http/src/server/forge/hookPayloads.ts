import {
  type AttachmentStore,
  type FileChange,
  GitReader,
  type HookNews,
  HookTelling,
  type IssueStore,
  type NewEvent,
  type Occurrence,
  type OrganizationStore,
  type OwnedStores,
  type PushedCommit,
  type PushedRef,
  type PushId,
  PushStore,
  pageAddress,
  type Repository,
  type RepositoryStore,
  type SiteSettings,
  type TeamStore,
  type UserStore
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { ofIssue } from "./hookIssues.ts"
import { commitPart, messageAt, notedCommit, objectIdsIn, type Place, placeOf } from "./hookParts.ts"
import type { PublicUrl } from "./PublicUrl.ts"
import { pathInUrl } from "./repositoryLinks.ts"

const heads = "refs/heads/"
const tags = "refs/tags/"
// A payload that names every file of a large commit helps nobody.
const mostFiles = 3_000

const pathsOf = (files: ReadonlyArray<FileChange>) => {
  const some = files.slice(0, mostFiles)
  const before = (status: FileChange["status"]) =>
    some.flatMap((file) => (file.status === status && file.before !== undefined ? [file.before.path] : []))
  const after = (...statuses: ReadonlyArray<FileChange["status"]>) =>
    some.flatMap((file) => (statuses.includes(file.status) && file.after !== undefined ? [file.after.path] : []))
  return {
    added: after("added", "copied", "renamed"),
    removed: [...before("deleted"), ...before("renamed")],
    modified: after("modified", "changed")
  }
}

/** Shows commits with the files that each changes; those of which git says nothing any more as they were noted. */
const commitsOf = Effect.fnUntraced(function* ({ repository, url }: Place, noted: ReadonlyArray<PushedCommit>) {
  const git = yield* GitReader
  const ids = objectIdsIn(noted.map(({ id }) => id))
  // What git can't say now is left out: the push happened all the same.
  const [commits, changes] = yield* Effect.all([
    git.commits(repository.id, ids),
    git.changesOf(repository.id, ids)
  ]).pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed([[], new Map<string, never>()] as const)))
  const known = new Map(commits.flatMap((commit) => (commit === undefined ? [] : [[String(commit.id), commit]])))
  const files = new Map([...changes].map(([id, changed]) => [String(id), pathsOf(changed)]))
  return noted.map((commit) => commitPart(url, commit, known.get(commit.id), files.get(commit.id)))
})

const noObjectLike = (id: string | null): string => "0".repeat(id?.length ?? 40)

const short = (id: string): string => id.slice(0, 10)

/** Writes a push of one branch or tag. */
const pushOf = Effect.fnUntraced(function* (place: Place, { after, before, commitCount, commits, ref }: PushedRef) {
  const shown = yield* commitsOf(place, commits)
  const [from, to] = [before ?? noObjectLike(after), after ?? noObjectLike(before)]
  const compare = before === null || after === null ? "" : `${place.url}/compare/${before}...${after}`
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
      head_commit: shown.find(({ id }) => id === after) ?? null,
      pusher: place.parts.sender,
      ...place.parts
    },
    message: messageAt(place, `${commitCount} new commits pushed to ${of}`, compare === "" ? place.url : compare, lines)
  } satisfies Occurrence
})

/** Writes that a branch or tag was made, or is gone. */
const refOf = (place: Place, what: "create" | "delete", { after, ref }: PushedRef): Occurrence => {
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

const ofRef = Effect.fnUntraced(function* (place: Place, ref: PushedRef) {
  if (!ref.ref.startsWith(heads) && !ref.ref.startsWith(tags)) return []
  const push = yield* pushOf(place, ref)
  if (ref.before === null) return [refOf(place, "create", ref), push]
  return ref.after === null ? [push, refOf(place, "delete", ref)] : [push]
})

const ofPush = Effect.fnUntraced(function* (place: Place, { details }: NewEvent) {
  const push = yield* (yield* PushStore).find(Number(details.push) as PushId)
  return (yield* Effect.forEach(push?.refs ?? [], (ref) => ofRef(place, ref))).flat()
})

const ofRepository = (place: Place, action: "created" | "deleted"): ReadonlyArray<Occurrence> => [
  {
    event: "repository",
    branch: undefined,
    payload: { action, ...place.parts },
    message: messageAt(place, `repository ${action}`, action === "created" ? place.url : "")
  }
]

/** Tells of a page that was changed through the API; what is pushed to a wiki tells of none. */
const ofWiki = (place: Place, { details: { comment, did, page } }: NewEvent): ReadonlyArray<Occurrence> =>
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

const tell = Effect.fnUntraced(function* (news: Pick<HookNews, "before" | "event">, repository: Repository) {
  const { event } = news
  const place = yield* placeOf(repository, event.actor)
  if (event.action === "git.push" || event.action === "repository.mirror.sync") return yield* ofPush(place, event)
  if (event.action === "git.wiki.push") return ofWiki(place, event)
  if (event.action.startsWith("issue.")) return yield* ofIssue(place, news)
  if (event.action === "repository.delete") return ofRepository(place, "deleted")
  // One that was taken back at once was never there.
  return event.details.undone === undefined ? ofRepository(place, "created") : []
})

/** Writes the newest commit of the default branch as if it were pushed just now. */
const test = Effect.fnUntraced(function* (repository: Repository, sender: NewEvent["actor"]) {
  const git = yield* GitReader
  const ref = `${heads}${repository.defaultBranch}`
  const newest = yield* Effect.gen(function* () {
    const found = yield* git.refs(repository.id, ref, { page: 1, perPage: 1 })
    const [id] = found.rows.flatMap((row) => (String(row.name) === ref ? [row.id] : []))
    return id === undefined ? undefined : (yield* git.commits(repository.id, [id]))[0]
  }).pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed(undefined)))
  const commits = newest === undefined ? [] : [notedCommit(newest)]
  const id = newest?.id ?? null
  return yield* pushOf(yield* placeOf(repository, sender), {
    ref,
    before: id,
    after: id,
    forced: false,
    commits,
    commitCount: commits.length
  })
})

type Needs =
  | AttachmentStore
  | GitReader
  | IssueStore
  | OrganizationStore
  | OwnedStores
  | PublicUrl
  | PushStore
  | RepositoryStore
  | SiteSettings
  | TeamStore
  | UserStore

/** Writes what webhooks tell, in the shapes of the API. */
export const layerHookTelling: Layer.Layer<never, never, Needs> = Layer.effect(
  HookTelling,
  Effect.map(Effect.context<Needs>(), (context) => ({
    tell: (news: Pick<HookNews, "before" | "event">, repository: Repository) =>
      Effect.provideContext(tell(news, repository), context),
    test: (repository: Repository, sender: NewEvent["actor"]) =>
      Effect.provideContext(test(repository, sender), context)
  }))
)
