import { conditionsOn } from "../../src/Condition.ts"
import * as Facts from "../../src/Facts.ts"
import { levelFact } from "../../src/Level.ts"
import { layoutOf } from "../../src/Loaded.ts"

/** The facts of a folder. */
export const vocabulary = {
  signedIn: Facts.flag("signed in", "anonymous"),
  admin: Facts.flag("an administrator", "no administrator"),
  shared: levelFact("the shared level"),
  seen: Facts.worded("the folder", ["public", "limited", "private"]),
  archived: Facts.flag("archived", "in use")
} as const

/** A record of the facts of a folder. */
export type Folder = Facts.FactsOf<typeof vocabulary>

/** The functions that build conditions on a folder. */
export const on = conditionsOn<Folder>()

/** The bits of the facts of a folder. */
export const layout = layoutOf(vocabulary)

/** All 120 records of the vocabulary, without the engine. */
export const records: ReadonlyArray<Folder> = [false, true].flatMap((signedIn) =>
  [false, true].flatMap((admin) =>
    ([0, 1, 2, 3, 4] as const).flatMap((shared) =>
      (["public", "limited", "private"] as const).flatMap((seen) =>
        [false, true].map((archived): Folder => ({ signedIn, admin, shared, seen, archived }))
      )
    )
  )
)
