import { GitReader, Revision, viewerOn } from "@slipway/domain/forge/code"
import { IssueStore, type Reference, referenceKey } from "@slipway/domain/forge/collaboration"
import type { Actor } from "@slipway/domain/forge/identity"
import { OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import * as Entry from "../../entry/Entry.ts"

/** The maximum number of distinct commits, and of distinct repositories, that are looked up for one text. */
const mostCommits = 20
const mostRepositories = 3

type Kind<K extends Reference["kind"]> = Extract<Reference, { readonly kind: K }>

const ofKind = <K extends Reference["kind"]>(references: ReadonlyArray<Reference>, kind: K) =>
  references.filter((each): each is Kind<K> => each.kind === kind)

type Link = readonly [key: string, address: string]

const pathOf = (...parts: ReadonlyArray<string | number>): string =>
  parts.map((part) => encodeURIComponent(part)).join("/")

const split = (repository: string): readonly [owner: string, name: string] => {
  const [owner = "", name = ""] = repository.split("/")
  return [owner, name]
}

const issueLinks = Effect.fnUntraced(function* (
  actor: Actor,
  repository: string | undefined,
  references: ReadonlyArray<Kind<"issue">>
) {
  const meant = references.flatMap((reference) => {
    const where = reference.repository ?? repository
    if (where === undefined) return []
    const [owner, name] = split(where)
    return [{ reference, owner, name, index: reference.index }]
  })
  if (meant.length === 0) return []
  const found = yield* (yield* IssueStore).named(yield* viewerOn(actor), meant)
  const placed = new Map(
    found.map((each) => {
      const { issue, repository: home } = each
      return [`${home.owner}/${home.name}#${issue.number}`.toLowerCase(), each] as const
    })
  )
  return meant.flatMap(({ index, name, owner, reference }): ReadonlyArray<Link> => {
    const each = placed.get(`${owner}/${name}#${index}`.toLowerCase())
    if (each === undefined || (reference.pull && !each.issue.pull)) return []
    const { issue, repository: home } = each
    return [[referenceKey(reference), pathOf(home.owner, home.name, issue.pull ? "pulls" : "issues", issue.number)]]
  })
})

const userLinks = Effect.fnUntraced(function* (actor: Actor, references: ReadonlyArray<Kind<"user">>) {
  if (references.length === 0) return []
  const names = references.map(({ name }) => name)
  const { rows } = yield* (yield* UserStore).search(actor, { names }, { page: 1, perPage: names.length })
  return rows.map(({ name }): Link => [referenceKey({ kind: "user", name }), pathOf(name)])
})

/**
 * Returns the links to mentioned teams of the repository's organization. Mentions of other organizations' teams stay
 * plain text.
 */
const teamLinks = Effect.fnUntraced(function* (
  actor: Actor,
  repository: string | undefined,
  references: ReadonlyArray<Kind<"team">>
) {
  const [owner] = split(repository ?? "")
  const names = references.flatMap(({ organization, team }) =>
    organization.toLowerCase() === owner.toLowerCase() ? [team] : []
  )
  if (names.length === 0) return []
  const home = yield* (yield* OrganizationStore).named(owner)
  if (home === undefined || home.renamed) return []
  const { id, name: organization } = home.organization
  const { rows } = yield* (yield* TeamStore).list(actor, id, { names }, { page: 1, perPage: names.length })
  return rows.map(
    ({ name: team }): Link => [
      referenceKey({ kind: "team", organization, team }),
      pathOf("org", organization, "teams", team)
    ]
  )
})

const commitsIn = Effect.fnUntraced(function* (actor: Actor, where: string, commits: ReadonlyArray<Kind<"commit">>) {
  const [owner, name] = split(where)
  const entered = yield* Entry.authorizeSecondResource(actor, { kind: "repository", owner, repository: name })
  const { resource } = yield* Entry.authorize("repository.git.commit.read", entered)
  const { id, name: present, owner: home } = resource.repository
  const reader = yield* GitReader
  return yield* Effect.forEach(commits, (reference) =>
    Effect.map(
      reader.resolve(id, Revision.make(reference.commit)),
      (found): ReadonlyArray<Link> =>
        // A match that is not a prefix of the commit id was the name of a branch or a tag.
        found?.commit === undefined || !found.id.startsWith(reference.commit)
          ? []
          : [[referenceKey(reference), pathOf(home.name, present, "commit", found.commit)]]
    )
  )
})

const commitLinks = Effect.fnUntraced(function* (
  actor: Actor,
  repository: string | undefined,
  references: ReadonlyArray<Kind<"commit">>
) {
  const placed = Map.groupBy(references.slice(0, mostCommits), (each) => each.repository ?? repository)
  const places = [...placed].flatMap(([where, commits]) => (where === undefined ? [] : [[where, commits] as const]))
  const links = yield* Effect.forEach(places.slice(0, mostRepositories), ([where, commits]) =>
    Effect.catchTags(commitsIn(actor, where, commits), {
      // References to unreadable or renamed targets stay text.
      AccessRefused: () => Effect.succeed([]),
      Renamed: () => Effect.succeed([])
    })
  )
  return links.flat(2)
})

/**
 * Returns the link targets of the references in a text; only targets that the actor may read. `origin` is the beginning
 * of the site's URLs.
 */
export const referenceLinks =
  (actor: Actor, origin: string) => (references: ReadonlyArray<Reference>, repository: string | undefined) =>
    Effect.gen(function* () {
      const links: ReadonlyArray<Link> = [
        ...(yield* issueLinks(actor, repository, ofKind(references, "issue"))),
        ...(yield* userLinks(actor, ofKind(references, "user"))),
        ...(yield* teamLinks(actor, repository, ofKind(references, "team"))),
        ...(yield* commitLinks(actor, repository, ofKind(references, "commit")))
      ]
      return new Map(links.map(([key, path]) => [key, `${origin}/${path}`]))
    })
