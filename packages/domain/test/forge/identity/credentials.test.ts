import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted, Result, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { IpNetwork, NetAddress } from "effect/net"
import { OwnerName, ownerNameProblem } from "../../../src/forge/base/names/names.ts"
import { websiteProblem } from "../../../src/forge/base/names/websites.ts"
import { defaultSite, type SignInSettings } from "../../../src/forge/base/settings/SiteSettings.ts"
import { isTokenText } from "../../../src/forge/identity/credentials/AccessToken.ts"
import {
  addressOf,
  type Credential,
  credentialOf,
  type Presented,
  usesQueryToken
} from "../../../src/forge/identity/credentials/Credential.ts"
import { NewPassword, passwordProblem } from "../../../src/forge/identity/credentials/passwords.ts"
import { isRecoveryCode, recoveryCodeCount } from "../../../src/forge/identity/credentials/recovery.ts"
import { EmailAddress, emailProblem } from "../../../src/forge/identity/users/User.ts"
import { PasswordHasher } from "../../../src/sign-in/PasswordHasher.ts"
import { CommonPasswords, hashNew } from "../../../src/sign-in/passwords.ts"
import {
  accountKey,
  addressKey,
  attemptDelay,
  failureExpiry,
  failuresLast,
  mostCountedFailures
} from "../../../src/sign-in/signInThrottle.ts"

const token = `slp_${"aB3".repeat(13)}Z`
const elsewhere = NetAddress.ipFromStringUnsafe("192.0.2.1")
const proxy = NetAddress.ipFromStringUnsafe("10.0.0.1")
const settings: SignInSettings = {
  queryTokens: true,
  proxyUser: true,
  trustedProxies: [IpNetwork.fromStringUnsafe("10.0.0.0/8"), IpNetwork.fromStringUnsafe("fd00::/8")]
}

const read = (presented: Partial<Presented>, over: Partial<SignInSettings> = {}) =>
  credentialOf({ address: elsewhere, ...presented }, { ...settings, ...over })
const basic = (text: string | Uint8Array) => ({ authorization: `Basic ${Base64.encode(text)}` })
const told = (credential: Credential) =>
  credential._tag === "Token" ? `token ${Redacted.value(credential.token)}` : credential._tag

describe("I2: a token is the same credential wherever it is sent", () => {
  const places: Readonly<Record<string, Partial<Presented>>> = {
    token: { authorization: `token ${token}` },
    Token: { authorization: `Token  ${token} ` },
    bearer: { authorization: `bearer ${token}` },
    Bearer: { authorization: `Bearer\t${token}` },
    "basic name": basic(`${token}:`),
    "basic name with a word": basic(`${token}:x-oauth-basic`),
    "basic password": basic(`bob:${token}`),
    "basic password without a name": basic(`:${token}`),
    "query token": { token },
    "query access_token": { accessToken: token },
    "both queries": { token, accessToken: "other" }
  }
  for (const [place, presented] of Object.entries(places)) {
    it(place, () => {
      expect(told(read(presented))).toBe(`token ${token}`)
      expect(Object.keys(read(presented)).toSorted()).toEqual(["_tag", "token"])
    })
  }

  it("no password has the form of a token", () => {
    expect(isTokenText(token)).toBe(true)
    expect(passwordProblem(token)).toBe("must not have the form of an access token")
    for (const text of [`${token}x`, token.slice(1), token.toUpperCase(), ""]) expect(isTokenText(text)).toBe(false)
  })
})

