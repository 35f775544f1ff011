import { administrator, password, type Send, signIn } from "./clients.ts"
import { users } from "./content/people.ts"
import type { People } from "./People.ts"
import { automate } from "./steps/automation.ts"
import { discuss } from "./steps/issues.ts"
import { makePeople } from "./steps/people.ts"
import { propose } from "./steps/pulls.ts"
import { publish } from "./steps/registries.ts"
import { makeRepositories } from "./steps/repositories.ts"

/** An account that can sign in to the demo world, with its role. */
export interface SignIn {
  readonly name: string
  readonly password: string
  readonly role: string
}

/** The accounts that can sign in: the administrator and every user. */
export const signIns: ReadonlyArray<SignIn> = [
  { name: administrator.name, password, role: "administrator of the site" },
  ...users.map(({ name, role }) => ({ name, password, role }))
]

/**
 * Creates the demo content on a new forge, through its API only, as the administrator that `clients.ts` defines. The
 * content is a company with teams, repositories, issues, pull requests, releases, packages, a wiki, and workflows with
 * runs.
 *
 * The names, numbers and texts are the same on every forge. Issues get the time of the call.
 */
export const makeDemoWorld = async (url: string, send: Send): Promise<People> => {
  const root = await signIn(url, send, administrator.name)
  const people = await makePeople(root, (name) => signIn(url, send, name))
  await makeRepositories(people)
  await discuss(people)
  await propose(people)
  await publish(people)
  await automate(people, url, send)
  return people
}
