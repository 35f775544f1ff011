import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge } from "@slipway/embed"
import { password } from "../../src/clients.ts"

/** The address of the worlds' forges. */
export const url = "https://forge.example"

/** A word that only one object contains, and the question whether a caller may see it. */
export interface Marker {
  readonly word: string
  readonly action: string
  readonly resource: string
}

/** A small world, with a marker in each of its objects. */
export interface PlantedWorld {
  readonly forge: Forge
  readonly markers: ReadonlyArray<Marker>
  /** The addresses of its objects, including hidden ones, which no link may lead to. */
  readonly addresses: ReadonlyArray<string>
}

/** The users of a world, of which `ann` owns everything. */
export const users = ["ann", "bob", "cas"] as const

/** Returns a generator of numbers from 0 to below 1, deterministic for a seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Creates a forge with the users of a world. */
export const emptyWorld = async (): Promise<Forge> => {
  const forge = await createForge({
    administrator: { name: "root", email: "root@example.com", password },
    site: { switches: { ...defaultSite.switches, codeSearch: true } },
    url
  })
  for (const username of users)
    await forge.actAs("root").admin.user.create({
      body: { username, email: `${username}@example.com`, password, must_change_password: false }
    })
  return forge
}

/** The choices for a repository. */
export interface RepositoryChoice {
  readonly owner: string
  readonly private: boolean
  /** An issue that the texts of this repository mention, and that depends on one of it. */
  readonly mentions?: string | undefined
}

/** Makes a repository of ann's or of an organization of hers, with a marker in each object, named by `mark`. */
export const plantRepository = async (
  forge: Forge,
  choice: RepositoryChoice,
  mark: (kind: string) => string
): Promise<Omit<PlantedWorld, "forge">> => {
  const { mentions, owner } = choice
  const ann = forge.actAs("ann")
  const name = mark("repository")
  const at = `repo:${owner}/${name}`
  const params = { username: owner, reponame: name }
  const markers: Array<Marker> = [{ word: name, action: "repository.read", resource: at }]
  const word = (kind: string, action: string, resource = at): string => {
    const made = mark(kind)
    markers.push({ word: made, action, resource })
    return made
  }
  const body = {
    name,
    auto_init: true,
    default_branch: "main",
    private: choice.private,
    description: word("description", "repository.read")
  }
  if (owner === "ann") await ann.account.repository.create({ body })
  else await ann.organization.repository.create({ params: { org: owner }, body })
  await ann.repository.topic.replace({ params, body: { topics: [word("topic", "repository.read")] } })
  const branch = word("branch", "repository.branch.list")
  await ann.repository.branch.create({ params, body: { new_branch_name: branch } })
  const mention = mentions === undefined ? "" : `See ${mentions}.`
  await ann.repository.contents.create({
    params: { ...params, "*": `${word("file", "repository.contents.list")}.md` },
    // The API takes base64, which the method's types do not state.
    body: { content: btoa(mention) as never, message: `${word("commit", "repository.commit.list")} ${mention}`, branch }
  })
  await ann.repository.contents.create({
    params: { ...params, "*": "planted.ts" },
    body: { content: btoa(`const planted = "${word("code", "repository.contents.list")}"\n`) as never, branch: "main" }
  })
  const label = await ann.label.create({ params, body: { name: word("label", "label.list"), color: "#00aabb" } })
  const milestone = await ann.milestone.create({ params, body: { title: word("milestone", "milestone.list") } })
  await ann.issue.create({
    params,
    body: {
      title: word("issue", "issue.read", `issue:${owner}/${name}#1`),
      body: mention,
      labels: [label.id],
      milestone: milestone.id,
      assignees: ["ann"]
    }
  })
  await ann.issue.comment.create({
    params: { ...params, index: "1" },
    body: { body: `${word("comment", "issue.read", `issue:${owner}/${name}#1`)} ${mention}` }
  })
  await ann.pull.create({
    params,
    body: { title: word("pull", "pull.read", `pull:${owner}/${name}#2`), head: branch, base: "main", body: mention }
  })
  await ann.repository.release.create({
    params,
    body: { tag_name: "v1", name: word("release", "repository.release.list"), target_commitish: "main", body: mention }
  })
  await ann.repository.wiki.page.create({
    params,
    body: { title: word("wiki", "repository.wiki.page.list"), content_base64: btoa(mention) as never }
  })
  if (mentions !== undefined) {
    const [, visibleOwner = "", visibleName = "", index = ""] = /^([^/]+)\/([^#]+)#(\d+)$/.exec(mentions) ?? []
    await ann.issue.dependency.add({
      params: { username: visibleOwner, reponame: visibleName, index },
      body: { owner, repo: name, index: 1 }
    })
  }
  return {
    markers,
    addresses: ["", "/issues", "/issues/1", "/pulls/2", "/wiki", "/releases", "/branches", "/commits/branch/main"]
      .concat("/search?q=planted")
      .map((rest) => `/${owner}/${name}${rest}`)
  }
}

/** Waits until code search finds the planted file of each repository. */
export const awaitIndex = async (forge: Forge, repositories: number): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const files = await forge.actAs("root").code.search({ query: { q: "planted" } })
    if (files.length === repositories) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`code search never found the files of ${repositories} repositories`)
}
