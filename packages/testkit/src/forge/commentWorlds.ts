import { assert } from "@effect/vitest"
import { now } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { stars } from "@slipway/domain/forge/code"
import {
  type IssueId,
  issues,
  NotificationStore,
  timelineEvents,
  trackedTimes
} from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import { UserStore } from "@slipway/domain/forge/identity"
import { Stars } from "@slipway/forge/code"
import { IssueComments, Issues, Notifications, Times, timelineEvent } from "@slipway/forge/collaboration"
import { Entry } from "@slipway/forge/entry"
import { Audit } from "@slipway/forge/identity"
import { Effect, Layer } from "effect"
import { register } from "../contract.ts"
import { askPure } from "./ask.ts"
import { all, moment, newCommentOn } from "./builders.ts"
import { type Dice, dice } from "./model.ts"
import { parseWorld } from "./parse.ts"
import { plantResources, plantUsers, repositoryAt } from "./plant.ts"
import { sentBy } from "./storeAnswers.ts"
import { testEnv } from "./testEnv.ts"
import type { Asker, World } from "./World.ts"

const people = ["ann", "bob", "cy", "dora", "rex"] as const
const homes = ["acme", "inner", "hush", "ann", "bob"] as const
const items = 12

/** Generates a random world (users, repositories and permissions) with issues and comments. */
export const commentWorld = ({ below, of }: Dice): { readonly text: string; readonly world: World } => {
  const shared = ["acme", "inner", "hush"] as const
  const units = () => ["issues=read", "pulls=read", "code=read", "admin", "issues=write pulls=read"][below(5)]
  const repositories = homes.map((home) => `${home}/${of(["site", "plan"])}`)
  const numbers = new Map<string, number>()
  const lines = [
    "user ann admin",
    `user bob ${of(["public", "limited", "private"])}`,
    "user cy",
    "user dora",
    "user rex restricted",
    ...shared.map((name) => `organization ${name} ${of(["public", "limited", "private"])}`),
    ...repositories.map(
      (path) => `repository ${path} ${of(["", "private", "off=issues", "off=pulls", "private off=code"])}`
    ),
    ...shared.map((name) => `team ${name}/Owners: ${of(people)}`),
    ...shared.map(
      (name) =>
        `team ${name}/crew ${units()} on ${of(["*", repositories.find((path) => path.startsWith(name))?.split("/")[1] ?? "*"])}: ${of(people)}, ${of(["cy", "dora"])}`
    ),
    ...["cy", "rex"].map(
      (name) => `collaborator ${name} ${of(["read", "write"])} ${repositories[below(repositories.length)]}`
    ),
    ...Array.from({ length: items }, () => {
      const path = repositories[below(repositories.length)] ?? ""
      const number = (numbers.get(path) ?? 0) + 1
      numbers.set(path, number)
      return `issue ${path}#${number} author=${of(people)}${of(["", "", " pull"])}`
    })
  ]
  const text = lines.join("\n")
  return { text, world: parseWorld(text) }
}

/**
 * Returns all viewers of a world: the anonymous viewer, each user, and a user with a token that only reads public
 * resources.
 */
export const commentViewers = (world: World): ReadonlyArray<Asker> => [
  { name: undefined, token: undefined },
  ...[...world.users.keys()].map((name) => ({ name, token: undefined })),
  { name: "ann", token: ["all", "public-only"] }
]

/** A list of issues, comments or activities that a viewer can request. */
export type CommentList =
  | { readonly list: "search" | "notifications" | "starred" | "times" }
  | { readonly list: "issues" | "comments"; readonly repository: string }
  | { readonly list: "timeline"; readonly item: string }
  | { readonly list: "feed"; readonly user: string }

/** Returns all lists that the tests request in a world. */
export const commentLists = (world: World): ReadonlyArray<CommentList> => [
  ...(["search", "notifications", "starred", "times"] as const).map((list) => ({ list })),
  ...world.repositories.flatMap(({ name, owner }) =>
    (["issues", "comments"] as const).map((list) => ({ list, repository: `${owner}/${name}` }))
  ),
  ...world.items.map(({ path }) => ({ list: "timeline" as const, item: path })),
  ...["ann", "bob"].map((user) => ({ list: "feed" as const, user }))
]

/**
 * The content of a list: the names of its entries in order and their total number, or `refused` if the caller may not
 * read the list.
 */
export type CommentListContent = { readonly names: ReadonlyArray<string>; readonly total: number } | "refused"

/** Returns the content of a list in the form in which tests compare it. */
export const commentListContent = (names: ReadonlyArray<string>, total: number | undefined): CommentListContent => ({
  names,
  total: total ?? -1
})

const homeOf = (path: string): string => path.split("#")[0] ?? ""

/** Returns the path of the item that refers to item number `at`: the next item of the world. */
const sourceOf = (world: World, at: number): string => world.items[(at + 1) % world.items.length]?.path ?? ""

