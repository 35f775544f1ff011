import { Schema } from "effect"
import { done, endpoints, list, remove } from "../base/endpoints.ts"
import { text } from "../base/schemas.ts"

/** The endpoints of unadopted git repositories. */
export const unadoptedEndpoints = endpoints(
  "unadopted",
  "Git repositories on disk that belong to no repository of the site yet.",
  {
    "admin.unadopted.list": list(Schema.String, { query: { pattern: Schema.optionalKey(text(255)) } }),
    "admin.unadopted.adopt": done(),
    "admin.unadopted.delete": remove()
  }
)
