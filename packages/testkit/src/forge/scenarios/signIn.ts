import { assert } from "@effect/vitest"
import { EmailAddress, isTokenText, SignInStore, UserStore } from "@slipway/domain/forge/identity"
import { Emails } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { Verified } from "../../sign-in/passwords.ts"
import { newUser } from "../builders.ts"
import { at } from "../testEnv.ts"
import {
  actor,
  answer,
  basic,
  bearer,
  enter,
  equal,
  ip,
  may,
  mayOn,
  password,
  present,
  type Scenario,
  type Sent,
  times,
  tokenOf,
  user,
  whoAmI
} from "./support.ts"

const invalid = "InvalidCredentials credentials"
const notThePassword = "wrong horse battery"
const places = (token: string): Readonly<Record<string, Sent>> => ({
  "header token": { authorization: `token ${token}` },
  "header bearer": { authorization: `Bearer ${token}` },
  "basic user name": basic(token, ""),
  "basic user name with a placeholder password": basic(token, "x-oauth-basic"),
  "basic password": basic("bob", token),
  "basic password with another user's name": basic("nobody", token),
  "query token": { token },
  "query access_token": { accessToken: token }
})

const withPassword = Effect.gen(function* () {
  yield* user("Bob")
  yield* user("silent", { password: undefined as never })
  for (const name of ["Bob", "bob", "bob@example.com", "BOB@example.com"]) equal(yield* whoAmI(basic(name)), "Bob")
  for (const [name, secret] of [
    ["bob", notThePassword],
    ["bob", ""],
    ["bob", `${password} `],
    ["bob", "x".repeat(100_000)],
    ["", password],
    ["nobody", password],
    ["silent", ""],
    ["silent", password],
    ["nobody@example.com", password]
  ] as const) {
    equal(yield* whoAmI(basic(name, secret)), invalid)
  }
  for (const authorization of ["Basic", "Basic !!!", "Basic Ym9i", "Digest x", "", "Basic a b", "Bearer bob"]) {
    equal(yield* whoAmI({ authorization }), invalid)
  }
  equal(yield* whoAmI({}), "anonymous")
})

const constantWork = Effect.gen(function* () {
  yield* user("bob")
  const verified = yield* Verified
  verified.length = 0
  yield* whoAmI(basic("bob", notThePassword))
  yield* whoAmI(basic("nobody", notThePassword))
  yield* whoAmI(basic("bob", "x".repeat(2_000)))
  equal(
    verified.map((hash) => typeof hash),
    ["string", "object", "object"]
  )
})

const anyPlace = Effect.gen(function* () {
  yield* user("bob")
  yield* user("boss", { admin: true })
  for (const name of ["bob", "boss"]) {
    const token = yield* at(0)(tokenOf(name))
    assert.isTrue(isTokenText(token))
    const expected = yield* at(1)(actor(bearer(token)))
    equal(expected.user?.name, name)
    for (const [place, sent] of Object.entries(places(token))) {
      const sentThere = yield* at(2)(actor(sent))
      equal([place, { ...sentThere, token: undefined }], [place, { ...expected, token: undefined }])
      equal(sentThere.facts.withPassword, false)
      equal([place, yield* at(2)(answer(mayOn("user.token.create", name, sent)))], [place, "401 auth required"])
    }
  }
  for (const sent of Object.values(places(`slp_${"a".repeat(40)}`))) equal(yield* whoAmI(sent), invalid)
})

const tokens = Effect.gen(function* () {
  yield* user("bob")
  const lasting = yield* at(0)(tokenOf("bob", ["read:user"]))
  const expiring = yield* at(0)(tokenOf("bob", ["read:user"], { expiresAt: "2026-01-01T00:01:00.000Z" }))
  equal(yield* at(59)(whoAmI(bearer(expiring))), "bob")
  equal(yield* at(60)(whoAmI(bearer(expiring))), invalid)
  equal(yield* at(60_000_000)(whoAmI(bearer(lasting))), "bob")
  const used = (seconds: number) => Effect.map(at(seconds)(actor(bearer(lasting))), (each) => each.token?.lastUsedAt)
  equal(yield* used(60_000_030), "2027-11-26T10:40:00.000Z")
  equal(yield* used(60_000_090), "2027-11-26T10:40:00.000Z")
  equal(yield* used(60_000_100), "2027-11-26T10:41:30.000Z")
})

