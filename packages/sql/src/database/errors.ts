import { Data } from "effect"

/** Another process has the embedded database of this directory open. */
export class DatabaseLocked extends Data.TaggedError("DatabaseLocked")<{
  readonly directory: string
}> {
  override get message(): string {
    return `the database directory \`${this.directory}\` is in use by another process: an embedded database supports one process; stop the other one, or use a PostgreSQL server for both`
  }
}

/** The files of an embedded database can't be opened or created. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly directory: string
  readonly problem: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `the database directory \`${this.directory}\` cannot be used: ${this.problem}`
  }
}

/** A PostgreSQL server doesn't answer, or rejects this service's login; the message contains no credentials. */
export class DatabaseUnreachable extends Data.TaggedError("DatabaseUnreachable")<{
  readonly location: string
  readonly problem: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `the database at \`${this.location}\` cannot be used: ${this.problem}`
  }
}
