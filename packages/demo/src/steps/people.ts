import { type Person, password } from "../clients.ts"
import { teams, type UserName, users } from "../content/people.ts"
import type { People } from "../People.ts"

/** Creates the users, the organizations and teams without members. */
export const makePeople = async (root: Person, signIn: (name: string) => Promise<Person>): Promise<People> => {
  for (const { fullName, name } of users)
    await root.forge.admin.user.create({
      body: {
        username: name,
        full_name: fullName,
        email: `${name}@brightwater.example`,
        password,
        must_change_password: false
      }
    })
  const signedIn = await Promise.all(users.map(async ({ name }) => [name, await signIn(name)] as const))
  // BOUNDARY: the entries have all names of `users`, which `fromEntries` forgets.
  const people = { root, ...(Object.fromEntries(signedIn) as Readonly<Record<UserName, Person>>) }
  for (const { description, location, name } of users)
    await people[name].forge.account.settings.edit({ body: { description, location } })

  const { forge } = people.mara
  await forge.organization.create({
    body: {
      username: "brightwater",
      full_name: "Brightwater",
      description: "Sensors that know when a river leaves its bed",
      website: "https://brightwater.example",
      location: "Gothenburg"
    }
  })
  await forge.organization.create({
    body: {
      username: "tidewater-labs",
      full_name: "Tidewater Labs",
      description: "Research, not announced",
      visibility: "private"
    }
  })
  for (const { description, members, name, units } of teams) {
    const { id } = await forge.organization.team.create({
      params: { org: "brightwater" },
      body: { name, description, units_map: units }
    })
    for (const username of members) await forge.team.member.add({ params: { id, username } })
  }
  for (const name of ["mara", "jonas", "aiko", "lucia"] as const)
    await people[name].forge.organization.publicMember.add({ params: { org: "brightwater", username: name } })
  for (const name of ["aiko", "tunde", "wren"] as const)
    await people[name].forge.account.following.add({ params: { username: "mara" } })
  return people
}
