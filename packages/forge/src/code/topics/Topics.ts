import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import {
  mostTopics,
  type Repository,
  RepositoryNotFound,
  RepositoryStore,
  repositoryTopics,
  TooManyTopics,
  TopicInvalid,
  TopicName,
  TopicStore,
  topicOf,
  topicProblem
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

const everything = { page: 1, perPage: mostTopics }

/** Locks a repository until the transaction ends, so that the number of its topics does not change concurrently. */
const locked = Effect.fnUntraced(function* ({ id, name, owner }: Repository) {
  const present = yield* (yield* RepositoryStore).lock(id)
  return present ?? (yield* new RepositoryNotFound({ name: `${owner.name}/${name}` }))
})

/** Lists the topics of a repository, by name. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.topic.list">,
  page: PageRequest
) {
  return yield* (yield* repositoryTopics.store).list({ repositoryId: repository.id }, page)
})

/** Replaces all topics of a repository by the given ones. */
export const replace = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.topic.replace">,
    topics: ReadonlyArray<TopicName>
  ) {
    const names = [...new Set(topics.map(topicOf))].toSorted()
    if (names.length > mostTopics) return yield* new TooManyTopics({ most: mostTopics })
    yield* locked(repository)
    const store = yield* repositoryTopics.store
    const scope = { repositoryId: repository.id }
    const present = (yield* store.list(scope, everything)).rows.map(({ name }) => name)
    const gone = present.filter((name) => !names.includes(name))
    const createdAt = yield* now
    const added = names.flatMap((name) => (present.includes(name) ? [] : [{ ...scope, name, createdAt }]))
    if (gone.length > 0) yield* store.removeWhere(scope, { name: { in: gone } })
    // The repository is locked and has none of them, so no insert conflicts.
    if (added.length > 0) yield* Effect.orDie(store.insertMany(added))
    return names
  }),
  (names) => ({ details: { topics: names.join(" ") } })
)

/** Adds a topic to a repository; idempotent. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.topic.add">, text: string) {
    const problem = topicProblem(text)
    if (problem !== undefined) return yield* new TopicInvalid({ problem })
    yield* locked(repository)
    const store = yield* repositoryTopics.store
    const pair = { repositoryId: repository.id, name: topicOf(TopicName.make(text)) }
    if ((yield* store.findBy("pair", pair)) !== undefined) return
    const present = yield* store.count({ repositoryId: repository.id })
    if (present >= mostTopics) return yield* new TooManyTopics({ most: mostTopics })
    yield* Effect.orDie(store.insert({ ...pair, createdAt: yield* now }))
  }),
  (_, topic) => ({ details: { topic } })
)

/** Removes a topic from a repository. Does nothing if the repository does not have the topic. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.topic.remove">, text: string) {
    if (topicProblem(text) !== undefined) return
    const pair = { repositoryId: repository.id, name: topicOf(TopicName.make(text)) }
    yield* (yield* repositoryTopics.store).removeBy("pair", pair)
  }),
  (_, topic) => ({ details: { topic } })
)

/** Searches the topics of public repositories by a part of their name. */
export const search = Effect.fnUntraced(function* (_: Proof<"topic.search">, text: string, page: PageRequest) {
  return yield* (yield* TopicStore).search(text, page)
})
