import { generateKeyPairSync } from "node:crypto"
import { ForgeApi } from "../../api/forge/index.ts"
import { listsOf, type Names, pollUntil, type SampledSite, type Walk } from "./walk.ts"

const repository = "/repos/user-1/walk"

/** A user with the maximum of followers and stars, so that counting takes the longest time. */
const famous = "user-5"
/** The user with a quarter of all activity, in repositories of other owners. */
const active = "user-2"
/** A member of many teams in many organizations. */
const busy = "user-10"
/** The owner of a twentieth of the repositories. */
const owning = "user-20"
const followed = /^\/users?\/(?:.*\/)?(?:followers|following|starred)$/

/** The password of user-1, which the list of tokens requires. */
const password = "correct horse battery"
const basic = `Basic ${Buffer.from(`user-1:${password}`).toString("base64")}`

const belonging = /^\/(?:user\/(?:orgs|teams)|(?:admin\/)?users\/\{username\}\/orgs)$/
const teamsOfOne = "/repos/{username}/{reponame}/teams"

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

/** A manually started workflow with two jobs. */
const workflow = `name: CI
on: workflow_dispatch
jobs:
  test:
    runs-on: linux
    strategy: { matrix: { node: [24, 26] } }
    steps: [{ run: make }]
`

/**
 * Creates one sample of each resource type that the forge lists.
 *
 * user-1 is site administrator and owns the organization org-1; the last user is not a member of org-1.
 */
