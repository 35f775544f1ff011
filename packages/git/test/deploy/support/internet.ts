import { connect } from "node:net"
import { type Egress, layerEgress } from "@slipway/egress"
import type { Layer } from "effect"

/** Hostnames for tests. Their public addresses map to ports of this machine. */
export const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "forge.dev": ["93.184.216.34"],
  "other.dev": ["93.184.216.35"],
  "inward.dev": ["10.0.0.1"],
  "both.dev": ["93.184.216.34", "127.0.0.1"],
  "metadata.dev": ["169.254.169.254"]
}

/** Outbound requests into that network; `dialled` records the addresses of connections. */
export const layerInternet = (dialled: Array<string> = [], allowPrivate = false): Layer.Layer<Egress> =>
  layerEgress({
    allowPrivate,
    lookup: (name) => {
      const found = names[name]
      return found === undefined ? Promise.reject(new Error(`${name} is unknown`)) : Promise.resolve(found)
    },
    dial: (address, port) => {
      dialled.push(address)
      return connect(port, "127.0.0.1")
    }
  })