describe("the credential of a request", () => {
  it("is read as a name and a password, and the password may contain colons and any text", () => {
    const credential = read({ ...basic("Bob:pa:ss wörd 😀"), oneTimeCode: "123456" })
    if (credential._tag !== "Password") throw new Error(credential._tag)
    expect([credential.name, Redacted.value(credential.password)]).toEqual(["Bob", "pa:ss wörd 😀"])
    expect(Redacted.value(credential.oneTimeCode ?? Redacted.make(""))).toBe("123456")
    expect(JSON.stringify(credential)).not.toContain("pa:ss")
  })

  it("is never treated as missing if it cannot be parsed", () => {
    const unreadable = [
      "",
      " ",
      "Basic",
      "Basic ",
      "Basic %%%",
      `Basic ${Base64.encode("no colon")}`,
      `Basic ${Base64.encode(new Uint8Array([0xff, 0xfe, 0x3a]))}`,
      `Basic ${Base64.encode("a:b")} more`,
      "Bearer",
      "Bearer not-a-token",
      `Bearer ${token} ${token}`,
      "Signature keyId=x",
      `token ${"a".repeat(100_000)}`
    ]
    for (const authorization of unreadable)
      expect([authorization, told(read({ authorization }))]).toEqual([authorization, "Unreadable"])
    expect(told(read({ token: "" }))).toBe("Unreadable")
    // A valid header above 4096 characters is unreadable.
    const padded = (length: number) => told(read({ authorization: `Bearer ${token}`.padEnd(length) }))
    expect([padded(4096), padded(4097)]).toEqual([`token ${token}`, "Unreadable"])
    expect(told(read({}))).toBe("Nothing")
  })

  it("is a signature, unless another credential is sent", () => {
    const signed = { method: "GET", url: "https://forge.example/", headers: {} }
    expect(read({ signed })).toEqual({ _tag: "Signature", request: signed, again: false })
    expect(told(read({ signed, authorization: "Signature keyId=x" }))).toBe("Signature")
    expect(told(read({ signed, authorization: `Bearer ${token}` }))).toBe(`token ${token}`)
  })

  it("in the query is ignored if the site disables query tokens, and always causes a warning", () => {
    expect(told(read({ token }, { queryTokens: false }))).toBe("Nothing")
    expect(usesQueryToken({ address: elsewhere, token: "x" })).toBe(true)
    expect(usesQueryToken({ address: elsewhere, accessToken: "" })).toBe(true)
    expect(usesQueryToken({ address: elsewhere, authorization: `token ${token}` })).toBe(false)
  })
})

describe("I17: a proxy is trusted only when it is configured", () => {
  const says = (address: NetAddress.IpAddress, over: Partial<SignInSettings> = {}) =>
    told(read({ address, proxyUser: "bob" }, over))

  it("by its configured addresses only, also in IPv6-mapped form", () => {
    expect(says(proxy)).toBe("ProxyUser")
    expect(says(NetAddress.ipFromStringUnsafe("::ffff:10.0.0.1"))).toBe("ProxyUser")
    expect(says(NetAddress.ipFromStringUnsafe("fd00::1"))).toBe("ProxyUser")
    expect(says(elsewhere)).toBe("Nothing")
    expect(says(NetAddress.ipFromStringUnsafe("::1"))).toBe("Nothing")
  })

  it("no proxy is trusted by default, without addresses, or with proxy sign-in disabled", () => {
    expect(says(proxy, { proxyUser: false })).toBe("Nothing")
    for (const address of ["127.0.0.1", "::1", "10.0.0.1"]) {
      const presented = { address: NetAddress.ipFromStringUnsafe(address), proxyUser: "bob" }
      expect(told(credentialOf(presented, defaultSite.signIn))).toBe("Nothing")
    }
    expect(told(read({ address: proxy, proxyUser: "bob" }, { trustedProxies: [] }))).toBe("Nothing")
  })

  it("the client address is the last address that is not a proxy", () => {
    const from = (address: string, forwardedFor?: string) =>
      NetAddress.formatIp(addressOf({ address: NetAddress.ipFromStringUnsafe(address), forwardedFor }, settings))
    expect(from("192.0.2.1", "198.51.100.1")).toBe("192.0.2.1")
    expect(from("10.0.0.1", "198.51.100.1")).toBe("198.51.100.1")
    expect(from("10.0.0.1", "203.0.113.9, 198.51.100.1 , 10.2.3.4")).toBe("198.51.100.1")
    expect(from("10.0.0.1")).toBe("10.0.0.1")
    expect(from("10.0.0.1", "10.0.0.2, 10.0.0.3")).toBe("10.0.0.2")
    expect(from("10.0.0.1", "198.51.100.1, nonsense, 10.0.0.3")).toBe("10.0.0.3")
    expect(from("10.0.0.1", Array.from({ length: 100_000 }, () => "10.0.0.9").join())).toBe("10.0.0.9")
    const chain = (length: number) => ["198.51.100.1", ...Array.from({ length }, () => "10.0.0.9")].join()
    expect([from("10.0.0.1", chain(31)), from("10.0.0.1", chain(32))]).toEqual(["198.51.100.1", "10.0.0.9"])
  })
})

