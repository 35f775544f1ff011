import { Authenticator } from "@slipway/forge/entry"
import { Context, Effect, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

/** The facts about a request that the host program knows. */
export interface From {
  /** The remote address of the connection. */
  readonly address?: string | undefined
  /** The name of the user signed in by the host program; if left out, the request's own credentials decide. */
  readonly user?: string | undefined
}

/** Answers a request; both are web-standard objects. */
export type Handler = (request: Request, from?: From) => Promise<Response>

const RemoteAddress = Context.Reference<string | undefined>("@slipway/embed/RemoteAddress", {
  defaultValue: () => undefined
})

/** Provides requests with the address from the host program. */
export const withAddress = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(RemoteAddress, (address) =>
    Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
      request.modify({ remoteAddress: Option.fromUndefinedOr(address) })
    )
  )

/** Returns the context of a request: the address and the user, if the host program knows them. */
export const contextOf = ({ address, user }: From) => {
  const context = Context.make(RemoteAddress, address)
  return user === undefined ? context : Context.add(context, Authenticator, { callerOf: () => Effect.succeed(user) })
}
