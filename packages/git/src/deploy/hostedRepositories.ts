import {
  ForgeAppTokens,
  GitHostFailed,
  type HostedBranch,
  HostedRepositories,
  HostedRepositoryNotFound,
  mostHosted
} from "@slipway/domain/deploy/apps"
import type { ForgeApp } from "@slipway/domain/deploy/infrastructure"
import { Egress } from "@slipway/egress"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { hostedRepositoryOf, RepositoryAnswer } from "./forgeAnswers.ts"

const readRepositories = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ repositories: Schema.Array(RepositoryAnswer) }))
)
const readBranches = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        commit: Schema.Struct({ sha: Schema.String }),
        protected: Schema.optionalKey(Schema.Boolean)
      })
    )
  )
)

const perPage = 100

/** Layer that lists the repositories an app installation can access, through the git host's API. */
export const layerHostedRepositories: Layer.Layer<HostedRepositories, never, Egress | ForgeAppTokens> = Layer.effect(
  HostedRepositories,
  Effect.gen(function* () {
    const egress = yield* Egress
    const tokens = yield* ForgeAppTokens

    const failing = (app: ForgeApp, because: string) =>
      new GitHostFailed({ because: `the host of the app \`${app.name}\` does not report it: ${because}` })

    /** Reads all pages of a list, up to the maximum length. */
    const pages = Effect.fnUntraced(function* <A>(
      app: ForgeApp,
      privateKey: Redacted.Redacted,
      path: string,
      read: (body: string) => Effect.Effect<ReadonlyArray<A>, unknown>
    ) {
      const token = yield* Effect.mapError(tokens.token(app, privateKey), ({ because }) => failing(app, because))
      const rows: Array<A> = []
      for (let page = 1; rows.length < mostHosted; page++) {
        const url = `${app.apiUrl.replace(/\/+$/, "")}${path}?per_page=${perPage}&page=${page}`
        const request = HttpClientRequest.get(url, {
          headers: {
            authorization: `Bearer ${Redacted.value(token)}`,
            accept: "application/vnd.github+json",
            "user-agent": "slipway"
          }
        })
        const { body, status } = yield* Effect.mapError(egress.ask(request), ({ because }) => failing(app, because))
        if (status === 404) return yield* new HostedRepositoryNotFound()
        if (status !== 200) return yield* failing(app, `it answers ${status}`)
        const found = yield* Effect.mapError(read(body), () => failing(app, "it answers something else"))
        rows.push(...found)
        if (found.length < perPage) break
      }
      return rows.slice(0, mostHosted)
    })

    return {
      list: (app, privateKey) =>
        pages(app, privateKey, "/installation/repositories", (body) =>
          Effect.map(readRepositories(body), ({ repositories }) => repositories.map(hostedRepositoryOf))
        ).pipe(Effect.catchTag("HostedRepositoryNotFound", () => Effect.fail(failing(app, "it answers 404")))),
      branches: (app, privateKey, { name, owner }) =>
        pages(
          app,
          privateKey,
          `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/branches`,
          (body): Effect.Effect<ReadonlyArray<HostedBranch>, unknown> =>
            Effect.map(readBranches(body), (branches) =>
              branches.map((branch) => ({
                name: branch.name,
                commit: branch.commit.sha,
                isProtected: branch.protected ?? false
              }))
            )
        )
    }
  })
)
