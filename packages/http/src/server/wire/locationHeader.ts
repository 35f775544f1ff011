import { HttpApiSchema } from "effect/http-api"

/** Returns a response with a body and the header `Location`. */
export const withLocation = <Body>(location: string, body: Body) =>
  HttpApiSchema.withHeaders({ body, headers: { location } })

/** Returns the response to a creation: the uuid of the new resource, and its `Location` below `path`. */
export const createdIn = (path: string, { uuid }: { readonly uuid: string }) =>
  withLocation(`${path}/${uuid}`, { uuid: String(uuid) })