const states = Effect.gen(function* () {
  const cases = [
    [{ active: false }, "403 This account is prohibited from signing in, please contact your site administrator."],
    [{ prohibited: true }, "403 This account is prohibited from signing in, please contact your site administrator."],
    [{ mustChangePassword: true }, "403 You must change your password."],
    [{ active: false, awaitsApproval: true }, "403 This account waits for an administrator to activate it."],
    [{ restricted: true }, undefined],
    [{ visibility: "private" }, undefined]
  ] as const
  for (const [n, [facts, refusal]] of cases.entries()) {
    yield* user(`user-${n}`, facts)
    const token = yield* tokenOf(`user-${n}`)
    for (const sent of [basic(`user-${n}`), bearer(token)]) equal(yield* whoAmI(sent), refusal ?? `user-${n}`)
    equal(yield* whoAmI(basic(`user-${n}`, notThePassword)), invalid)
  }
})

const neverEnables = Effect.gen(function* () {
  yield* user("bob")
  const token = yield* tokenOf("bob")
  const store = yield* UserStore
  for (const facts of [{ active: false }, { prohibited: true }, { mustChangePassword: true }]) {
    const before = yield* present("bob")
    assert.isDefined(before)
    yield* store.replace({ ...before, ...facts })
    yield* whoAmI(basic("bob"))
    yield* whoAmI(bearer(token))
    yield* whoAmI(basic("bob", notThePassword))
    const after = yield* present("bob")
    equal({ ...after, lastSignInAt: null }, { ...before, ...facts, lastSignInAt: null })
    yield* store.replace(before)
  }
})

const revoked = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob")
  const token = yield* tokenOf("bob")
  const second = yield* tokenOf("bob", ["read:user"])
  equal(yield* whoAmI(bearer(token)), "bob")
  const store = yield* UserStore
  const bob = yield* present("bob")
  assert.isDefined(bob)
  yield* store.setPassword(bob.id, null)
  equal(yield* whoAmI(basic("bob")), invalid)
  yield* store.remove(bob.id)
  for (const each of [token, second]) equal(yield* whoAmI(bearer(each)), invalid)
  yield* user("bob")
  for (const each of [token, second]) equal(yield* whoAmI(bearer(each)), invalid)
})

const sudo = Effect.gen(function* () {
  yield* user("boss", { admin: true })
  yield* user("bob", { restricted: true })
  yield* user("stopped", { prohibited: true })
  const only = "403 Only administrators allowed to sudo."
  const as = (sent: Sent, name: string) => whoAmI({ ...sent, sudo: name })
  equal(yield* as(basic("boss"), "BOB"), "bob")
  equal(yield* as(basic("boss"), "stopped"), "stopped")
  equal(yield* as(basic("boss"), "nobody"), "SudoUserNotFound nobody")
  equal(yield* as(basic("bob"), "boss"), only)
  equal(yield* as(basic("bob"), "bob"), only)
  equal(yield* as({}, "bob"), only)
  equal(yield* as(basic("boss", notThePassword), "bob"), invalid)
  const powers = [
    [["all"], "bob"],
    [["write:admin"], "bob"],
    [["read:admin", "write:user"], only],
    [["all", "public-only"], only]
  ] as const
  for (const [words, expected] of powers) {
    const token = yield* tokenOf("boss", words)
    equal(yield* as(bearer(token), "bob"), expected)
  }
  const acting = yield* actor({ ...basic("boss"), sudo: "bob" })
  equal(
    [acting.user?.name, acting.signedInAs?.name, acting.facts.siteAdmin, acting.facts.restricted],
    ["bob", "boss", false, true]
  )
  equal(yield* answer(may("admin.user.list", { ...basic("boss"), sudo: "bob" })), "403 user should be the site admin")
})

