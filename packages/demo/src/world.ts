import { administrator, password, type Send, signIn } from "./clients.ts"
import { users } from "./content/people.ts"
import type { People } from "./People.ts"
import { automate } from "./steps/automation.ts"
import { discuss } from "./steps/issues.ts"
import { makePeople } from "./steps/people.ts"
import { propose } from "./steps/pulls.ts"
import { publish } from "./steps/registries.ts"
import { makeRepositories } from "./steps/repositories.ts"

/** A way to sign in to the demo world. */
export interface SignIn {
  readonly name: string
  readonly password: string
  readonly role: string
}

/** The ways to sign in: the administrator and every user. */
export const signIns: ReadonlyArray<SignIn> = [
  { name: administrator.name, password, role: "administrator of the site" },
  ...users.map(({ name, role }) => ({ name, password, role }))
]

/**
 * Makes the demo world on a new forge with the administrator of `clients.ts`, through the API only: a company with
 * teams, repositories, issues, pull requests, releases, packages, a wiki, and workflows with runs.
 *
 * The names, numbers and texts are the same on each forge. The times of issues are those of the call.
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
