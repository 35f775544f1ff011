import type { Person } from "./clients.ts"
import type { UserName } from "./content/people.ts"

/** The people of the demo world, signed in. */
export type People = Readonly<Record<UserName | "root", Person>>
