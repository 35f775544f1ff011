import type { Stores } from "@slipway/domain/forge"
import { type Repository, RepositoryStore, repositoryTopics, TopicName, TopicStore } from "@slipway/domain/forge/code"
import { OrganizationStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { all, moment, organizationOwner, userOwner } from "../../builders.ts"
import { equal, organization, repository, samePaginated, user } from "../base/fixtures.ts"

const fixture = Effect.gen(function* () {
  const store = yield* TopicStore
  const rows = yield* repositoryTopics.store
  const acme = yield* organization(1)
  const [one, two, three] = [
    yield* repository(1, userOwner(yield* user(1))),
    yield* repository(2, organizationOwner(acme)),
    yield* repository(3, organizationOwner(acme), { private: true })
  ]
  const give = ({ id }: Repository, n: number, ...names: ReadonlyArray<string>) =>
    Effect.orDie(
      rows.insertMany(names.map((name) => ({ repositoryId: id, name: TopicName.make(name), createdAt: moment(n) })))
    )
  const found = (text: string) =>
    Effect.map(store.search(text, all), (page) => ({
      names: page.rows.map(({ name, repositories }) => `${name} ${repositories}`),
      total: page.total
    }))
  return { acme, found, give, one, rows, store, three, two }
})

/** Contract tests of the store of topics. Every implementation must pass them. */
export const topicContract: Contract<Stores> = {
  port: "TopicStore",
  musts: {
    "find topics by a part of their name, most used first, without gaps or repeats between pages": Effect.gen(
      function* () {
        const { found, give, one, store, two } = yield* fixture
        yield* give(one, 1, "compiler", "go", "wiki")
        yield* give(two, 2, "go", "language")
        equal(yield* found(""), { names: ["go 2", "compiler 1", "wiki 1", "language 1"], total: 4 })
        equal(yield* found("G"), { names: ["go 2", "language 1"], total: 2 })
        equal(yield* found("ompil"), { names: ["compiler 1"], total: 1 })
        for (const text of ["%", "\0", "\ud800", "compilers"]) equal((yield* found(text)).total, 0)
        const [go] = (yield* store.search("go", all)).rows
        equal([go?.createdAt, go?.updatedAt], [moment(1), moment(2)])
        yield* samePaginated((page) => store.search("", page))
      }
    ),
    "count only public repositories through every change, and hide topics without one": Effect.gen(function* () {
      const { acme, found, give, one, rows, three, two } = yield* fixture
      const repositories = yield* RepositoryStore
      const organizations = yield* OrganizationStore
      for (const each of [one, two, three]) yield* give(each, 1, "go")
      yield* give(three, 1, "merger")
      equal((yield* found("")).names, ["go 2"])
      yield* repositories.replace({ ...three, private: false })
      equal((yield* found("")).names, ["go 3", "merger 1"])
      yield* organizations.replace({ ...acme, visibility: "limited" })
      equal((yield* found("")).names, ["go 1"])
      yield* give(two, 2, "later")
      equal((yield* found("")).names, ["go 1"])
      yield* organizations.replace({ ...acme, visibility: "public" })
      equal((yield* found("")).names, ["go 3", "merger 1", "later 1"])
      yield* repositories.replace({ ...three, private: true })
      yield* rows.removeWhere({ repositoryId: one.id })
      equal((yield* found("")).names, ["go 1", "later 1"])
      yield* repositories.remove(two.id)
      yield* repositories.remove(three.id)
      equal((yield* found("")).names, [])
    })
  }
}
