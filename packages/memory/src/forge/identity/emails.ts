import { nameKey } from "@slipway/domain"
import { EmailSearch } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { byId, cut } from "../base/pages.ts"
import { asEmail, Tables } from "../base/tables.ts"

/** Searches email addresses in memory. */
export const emailSearch = Layer.effect(
  EmailSearch,
  Effect.map(Tables, ({ database, email, user }) => ({
    search: (text, page) =>
      database.read((snapshot) => {
        const key = nameKey(text)
        const found = email.rows
          .list(snapshot, { limit: Number.POSITIVE_INFINITY })
          .map((row) => asEmail(row))
          .filter((row) => user.get(snapshot, row.userId)?.system !== true)
          .map((row) => ({ ...row, userName: user.get(snapshot, row.userId)?.name ?? "" }))
          .filter(
            ({ address, userName }) =>
              key.isWellFormed() && (nameKey(address).includes(key) || nameKey(userName).includes(key))
          )
        return cut(found, page, byId)
      })
  }))
)
