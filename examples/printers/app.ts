import { createForge } from "@slipway/embed"
import { policy } from "./rules.ts"

/** Creates a forge with a route that prints pages for users who may use the printer. */
export const makeForge = () =>
  createForge({
    site: { policy },
    routes: [
      {
        method: "POST",
        path: "/printers/:name/pages",
        action: "printer.use",
        answer: async (request, { name, user }) =>
          Response.json({ printer: name, user, printed: await request.text() }, { status: 202 })
      }
    ]
  })
