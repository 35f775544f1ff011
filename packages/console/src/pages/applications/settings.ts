import { type HealthCheckResult, ServiceError, type Tag } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  textField,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath, domainsIn, environmentPath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { overrideField, rejectedChange } from "./domainConflicts.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"
import { changesIn, fieldsOf, settingField, settingGroups } from "./settingFields.ts"

/** Shows the result of a health check: the response of each container, with the reason if it is unhealthy. */
const healthResult = (
  { texts }: ConsoleVisit,
  { containers, is_healthy: isHealthy, reason }: HealthCheckResult
): Html => {
  const { automation: t } = texts
  return html`<div role="status"><p class="alert ${isHealthy ? "info" : "bad"}">${reason ?? (isHealthy ? t.healthy : t.unhealthy)}</p><ul class="rows">${containers.map(
    (each) =>
      html`<li><span class="badge ${each.is_healthy ? "ok" : "bad"}">${each.is_healthy ? t.healthy : t.unhealthy}</span><div class="grow"><h3>${each.service ?? each.container}</h3>${each.reason !== null && html`<div class="small">${each.reason}</div>`}${each.output !== "" && html`<pre class="code mono" tabindex="0">${each.output}</pre>`}</div><span class="small soft">${each.status !== null && html`${t.answered(String(each.status))} `}${String(each.milliseconds)} ms</span></li>`
  )}</ul></div>`
}

/** Runs the health check; an unreachable server is a result too. */
const triedHealth = async (visit: ConsoleVisit): Promise<HealthCheckResult> => {
  const tried = await visit.deploy.healthChecks.run({ params: applicationIn(visit) }).result()
  if (tried.ok) return tried.value
  if (!(tried.error instanceof ServiceError) || tried.error.status !== 502) throw tried.error
  const { message } = (tried.error.body ?? {}) as { readonly message?: unknown }
  return { is_healthy: false, reason: typeof message === "string" ? message : tried.error.message, containers: [] }
}

const tryCard = (visit: ConsoleVisit): Html => {
  const { automation: t } = visit.texts
  const isTried = typed(visit.form, "do") === "try"
  const result = isTried ? (visit.form.outcome as HealthCheckResult | undefined) : undefined
  return html`<section class="card" id="try" aria-label="${t.tryHealth}"><header><h2>${t.tryHealth}</h2></header><div class="body"><p class="soft">${t.tryHealthHint}</p>${result !== undefined && healthResult(visit, result)}${actionButton(visit, { do: "try" }, t.tryNow)}</div></section>`
}

/** Shows the form that adds one domain to those of the application. */
const addDomain = (visit: ConsoleVisit): Html => {
  const { applications: t } = visit.texts
  return formSection(visit, {
    key: "domain",
    title: t.addDomain,
    fields: (own) =>
      html`${textField(own, { name: "domain", label: t.newDomain, hint: t.newDomainHint, required: true, maxlength: 2048 })}${overrideField(own)}`,
    button: t.addDomain
  })
}

interface TagPermissions {
  readonly tag: boolean
  readonly untag: boolean
}

const tagsCard = (visit: ConsoleVisit, tags: ReadonlyArray<Tag>, may: TagPermissions): Html => {
  const { forms, storages: t } = visit.texts
  return html`${card(
    t.tags,
    tags.length === 0
      ? empty(t.noTags)
      : html`<ul class="rows">${tags.map(({ name, uuid }) => html`<li><div class="grow"><h3>${name}</h3></div>${may.untag && actionButton(visit, { do: "untag", tag: uuid }, forms.remove, { about: name })}</li>`)}</ul>`
  )}${may.tag && formSection(visit, { key: "tag", title: t.addTag, hint: t.tagHint, fields: (own) => textField(own, { name: "tag_name", label: t.tag, required: true }), button: t.addTag })}`
}

