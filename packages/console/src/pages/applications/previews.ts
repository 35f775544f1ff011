import type { Preview } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { applicationFrame, hasPreviews, hasRepository } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { domainLinks } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"
import { changesIn, previewFields, settingField } from "./settingFields.ts"

interface Permissions {
  readonly deploy: boolean
  readonly remove: boolean
}

const row = (visit: ConsoleVisit, preview: Preview, may: Permissions): Html => {
  const { automation: t } = visit.texts
  const { branch, created_at: at, fqdn, pull_request_id: pull, uuid } = preview
  const number = String(pull)
  return html`<li><div class="grow"><h3><a href="${applicationPath(uuid)}">${t.pullRequest(number)}</a></h3><div class="small soft">${branch !== null && html`<code>${branch}</code> · `}${domainLinks(fqdn)}</div></div><span class="small soft">${time(visit, at)}</span>${may.deploy && actionButton(visit, { do: "deploy", pull_request_id: number }, t.deployAgain, { about: t.pullRequest(number) })}${may.remove && actionButton(visit, { do: "remove", pull_request_id: number }, t.removePreview, { className: "button danger", about: t.pullRequest(number) })}</li>`
}

/** `/applications/{uuid}/previews`: the previews of pull requests, and the settings of previews. */
export const previewsPage = page({
  path: "/applications/:application/previews",
  operations: [...applicationOperations, "previews.list", "previews.remove", "runs.deploy", "applications.update"],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, previews, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.previews.list({ params }),
      decisionsOn(visit, {
        deploy: ["application.deploy.request", params.uuid],
        remove: ["application.preview.delete", params.uuid],
        update: ["application.update", params.uuid]
      })
    ])
    return { application, previews, may }
  },
  view: ({ application, may, previews }, visit) => {
    const { automation: t, forms } = visit.texts
    const isEnabled = application.is_preview_deployments_enabled === true
    const canDeploy = may.deploy && isEnabled
    const isFromImage = hasPreviews(application) && !hasRepository(application)
    return {
      title: `${t.previews} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "previews"),
      body: html`${otherProblems(visit, ["start", "settings"])}
${card(t.previews, html`${previews.length === 0 ? empty(isEnabled ? (isFromImage ? t.noPreviewsOfImage : t.noPreviews) : hasPreviews(application) ? t.previewsOff : t.notFromGit) : html`<ul class="rows">${previews.map((each) => row(visit, each, { ...may, deploy: canDeploy }))}</ul><p class="body small soft">${t.removeHint}</p>`}`)}
${canDeploy && formSection(visit, { key: "start", title: t.deployPreview, hint: isFromImage ? t.deployPreviewOfImageHint : t.deployPreviewHint, fields: (own) => html`${textField(own, { name: "pull_request_id", label: t.pullRequestNumber, type: "number", required: true })}${isFromImage && textField(own, { name: "docker_tag", label: t.previewTag, hint: t.previewTagHint })}`, button: t.deployPreview })}
${may.update && hasPreviews(application) && formSection(visit, { key: "settings", title: t.previewSettings, fields: (own) => html`${previewFields.map((field) => settingField(own, application, field))}`, button: forms.save })}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { applications, previews, runs } = visit.deploy
    const number = typed(visit.form, "pull_request_id")
    try {
      switch (typed(visit.form, "do")) {
        case "remove":
          await previews.remove({ params: { ...params, pull_request_id: number } })
          break
        case "settings": {
          const application = await loadApplication(visit)
          await applications.update({ params, body: changesIn(visit, application, previewFields) })
          break
        }
        default: {
          const tag = typed(visit.form, "docker_tag")
          const { deployments } = await runs.deploy({
            body: { ...params, pull_request_id: Number(number), ...(tag === "" ? {} : { docker_tag: tag }) }
          })
          const [started] = deployments
          if (started !== undefined) return { to: `/deployments/${started.deployment_uuid}` }
        }
      }
      return { to: applicationPath(params.uuid, "previews") }
    } catch (error) {
      return rejectedForm(error, [
        "pull_request_id",
        "docker_tag",
        "is_preview_deployments_enabled",
        "preview_url_template"
      ])
    }
  }
})