describe("failed sign-ins", () => {
  const lastAt = "2026-01-01T00:00:00.000Z"
  const wait = (key: string, count: number, after: number) =>
    attemptDelay([{ key, count, lastAt }], new Date(Date.parse(lastAt) + after * 1_000).toISOString())

  it("cause no delay at first, and later double the delay up to a limit", () => {
    expect([0, 9, 10, 11, 12, 15, 16, 40, 1_000_000].map((count) => wait("account:bob", count, 0))).toEqual([
      0, 0, 1, 2, 4, 20, 20, 20, 20
    ])
    expect([29, 30, 31, 39, 40, 1_000].map((count) => wait("address:192.0.2.1", count, 0))).toEqual([
      0, 1, 2, 512, 900, 900
    ])
  })

  it("are counted by the connection's address on a new site, because the site trusts no proxy", () => {
    const loopback = { address: NetAddress.ipFromStringUnsafe("127.0.0.1"), forwardedFor: "192.0.2.1" }
    expect(NetAddress.formatIp(addressOf(loopback, defaultSite.signIn))).toBe("127.0.0.1")
  })

  it("delay the next sign-in by the longest remaining wait, and expire", () => {
    expect([0, 0.5, 1, 4, 100].map((after) => wait("account:bob", 12, after))).toEqual([4, 4, 3, 0, 0])
    const both = [
      { key: "account:bob", count: 11, lastAt },
      { key: "address:192.0.2.1", count: 34, lastAt }
    ]
    expect(attemptDelay(both, lastAt)).toBe(16)
    expect(attemptDelay([], lastAt)).toBe(0)
  })

  it("are forgotten after their wait, and counted up to a limit", () => {
    expect([failureExpiry("account:bob"), failureExpiry("address:192.0.2.1")]).toEqual([20, 900])
    expect([failuresLast, mostCountedFailures]).toEqual([3600, 100_000])
    expect(wait("address:192.0.2.1", 1_000_000, 0)).toBe(900)
  })

  it("are counted per account ignoring case, and per network of the client address", () => {
    expect(accountKey("BOB")).toBe(accountKey("bob"))
    expect(accountKey("x".repeat(100_000))).toBe(`account:${"x".repeat(64)}`)
    for (const name of ["\0", "\ud800", "a\0b"]) expect(accountKey(name)).toBe("account:")
    const key = (text: string) => addressKey(NetAddress.ipFromStringUnsafe(text))
    expect(key("2001:db8:0:1::1")).toBe(key("2001:db8:0:1:ffff::2"))
    expect(key("2001:db8:0:1::1")).not.toBe(key("2001:db8:0:2::1"))
    expect(key("192.0.2.1")).toBe("address:192.0.2.1")
    expect(key("2001:db8:0:1a::1")).toBe("address:2001:db8:0:1a")
  })
})

describe("names", () => {
  it("have letters and digits with single separators between them, and are not reserved", () => {
    for (const name of ["a", "Bob", "b-o_b.99", "0", "a".repeat(40)]) expect(ownerNameProblem(name)).toBe(undefined)
    const wrong: Readonly<Record<string, string>> = {
      "": "must not be empty",
      [`${"a".repeat(41)}`]: "must have at most 40 characters",
      "-a": "must begin and end with a letter or a digit",
      "a.": "must begin and end with a letter or a digit",
      "a--b": "must not have two separators in a row",
      "a._b": "must not have two separators in a row",
      "a b": "may only contain letters, digits, `-`, `_` and `.`",
      é: "may only contain letters, digits, `-`, `_` and `.`",
      "a/b": "may only contain letters, digits, `-`, `_` and `.`",
      "a\0": "may only contain letters, digits, `-`, `_` and `.`",
      Admin: "is reserved",
      // Paths that the service itself uses.
      healthz: "is reserved",
      Readyz: "is reserved",
      docs: "is reserved",
      api: "is reserved",
      "bob.keys": "is reserved",
      "bob.RSS": "is reserved"
    }
    for (const [name, problem] of Object.entries(wrong)) expect([name, ownerNameProblem(name)]).toEqual([name, problem])
  })

  it("are rejected by the schemas with the messages of the name rules", () => {
    const words = (schema: Schema.ConstraintDecoder<unknown>, input: unknown) => {
      const result = Schema.decodeUnknownResult(schema)(input)
      return Result.isFailure(result) ? result.failure.message : undefined
    }
    expect(words(OwnerName, "bob")).toBe(undefined)
    expect(words(OwnerName, "a--b")).toContain("must not have two separators in a row")
    expect(words(EmailAddress, "bob")).toContain("must be an email address")
    expect(words(NewPassword, "short")).toContain("must have at least 8 characters")
  })
})

