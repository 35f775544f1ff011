import type { Person } from "./clients.ts"
import type { UserName } from "./content/people.ts"

/** The signed-in users of the demo world, by user name. */
export type People = Readonly<Record<UserName | "root", Person>>
