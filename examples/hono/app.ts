import { createForge } from "@slipway/embed"
import { Hono } from "hono"

/** Mounts a forge in a Hono application, on any runtime with Node's modules. */
export const makeApp = async () => {
  const forge = await createForge({ url: "http://localhost:3000" })
  const app = new Hono()
  app.get("/health", (context) => context.json({ ok: true }))
  app.all("*", ({ req }) => forge.handler(req.raw))
  return { app, forge }
}
