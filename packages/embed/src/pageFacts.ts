import {
  type CallerKey,
  type FactsQuery,
  type FactsStore,
  type LoadedFacts,
  type LoadedKind,
  numberIn,
  type Target
} from "@slipway/domain/forge/entry"
import { pageTable } from "@slipway/web"
import { Effect } from "effect"

/** The first parts of paths that are not names of owners, such as `explore`. */
const reserved: ReadonlySet<string> = new Set(pageTable.map(({ path }) => path.split(/[/.]/)[1] ?? ""))

/** The resource that most requests of a page are about. */
export type PageSubject =
  | Target<"user">
  | Target<"organization">
  | Target<"repository">
  | Target<"issue">
  | Target<"pull">

const partsOf = (path: string): ReadonlyArray<string> => {
  try {
    return path.split("/").slice(1).map(decodeURIComponent)
  } catch {
    return []
  }
}

const withoutFormat = (name: string): string => name.replace(/\.(?:atom|rss)$/, "")

/**
 * Returns the resource in the path of a page; undefined without one.
 *
 * @example
 * pageSubject("/ann/site/pulls/3/files") // => { kind: "pull", owner: "ann", repository: "site", keys: { index: 3 } }
 */
export const pageSubject = (path: string): PageSubject | undefined => {
  const [owner = "", name = "", tab, number] = partsOf(path)
  if (owner === "org" && name !== "create" && name !== "") return { kind: "organization", organization: name }
  if (owner === "" || reserved.has(owner)) return undefined
  if (name === "" || name === "-") return { kind: "user", name: name === "" ? withoutFormat(owner) : owner }
  const index = numberIn(number)
  if (tab === "pulls" && index > 0) return { kind: "pull", owner, repository: name, keys: { index } }
  if (tab === "issues" && index > 0) return { kind: "issue", owner, repository: name, keys: { index } }
  return { kind: "repository", owner, repository: tab === undefined ? withoutFormat(name) : name }
}

type Loaded = LoadedFacts<LoadedKind>

/** Facts of another resource within facts; `undefined` if they are not known. */
type Part = (loaded: Loaded) => { readonly found: unknown } | undefined

interface InRepository {
  readonly item: Readonly<Record<string, unknown>> | undefined
}

const withoutItem: Part = ({ found }) => {
  if (found === undefined) return { found }
  const { item: _, ...repository } = found as unknown as InRepository
  return { found: repository }
}

/** Every pull request is an issue; a missing pull request says nothing about the issue of its number. */
const issueOfPull: Part = ({ found }) => {
  if (found === undefined) return { found }
  const { item, ...repository } = found as unknown as InRepository
  return item === undefined ? undefined : { found: { ...repository, item: { issue: item.issue } } }
}

/** A user's facts include those of the organization that has the name instead. */
const organizationOfName: Part = ({ found }) => {
  if (found === undefined) return { found }
  const { of, renamed } = found as { readonly of?: object | undefined; readonly renamed: boolean }
  return { found: of === undefined ? undefined : { ...of, renamed } }
}

/** Returns how the facts of a target follow from those of the page's subject; undefined if they do not. */
const partFor = (about: Target, subject: PageSubject): Part | undefined => {
  if (about.kind === "site") return () => ({ found: {} })
  if ("named" in about && about.named !== undefined) return undefined
  if (about.kind === "organization")
    return subject.kind === "user" && subject.name === about.organization ? organizationOfName : undefined
  if (about.kind !== "repository" && about.kind !== "issue") return undefined
  if ("id" in about || !("keys" in subject)) return undefined
  if (about.owner !== subject.owner || about.repository !== subject.repository) return undefined
  if (about.kind === "repository") return withoutItem
  return subject.kind === "pull" && subject.keys.index === about.keys.index ? issueOfPull : undefined
}

/** Returns the target without its unused name, so that equal targets have one key. */
const plain = (about: Target): Target => {
  if (!("named" in about) || about.named !== undefined) return about
  const { named: _, ...rest } = about
  return rest
}

/**
 * Returns a store that loads the facts of one page in few statements: once for each resource, and none for a resource
 * with facts that are part of those of the page's subject. The decisions still see the facts that the store loads.
 *
 * The requests of a page name its caller by the session's token, then by the user's name: both are the same caller.
 * Only for pages that change nothing, because a change alters the facts.
 */
export const factsOfPage = (
  { load }: FactsStore["Service"],
  subject: PageSubject | undefined
): FactsStore["Service"] => {
  const known = new Map<string, Effect.Effect<Loaded>>()
  const signedIn = new Map<string, CallerKey>()

  const once = (query: FactsQuery<LoadedKind>): Effect.Effect<Loaded> => {
    const key = JSON.stringify(query)
    const { caller: asked } = query
    const facts =
      known.get(key) ??
      Effect.runSync(
        Effect.cached(
          Effect.tap(load(query), ({ caller }) =>
            Effect.sync(() => {
              if (asked._tag === "TokenHash" && caller !== undefined) signedIn.set(caller.user.name, asked)
            })
          )
        )
      )
    known.set(key, facts)
    return facts
  }

  const shared = (query: FactsQuery<LoadedKind>): Effect.Effect<Loaded> => {
    const about = plain(query.about)
    const { caller: asked, sudo } = query
    if (sudo !== undefined || asked._tag === "SignInName") return once({ ...query, about })
    const before = asked._tag === "Name" ? signedIn.get(asked.name) : undefined
    const caller = before ?? asked
    const own = once({ caller, sudo, about })
    const part = subject === undefined ? undefined : partFor(about, subject)
    const loaded =
      part === undefined || subject === undefined
        ? own
        : Effect.flatMap(once({ caller, sudo, about: subject }), (whole) => {
            const derived = part(whole)
            // BOUNDARY: each part has the data of its target.
            return derived === undefined ? own : Effect.succeed({ ...whole, ...derived } as Loaded)
          })
    // A caller who is found by name has no token.
    return before === undefined
      ? loaded
      : Effect.map(loaded, (facts) => ({ ...facts, caller: facts.caller && { ...facts.caller, token: undefined } }))
  }

  return {
    // BOUNDARY: the key contains the kind of the query, on which the type of the facts depends.
    load: <K extends LoadedKind>(query: FactsQuery<K>) =>
      shared(query as FactsQuery<LoadedKind>) as unknown as Effect.Effect<LoadedFacts<K>>
  }
}
