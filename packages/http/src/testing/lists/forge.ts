import { generateKeyPairSync } from "node:crypto"
import { ForgeApi } from "../../api/forge/index.ts"
import { listsOf, type Names, type Send, type Walk } from "./walk.ts"

const repository = "/repos/user-1/walk"

/** Whom everybody follows, and who stars everything: counting that takes as long as it is. */
const famous = "user-5"
/** Who did a quarter of what happened, elsewhere. */
const active = "user-2"
const followed = /^\/users?\/(?:.*\/)?(?:followers|following|starred)$/

/** The password of user-1, which the list of tokens wants. */
const password = "correct horse battery"
const basic = `Basic ${Buffer.from(`user-1:${password}`).toString("base64")}`

const sshKey = (): string => {
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })
  const parts = [Buffer.from("ssh-ed25519"), Buffer.from(x, "base64url")].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return [length, part]
  })
  return `ssh-ed25519 ${Buffer.concat(parts).toString("base64")}`
}

const hook = {
  type: "gitea",
  config: { url: "http://192.0.2.1/", content_type: "json" },
  events: ["push"],
  active: true
}

/** Makes one of everything that lists of the forge have, where user-1 administers the site and owns org-1, of which a stranger is no member. */
const makeSamples = async (send: Send, stranger: string): Promise<Names> => {
  const as = (name: string, method: string, path: string, body?: unknown) =>
    send(method, `${path}${path.includes("?") ? "&" : "?"}sudo=${name}`, body)
  await send("POST", "/user/repos", { name: "walk", auto_init: true, default_branch: "main" })
  const branch = (name: string) =>
    send("POST", `${repository}/contents/${name}`, { content: "dGV4dA==", branch: "main", new_branch: name })
  await branch("topic")
  await send("PATCH", "/admin/users/user-1", {
    source_id: 0,
    login_name: "user-1",
    password,
    must_change_password: false
  })
  await send("POST", "/user/keys", { title: "own", key: sshKey() })
  await send("POST", `${repository}/keys`, { title: "deploy", key: sshKey(), read_only: true })
  await send("POST", `${repository}/wiki/new`, { title: "Home", content_base64: "dGV4dA==" })
  await send("POST", `${repository}/labels`, { name: "bug", color: "#ff0000" })
  await send("POST", "/orgs/org-1/labels", { name: "bug", color: "#ff0000" })
  await send("POST", `${repository}/milestones`, { title: "one" })
  for (const title of ["first", "second"]) await send("POST", `${repository}/issues`, { title, body: "about it" })
  await send("POST", `${repository}/pulls`, { title: "third", head: "topic", base: "main" })
  const comment = await as("user-2", "POST", `${repository}/issues/1/comments`, { body: "said" })
  await send("POST", `${repository}/issues/1/reactions`, { content: "+1" })
  await send("POST", `${repository}/issues/comments/${comment.id}/reactions`, { content: "+1" })
  await send("POST", `${repository}/issues/1/times`, { time: 60 })
  await send("POST", `${repository}/issues/1/stopwatch/start`)
  await send("PUT", `${repository}/issues/1/subscriptions/user-1`)
  await send("POST", `${repository}/issues/1/dependencies`, { owner: "user-1", repo: "walk", index: 2 })
  await send("POST", `${repository}/issues/2/dependencies`, { owner: "user-1", repo: "walk", index: 3 })
  await as("user-2", "POST", `${repository}/pulls/3/reviews`, { event: "COMMENT", body: "looked" })
  await send("POST", `${repository}/releases`, { tag_name: "v1", name: "one" })
  await send("POST", `${repository}/statuses/main`, { state: "success", context: "built" })
  await send("PUT", `${repository}/topics/shop`)
  await send("PUT", `${repository}/collaborators/user-2`, { permission: "write" })
  await send("POST", `${repository}/forks`, { organization: "org-1", name: "fork" })
  await as(famous, "PUT", "/user/starred/user-1/walk")
  await send("PUT", `${repository}/subscription`)
  await as(famous, "PUT", "/user/following/user-2")
  await as("user-2", "PUT", `/user/following/${famous}`)
  await send("PUT", "/user/blocks/user-7")
  await send("PUT", `/orgs/org-1/blocks/${stranger}`)
  const repositoryHook = await send("POST", `${repository}/hooks`, hook)
  const organizationHook = await send("POST", "/orgs/org-1/hooks", hook)
  const userHook = await send("POST", "/user/hooks", hook)
  const siteHook = await send("POST", "/admin/hooks", hook)
  await send("POST", `${repository}/hooks/${repositoryHook.id}/tests`)
  await send("POST", "/user/applications/oauth2", {
    name: "app",
    redirect_uris: ["https://app.example/"],
    confidential_client: true
  })
  await send("POST", "/admin/badges", { slug: "star", description: "a star" })
  await send("POST", "/admin/users/user-1/badges", { badge_slugs: ["star"] })
  const teams: ReadonlyArray<{
    readonly id: number
    readonly includes_all_repositories: boolean
    readonly name: string
  }> = await send("GET", "/orgs/org-1/teams?limit=50")
  // One team has all repositories and a tenth of all people, besides that of the owners.
  const [all = { id: 1 }] = teams.filter((each) => each.includes_all_repositories).slice(-1)
  const hooks: ReadonlyArray<readonly [RegExp, { readonly id: number }]> = [
    [/^\/repos\/.*\/hooks\//, repositoryHook],
    [/^\/orgs\/.*\/hooks\//, organizationHook],
    [/^\/user\/hooks\//, userHook],
    [/^\/admin\/hooks\//, siteHook],
    [/comments/, comment],
    [/^\/teams\//, all]
  ]
  return (path) => ({
    username: followed.test(path) ? famous : path === "/users/{username}/activities/feeds" ? active : "user-1",
    reponame: "walk",
    org: "org-1",
    index: path.includes("/pulls/") ? "3" : "1",
    id: String(hooks.find(([pattern]) => pattern.test(path))?.[1].id ?? 1),
    sha: "main",
    ref: "main",
    timetrackingusername: "user-1",
    pageName: "Home",
    "*": "heads"
  })
}

/** The lists of the forge. */
export const forgeLists: Walk = {
  service: "forge",
  lists: listsOf(ForgeApi),
  makeSamples: (send, size) => makeSamples(send, `user-${Math.floor(size / 2)}`),
  query: (path) => (followed.test(path) ? { limit: "30", sudo: famous } : { limit: "30" }),
  authorization: (path, token) => (path.startsWith("/users/user-1/tokens") ? basic : `token ${token}`)
}
