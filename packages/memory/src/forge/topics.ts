import { nameKey } from "@slipway/domain"
import { type RepositoryTopic, type Topic, TopicStore } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { cut } from "./pages.ts"
import { queriesIn } from "./queries.ts"
import { Tables } from "./tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

/** Finds topics in memory. */
export const topicStore = Layer.effect(
  TopicStore,
  Effect.map(Tables, (tables) => {
    const { database, owned, repository } = tables
    return {
      search: (text, page) =>
        database.read((snapshot) => {
          const { present } = queriesIn(tables, snapshot)
          const key = nameKey(text)
          const topics = new Map<string, Topic>()
          // BOUNDARY: the rows of the table are those of its declaration.
          const rows = (owned.get("repositoryTopic")?.rows.list(snapshot, everything) ??
            []) as unknown as ReadonlyArray<RepositoryTopic>
          for (const { createdAt, id, name, repositoryId } of rows) {
            const row = repository.get(snapshot, repositoryId)
            const isOpen = row !== undefined && !row.private && present(row).owner.visibility === "public"
            if (!isOpen || !key.isWellFormed() || !name.includes(key)) continue
            const met = topics.get(name)
            topics.set(name, {
              id: met?.id ?? id,
              name,
              repositories: (met?.repositories ?? 0) + 1,
              createdAt: met === undefined || createdAt < met.createdAt ? createdAt : met.createdAt,
              updatedAt: met === undefined || createdAt > met.updatedAt ? createdAt : met.updatedAt
            })
          }
          const found = [...topics.values()].toSorted(
            (one, other) => other.repositories - one.repositories || one.id - other.id
          )
          return cut(found, page, ({ id, repositories }) => [repositories, -id], { descending: true })
        })
    }
  })
)
