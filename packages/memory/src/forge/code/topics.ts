import { nameKey } from "@slipway/domain"
import { type RepositoryTopic, type Topic, TopicStore } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"
import { cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"

/** Finds topics in memory. */
export const topicStore = Layer.effect(
  TopicStore,
  Effect.map(Tables, (tables) => {
    const { database, repository, topicsByName } = tables
    return {
      search: (text, page) =>
        database.read((snapshot) => {
          const { present } = queriesIn(tables, snapshot)
          const key = nameKey(text)
          const isOpen = ({ repositoryId }: RepositoryTopic) => {
            const row = repository.get(snapshot, repositoryId)
            return row !== undefined && !row.private && present(row).owner.visibility === "public"
          }
          const names = key.isWellFormed()
            ? [...(topicsByName?.keys(snapshot) ?? [])].filter((name) => name.includes(key))
            : []
          const found = names
            .flatMap((name): ReadonlyArray<Topic> => {
              // BOUNDARY: the rows of the table are those of its declaration.
              const rows = topicsByName?.list(snapshot, name) as unknown as ReadonlyArray<RepositoryTopic>
              const open = rows.filter(isOpen)
              const [first] = open
              if (first === undefined) return []
              const times = open.map(({ createdAt }) => createdAt).toSorted()
              const [createdAt = "", updatedAt = ""] = [times[0], times.at(-1)]
              return [{ id: first.id, name: first.name, repositories: open.length, createdAt, updatedAt }]
            })
            .toSorted((one, other) => other.repositories - one.repositories || one.id - other.id)
          return cut(found, page, ({ id, repositories }) => [repositories, -id], { descending: true })
        })
    }
  })
)
