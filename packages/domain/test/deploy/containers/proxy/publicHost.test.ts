import { assert, describe, it } from "@effect/vitest"
import { isPublicHost } from "@slipway/domain/deploy/containers"

describe("a host for public certificates", () => {
  it("must be a public name", () => {
    for (const host of ["slipway.dev", "a.b.slipway.dev", "xn--bcher-kva.de", "abc.93-184-216-34.sslip.io"]) {
      assert.isTrue(isPublicHost(host), host)
    }
    for (const host of ["app.93.184.216.34.nip.io", "x.2606-2800-220-1--1.sslip.io", "app-93-184-216-34.nip.io"]) {
      assert.isTrue(isPublicHost(host), host)
    }
  })

  it("must not be an address, a local name or a name that encodes a private address", () => {
    const others = [
      "localhost app.localhost app.internal printer.local router.lan shop a.test a.example.com a_b.slipway.dev",
      "127.0.0.1 93.184.216.34 [::1] [2606:2800:220:1::1] 1.168.192.in-addr.arpa",
      "abc.127.0.0.1.sslip.io abc.10-1-2-3.sslip.io 172.31.0.1.nip.io 192.168.0.9.sslip.io 169.254.1.1.sslip.io",
      "100.64.0.1.sslip.io 0.0.0.0.sslip.io 224.0.0.1.sslip.io abc.0--1.sslip.io abc.fd00--1.sslip.io",
      "abc.fe80-0-0--1.sslip.io abc.2001-db8--1.sslip.io abc.300.1.1.1.sslip.io words.sslip.io"
    ]
    for (const host of others.join(" ").split(" ")) assert.isFalse(isPublicHost(host), host)
  })
})