/** `/applications/{uuid}/settings`: the settings of an application in groups, its tags, and its deletion. */
export const settingsPage = page({
  path: "/applications/:application/settings",
  operations: [
    ...applicationOperations,
    "applications.update",
    "applications.delete",
    "tags.list",
    "tags.add",
    "tags.remove",
    "healthChecks.run"
  ],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, tags, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.tags.list({ params }),
      decisionsOn(visit, {
        update: ["application.update", params.uuid],
        delete: ["application.delete", params.uuid],
        check: ["application.health.check", params.uuid],
        tag: ["application.tag.add", params.uuid],
        untag: ["application.tag.remove", params.uuid]
      })
    ])
    return { application, tags, may }
  },
  view: ({ application, may, tags }, visit) => {
    const { applications: t, forms, words } = visit.texts
    const name = application.name ?? application.uuid
    const groups = settingGroups
      .map((group) => ({ ...group, fields: fieldsOf(application, group.fields) }))
      .filter(({ fields }) => fields.length > 0)
    return {
      title: `${words.settings} · ${name}`,
      frame: applicationFrame(visit, application, "settings"),
      body: html`${otherProblems(visit, [...groups.map(({ key }) => key), "domain", "tag", "delete"])}
${
  may.update &&
  html`${groups.map(
    ({ fields, key, title }) =>
      html`${formSection(visit, {
        key,
        title: t[title],
        fields: (own) =>
          html`${fields.map((field) => settingField(own, application, field))}${key === "network" && overrideField(own)}`,
        button: forms.save
      })}${key === "network" && addDomain(visit)}${key === "health" && may.check && tryCard(visit)}`
  )}`
}
${!may.update && may.check && tryCard(visit)}
${tagsCard(visit, tags, may)}
${may.delete && deletionSection(visit, { name: name, hint: t.deleteHint, button: t.deleteTitle, fields: (own) => checkField(own, { name: "delete_volumes", label: t.deleteVolumes }) })}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { applications } = visit.deploy
    const application = await loadApplication(visit)
    const does = typed(visit.form, "do")
    if (does === "try") return { outcome: await triedHealth(visit) }
    if (does === "tag" || does === "untag") {
      const { add, remove } = visit.deploy.tags
      try {
        await (does === "tag"
          ? add({ params, body: { tag_name: typed(visit.form, "tag_name") } })
          : remove({ params: { ...params, tag: typed(visit.form, "tag") } }))
        return { to: `${applicationPath(params.uuid, "settings")}#tag` }
      } catch (error) {
        return rejectedForm(error, ["tag_name"])
      }
    }
    if (does === "delete") {
      const problem = deletionProblem(visit, application.name ?? application.uuid)
      if (problem !== undefined) return problem
      try {
        await applications.delete({
          params,
          query: { delete_volumes: typed(visit.form, "delete_volumes") === "on", docker_cleanup: true }
        })
        return { to: environmentPath(application.project_uuid ?? "", application.environment_name ?? "") }
      } catch (error) {
        return rejectedForm(error, ["confirm"])
      }
    }
    const override = typed(visit.form, "force_domain_override") === "on" ? { force_domain_override: true } : {}
    if (does === "domain") {
      const domains = [...domainsIn(application.domains), typed(visit.form, "domain").trim()].join(",")
      try {
        await applications.update({ params, body: { domains, ...override } })
        return { to: `${applicationPath(params.uuid, "settings")}#network` }
      } catch (error) {
        return rejectedChange(visit, error, ["domain"], "domain")
      }
    }
    const group = settingGroups.find(({ key }) => key === does)
    if (group === undefined) return { problems: {} }
    const fields = fieldsOf(application, group.fields)
    try {
      await applications.update({ params, body: { ...changesIn(visit, application, fields), ...override } })
      return { to: `${applicationPath(params.uuid, "settings")}#${group.key}` }
    } catch (error) {
      return rejectedChange(
        visit,
        error,
        fields.map(({ name }) => name)
      )
    }
  }
})
