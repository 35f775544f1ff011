import type { OutlinedService } from "@slipway/domain/deploy/apps"
import type { Read } from "./texts.ts"

// More services than a project may have, so that its other checks report the number (invariant I25).
const most = 100

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** Returns the services of a parsed compose file, or the reason why the content is not a compose file. */
export const outlineOf = (documents: Read<ReadonlyArray<unknown>>): Read<ReadonlyArray<OutlinedService>> => {
  if ("because" in documents) return documents
  const [document, ...others] = documents.said
  if (others.length > 0) return { because: "it has several documents" }
  const services = document instanceof Map ? document.get("services") : undefined
  if (!(services instanceof Map)) return { because: "it has no map `services`" }
  if (services.size === 0) return { because: "it has no service" }
  if (services.size > most) return { because: `it has more than ${most} services` }
  const outline: Array<OutlinedService> = []
  for (const [name, service] of services) {
    if (typeof name !== "string" || !nameForm.test(name)) {
      return {
        because:
          "names of services must begin with a letter or a digit and may only contain letters, digits, `.`, `_` and `-`, at most 63 characters"
      }
    }
    if (!(service instanceof Map)) return { because: `the service \`${name}\` is not a map` }
    const image: unknown = service.get("image")
    outline.push({ name, image: typeof image === "string" ? image.slice(0, 512) : null })
  }
  return { said: outline }
}
