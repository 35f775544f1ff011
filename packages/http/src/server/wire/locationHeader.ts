import { HttpApiSchema } from "effect/http-api"

/** Answers with a body and the address of the created resource. */
export const withLocation = <Body>(location: string, body: Body) =>
  HttpApiSchema.withHeaders({ body, headers: { location } })

/** Answers a creation with the uuid of the new resource, and its address below `path`. */
export const createdIn = (path: string, { uuid }: { readonly uuid: string }) =>
  withLocation(`${path}/${uuid}`, { uuid: String(uuid) })
