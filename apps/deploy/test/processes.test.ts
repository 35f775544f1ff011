import { afterEach, expect, test } from "vitest"
import { createAt, endServices, newDatabase, newDirectory, onServer, placesAt, send, start, token } from "./support.ts"

afterEach(endServices)

onServer("two processes on one PostgreSQL", () => {
  test("perform one first start with one token when they start concurrently on an empty database", async () => {
    const directory = newDirectory()
    const settings = { DEPLOY_DATABASE_URL: await newDatabase() }
    const both = [start(directory, settings), start(directory, settings)]
    const bases = await Promise.all(both.map((service) => service.listening()))
    const printed = both.flatMap(({ stdout }) => /\n {2}(\d+\|\w+)\n/.exec(stdout)?.[1] ?? [])
    expect(printed.length).toBe(1)
    for (const base of bases) {
      const projects = await send("GET", `${base}/api/v1/projects`, undefined, printed[0])
      expect([projects.status, ((await projects.json()) as ReadonlyArray<unknown>).length]).toEqual([200, 1])
    }
    // A revocation by one process applies to the other immediately.
    const [one = "", other = ""] = bases
    const made = await send("POST", `${one}/api/v1/tokens`, { name: "both", abilities: ["read"] }, printed[0])
    const { token, uuid } = (await made.json()) as { readonly token: string; readonly uuid: string }
    const statusAt = async (base: string) => (await send("GET", `${base}/api/v1/projects`, undefined, token)).status
    expect([await statusAt(one), await statusAt(other)]).toEqual([200, 200])
    expect((await send("DELETE", `${one}/api/v1/tokens/${uuid}`, undefined, printed[0])).status).toBe(200)
    expect([await statusAt(other), await statusAt(one)]).toEqual([401, 401])
  })

  test("accept the configured token, and give a domain to only one of fifty concurrent requests", async () => {
    const directory = newDirectory()
    const settings = { DEPLOY_DATABASE_URL: await newDatabase(), DEPLOY_TOKEN: token }
    const both = [start(directory, settings), start(directory, settings)]
    const bases = await Promise.all(both.map((service) => service.listening()))
    const [place] = await Promise.all(bases.map((base) => placesAt(base)))
    const statuses = async (fields: Readonly<Record<string, unknown>>) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => createAt(bases[index % 2] as string, { ...place, ...fields }))
      )
      const count = (status: number) => answers.filter((answer) => answer.status === status).length
      return { created: count(201), refused: count(409), all: answers.length }
    }
    const domains = "https://wanted.example"
    expect(await statuses({ domains })).toEqual({ created: 1, refused: 49, all: 50 })
    expect(await statuses({ domains, force_domain_override: true })).toEqual({ created: 50, refused: 0, all: 50 })
  })
})