const makeSamples = async ({ openPgpKey, send, size, until = pollUntil }: SampledSite): Promise<Names> => {
  const as = (name: string, method: string, path: string, body?: unknown) =>
    send(method, `${path}${path.includes("?") ? "&" : "?"}sudo=${name}`, body)
  await send("POST", "/user/repos", { name: "walk", auto_init: true, default_branch: "main" })
  const branch = (name: string) =>
    send("POST", `${repository}/contents/${name}`, { content: "dGV4dA==", branch: "main", new_branch: name })
  await branch("topic")
  await send("PATCH", "/admin/users/user-1", {
    source_id: 0,
    login_name: "user-1",
    email: "ann@example.com",
    password,
    must_change_password: false
  })
  await send("POST", "/user/sessions", undefined, { authorization: basic })
  await send("POST", "/user/gpg_keys", { armored_public_key: openPgpKey })
  await send("POST", "/user/keys", { title: "own", key: sshKey() })
  await send("POST", `${repository}/keys`, { title: "deploy", key: sshKey(), read_only: true })
  await send("POST", `${repository}/push_mirrors`, { remote_address: "https://192.0.2.1/away.git", interval: "0s" })
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
  await send("PUT", `${repository}/topics/shop`)
  // The registry is next to the API.
  for (const version of ["1.0", "1.1"]) await send("PUT", `/../packages/user-1/generic/tool/${version}/tool`, "bytes")
  await send("PUT", `${repository}/collaborators/user-2`, { permission: "write" })
  await send("POST", `${repository}/forks`, { organization: "org-1", name: "fork" })
  await as(famous, "PUT", "/user/starred/user-1/walk")
  await send("PUT", `${repository}/subscription`)
  await as(famous, "PUT", "/user/following/user-2")
  await as("user-2", "PUT", `/user/following/${famous}`)
  await send("PUT", "/user/blocks/user-7")
  await send("PUT", `/orgs/org-1/blocks/user-${Math.floor(size / 2)}`)
  const repositoryHook = await send("POST", `${repository}/hooks`, hook)
  const organizationHook = await send("POST", "/orgs/org-1/hooks", hook)
  const userHook = await send("POST", "/user/hooks", hook)
  const siteHook = await send("POST", "/admin/hooks", {
    ...hook,
    config: { ...hook.config, is_system_webhook: "true" }
  })
  await send("POST", `${repository}/hooks/${repositoryHook.id}/tests`)
  await send("POST", "/user/applications/oauth2", {
    name: "app",
    redirect_uris: ["https://app.example/"],
    confidential_client: true
  })
  for (const place of [repository, "/orgs/org-1", "/user"]) {
    await send("PUT", `${place}/actions/secrets/KEY`, { data: "hush" })
    await send("POST", `${place}/actions/variables/LEVEL`, { value: "1" })
  }
  await send("POST", `${repository}/contents/.gitea/workflows/ci.yml`, { content: btoa(workflow), branch: "main" })
  for (let run = 0; run < 2; run++) {
    await send("POST", `${repository}/actions/workflows/ci.yml/dispatches`, { ref: "main" })
  }
  const { workflow_runs: runs } = await send("GET", `${repository}/actions/runs`)
  await send("POST", "/admin/badges", { slug: "star", description: "a star" })
  await send("POST", "/admin/users/user-1/badges", { badge_slugs: ["star"] })
  // One team has all repositories and a tenth of all people, the others of org-1 three repositories each.
  const first = Math.floor(size / 50) + 1
  const teamOf = async (number: number): Promise<{ readonly id: number; readonly name: string }> => {
    const { data } = await send("GET", `/orgs/org-1/teams/search?q=team-${number}&limit=50`)
    return data.find(({ name }: { readonly name: string }) => name === `team-${number}`)
  }
  const all = await teamOf(first)
  const other = await teamOf(first + 1)
  await send("PUT", `/teams/${other.id}/members/${busy}`)
  await send("PUT", `/orgs/org-1/public_members/${busy}?sudo=${busy}`)
  await send("PUT", `/repos/org-1/fork/teams/${other.name}`)
  for (const place of [repository, "/repos/org-1/fork"]) {
    await send("POST", `${place}/contents/told`, { content: "dGV4dA==", branch: "main" })
  }
  await send("POST", `${repository}/statuses/main`, { state: "success", context: "built" })
  await send("PATCH", repository, { description: "changed" })
  const hooks: ReadonlyArray<readonly [RegExp, { readonly id: number }]> = [
    [/^\/repos\/.*\/hooks\//, repositoryHook],
    [/^\/orgs\/.*\/hooks\//, organizationHook],
    [/^\/user\/hooks\//, userHook],
    [/^\/admin\/hooks\//, siteHook],
    [/comments/, comment],
    [/^\/teams\//, all]
  ]
  const deliveries = ["/admin/hooks", "/orgs/org-1/hooks", "/user/hooks"].map(
    (place, at) => `${place}/${[siteHook, organizationHook, userHook][at].id}/deliveries?limit=1`
  )
  await until(async () => {
    for (const path of deliveries) if ((await send("GET", path)).length === 0) return false
    return true
  })
  const people: ReadonlyArray<readonly [RegExp, string]> = [
    [followed, famous],
    [belonging, busy],
    [/^\/users\/\{username\}\/repos$/, owning],
    [/^\/users\/\{username\}\/activities\/feeds$/, active]
  ]
  return (path) => ({
    username: path === teamsOfOne ? "org-1" : (people.find(([pattern]) => pattern.test(path))?.[1] ?? "user-1"),
    reponame: path === teamsOfOne ? "fork" : "walk",
    org: "org-1",
    index: path.includes("/pulls/") ? "3" : path.endsWith("/blocks") ? "2" : "1",
    id: String(hooks.find(([pattern]) => pattern.test(path))?.[1].id ?? 1),
    sha: "main",
    ref: "main",
    timetrackingusername: "user-1",
    type: "generic",
    name: "tool",
    pageName: "Home",
    run: String(runs[0].id),
    attempt: "1",
    workflow_id: "ci.yml",
    "*": "heads"
  })
}

/** The paginated lists of the forge, and how to request each of them. */
export const forgeLists: Walk = {
  service: "forge",
  lists: listsOf(ForgeApi),
  makeSamples,
  query: (path) => ({
    limit: "30",
    ...(path === "/access/objects" ? { action: "repository.contents.change" } : {}),
    ...(path.endsWith("/code/search") ? { q: "word" } : {}),
    ...(followed.test(path)
      ? { sudo: famous }
      : belonging.test(path) && path.startsWith("/user/")
        ? { sudo: busy }
        : {})
  }),
  authorization: (path, token) => (path.startsWith("/users/user-1/tokens") ? basic : `token ${token}`)
}