const accountSlowed = Effect.gen(function* () {
  yield* user("bob")
  yield* user("cy")
  const from = (address: string, sent: Sent) => whoAmI({ ...sent, address: ip(address) })
  const wrong = basic("bob", notThePassword)
  for (let n = 0; n < 10; n++) equal(yield* at(n)(from(`192.0.2.${n}`, wrong)), invalid)
  // The limit applies to any address, and to the right password too: otherwise guessing could continue.
  equal(yield* at(9)(from("198.51.100.1", basic("bob"))), "SignInSlowed 1")
  equal(yield* at(9)(from("198.51.100.1", basic("cy"))), "cy")
  equal(yield* at(10)(from("198.51.100.1", basic("bob"))), "bob")
  // After a successful sign-in, the count starts again.
  equal(yield* at(10)(from("198.51.100.1", wrong)), invalid)
  equal(yield* at(10)(from("198.51.100.1", basic("bob"))), "bob")
})

const unknownSlowed = Effect.gen(function* () {
  const answers = yield* times(12, 0, whoAmI(basic("nobody", notThePassword)))
  equal(
    answers.slice(0, 11),
    Array.from({ length: 11 }, () => invalid)
  )
  equal(answers[11], "SignInSlowed 1")
})

const addressSlowed = Effect.gen(function* () {
  yield* user("bob")
  const from = (address: string, sent: Sent) => whoAmI({ ...sent, address: ip(address) })
  for (let n = 0; n < 30; n++) {
    equal(yield* at(n)(from(`2001:db8:0:1::${n}`, basic(`guess-${n}`, notThePassword))), invalid)
  }
  equal(yield* at(29)(from("2001:db8:0:1::ffff", basic("bob"))), "SignInSlowed 1")
  equal(yield* at(29)(from("2001:db8:0:2::1", basic("bob"))), "bob")
  equal(yield* at(30)(from("2001:db8:0:1::1", basic("bob"))), "bob")
  // A known password doesn't help an address to guess others.
  equal(yield* at(30)(from("2001:db8:0:1::1", basic("guess-1", notThePassword))), invalid)
  equal(yield* at(31)(from("2001:db8:0:1::1", basic("guess-2", notThePassword))), "SignInSlowed 1")
  // Tokens can't be guessed, so they have no rate limit.
  const token = yield* tokenOf("bob")
  equal(yield* at(31)(from("2001:db8:0:1::1", bearer(token))), "bob")
})

const concurrentGuesses = Effect.gen(function* () {
  yield* user("bob")
  const guesses = Array.from({ length: 60 }, () => whoAmI(basic("bob", notThePassword)))
  const answers = yield* at(0)(Effect.all(guesses, { concurrency: "unbounded" }))
  assert.isAtMost(answers.filter((each) => each === invalid).length, 12)
  const [failures] = yield* (yield* SignInStore).failures(["account:bob"])
  assert.isAtMost(failures?.count ?? 0, 12)
})

const lockedByNobody = Effect.gen(function* () {
  yield* user("bob")
  const from = (address: string, sent: Sent) => whoAmI({ ...sent, address: ip(address) })
  const wrong = basic("bob", notThePassword)
  // The maximum number of counted failures, then one attempt per minute, each from another address.
  for (let n = 0; n < 15; n++) yield* at(n * 20)(from(`203.0.113.${n}`, wrong))
  for (let n = 0; n < 60; n++) equal(yield* at(400 + n * 60)(from(`192.0.2.${n}`, wrong)), invalid)
  equal(yield* at(400 + 59 * 60 + 1)(from("198.51.100.1", basic("bob"))), "bob")
})

