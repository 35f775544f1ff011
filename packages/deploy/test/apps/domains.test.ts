import { describe, expect, it } from "@effect/vitest"
import { conflictsOf, DomainConflict, reserve } from "@slipway/deploy/apps"
import {
  type Claim,
  type Claimant,
  claimOf,
  DomainStore,
  PlacementStore,
  ProxyPorts,
  parseDomains
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

const addressesOf = (list: string) => parseDomains(list).addresses
const problemsOf = (list: string) => parseDomains(list).problems

describe("a list of domains", () => {
  it.each([
    ["https://", "is not an address."],
    ["https://a.test/x y", "must not contain white space or backslashes."],
    ["https://a.test\\x", "must not contain white space or backslashes."],
    ["https://ann@a.test", "must not contain credentials."],
    ["https://:pass@a.test", "must not contain credentials."],
    ["https://a.test/?x", "must not have a query or a fragment."],
    ["https://a.test/#x", "must not have a query or a fragment."],
    ["https://a-.test", "has no valid host name."],
    ["https://a.test:0", "has no valid port."],
    ["https://a.test/%FF", "has a path with invalid percent-encoding."],
    ["https://a.test/%00", "has a path with invalid percent-encoding."]
  ])("rejects %s", (written, why) => {
    expect(problemsOf(written)).toEqual([`\`${written}\` ${why}`])
  })

  it("is limited to a hundred domains", () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => `http://a${at}.test`).join(",")
    expect(parseDomains(list(100))).toMatchObject({ addresses: { length: 100 }, problems: [] })
    expect(parseDomains(list(101))).toEqual({ addresses: [], problems: ["At most 100 domains are allowed."] })
  })

  it("quotes at most a hundred characters of an invalid domain", () => {
    const [whole, long] = ["x".repeat(100), `y${"x".repeat(100)}`]
    expect(problemsOf(whole)).toEqual([`\`${whole}\` must start with http:// or https://.`])
    expect(problemsOf(long)).toEqual([`\`y${"x".repeat(99)}…\` must start with http:// or https://.`])
  })
})

describe("the claim of an address", () => {
  const claims = (list: string, http: number, https: number) =>
    addressesOf(list).map((address) => claimOf(address, { http, https }))

  it("includes the port, except the proxy's port of its scheme", () => {
    const list = "http://a.test:8080/x, https://a.test:8080, https://a.test:8443, http://a.test, http://[::1]:8080"
    expect(claims(list, 8080, 8443)).toEqual(["a.test/x", "a.test:8080", "a.test", "a.test", "[::1]"])
  })

  it("uses ports 80 and 443 by default", () => {
    expect(Effect.runSync(ProxyPorts)).toEqual({ http: 80, https: 443 })
  })
})

const shop: Claimant = { type: "application", uuid: "shop" }
const holders: ReadonlyArray<Claimant> = [
  shop,
  { type: "service", uuid: "shop" },
  { type: "application", uuid: "blog" },
  { type: "instance", uuid: null }
]
const claimsOn = (domain: string, ...by: ReadonlyArray<Claimant>): ReadonlyArray<Claim> =>
  by.map((holder) => ({ key: domain as Claim["key"], holder, holderName: `the ${holder.type} ${holder.uuid}` }))

describe("conflicts of domains", () => {
  it("are reported for applications, services and the platform", () => {
    expect(DomainConflict.fields.resourceType.literals).toEqual(["application", "service", "instance"])
  })

  const ports = { http: 80, https: 443 }

  it("name the other resource with the oldest claim", () => {
    const claims = [...claimsOn("b.test", ...holders.slice(3)), ...claimsOn("a.test", ...holders)]
    expect(conflictsOf(shop, addressesOf("http://a.test, https://c.test"), claims, ports)).toEqual([
      {
        domain: "http://a.test",
        resourceName: "the service shop",
        resourceUuid: "shop",
        resourceType: "service"
      }
    ])
    expect(conflictsOf(shop, addressesOf("http://a.test"), claims.slice(3), ports)).toMatchObject([
      { resourceUuid: "blog", resourceType: "application" }
    ])
    expect(conflictsOf(shop, addressesOf("http://a.test"), claimsOn("a.test", shop), ports)).toEqual([])
  })

  const unread = () => Effect.die(new Error("no places are read"))
  const noPlaces = PlacementStore.of({ facts: unread, numbers: unread, places: unread })
  const reserving = (domains: string, override: boolean, claims: ReadonlyArray<Claim>) => {
    const locked: Array<ReadonlyArray<string>> = []
    const store = DomainStore.of({
      claims: () => Effect.succeed(claims),
      lock: (keys) => Effect.sync(() => void locked.push(keys)),
      replace: () => Effect.void
    })
    const reserved = reserve(shop, addressesOf(domains), override, undefined).pipe(
      Effect.as("reserved"),
      Effect.catchTag("DomainConflicts", ({ conflicts }) => Effect.succeed(conflicts.map(({ domain }) => domain))),
      Effect.provideService(DomainStore, store),
      Effect.provideService(PlacementStore, noPlaces)
    )
    return { reserved: Effect.runSync(reserved), locked }
  }
  const taken = [...claimsOn("a.test", ...holders.slice(2)), ...claimsOn("b.test", ...holders.slice(2), shop)]

  it("prevent the use of a taken domain, unless it is forced or already claimed by the resource", () => {
    expect(reserving("https://a.test", false, taken)).toEqual({ reserved: ["https://a.test"], locked: [["a.test"]] })
    expect(reserving("https://a.test", true, taken)).toEqual({ reserved: "reserved", locked: [["a.test"]] })
    expect(reserving("https://b.test", false, taken).reserved).toBe("reserved")
    expect(reserving("https://c.test", false, []).reserved).toBe("reserved")
  })

  it("are checked under locks on the domains, in a fixed order and once per domain", () => {
    expect(reserving("http://b.test, http://a.test, https://a.test", true, []).locked).toEqual([["a.test", "b.test"]])
    expect(reserving("", false, []).locked).toEqual([])
  })
})
