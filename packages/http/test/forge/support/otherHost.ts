import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitReader, GitWriter, type RefName, wikiOf } from "@slipway/domain/forge/code"
import { type ForgeRequest, GitRemotes, OtherForges, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Effect, Layer, Redacted, Stream } from "effect"
import { type Answer, type Service, start } from "./harness.ts"
import { makeRepository } from "./repositories.ts"

/** The protocol of the other host, and the record of requests: addresses and credentials. */
export type Host = (api: Service, request: ForgeRequest) => Effect.Effect<Answer>

/** A service with a simulated other host, which has the git of ann's repository `app` and its wiki. */
export const otherForgeHost = Effect.fnUntraced(function* (host: Host) {
  const [begun, asked]: [Array<Service>, Array<string>] = [[], []]
  const up = () => begun[0] as Service
  let source = 0 as RepositoryId
  const answered = Effect.fnUntraced(function* (request: ForgeRequest) {
    const { authorization, url } = request
    const { host: name, pathname } = new URL(url)
    asked.push(`${name}${pathname} ${authorization === undefined ? "" : Redacted.value(authorization)}`)
    const answer = yield* host(up(), request)
    return answer.status === 200 ? answer : yield* new RemoteFailed({ because: `it says ${answer.status}` })
  })
  const others = Layer.merge(
    Layer.succeed(GitRemotes, {
      fetch: (id, { url }) =>
        Effect.gen(function* () {
          const [reader, writer] = [yield* GitReader, yield* GitWriter]
          const from = url.endsWith(".wiki.git") ? wikiOf(source) : source
          const { rows } = yield* reader.refs(from, "refs/", { page: 1, perPage: 100 })
          const apart = rows.map(({ name }, at) => ({ from: name, to: `refs/slipway/${at}` as RefName }))
          yield* writer.fetchFrom(id, from, apart)
          return { refs: new Map(rows.map((ref) => [ref.name, ref.id] as const)), head: "main" }
        }).pipe(Effect.orDie, (fetching) => up().within(fetching)),
      push: () => new RemoteFailed({ because: "never" })
    }),
    Layer.succeed(OtherForges, {
      read: (request) => Effect.map(answered(request), ({ json }) => json as unknown),
      download: (request) =>
        Stream.fromEffect(Effect.map(answered(request), ({ text }) => new TextEncoder().encode(text)))
    })
  )
  const api = yield* start({ signer: others })
  begun.push(api)
  yield* api.user("ann")
  yield* api.user("bob")
  source = yield* makeRepository(api, "app")
  return { api, asked, id: source }
})
