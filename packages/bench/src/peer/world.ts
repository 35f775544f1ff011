/** A site, with the credentials of an account that may create organizations. */
export interface Site {
  readonly base: string
  readonly username: string
  readonly password: string
}

/** The repositories and other resources on a site that the benchmark requests. */
export interface World {
  readonly token: string
  /** The URL paths of the measured requests, by their names. */
  readonly paths: Readonly<Record<string, string>>
  readonly remove: () => Promise<void>
}

const folders = 20
const filesOfFolder = 50
const commits = 30
const issues = 50

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Creates the same repositories and other resources on a site through its API. */
export const makeWorld = async ({ base, password, username }: Site): Promise<World> => {
  const ask = async (method: string, path: string, authorization: string, body?: unknown) => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${base}${path}: ${answer.status} ${text.slice(0, 500)}`)
    return text === "" ? undefined : JSON.parse(text)
  }
  const name = `bench-${Date.now().toString(36)}`
  const basic = `Basic ${base64(`${username}:${password}`)}`
  const { sha1: token } = await ask("POST", `/users/${username}/tokens`, basic, { name, scopes: ["all"] })
  const call = (method: string, path: string, body?: unknown) => ask(method, path, `token ${token}`, body)

  await call("POST", "/orgs", { username: name })
  for (let n = 0; n < 20; n++) await call("POST", `/orgs/${name}/repos`, { name: `${name}-${n}` })
  const repository = `/repos/${name}/${name}`
  await call("POST", `/orgs/${name}/repos`, { name, auto_init: true, default_branch: "main" })
  for (let folder = 0; folder < folders; folder++) {
    const files = Array.from({ length: filesOfFolder }, (_, file) => ({
      operation: "create",
      path: `folder-${folder}/file-${file}.txt`,
      content: base64(`line of file ${file}\n`.repeat(100))
    }))
    await call("POST", `${repository}/contents`, { branch: "main", message: `Add folder ${folder}`, files })
  }
  for (let n = 0; n < commits; n++) {
    const content = base64(`change ${n}\n`)
    await call("POST", `${repository}/contents/changes/${n}.txt`, { branch: "main", message: `Change ${n}`, content })
  }
  for (let n = 0; n < 20; n++) await call("POST", `${repository}/labels`, { name: `label ${n}`, color: "#00aabb" })
  for (let n = 0; n < 10; n++) await call("POST", `${repository}/milestones`, { title: `milestone ${n}` })
  for (let n = 0; n < issues; n++)
    await call("POST", `${repository}/issues`, { title: `Issue ${n}`, body: "text ".repeat(50) })
  for (let n = 0; n < 20; n++) await call("POST", `${repository}/issues/1/comments`, { body: `Comment ${n}` })

  return {
    token,
    paths: {
      version: "/version",
      "own account": "/user",
      "a user": `/users/${username}`,
      "an organization": `/orgs/${name}`,
      "repositories of an organization": `/orgs/${name}/repos`,
      "own repositories": "/user/repos",
      "search of repositories": `/repos/search?q=${name}`,
      "a repository": repository,
      labels: `${repository}/labels`,
      milestones: `${repository}/milestones`,
      issues: `${repository}/issues`,
      "an issue": `${repository}/issues/1`,
      comments: `${repository}/issues/1/comments`,
      branches: `${repository}/branches`,
      "a file": `${repository}/contents/folder-1/file-1.txt`,
      "a directory of 50 files": `${repository}/contents/folder-1`,
      "a tree of 1,000 files": `${repository}/git/trees/main?recursive=1`,
      "a page of commits": `${repository}/commits`
    },
    remove: async () => {
      for (let n = 0; n < 20; n++) await call("DELETE", `/repos/${name}/${name}-${n}`)
      await call("DELETE", repository)
      await call("DELETE", `/orgs/${name}`)
      await ask("DELETE", `/users/${username}/tokens/${name}`, basic)
    }
  }
}
