import { createForge } from "@slipway/embed"
import { fastify } from "fastify"

/** Mounts a forge in a Fastify application, next to another route. */
export const makeApp = async () => {
  const forge = await createForge({ url: "http://localhost:3000" })
  const listener = forge.listener()
  const app = fastify()
  app.get("/health", () => ({ ok: true }))
  // The forge reads bodies itself, as streams with its own limits.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _payload, done) => done(null))
  app.all("/*", (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  })
  app.addHook("onClose", forge.dispose)
  return { app, forge }
}

if (import.meta.main) await (await makeApp()).app.listen({ port: 3000 })
