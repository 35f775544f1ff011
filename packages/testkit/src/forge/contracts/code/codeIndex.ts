import type { Stores } from "@slipway/domain/forge"
import { newSiteSwitches } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type CodeFilter,
  CodeIndexStore,
  type CodeScope,
  type IndexedFile,
  type IndexRun,
  ObjectId,
  type Repository,
  RepositoryStore,
  switchesBut
} from "@slipway/domain/forge/code"
import { TeamStore, type Viewer } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, anonymousViewer, moment, organizationOwner, userOwner, viewing } from "../../builders.ts"
import { equal, organization, repository, samePaginated, team, user } from "../base/fixtures.ts"

const oid = (digit: string): ObjectId => ObjectId.make(digit.repeat(40))

const file = (path: string, words: string, change: Partial<IndexedFile> = {}): IndexedFile => ({
  path,
  blob: oid("a"),
  size: 10,
  language: "TypeScript",
  words: words.split(" "),
  ...change
})

const begun = Effect.fnUntraced(function* ({ id }: Pick<Repository, "id">, at = moment(1)) {
  const run = yield* (yield* CodeIndexStore).begin(id, at)
  return run ?? (yield* Effect.die(new Error("the repository is missing")))
})

/** Stores files in the index of a repository. */
const index = Effect.fnUntraced(function* (of: Pick<Repository, "id">, ...put: ReadonlyArray<IndexedFile>) {
  const store = yield* CodeIndexStore
  const run = yield* begun(of)
  equal(yield* store.change(run, { put, remove: [] }), true)
  equal(yield* store.finish(run, { commit: oid("1"), incomplete: false }), true)
})

const search = (scope: CodeScope, filter: Partial<CodeFilter> = {}) =>
  Effect.flatMap(CodeIndexStore, (store) =>
    Effect.map(store.search(scope, { words: ["user"], ...filter }, all), ({ rows, total }) => {
      equal(total, rows.length)
      return rows.map(({ path, repository }) => `${repository.name}/${path}`)
    })
  )

const on = (viewer: Viewer): CodeScope => ({ viewer: { ...viewer, switches: newSiteSwitches } })

const fixture = Effect.gen(function* () {
  const store = yield* CodeIndexStore
  const bob = yield* user(1)
  const site = yield* repository(1, userOwner(bob), { name: "site" })
  const filesOf = ({ id }: Pick<Repository, "id">) => Effect.map(store.files(id), (files) => [...files])
  return { bob, filesOf, site, store }
})

const isLatest = (run: IndexRun) =>
  Effect.flatMap(CodeIndexStore, (store) =>
    Effect.all([
      store.change(run, { put: [file("new.ts", "late")], remove: ["a.ts"] }),
      store.finish(run, { commit: oid("9"), incomplete: true })
    ])
  )

