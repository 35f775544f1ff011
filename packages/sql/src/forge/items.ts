import type { ItemKeys, ItemKind, Items } from "@slipway/domain/forge"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { commentReader, issueReader } from "./issues.ts"
import { idParameter } from "./units.ts"

/** What one kind of thing within a repository adds to the statement that loads it with the repository. */
interface ItemJoin<K extends ItemKind> {
  readonly columns: string
  readonly join: (sql: SqlClient, keys: ItemKeys[K]) => Fragment
  readonly read: (values: ReadonlyArray<unknown>, place: number) => Items[K] | undefined
}

/** The join of each kind of thing within the table `repository`. */
export const itemJoins: { readonly [K in ItemKind]: ItemJoin<K> } = {
  issue: {
    columns: issueReader.of("item_issue"),
    join: (sql, { index }) => sql`
      LEFT JOIN issue item_issue ON item_issue.repository_id = repository.id AND item_issue.number = ${idParameter(index)}`,
    read: (values, place) => {
      const issue = issueReader.read(values, place)
      return issue && { issue }
    }
  },
  comment: {
    columns: `${issueReader.of("item_issue")}, ${commentReader.of("item_comment")}`,
    join: (sql, { id }) => sql`
      LEFT JOIN comment item_comment ON item_comment.repository_id = repository.id AND item_comment.id = ${idParameter(id)}
      LEFT JOIN issue item_issue ON item_issue.id = item_comment.issue_id`,
    read: (values, place) => {
      const issue = issueReader.read(values, place)
      const comment = commentReader.read(values, place + issueReader.width)
      return issue && comment && { issue, comment }
    }
  }
}