/** Returns the expected content of a list. It decides access to each item separately, without any list query. */
export const expectedOf = (world: World, asker: Asker, spoken: CommentList): CommentListContent => {
  const ask = (action: string, ...things: ReadonlyArray<string>) =>
    askPure(world, { text: "", asker, action, things, answer: "", by: [] }).answer === "allowed"
  const whole = (names: ReadonlyArray<string>) => commentListContent(names, names.length)
  // The resources stored first are the oldest.
  const latest = (names: ReadonlyArray<string>) => whole(names.toReversed())
  const paths = world.items.map(({ path }) => path)
  const read = paths.filter((path) => ask("issue.read", path))
  const places = world.repositories.map(({ name, owner }) => `${owner}/${name}`)
  switch (spoken.list) {
    case "search":
      return ask("issue.search") ? latest(read) : "refused"
    case "notifications":
      return ask("notification.list") ? latest(read) : "refused"
    case "times":
      return ask("account.time.list") ? whole(read) : "refused"
    case "starred":
      return ask("account.starred.list") ? latest(places.filter((path) => ask("repository.read", path))) : "refused"
    case "issues":
      return ask("issue.list", spoken.repository)
        ? latest(read.filter((path) => homeOf(path) === spoken.repository))
        : "refused"
    case "comments":
      return ask("issue.comment.list-all", spoken.repository)
        ? whole(read.filter((path) => homeOf(path) === spoken.repository))
        : "refused"
    case "timeline": {
      if (!ask("issue.timeline.list", spoken.item)) return "refused"
      const source = sourceOf(world, paths.indexOf(spoken.item))
      return whole([...(read.includes(source) ? [source] : []), "comment"])
    }
    case "feed": {
      if (!ask("user.feed.list", spoken.user)) return "refused"
      const isOwn =
        asker.token === undefined && (asker.name === spoken.user || world.users.get(asker.name ?? "")?.admin)
      const isOpen = (path: string) =>
        world.repositories.some(({ name, owner, private: hidden }) => `${owner}/${name}` === path && !hidden)
      return latest(places.filter((path) => ask("repository.read", path) && (isOwn || isOpen(path))))
    }
  }
}

/**
 * Stores activity in a world, after its issues and pull requests.
 *
 * Every user has starred every repository, and has a notification and tracked time for every issue and pull request.
 */
export const plantComments = Effect.fnUntraced(function* (world: World) {
  const users = yield* Effect.forEach([...world.users.keys()], (name) =>
    Effect.flatMap(UserStore, (store) => Effect.map(store.named(name), (found) => found?.user))
  )
  const known = users.flatMap((user) => user ?? [])
  const at = yield* now
  const homes = new Map<string, RepositoryId>()
  for (const { name, owner } of world.repositories) {
    const path = `${owner}/${name}`
    const { id, owner: whose } = yield* repositoryAt(path)
    homes.set(path, id)
    for (const user of known) {
      yield* (yield* stars.store).insert({ userId: user.id, repositoryId: id, createdAt: moment(0) })
      yield* (yield* EventStore).append({
        at,
        action: "repository.edit",
        outcome: "done",
        refusedBy: null,
        actor: { id: user.id, name: user.name },
        signedInAs: null,
        signedInWith: { kind: "password" },
        address: "",
        subject: { kind: "repository", id, name: path },
        organizationId: whose.kind === "organization" ? whose.id : null,
        teamId: null,
        repositoryId: id,
        details: {}
      })
    }
  }
  const stored = yield* Effect.forEach(
    world.items,
    Effect.fnUntraced(function* ({ path }) {
      const repositoryId = homes.get(homeOf(path)) as RepositoryId
      const { rows } = yield* (yield* issues.store).list({ repositoryId }, { limit: 1_000 })
      const issue = rows.find(({ number }) => `${homeOf(path)}#${number}` === path)
      assert.isDefined(issue)
      return issue
    })
  )
  for (const [at, issue] of stored.entries()) {
    const comment = yield* newCommentOn(issue, issue.authorId, "said")
    const source = stored[(at + 1) % stored.length] ?? issue
    yield* (yield* timelineEvents.store).insert(
      timelineEvent(issue, source.pull ? "pull_ref" : "issue_ref", issue.authorId, moment(1), {
        otherIssueId: source.id,
        sourceRepositoryId: source.repositoryId,
        sourceUnit: source.pull ? "repo.pulls" : "repo.issues"
      })
    )
    const ids = known.map(({ id }) => id)
    const { id: issueId, repositoryId } = issue
    yield* (yield* NotificationStore).notify(ids, { issueId, commentId: comment.id, repositoryId, at: moment(2) })
    yield* (yield* trackedTimes.store).insertMany(
      ids.map((userId) => ({ issueId: issueId as IssueId, userId, seconds: 60, createdAt: moment(3) }))
    )
  }
})

