import { describe, expect, it } from "@effect/vitest"
import type { FactsQuery, FactsStore, LoadedKind, Target } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { factsOfPage, pageSubject } from "../src/pageFacts.ts"
import { once, rowsOnce, usesOnce } from "../src/pageStores.ts"

/** A store with the user ann, who has the token `t`, and one pull request. It records what it loads. */
const makeStore = () => {
  const loaded: Array<string> = []
  const load = ({ about, caller, sudo }: FactsQuery<LoadedKind>) =>
    Effect.sync(() => {
      const who = "name" in caller ? caller.name : caller._tag
      loaded.push(`${sudo === undefined ? "" : `${sudo} by `}${who}: ${about.kind}`)
      const item = about.kind === "pull" && about.keys.index === 1 ? { issue: "issue 1", pull: "pull 1" } : undefined
      const isNobody = caller._tag === "Nobody"
      return {
        caller: isNobody ? undefined : { user: { name: "ann" }, token: caller._tag === "TokenHash" ? "t" : undefined },
        failures: [],
        sudo: undefined,
        found: about.kind === "issue" ? { repository: "site", item: "loaded" } : { repository: "site", item }
      }
    })
  return { loaded, store: { load } as unknown as FactsStore["Service"] }
}

const token = { _tag: "TokenHash", hash: "h" } as const
const ann = { _tag: "Name", name: "ann" } as const
const bob = { _tag: "Name", name: "bob" } as const
const repository = { kind: "repository", owner: "ann", repository: "site" } as const
const issue = (index: number) => ({ kind: "issue", owner: "ann", repository: "site", keys: { index } }) as const

describe("the facts of a page", () => {
  const ask = (page: FactsStore["Service"], caller: object, about: Target, sudo?: string) =>
    Effect.runSync(page.load({ caller, about, sudo } as FactsQuery<LoadedKind>)) as unknown as {
      readonly caller: { readonly token: string | undefined } | undefined
      readonly found: object
    }

  it("are loaded once for the caller, the repository and its pull request, by token and by name", () => {
    const { loaded, store } = makeStore()
    const page = factsOfPage(store, pageSubject("/ann/site/pulls/1/files"))
    expect(ask(page, token, { kind: "site" }).found).toEqual({})
    expect(ask(page, token, repository).found).toEqual({ repository: "site" })
    expect(ask(page, token, issue(1)).found).toEqual({ repository: "site", item: { issue: "issue 1" } })
    const byName = ask(page, ann, repository)
    expect([byName.found, byName.caller?.token]).toEqual([{ repository: "site" }, undefined])
    expect(loaded).toEqual(["TokenHash: pull"])
  })

  it("are loaded apart for other callers, other resources, impersonation and users named with a resource", () => {
    const { loaded, store } = makeStore()
    const page = factsOfPage(store, pageSubject("/ann/site"))
    ask(page, token, repository)
    ask(page, bob, repository)
    ask(page, { _tag: "Nobody" }, repository)
    ask(page, token, { ...repository, repository: "other" })
    ask(page, token, { ...repository, named: "bob" })
    ask(page, token, repository, "bob")
    expect(loaded).toEqual([
      "TokenHash: repository",
      "bob: repository",
      "Nobody: repository",
      "TokenHash: repository",
      "TokenHash: repository",
      "bob by TokenHash: repository"
    ])
  })

  it("load an issue separately if there is no pull request with its number", () => {
    const { loaded, store } = makeStore()
    const page = factsOfPage(store, pageSubject("/ann/site/pulls/2"))
    expect(ask(page, token, issue(2)).found).toEqual({ repository: "site", item: "loaded" })
    expect(loaded).toEqual(["TokenHash: pull", "TokenHash: issue"])
  })

  it("are about the resource in the path of the page", () => {
    const kinds = ["/", "/explore/repos", "/user/settings", "/search", "/org/create", "/%"].map(pageSubject)
    expect(kinds).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
    expect(pageSubject("/ann")).toEqual({ kind: "user", name: "ann" })
    expect(pageSubject("/ann.atom")).toEqual({ kind: "user", name: "ann" })
    expect(pageSubject("/ann/-/stars")).toEqual({ kind: "user", name: "ann" })
    expect(pageSubject("/org/acme/teams")).toEqual({ kind: "organization", organization: "acme" })
    expect(pageSubject("/ann/site.rss")).toEqual(repository)
    expect(pageSubject("/ann/site/issues/new")).toEqual(repository)
    expect(pageSubject("/ann/site/issues/7")).toEqual(issue(7))
  })
})

describe("the use of a token", () => {
  it("is recorded once for each token, at the time of the first request", () => {
    const patched: Array<unknown> = []
    const store = { patch: (...args: ReadonlyArray<unknown>) => Effect.sync(() => void patched.push(args)) }
    const { patch } = usesOnce(store as unknown as Parameters<typeof usesOnce>[0])
    const use = (id: number, lastUsedAt: string) =>
      Effect.runSync(patch({ userId: 1 as never }, id, { lastUsedAt }) as Effect.Effect<unknown>)
    use(7, "2026-01-01T00:00:00.000Z")
    use(7, "2026-01-01T00:00:00.009Z")
    use(8, "2026-01-01T00:00:00.010Z")
    expect(patched).toEqual([
      [{ userId: 1 }, 7, { lastUsedAt: "2026-01-01T00:00:00.000Z" }],
      [{ userId: 1 }, 8, { lastUsedAt: "2026-01-01T00:00:00.010Z" }]
    ])
  })
})

describe("rows by id", () => {
  it("are read once each, together for requests at the same time", async () => {
    const reads: Array<ReadonlyArray<number>> = []
    const read = rowsOnce((ids: ReadonlyArray<number>) =>
      Effect.sync(() => {
        reads.push(ids)
        return new Map(ids.filter((id) => id !== 9).map((id) => [id, `row ${id}`]))
      })
    )
    const both = Effect.all([read([1, 2]), read([2, 3, 9])], { concurrency: "unbounded" })
    const [one, other] = await Effect.runPromise(both)
    expect([one, other]).toEqual([
      new Map([
        [1, "row 1"],
        [2, "row 2"]
      ]),
      new Map([
        [2, "row 2"],
        [3, "row 3"]
      ])
    ])
    expect(await Effect.runPromise(read([3, 4]))).toEqual(
      new Map([
        [3, "row 3"],
        [4, "row 4"]
      ])
    )
    expect(await Effect.runPromise(read([]))).toEqual(new Map())
    expect(reads).toEqual([[1, 2, 3, 9], [4]])
  })
})

describe("the reads of a page", () => {
  it("run once for equal arguments, also at the same time, and again for others", async () => {
    const asked: Array<string> = []
    const read = once((scope: { readonly repositoryId: number }, id: number) =>
      Effect.as(
        Effect.tap(Effect.yieldNow, () => Effect.sync(() => asked.push(`${scope.repositoryId}/${id}`))),
        `row ${id}`
      )
    )
    const pairs = [
      [1, 7],
      [1, 7],
      [2, 7],
      [1, 8]
    ] as const
    const all = Effect.forEach(pairs, ([repositoryId, id]) => read({ repositoryId }, id), { concurrency: "unbounded" })
    expect(await Effect.runPromise(Effect.andThen(all, all))).toEqual(["row 7", "row 7", "row 7", "row 8"])
    expect(asked).toEqual(["1/7", "2/7", "1/8"])
  })
})