const slowedTogether = Effect.gen(function* () {
  yield* user("bob")
  const from = (n: number, sent: Sent) => at(n)(whoAmI({ ...sent, address: ip(`192.0.2.${n}`) }))
  for (let n = 0; n < 10; n++) {
    equal(yield* from(n, basic(n % 2 === 0 ? "bob" : "Bob@example.com", notThePassword)), invalid)
  }
  for (const name of ["bob", "bob@example.com"]) equal(yield* from(9, basic(name)), "SignInSlowed 1")
  equal(yield* from(10, basic("bob@example.com")), "bob")
  equal(yield* from(10, basic("bob", notThePassword)), invalid)
})

/** Tests of sign-in on a site with default settings. */
export const signIn: Scenario = {
  port: "sign-in",
  musts: {
    "accepts a name or an email address with the password, and rejects wrong ones": withPassword,
    "takes the same time for an unknown name as for an existing one": constantWork,
    "I2: authenticates a token in the same way in every header and parameter": anyPlace,
    "accepts a token until it expires, and records its use periodically": tokens,
    "rejects disabled accounts for every credential, in the order of their states": states,
    "I16: never changes an account state that an administrator set": neverEnables,
    "I7: rejects credentials of removed users, and revoked credentials": revoked,
    "allows only site administrators to impersonate users": sudo,
    "limits the rate for an account with failed sign-ins": accountSlowed,
    "locks no user out by one wrong attempt per minute": lockedByNobody,
    "limits the rate for the name and the addresses of an account together": slowedTogether,
    "limits the rate for an unknown name like for an existing one": unknownSlowed,
    "limits the rate for an IP address with failed sign-ins": addressSlowed,
    "limits the rate for concurrent guesses": concurrentGuesses,
    "records the last sign-in of a user at most once per minute": Effect.gen(function* () {
      yield* user("bob")
      const seen = (seconds: number) =>
        Effect.andThen(
          at(seconds)(whoAmI(basic("bob"))),
          Effect.map(present("bob"), (each) => each?.lastSignInAt)
        )
      equal(yield* seen(0), "2026-01-01T00:00:00.000Z")
      equal(yield* seen(59), "2026-01-01T00:00:00.000Z")
      equal(yield* seen(60), "2026-01-01T00:01:00.000Z")
    }),
    "checks only one credential of a request": Effect.gen(function* () {
      yield* user("bob")
      yield* user("cy")
      const token = yield* tokenOf("cy")
      equal(yield* whoAmI({ ...basic("bob"), token }), "bob")
      equal(yield* whoAmI({ ...basic("bob", notThePassword), token }), invalid)
      equal(yield* whoAmI({ token, accessToken: "anything" }), "cy")
    }),
    "I15: keeps secrets out of every response": Effect.gen(function* () {
      yield* user("bob")
      const token = yield* tokenOf("bob")
      for (const sent of [basic("bob"), bearer(token)]) {
        const response = JSON.stringify(yield* enter(sent))
        for (const secret of [password, token, "test$"]) assert.notInclude(response, secret)
      }
      equal(String(Redacted.make(token)), "<redacted>")
    })
  }
}

/** Tests of sign-in on a site that denies anonymous access, unconfirmed email addresses, and tokens in the query. */
export const signInOnClosedSite: Scenario = {
  port: "sign-in on a closed site",
  musts: {
    "rejects anonymous callers": Effect.gen(function* () {
      yield* user("bob")
      equal(yield* whoAmI({}), "403 Only signed in user is allowed to call APIs.")
      equal(yield* whoAmI(basic("bob")), "bob")
      equal(yield* whoAmI(basic("bob", notThePassword)), invalid)
    }),
    "asks inactive users to confirm their address": Effect.gen(function* () {
      yield* user("bob", { active: false, prohibited: true })
      equal(yield* whoAmI(basic("bob")), "403 This account is not activated.")
    }),
    "accepts an email address as a name only after its confirmation": Effect.gen(function* () {
      yield* user("bob")
      const [, added] = yield* Effect.flatMap(may("account.email.add", basic("bob")), (proof) =>
        Emails.add(proof, [EmailAddress.make("other@example.com")])
      )
      equal(added?.verified, false)
      equal(yield* whoAmI(basic("other@example.com")), invalid)
      equal(yield* whoAmI(basic("bob@example.com")), "bob")
    }),
    "ignores tokens in the query": Effect.gen(function* () {
      yield* user("bob")
      const token = yield* tokenOf("bob")
      equal(yield* whoAmI({ token }), "403 Only signed in user is allowed to call APIs.")
      equal(yield* whoAmI(bearer(token)), "bob")
    })
  }
}

