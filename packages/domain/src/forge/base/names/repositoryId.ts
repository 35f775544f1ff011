import { Schema } from "effect"

/** The schema of the id of a repository. */
export const RepositoryId = Schema.Int.pipe(Schema.brand("RepositoryId"))

export type RepositoryId = typeof RepositoryId.Type
