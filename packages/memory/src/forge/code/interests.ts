import type { RepositoryId } from "@slipway/domain/forge/base"
import { type Interest, InterestStore, watches } from "@slipway/domain/forge/code"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import type { Snapshot } from "../../Database.ts"
import { byId, cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"
import { peopleIn } from "../identity/people.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

interface InterestPair {
  readonly id: number
  readonly userId: UserId
  readonly repositoryId: RepositoryId
  readonly watching?: boolean
}

/** Lists stars and watches, in memory. */
export const interestStore = Layer.effect(
  InterestStore,
  Effect.map(Tables, (tables) => {
    const { database, owned, repository } = tables
    const pairsOf = (snapshot: Snapshot, interest: Interest): ReadonlyArray<InterestPair> => {
      // BOUNDARY: the rows of the table are those of its declaration.
      const found = (owned.get(interest)?.rows.list(snapshot, everything) ??
        []) as unknown as ReadonlyArray<InterestPair>
      return interest === watches.name ? found.filter(({ watching }) => watching === true) : found
    }
    return {
      repositories: (viewer, interest, user, page) =>
        database.read((snapshot) => {
          const { canSeeRepository, withGrants } = queriesIn(tables, snapshot)
          const found = pairsOf(snapshot, interest)
            .filter(({ userId }) => userId === user)
            .toReversed()
            .flatMap((tie) => {
              const row = repository.get(snapshot, tie.repositoryId)
              return row === undefined ? [] : [{ tie, held: withGrants(row, viewer.userId) }]
            })
          const isSeen = canSeeRepository(viewer)
          const { rows, ...rest } = cut(
            found.filter(({ held }) => isSeen(held)),
            page,
            ({ tie }) => byId(tie),
            { descending: true }
          )
          return { ...rest, rows: rows.map(({ held }) => held) }
        }),
      users: (viewer, interest, of, page) =>
        database.read((snapshot) => {
          const { rowsOf, seenBy } = peopleIn(tables, snapshot)
          const ties = new Map(
            pairsOf(snapshot, interest).flatMap((tie) =>
              tie.repositoryId === of ? [[tie.userId, tie.id] as const] : []
            )
          )
          return seenBy(viewer)(rowsOf([...ties.keys()]), page, {
            placeOf: ({ id }) => [ties.get(id) ?? 0]
          })
        })
    }
  })
)
