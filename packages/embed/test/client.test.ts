import { describe, expect, it } from "@effect/vitest"
import { createDeployClient } from "@slipway/client/deploy"
import { ConnectionError, createForgeClient, ServiceError } from "@slipway/client/forge"
import { createForge } from "@slipway/embed"

const url = "https://service.example"

/** Fails like a broken connection. */
const lost = (): Response => {
  throw new TypeError("the connection was reset")
}

/** A service with prepared responses, which records its requests. */
const scripted = (...answers: ReadonlyArray<() => Response>) => {
  const asked: Array<string> = []
  let next = 0
  const fetch = (request: Request): Promise<Response> => {
    asked.push(`${request.method} ${request.url.slice(url.length)}`)
    return Promise.try(answers[next++] ?? lost)
  }
  return { asked, fetch }
}

const soon = { "retry-after": "0" }
const said =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })
describe("the typed clients", () => {
  it("support resources, paginated lists, booleans, texts, files and errors by status", async () => {
    await using served = await createForge()
    const client = (user?: string) =>
      createForgeClient({
        url: "http://localhost",
        fetch: (request) => served.handler(request, user === undefined ? {} : { user })
      })
    const forge = client("administrator")
    await forge.organization.create({ body: { username: "acme" } })
    for (const name of ["a", "b", "c"]) {
      const made = await forge.organization.repository.create({ params: { org: "acme" }, body: { name } })
      expect(made.full_name).toBe(`acme/${name}`)
    }
    const listed = forge.organization.repository.list({ params: { org: "acme" }, query: { limit: 2 } })
    expect(await listed).toHaveLength(2)
    const names: Array<string> = []
    for await (const { name } of listed) names.push(name)
    expect(names.toSorted()).toEqual(["a", "b", "c"])
    const totals: Array<[number, number | undefined]> = []
    for await (const { rows, total } of listed.pages()) totals.push([rows.length, total])
    expect(totals).toEqual([
      [2, 3],
      [1, 3]
    ])
    const found: Array<string> = []
    for await (const { name } of forge.repository.search({ query: { q: "b", limit: 1 } })) found.push(name)
    expect(found).toEqual(["b"])

    const repository = { username: "acme", reponame: "a" }
    const issue = { ...repository, index: 1 }
    await forge.issue.create({ params: repository, body: { title: "It leaks" } })
    await forge.account.starred.add({ params: repository })
    expect(await forge.account.starred.check({ params: repository })).toBe(true)
    expect(await forge.account.starred.check({ params: { ...repository, reponame: "b" } })).toBe(false)
    const form = new FormData()
    form.append("attachment", new Blob(["drip"]), "leak.txt")
    expect((await forge.issue.asset.create({ params: issue, body: form })).name).toBe("leak.txt")
    expect(await forge.markdown.render({ body: { Text: "*wet*" } })).toContain("<em>wet</em>")

    const refused = await client()
      .organization.create({ body: { username: "others" } })
      .result()
    // The status determines the type of the body; an undeclared status does not compile.
    expect(!refused.ok && refused.error.status === 401 ? refused.error.body.message : "").toBe("token is required")
    // @ts-expect-error An organization is not made with 418.
    expect(!refused.ok && refused.error.status === 418).toBe(false)
    await expect(forge.repository.read({ params: { username: "acme", reponame: "none" } })).rejects.toMatchObject({
      name: "ServiceError",
      status: 404
    })
  })

  it("preview a change, apply it, and check actions for another user", async () => {
    await using served = await createForge()
    const forge = createForgeClient({
      url: "http://localhost",
      fetch: (request) => served.handler(request, { user: "administrator" })
    })
    await forge.organization.create({ body: { username: "acme" } })
    await forge.organization.repository.create({ params: { org: "acme" }, body: { name: "site", private: true } })
    await forge.admin.user.create({
      body: {
        username: "bob",
        email: "bob@example.com",
        password: "correct horse battery",
        must_change_password: false
      }
    })
    const body = { name: "crew", permission: "write", units: ["repo.code"], includes_all_repositories: true }
    const { id } = await forge.organization.team.create({ params: { org: "acme" }, body })
    const member = { params: { id, username: "bob" } }
    const preview = await forge.team.member.add({ ...member, query: { dry_run: "true" } })
    expect(preview.map(({ gains, user }) => [user?.login, gains])).toEqual([["bob", true]])
    expect(await forge.team.member.list({ params: { id } })).toEqual([])
    expect(await forge.team.member.add(member)).toEqual([])
    expect((await forge.team.member.list({ params: { id } })).map(({ login }) => login)).toEqual(["bob"])
    const checks = [
      { action: "repository.edit", resource: "repo:acme/site" },
      { action: "repository.read", resource: "repo:acme/none" }
    ]
    const [edit, read] = await served.actAs("bob").access.check({ body: { checks } })
    expect([edit, read]).toEqual([
      { ...checks[0], allowed: false, status: 403 },
      { ...checks[1], allowed: false, status: 404 }
    ])
  })

  it("retry idempotent requests after the service's Retry-After, up to the configured number", async () => {
    const { asked, fetch } = scripted(said(503, {}, soon), said(429, {}, soon), said(200, { version: "1" }))
    expect(await createForgeClient({ url, fetch }).version.read()).toEqual({ version: "1" })
    expect(asked).toEqual(Array.from({ length: 3 }, () => "GET /api/v1/version"))

    const down = scripted(said(503, {}, soon), said(503, { message: "Later." }, soon))
    const failed = createForgeClient({ url, fetch: down.fetch, retries: 1 }).version.read()
    await expect(failed).rejects.toEqual(new ServiceError(503, { message: "Later." }))
    expect(down.asked).toHaveLength(2)

    const long = scripted(said(503, { message: "Tomorrow." }, { "retry-after": "86400" }))
    await expect(createForgeClient({ url, fetch: long.fetch }).version.read()).rejects.toThrow("Tomorrow.")
    expect(long.asked).toHaveLength(1)
  })

  it("never retry non-idempotent or rejected requests", async () => {
    const body = { username: "acme" }
    const unsure = scripted(lost)
    const made = await createForgeClient({ url, fetch: unsure.fetch }).organization.create({ body }).result()
    expect(made.ok ? undefined : made.error).toBeInstanceOf(ConnectionError)
    expect(unsure.asked).toEqual(["POST /api/v1/orgs"])
    const busy = scripted(said(503, { message: "Later." }, soon))
    await expect(createForgeClient({ url, fetch: busy.fetch }).organization.create({ body })).rejects.toThrow("Later.")
    expect(busy.asked).toHaveLength(1)
    const refused = scripted(said(403, { message: "No." }))
    await expect(createForgeClient({ url, fetch: refused.fetch }).version.read()).rejects.toThrow("No.")
    expect(refused.asked).toHaveLength(1)
  })

  it("follow links of paginated lists only within the service, and send each request lazily", async () => {
    const link = `<https://elsewhere.example/stolen?page=2&per_page=1>; rel="next"`
    const { asked, fetch } = scripted(said(200, [{ name: "one" }], { link }), said(200, [{ name: "two" }]))
    const deploy = createDeployClient({ url: `${url}/`, token: "secret", fetch })
    const listed = deploy.tags.listAll({ query: { per_page: 1 } })
    expect(asked).toEqual([])
    const names: Array<string> = []
    for await (const { name } of listed) names.push(name)
    expect(names).toEqual(["one", "two"])
    expect(asked).toEqual(["GET /api/v1/tags?per_page=1", "GET /api/v1/tags?page=2&per_page=1"])
  })

  it("are aborted by a signal, also before a retry", async () => {
    const stop = new AbortController()
    const { asked, fetch } = scripted(() => {
      queueMicrotask(() => setTimeout(() => stop.abort()))
      return Response.json({}, { status: 503, headers: { "retry-after": "20" } })
    })
    const given = createForgeClient({ url, fetch }).version.read(undefined, { signal: stop.signal })
    await expect(given).rejects.toThrow("the call was aborted")
    expect(asked).toHaveLength(1)
  })

  it("encode path parameters so that they stay within their segment", async () => {
    const { asked, fetch } = scripted(said(200, {}), said(200, {}))
    const forge = createForgeClient({ url, fetch })
    await forge.organization.read({ params: { org: "../admin?x" } })
    await forge.repository.contents.read({ params: { username: "a", reponame: "b", "*": "docs/a b.md" } })
    expect(asked).toEqual(["GET /api/v1/orgs/..%2Fadmin%3Fx", "GET /api/v1/repos/a/b/contents/docs/a%20b.md"])
    await expect(forge.organization.read({ params: { org: ".." } })).rejects.toThrow("`..` is not a path segment")
    const climbing = forge.repository.contents.read({ params: { username: "a", reponame: "b", "*": "docs/../../x" } })
    await expect(climbing).rejects.toThrow("`..` is not a path segment")
    expect(asked).toHaveLength(2)
  })
})
