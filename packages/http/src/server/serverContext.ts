import { Context, Effect } from "effect"

/** The Effect services that are the same for all requests of a server. */
export const ServerContext = Context.Reference<Context.Context<never> | undefined>("@slipway/http/ServerContext", {
  defaultValue: () => undefined
})

type Entries = ReadonlyArray<readonly [key: string, service: unknown]>

// BOUNDARY: the types of routes don't say which services exist.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Change = (services: Context.Context<any>) => Context.Context<any>

const unchanged: Change = (services) => services

/**
 * Returns a function that provides a request handler with Effect services; services of the request take precedence.
 *
 * `change` replaces services that depend on the request.
 *
 * Only services missing in `ServerContext` are added to the request's context: copying some hundred services would
 * take longer than authorizing the request.
 */
export const provideServices = <S>(services: Context.Context<S>, change = unchanged) => {
  const lacking = new WeakMap<Context.Context<never>, Entries>()
  const lackingOf = (server: Context.Context<never>): Entries => {
    const known = lacking.get(server) ?? [...services.mapUnsafe].filter(([key]) => !server.mapUnsafe.has(key))
    lacking.set(server, known)
    return known
  }
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, S>> =>
    Effect.updateContext(effect, (own: Context.Context<Exclude<R, S>>) => {
      const server = Context.get(own, ServerContext)
      const more = server === undefined ? undefined : lackingOf(server)
      let all: Context.Context<never> = own
      if (more === undefined || more.length > 4) all = Context.merge(services, own)
      else for (const [key, service] of more) all = Context.addUnsafe(all, key, service)
      return change(all as never) as Context.Context<R>
    })
}
