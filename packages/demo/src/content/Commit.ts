import type { UserName } from "./people.ts"

/** A commit of the demo world: its author, its message and the new contents of its files. */
export interface DemoCommit {
  readonly by: UserName
  readonly message: string
  /** The new content of each file, by path; null deletes the file. */
  readonly files: Readonly<Record<string, string | Uint8Array | null>>
}

/** A repository of the demo world, with its commits. */
export interface DemoRepository {
  readonly owner: string
  readonly name: string
  readonly description: string
  readonly private?: boolean
  readonly topics: ReadonlyArray<string>
  readonly commits: ReadonlyArray<DemoCommit>
}
