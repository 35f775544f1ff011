import { describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { crawl, type Visited } from "./support/crawl.ts"
import { awaitIndex, emptyWorld, type Marker, plantRepository, seeded, url, users } from "./support/plantedWorld.ts"
import { visitorOf } from "./support/visitor.ts"

const callers = ["anonymous", "bob", "cas", "root"] as const
type Caller = (typeof callers)[number]

const visitorFor = (forge: Forge, who: Caller) =>
  visitorOf((request) => forge.handler(request), url, who === "anonymous" ? undefined : who)

/** Returns the markers that a caller may not see, as the API says. */
const hiddenFrom = async (
  forge: Forge,
  who: Caller,
  markers: ReadonlyArray<Marker>
): Promise<ReadonlyArray<string>> => {
  const caller = who === "anonymous" ? forge.anonymous : forge.actAs(who)
  const hidden: Array<string> = []
  for (let at = 0; at < markers.length; at += 100) {
    const part = markers.slice(at, at + 100)
    const checks = part.map(({ action, resource }) => ({ action, resource }))
    const answers = await caller.access.check({ body: { checks } })
    for (const [place, { word }] of part.entries()) if (answers[place]?.allowed !== true) hidden.push(word)
  }
  return hidden
}

/** Makes a world with visibilities, teams and collaborators that follow from a seed. */
const randomWorld = async (seed: number) => {
  const random = seeded(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => {
    const found = all[Math.floor(random() * all.length)]
    if (found === undefined) throw new Error("nothing to pick from")
    return found
  }
  const forge = await emptyWorld()
  const ann = forge.actAs("ann")
  let count = 0
  const mark = (kind: string) => {
    count += 1
    return `zq${seed}x${count}${kind}`
  }
  const markers: Array<Marker> = []
  const addresses: Array<string> = []
  for (const visibility of ["public", pick(["limited", "private"] as const)] as const) {
    const org = mark("org")
    markers.push({ word: org, action: "organization.read", resource: `org:${org}` })
    addresses.push(`/${org}`, `/org/${org}/teams`, `/org/${org}/members`)
    await ann.organization.create({ body: { username: org, visibility } })
    const team = mark("team")
    const { id } = await ann.organization.team.create({
      params: { org },
      body: {
        name: team,
        units_map: {
          "repo.code": pick(["none", "read"]),
          "repo.issues": pick(["none", "read", "write"]),
          "repo.wiki": "read"
        }
      }
    })
    markers.push({ word: team, action: "team.read", resource: `team:${id}` })
    addresses.push(`/org/${org}/teams/${team}`)
    await ann.team.member.add({ params: { id: String(id), username: pick(["bob", "cas"]) } })
    const mentions: Array<string> = []
    for (const isPrivate of [false, true, true]) {
      const planted = await plantRepository(forge, { owner: org, private: isPrivate, mentions: mentions[0] }, mark)
      const name = planted.addresses[0]?.split("/")[2] ?? ""
      mentions.push(`${org}/${name}#1`)
      markers.push(...planted.markers)
      addresses.push(...planted.addresses)
      if (random() < 0.5) await ann.team.repository.add({ params: { id: String(id), org, repo: name } })
      if (random() < 0.3)
        await ann.repository.collaborator.add({
          params: { username: org, reponame: name, collaborator: pick(["bob", "cas"]) },
          body: { permission: "read" }
        })
    }
  }
  await awaitIndex(forge, 6)
  return { forge, markers, addresses }
}

describe("pages contain nothing hidden", () => {
  for (const seed of [11, 12, 13]) {
    it(`no page contains a marker of an object that the caller may not see (I9, world ${seed})`, async () => {
      const { addresses, forge, markers } = await randomWorld(seed)
      try {
        for (const who of callers) {
          const hidden = await hiddenFrom(forge, who, markers)
          expect([who, hidden.length > 0, hidden.length < markers.length]).toEqual([who, who !== "root", true])
          const visited = await crawl(
            await visitorFor(forge, who),
            url,
            ["/", "/ann", "/issues", "/explore/code?q=planted", ...addresses],
            40
          )
          // The caller's own address is in the page, such as in the link to sign in.
          const found = visited.flatMap(({ address, text }) =>
            hidden.filter((word) => !address.includes(word) && text.includes(word)).map((word) => `${address}: ${word}`)
          )
          expect([who, found]).toEqual([who, []])
          expect(visited.filter(({ status }) => status >= 500)).toEqual([])
        }
      } finally {
        await forge.dispose()
      }
    }, 300_000)
  }

  /** Removes what differs between two requests for the same page: times, tokens and identifiers of requests. */
  const stable = (text: string): string =>
    text
      .replace(/<time[^>]*>[^<]*<\/time>/g, "<time>")
      .replace(/\b\d{4}-\d{2}-\d{2}T[\d:.]+Z?\b/g, "TIME")
      .replace(/(name="(?:form|idempotency_key)" value=")[^"]*/g, "$1")
      .replace(/<code>[\w-]{16,}<\/code>/g, "<code>")
      .replace(/(?<=%2F|\b)[0-9a-f]{7,64}\b/g, "SHA")

  const compared = (visited: ReadonlyArray<Visited>): ReadonlyArray<readonly [string, number, string]> =>
    visited.map(({ address, status, text, type }) => {
      // Archives contain the identifiers of commits, which contain the time.
      const shown = type.startsWith("text/html") ? stable(text) : type
      return [stable(address), status, shown] as const
    })

  for (const who of ["anonymous", "bob"] as const) {
    it(`hidden objects change no page, count, link or order for ${who} (I9)`, async () => {
      const pages: Array<ReadonlyArray<readonly [string, number, string]>> = []
      for (const isPlanted of [false, true]) {
        const forge = await emptyWorld()
        try {
          const ann = forge.actAs("ann")
          await ann.organization.create({ body: { username: "acme" } })
          const visible = await plantRepository(forge, { owner: "acme", private: false }, (kind) => `shown${kind}`)
          if (isPlanted) {
            await ann.organization.create({ body: { username: "veiled", visibility: "private" } })
            const mentions = "acme/shownrepository#1"
            for (const [at, owner] of ["acme", "ann", "veiled"].entries())
              await plantRepository(forge, { owner, private: true, mentions }, (kind) => `hid${at}${kind}`)
            await ann.organization.team.create({
              params: { org: "acme" },
              body: { name: "hidteam", visibility: "private", units_map: { "repo.code": "read" } }
            })
            for (const owner of ["ann", "acme"])
              await forge.actAs("root").account.starred.add({
                params: { username: owner, reponame: `hid${owner === "ann" ? 1 : 0}repository` }
              })
          }
          await awaitIndex(forge, isPlanted ? 4 : 1)
          const addresses = [
            "/",
            "/ann",
            "/acme",
            "/explore/users",
            "/explore/code?q=planted",
            ...users.map((name) => `/${name}`)
          ]
          pages.push(compared(await crawl(await visitorFor(forge, who), url, [...addresses, ...visible.addresses], 40)))
        } finally {
          await forge.dispose()
        }
      }
      const [without = [], planted = []] = pages
      expect(planted.map(([address]) => address)).toEqual(without.map(([address]) => address))
      const differences = without.flatMap(([address, status, text], at) => {
        const [, otherStatus, other = ""] = planted[at] ?? []
        if (status === otherStatus && text === other) return []
        const from = Math.max(0, [...text].findIndex((each, place) => each !== other[place]) - 80)
        return [
          `${address} ${status} ${otherStatus}: ${text.slice(from, from + 200)} | ${other.slice(from, from + 200)}`
        ]
      })
      expect(differences).toEqual([])
      expect(without.length).toBeGreaterThan(60)
    }, 300_000)
  }
})
