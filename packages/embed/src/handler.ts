import { Authenticator } from "@slipway/forge/entry"
import { Context, Effect, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

/** The facts about a request that the host program knows, such as the client address. */
export interface From {
  /** The address of the client; undefined if unknown. */
  readonly address?: string | undefined
  /**
   * The name of the user that the host program has authenticated; if undefined, the forge checks the request's own
   * credentials.
   */
  readonly user?: string | undefined
}

/** Handles an HTTP request, with web-standard `Request` and `Response` objects. */
export type Handler = (request: Request, from?: From) => Promise<Response>

const RemoteAddress = Context.Reference<string | undefined>("@slipway/embed/RemoteAddress", {
  defaultValue: () => undefined
})

/** Sets the client address of requests to the address that the host program gave. */
export const withAddress = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(RemoteAddress, (address) =>
    Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
      request.modify({ remoteAddress: Option.fromUndefinedOr(address) })
    )
  )

/** Returns the Effect context of a request, with the address and the user that the host program gave, if any. */
export const contextOf = ({ address, user }: From) => {
  const context = Context.make(RemoteAddress, address)
  return user === undefined ? context : Context.add(context, Authenticator, { callerOf: () => Effect.succeed(user) })
}