interface Placed {
  readonly issue: { readonly number: number }
  readonly repository: { readonly owner: string; readonly name: string }
}

const pathOf = ({ issue, repository }: Placed): string => `${repository.owner}/${repository.name}#${issue.number}`

const about = (path: string) => {
  const [home = "", index = ""] = path.split("#")
  const [owner = "", repository = ""] = home.split("/")
  return { owner, repository, keys: { index: Number(index) } }
}

/** Returns the content of a list from the stores, like the response to a request. */
const storedAnswer = Effect.fnUntraced(function* (request: Entry.EntryRequest, spoken: CommentList) {
  const site = Entry.enter(request, { kind: "site" })
  switch (spoken.list) {
    case "search": {
      const proof = yield* Entry.authorize("issue.search", yield* site)
      const { rows, total } = yield* Issues.search(proof, {}, "newest", all)
      return commentListContent(rows.map(pathOf), total)
    }
    case "notifications": {
      const proof = yield* Entry.authorize("notification.list", yield* site)
      const { rows, total } = yield* Notifications.list(proof, { statuses: ["unread"] }, all)
      const counting = yield* Entry.authorize("notification.count-new", yield* site)
      assert.strictEqual(yield* Notifications.countNew(counting), total)
      return commentListContent(
        rows.map(({ about: placed }) => pathOf(placed)),
        total
      )
    }
    case "times": {
      const proof = yield* Entry.authorize("account.time.list", yield* site)
      const { rows, total } = yield* Times.ofSelf(proof, {}, all)
      return commentListContent(
        rows.map(({ issue }) => pathOf(issue)),
        total
      )
    }
    case "starred": {
      const proof = yield* Entry.authorize("account.starred.list", yield* site)
      const { rows, total } = yield* Stars.ofSelf(proof, all)
      return commentListContent(
        rows.map(({ repository: { name, owner } }) => `${owner.name}/${name}`),
        total
      )
    }
    case "issues": {
      const entered = yield* Entry.enter(request, { kind: "repository", ...about(spoken.repository) })
      const { rows, total } = yield* Issues.list(yield* Entry.authorize("issue.list", entered), {}, "newest", all)
      return commentListContent(rows.map(pathOf), total)
    }
    case "comments": {
      const entered = yield* Entry.enter(request, { kind: "repository", ...about(spoken.repository) })
      const proof = yield* Entry.authorize("issue.comment.list-all", entered)
      const { rows, total } = yield* IssueComments.listAll(proof, {}, all)
      return commentListContent(rows.map(pathOf), total)
    }
    case "timeline": {
      const entered = yield* Entry.enter(request, { kind: "issue", ...about(spoken.item) })
      const proof = yield* Entry.authorize("issue.timeline.list", entered)
      const { rows, total } = yield* IssueComments.timeline(proof, {}, all)
      return commentListContent(
        rows.map(({ entry, other }) =>
          entry.kind === "comment" ? "comment" : other === undefined ? "?" : pathOf(other)
        ),
        total
      )
    }
    case "feed": {
      const entered = yield* Entry.enter(request, { kind: "user", name: spoken.user })
      const { rows, total } = yield* Audit.userFeed(
        yield* Entry.authorize("user.feed.list", entered),
        { watchedToo: false },
        all
      )
      // B16: the heatmap counts what the feed lists.
      const days = yield* Audit.heatmap(yield* Entry.authorize("user.heatmap", entered))
      assert.strictEqual(
        days.reduce((sum, { count }) => sum + count, 0),
        total
      )
      return commentListContent(
        rows.map(({ event }) => event.subject.name),
        total
      )
    }
  }
})

/** Registers tests with random worlds: lists must contain and count exactly the readable items. */
export const describeCommentWorlds = <E>(
  name: string,
  layer: Layer.Layer<Stores, E>,
  { runs, seed }: { readonly runs: number; readonly seed: number }
): void =>
  register(name, Layer.mergeAll(layer, testEnv()), [
    {
      port: "activity lists",
      musts: Object.fromEntries(
        Array.from({ length: runs }, (_, at) => seed + at).map((from) => [
          `contain and count exactly the readable items, in world ${from}`,
          Effect.gen(function* () {
            const { text, world } = commentWorld(dice(from))
            yield* plantUsers(world)
            yield* plantResources(world)
            yield* plantComments(world)
            for (const asker of commentViewers(world)) {
              const sent = yield* sentBy(asker)
              for (const spoken of commentLists(world)) {
                const answer = yield* Effect.catchTag(storedAnswer(sent, spoken), "AccessRefused", () =>
                  Effect.succeed<CommentListContent>("refused")
                )
                const actual = { asker, spoken, answer }
                assert.deepStrictEqual(actual, { asker, spoken, answer: expectedOf(world, asker, spoken) }, text)
              }
            }
          })
        ])
      )
    }
  ])