/** Contract tests of the index of code search. Every implementation must pass them. */
export const codeIndexContract: Contract<Stores> = {
  port: "CodeIndexStore",
  musts: {
    "add, replace and remove the files of a repository, and return their blobs by path": Effect.gen(function* () {
      const { bob, filesOf, site, store } = yield* fixture
      const other = yield* repository(2, userOwner(bob))
      yield* index(other, file("a.ts", "other"))
      equal(yield* filesOf(site), [])
      const run = yield* begun(site)
      const put = [file("b/é.ts", "one two"), file("a.ts", "user"), file("c.bin", "", { words: [], size: 0 })]
      equal(yield* store.change(run, { put, remove: [] }), true)
      const again = { put: [file("a.ts", "other", { blob: oid("b") })], remove: ["b/é.ts", "missing.ts"] }
      equal(yield* store.change(run, again), true)
      equal(yield* filesOf(site), [
        ["a.ts", oid("b")],
        ["c.bin", oid("a")]
      ])
      equal(yield* search({ repositoryId: site.id }), [])
      equal(yield* search({ repositoryId: site.id }, { words: ["other"] }), ["site/a.ts"])
      equal((yield* filesOf(other)).length, 1)
    }),
    "ignore changes of an update after a later one of the same repository has begun": Effect.gen(function* () {
      const { filesOf, site, store } = yield* fixture
      const first = yield* begun(site)
      equal(yield* store.change(first, { put: [file("a.ts", "user")], remove: [] }), true)
      const second = yield* begun(site)
      equal(yield* isLatest(first), [false, false])
      equal(yield* filesOf(site), [["a.ts", oid("a")]])
      equal(yield* isLatest(second), [true, true])
      equal(yield* filesOf(site), [["new.ts", oid("a")]])
    }),
    "forget the indexed commit from the first change of an update until its completion": Effect.gen(function* () {
      const { site, store } = yield* fixture
      const states = Effect.map(begun(site), ({ commit, incomplete }) => [commit, incomplete])
      equal(yield* states, [null, false])
      const run = yield* begun(site)
      yield* store.finish(run, { commit: oid("2"), incomplete: true })
      equal(yield* states, [oid("2"), true])
      const next = yield* begun(site)
      yield* store.change(next, { put: [file("a.ts", "user")], remove: [] })
      equal(yield* states, [null, true])
      yield* store.finish(yield* begun(site), { commit: oid("3"), incomplete: false })
      equal(yield* states, [oid("3"), false])
    }),
    "begin no update of a missing repository, and remove the index with its repository": Effect.gen(function* () {
      const { filesOf, site, store } = yield* fixture
      equal(yield* store.begin(4_040_404 as RepositoryId, moment(1)), undefined)
      yield* index(site, file("a.ts", "user"))
      const run = yield* begun(site)
      yield* (yield* RepositoryStore).remove(site.id)
      equal(yield* filesOf(site), [])
      equal(yield* isLatest(run), [false, false])
      equal(yield* store.begin(site.id, moment(1)), undefined)
      equal(yield* store.due(moment(9), moment(8), 10), [])
    }),
    "remove the indexes of repositories in limited batches": Effect.gen(function* () {
      const { bob, filesOf, site, store } = yield* fixture
      const [two, three] = [yield* repository(2, userOwner(bob)), yield* repository(3, userOwner(bob))]
      for (const each of [site, two, three]) yield* index(each, file("a.ts", "user"))
      const run = yield* begun(three)
      equal(yield* store.clear(2), 2)
      equal(yield* store.clear(2), 1)
      equal(yield* store.clear(2), 0)
      for (const each of [site, two, three]) equal(yield* filesOf(each), [])
      equal(yield* isLatest(run), [false, false])
    }),
    "return the repositories with a missing or outdated index once, until an update takes too long": Effect.gen(
      function* () {
        const { bob, site, store } = yield* fixture
        const repositories = yield* RepositoryStore
        const two = yield* repository(2, userOwner(bob), { empty: false })
        const empty = yield* repository(3, userOwner(bob), { empty: true })
        yield* repositories.replace({ ...site, empty: false, updatedAt: moment(1) })
        yield* repositories.replace({ ...two, updatedAt: moment(1) })
        yield* repositories.replace({ ...empty, updatedAt: moment(1) })
        const due = (at: number, limit = 10) => store.due(moment(at), moment(at - 2), limit)
        equal(yield* due(2, 1), [site.id])
        equal(yield* due(2), [two.id])
        equal(yield* due(3), [])
        yield* store.finish(yield* begun(site, moment(3)), { commit: oid("1"), incomplete: false })
        equal(yield* due(5), [two.id])
        yield* store.finish(yield* begun(two, moment(6)), { commit: null, incomplete: false })
        equal(yield* due(9), [])
        yield* repositories.replace({ ...two, updatedAt: moment(7) })
        equal(yield* due(9), [two.id])
        yield* begun(two, moment(10))
        equal(yield* due(11), [])
        equal(yield* due(13), [two.id])
      }
    ),
    "find the files with words that begin with all given ones, by repository and path, without gaps or repeats between pages":
      Effect.gen(function* () {
        const { bob, site, store } = yield* fixture
        const tools = yield* repository(2, userOwner(bob), { name: "tools" })
        yield* index(
          site,
          file("b.ts", "user name"),
          file("a.ts", "username it's"),
          file("B.ts", "user_id user id naïve"),
          file("none.ts", "use name")
        )
        yield* index(tools, file("a.ts", "users"), file("z.ts", "name"))
        const found = (...words: ReadonlyArray<string>) => search(on(anonymousViewer), { words })
        equal(yield* found("user"), ["site/B.ts", "site/a.ts", "site/b.ts", "tools/a.ts"])
        equal(yield* found("user", "name"), ["site/b.ts"])
        equal(yield* found("user_i", "naï"), ["site/B.ts"])
        equal(yield* found("it's"), ["site/a.ts"])
        equal(yield* found("user", "nothing"), [])
        equal(yield* found("'\\ :* & )"), [])
        equal(yield* search({ repositoryId: tools.id }), ["tools/a.ts"])
        yield* samePaginated((page) => store.search(on(anonymousViewer), { words: ["user"] }, page))
        const [first] = (yield* store.search({ repositoryId: tools.id }, { words: ["users"] }, all)).rows
        equal(first, {
          repository: { id: tools.id, owner: bob.name, name: "tools", defaultBranch: tools.defaultBranch },
          path: "a.ts",
          blob: oid("a"),
          size: 10,
          language: "TypeScript",
          incomplete: false
        })
      }),
    "find files by language, ignoring case, and by a text in their path": Effect.gen(function* () {
      const { site } = yield* fixture
      yield* index(
        site,
        file("src/a.ts", "user"),
        file("src/a.py", "user", { language: "Python" }),
        file("docs/a.md", "user", { language: "" })
      )
      const found = (filter: Partial<CodeFilter>) => search({ repositoryId: site.id }, filter)
      equal(yield* found({ language: "PYTHON" }), ["site/src/a.py"])
      equal(yield* found({ language: "Pyth" }), [])
      equal(yield* found({ path: "src/" }), ["site/src/a.py", "site/src/a.ts"])
      equal(yield* found({ path: "SRC" }), [])
      equal(yield* found({ path: "src/", language: "typescript" }), ["site/src/a.ts"])
      for (const text of ["\0", "\ud800", "%"]) {
        equal(yield* found({ path: text }), [])
        equal(yield* found({ language: text }), [])
      }
    }),
    "find only files in repositories with code that the viewer can read, with the matching total": Effect.gen(
      function* () {
        const { bob, site } = yield* fixture
        const acme = yield* organization(1)
        const [mem, tim, rex] = [yield* user(3), yield* user(4), yield* user(5, { restricted: true })]
        const owner = organizationOwner(acme)
        const plans = yield* repository(3, owner, { name: "plans", private: true })
        const quiet = yield* repository(4, owner, { name: "quiet", units: switchesBut("repo.code") })
        const vault = yield* repository(5, userOwner(bob), { name: "vault", private: true })
        for (const each of [site, plans, quiet, vault]) yield* index(each, file("a.ts", "user"))
        const held = yield* team(1, acme, { units: { "repo.code": 1 }, includesAllRepositories: false }, [mem])
        yield* (yield* TeamStore).addRepository(held.id, plans.id)
        yield* team(2, acme, { units: { "repo.issues": 1 }, includesAllRepositories: true }, [tim])
        const seen = (viewer: Viewer) => search(on(viewer))
        equal(yield* seen(anonymousViewer), ["site/a.ts"])
        equal(yield* seen(viewing(mem)), ["site/a.ts", "plans/a.ts"])
        equal(yield* seen(viewing(tim)), ["site/a.ts"])
        equal(yield* seen(viewing(bob)), ["site/a.ts", "vault/a.ts"])
        equal(yield* seen(viewing(rex)), [])
        // Access follows the current settings, and not those at the time of the update.
        yield* (yield* RepositoryStore).replace({ ...site, private: true })
        equal(yield* seen(anonymousViewer), [])
      }
    )
  }
}
