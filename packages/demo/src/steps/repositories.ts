import type { Person } from "../clients.ts"
import type { DemoCommit, DemoRepository } from "../content/Commit.ts"
import { gauge } from "../content/gauge.ts"
import { others } from "../content/others.ts"
import { teams, users } from "../content/people.ts"
import type { People } from "../People.ts"

/** The time of the first commit; later ones follow in steps of about six days. */
const begin = Date.parse("2026-06-01T08:15:00Z")
const hour = 3_600_000

/** Returns the time of a commit by its number; the minutes vary, so that the history does not look generated. */
const timeOf = (at: number): string =>
  new Date(begin + at * 144 * hour + ((at * 7_919) % 540) * 60_000).toISOString().replace(".000Z", "Z")

const identityOf = (name: string) => ({
  name: users.find((user) => user.name === name)?.fullName ?? name,
  email: `${name}@brightwater.example`
})

/** Commits the files of `commit` to an existing branch. */
export const commitTo = async (
  person: Person,
  { name, owner }: Pick<DemoRepository, "name" | "owner">,
  { by, files, message }: DemoCommit,
  options: { readonly branch: string; readonly at: number; readonly existing: ReadonlyMap<string, string> }
): Promise<ReadonlyMap<string, string>> => {
  const { at, branch, existing } = options
  const identity = identityOf(by)
  const time = timeOf(at)
  const answer = await person.forge.repository.contents.change({
    params: { username: owner, reponame: name },
    body: {
      branch,
      message,
      author: identity,
      committer: identity,
      dates: { author: time, committer: time },
      files: Object.entries(files).map(([path, content]) => {
        const sha = existing.get(path)
        if (content === null) return { operation: "delete", path, sha: sha ?? null }
        const base64 = Buffer.from(content).toString("base64")
        return sha === undefined
          ? { operation: "create", path, content: base64 }
          : { operation: "update", path, content: base64, sha }
      })
    }
  })
  const next = new Map(existing)
  for (const file of answer.files ?? []) if (file !== null) next.set(file.path, file.sha)
  return next
}

const writers = (people: People, by: DemoCommit["by"], { owner }: DemoRepository): Person =>
  owner === "brightwater" ? people[by] : people.mara

const makeRepository = async (people: People, repository: DemoRepository): Promise<ReadonlyMap<string, string>> => {
  const { commits, description, name, owner, topics } = repository
  const { forge } = people.mara
  const body = { name, description, private: repository.private ?? false, default_branch: "main" }
  if (owner === "mara") await forge.account.repository.create({ body })
  else await forge.organization.repository.create({ params: { org: owner }, body })
  const params = { username: owner, reponame: name }
  for (const team of teams)
    if (owner === "brightwater" && team.repositories.includes(name))
      await forge.repository.team.add({ params: { ...params, team: team.name } })
  if (topics.length > 0) await forge.repository.topic.replace({ params, body: { topics: [...topics] } })
  let existing: ReadonlyMap<string, string> = new Map()
  for (const [at, commit] of commits.entries()) {
    const person = name === "gauge" ? people.mara : writers(people, commit.by, repository)
    existing = await commitTo(person, repository, commit, { branch: "main", at, existing })
  }
  return existing
}

/** Creates the repositories with their history, branches, tags, stars, watchers, keys and branch protections. */
export const makeRepositories = async (people: People): Promise<void> => {
  for (const repository of [gauge, ...others]) await makeRepository(people, repository)
  const params = { username: "brightwater", reponame: "gauge" }
  for (const name of ["jonas", "aiko", "tunde", "lucia", "wren"] as const) {
    await people[name].forge.account.starred.add({ params })
    if (name !== "lucia") await people[name].forge.repository.subscription.add({ params })
  }
  const { forge } = people.mara
  await forge.repository.branchProtection.create({
    params,
    body: {
      rule_name: "main",
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ["mara"],
      required_approvals: 1,
      block_on_rejected_reviews: true
    }
  })
  await forge.repository.branchProtection.create({ params, body: { rule_name: "release/*", required_approvals: 2 } })
  await forge.repository.tagProtection.create({ params, body: { name_pattern: "v*", whitelist_usernames: ["mara"] } })
  await forge.repository.key.create({
    params,
    body: {
      title: "Deploy server",
      read_only: true,
      key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJcTsHh7CvNxO7xgpI6iyuG9ttOYJWBAIgVUqVfQwOPx deploy@brightwater.example"
    }
  })
  await forge.repository.collaborator.add({
    params: { ...params, reponame: "dashboard", collaborator: "wren" },
    body: { permission: "read" }
  })
  await people.wren.forge.repository.fork.create({ params, body: {} })
  await people.jonas.forge.account.key.create({
    body: {
      title: "Laptop",
      key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIc1Hi9yDdzW2mmYSa1wfmcw6AlrIwOSP8vZ2N1S4jt4 jonas@brightwater.example"
    }
  })
}