const proxied = (address: string, name: string, facts: Sent = {}): Sent => ({
  address: ip(address),
  proxyUser: name,
  ...facts
})

/** Tests of sign-in through a reverse proxy, on a site that trusts the proxies at 10.0.0.0/8. */
export const signInByProxy: Scenario = {
  port: "sign-in through a reverse proxy",
  musts: {
    "I17: trusts only proxies at trusted addresses": Effect.gen(function* () {
      yield* user("bob")
      equal(yield* whoAmI(proxied("10.1.2.3", "BOB")), "bob")
      equal(yield* whoAmI(proxied("::ffff:10.1.2.3", "bob")), "bob")
      for (const address of ["192.0.2.1", "11.0.0.1", "::1", "127.0.0.1", "::ffff:192.0.2.1"]) {
        equal(yield* whoAmI(proxied(address, "bob")), "anonymous")
      }
      equal(yield* whoAmI(proxied("192.0.2.1", "bob", { forwardedFor: "10.1.2.3" })), "anonymous")
    }),
    "I17: takes only the user name from the proxy, never the account state": Effect.gen(function* () {
      yield* user("stopped", { prohibited: true })
      yield* user("bob")
      const { facts } = yield* actor(proxied("10.1.2.3", "bob"))
      equal([facts.withPassword, facts.siteAdmin], [true, false])
      equal(
        yield* whoAmI(proxied("10.1.2.3", "stopped")),
        "403 This account is prohibited from signing in, please contact your site administrator."
      )
      yield* (yield* UserStore).insert(newUser(1, { name: "jobs", system: true }))
      for (const as of ["nobody", "bob@example.com", "jobs"]) equal(yield* whoAmI(proxied("10.1.2.3", as)), invalid)
    }),
    "prefers credentials of the request to the user name from the proxy": Effect.gen(function* () {
      yield* user("bob")
      yield* user("cy")
      equal(yield* whoAmI(proxied("10.1.2.3", "bob", basic("cy"))), "cy")
      equal(yield* whoAmI(proxied("10.1.2.3", "bob", basic("cy", notThePassword))), invalid)
    }),
    "limits the rate for the client address behind the proxy": Effect.gen(function* () {
      yield* user("bob")
      const behind = (forwardedFor: string, sent: Sent) => whoAmI({ ...sent, address: ip("10.1.2.3"), forwardedFor })
      for (let n = 0; n < 31; n++) {
        yield* at(n)(behind(`203.0.113.${n}, 192.0.2.9, 10.9.9.9`, basic(`guess-${n}`, notThePassword)))
      }
      equal(yield* at(30)(behind("192.0.2.9", basic("bob"))), "SignInSlowed 2")
      equal(yield* at(30)(behind("192.0.2.10", basic("bob"))), "bob")
    })
  }
}

/** Tests of sign-in with proxy headers on a site with default settings, which trusts no proxy. */
export const signInWithoutProxy: Scenario = {
  port: "sign-in without a trusted proxy",
  musts: {
    "I17: ignores the user name from a proxy": Effect.gen(function* () {
      yield* user("bob")
      for (const address of ["127.0.0.1", "::1", "10.1.2.3"]) equal(yield* whoAmI(proxied(address, "bob")), "anonymous")
    })
  }
}
