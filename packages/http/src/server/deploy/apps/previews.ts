import { Previews } from "@slipway/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { PreviewsApi } from "../../../api/deploy/apps/previews.ts"
import { withLocation } from "../../wire/locationHeader.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(PreviewsApi).prefix("/api/v1") {}

const show = ({
  application,
  applicationUuid,
  branch,
  createdAt,
  previewUuid,
  pullRequestId
}: Previews.ListedPreview) => {
  const { docker_compose_domains: composed, domains } = application.configuration
  const served = [domains, ...(composed ?? []).map(({ domain }) => domain)].filter((list) => list !== "")
  return {
    pull_request_id: pullRequestId,
    uuid: previewUuid as string,
    application_uuid: applicationUuid as string,
    branch,
    fqdn: served.length === 0 ? null : served.join(","),
    created_at: createdAt
  }
}

/** Parses a pull request number in a path; returns 0, which no pull request has, for any other text. */
const numberOf = (text: string): number => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0)

/** The handlers of previews. */
export const layerPreviews = HttpApiBuilder.group(Api, "previews", (handlers) =>
  handlers.handleAll({
    list: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Previews.list(yield* granted("application.preview.list"))).map(show)
        })
      ),
    remove: ({ params }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("application.preview.delete")
          const deletion = yield* Previews.remove(proof, numberOf(params.pull_request_id))
          const message = "Preview deletion request queued."
          return withLocation(`/api/v1/deletions/${deletion.uuid}`, { message })
        })
      )
  })
)
