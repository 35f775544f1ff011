import { assert, describe, it } from "@effect/vitest"
import { type AddressScope, admit, isAddress, reachOf } from "@slipway/domain/deploy/infrastructure"
import { Result } from "effect"

const table: ReadonlyArray<readonly [AddressScope, string]> = [
  ["public", "93.184.216.34 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0"],
  ["public", "172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255"],
  ["public", "2606:2800:220:1::1 2a00:1450:4001:82a::200e 2001:4860:4860::8888 2001:200::1 3ffe:ffff::1"],
  ["public", "::ffff:93.184.216.34 ::ffff:5db8:d822 64:ff9b::5db8:d822 64:ff9b::93.184.216.34"],
  ["private", "10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 172.16.0.0"],
  ["private", "172.31.255.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255"],
  ["private", "::1 0:0:0:0:0:0:0:1 fc00:: fd00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff FD12::1"],
  ["private", "::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::10.0.0.1 64:ff9b::7f00:1"],
  ["never", "0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1"],
  ["never", "192.88.99.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255"],
  ["never", ":: ::2 ::7f00:1 ::10.0.0.1 fe80::1 febf::1 fec0::1 ff02::1 fd00:ec2::254 2001::1 2001:db8::1"],
  ["never", "2001:10::1 2002:7f00:1::1 3fff::1 64:ff9b:1::1 100::1 4000::1 5f00::1 ::ffff:169.254.169.254"],
  ["never", "64:ff9b::a9fe:a9fe ::ffff:0:127.0.0.1 fe80::1%eth0"],
  ["never", "localhost 256.1.1.1 1.1.1 1.1.1.1.1 0x7f.0.0.1 2130706433 127.1 1:2:3 1::2::3 :::1 1:2:3:4:5:6:7:8:9"],
  ["never", "012.0.0.1 0177.0.0.1 1.1.1.01 ::ffff:012.0.0.1"],
  ["never", "12345::1 g::1 1:2:3:4:5:6:7::8:9 ::1.2.3 ::300.1.1.1 [::1] 1.1.1.1: :"]
]

describe("an address", () => {
  it("is classified by the network range that contains it (invariants I14, I28)", () => {
    for (const [reach, addresses] of table) {
      for (const address of addresses.split(" ")) assert.strictEqual(reachOf(address), reach, address)
    }
  })

  it("is invalid with leading zeros, because 012.0.0.1 would connect to 10.0.0.1 (invariant I14)", () => {
    for (const text of ["012.0.0.1", "1.1.1.01", "00.0.0.0"]) assert.isFalse(isAddress(text), text)
  })

  it("is valid only as a complete IPv4 or IPv6 address", () => {
    for (const address of ["1.2.3.4", "::1", "::ffff:1.2.3.4", "fe80::1"]) assert.isTrue(isAddress(address), address)
    for (const text of ["a.b", "1.2.3", "[::1]", "", "1.2.3.4.5", "12:30"]) assert.isFalse(isAddress(text), text)
  })
})

describe("a host", () => {
  const reason = (host: string, addresses: ReadonlyArray<string>, allowPrivate = false) =>
    Result.match(admit(host, addresses, { allowPrivate }), {
      onFailure: ({ because }) => because,
      onSuccess: (admitted) => admitted.join(" ")
    })

  it("is refused when one of its addresses is refused (invariant I14)", () => {
    assert.strictEqual(reason("a.dev", ["93.184.216.34", "2606:2800::1"]), "93.184.216.34 2606:2800::1")
    assert.strictEqual(
      reason("a.dev", ["93.184.216.34", "10.0.0.1"]),
      "the address 10.0.0.1 of the host `a.dev` is private and this instance doesn't allow that"
    )
    assert.strictEqual(
      reason("10.0.0.1", ["10.0.0.1"]),
      "the host's address 10.0.0.1 is private and this instance doesn't allow that"
    )
    assert.strictEqual(reason("a.dev", []), "the host `a.dev` has no address")
  })

  it("is allowed in a private network if the operator allows this, but never at a metadata address", () => {
    assert.strictEqual(reason("a.dev", ["10.0.0.1", "::1"], true), "10.0.0.1 ::1")
    assert.strictEqual(
      reason("a.dev", ["10.0.0.1", "169.254.169.254"], true),
      "the address 169.254.169.254 of the host `a.dev` is not an allowed target"
    )
  })
})