describe("websites", () => {
  it("must use http or https, or be empty", () => {
    for (const text of [
      "",
      "https://example.com",
      "http://a.example/b?c#d",
      "HTTPS://EXAMPLE.com",
      "http://[::1]:3000/"
    ]) {
      expect([text, websiteProblem(text)]).toEqual([text, undefined])
    }
    for (const text of [
      "javascript:alert(1)",
      "JavaScript://%0aalert(1)",
      "data:text/html,x",
      "example.com",
      "//example.com",
      " https://example.com",
      "https://",
      "https://a b",
      "https:\\\\a"
    ]) {
      expect([text, websiteProblem(text)]).toEqual([text, "must be an address that begins with http:// or https://"])
    }
  })
})

describe("the rules for email addresses and passwords", () => {
  it("accept real email addresses, and reject invalid ones", () => {
    for (const text of ["a@b", "bob+tag@example.com", "b.o'b@mail.example.com", "ü@exämple.com"]) {
      expect(emailProblem(text)).toBe(undefined)
    }
    for (const text of [
      "",
      "bob",
      "@example.com",
      "bob@",
      "a b@example.com",
      "a@b@c",
      "<a@b>",
      "a,b@c",
      "a@b/c",
      "a@b\n",
      "x@host.",
      "x@.host",
      "x@ho..st",
      "x@-host",
      "x@ｅｘａｍｐｌｅ.com",
      "x@example。com"
    ]) {
      expect([text, emailProblem(text)]).toEqual([text, "must be an email address"])
    }
    expect(emailProblem(`${"a".repeat(250)}@b.cd`)).toBe("must have at most 254 characters")
  })

  it("require passwords of 8 to 256 characters, and allow every character of valid text", () => {
    for (const text of ["12345678", "😀".repeat(8), "a".repeat(256), "😀".repeat(256), " ".repeat(8)]) {
      expect(passwordProblem(text)).toBe(undefined)
    }
    expect(passwordProblem("1234567")).toBe("must have at least 8 characters")
    expect(passwordProblem("😀".repeat(7))).toBe("must have at least 8 characters")
    expect(passwordProblem("a".repeat(257))).toBe("must have at most 256 characters")
    for (const text of ["1234567\0", "1234567\ud800"]) expect(passwordProblem(text)).toBe("must be text")
  })

  it.effect("reject common passwords, and all other passwords are hashed", () =>
    Effect.gen(function* () {
      const hashed = (password: string) =>
        hashNew(password).pipe(
          Effect.catchTag("PasswordTooCommon", () => Effect.succeed("too common")),
          Effect.provideService(CommonPasswords, {
            has: (text) => Effect.succeed(Redacted.value(text) === "password1")
          }),
          Effect.provideService(PasswordHasher, { hash: () => Effect.succeed("hashed") } as never)
        )
      expect([yield* hashed("password1"), yield* hashed("correct horse")]).toEqual(["too common", "hashed"])
    })
  )

  it("distinguish recovery codes from the codes of an authenticator app", () => {
    expect(isRecoveryCode("abc123-abc123-abc123-abc123")).toBe(true)
    expect(recoveryCodeCount).toBe(10)
    expect(isRecoveryCode("ABC123abc123abc123abc123")).toBe(true)
    for (const text of ["123456", "", "abc123-abc123-abc123-abc12", "abc123-abc123-abc123-abc12é"]) {
      expect(isRecoveryCode(text)).toBe(false)
    }
  })
})
