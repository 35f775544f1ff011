import { Facts } from "@slipway/access"
import { PolicySet } from "@slipway/domain/forge/access"

const printers = new Map([
  ["tray-1", { reserved: true }],
  ["tray-2", { reserved: false }]
])

export const policy = PolicySet.builtIn
  .withKind("printer", { reserved: Facts.flag("the printer is reserved", "the printer is free") }, (name) =>
    printers.get(name)
  )
  .withAction("printer.use", {
    on: "printer",
    summary: "Print a page",
    access: "write",
    scope: ["misc"],
    guards: ["sign-in"],
    grants: [
      { id: "printer.free", when: ({ flag, not }) => not(flag("reserved")), because: "a free printer is for all" },
      { id: "printer.administrator", when: ({ flag }) => flag("siteAdmin"), because: "administrators pass" }
    ]
  })
