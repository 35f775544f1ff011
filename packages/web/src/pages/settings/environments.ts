import type { Environment, EnvironmentPattern } from "@slipway/client/forge"
import { checkField, problemSummary, selectField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton, formSection, otherProblems } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Submitted, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { branchesIn, branchesOf, namesOf, reviewersIn, rulesOf } from "./environmentFields.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const editPath = (visit: Visit, name: string): string =>
  `${settingsPath(visit, "environments", "edit")}?${new URLSearchParams({ name })}`

const row = (visit: Visit, environment: Environment): Html => {
  const { environments: t, forms } = visit.texts
  const { reviewers, waitMinutes } = rulesOf(environment)
  const branches = branchesOf(environment)
  return html`<li><div class="grow"><h3><a href="${editPath(visit, environment.name)}">${environment.name}</a></h3><span class="row small soft">${reviewers.length > 0 && html`<span>${t.reviewersShown(reviewers.length)}</span>`}${waitMinutes > 0 && html`<span>${t.minutesShown(waitMinutes)}</span>`}${branches !== "all" && html`<span>${t.policies[branches]}</span>`}</span></div>${actionButton(visit, { do: "delete", environment: environment.name }, forms.delete, { className: "button danger", about: environment.name })}</li>`
}

/** `/{owner}/{repo}/settings/environments`: the environments that a repository can be deployed to. */
export const environmentSettingsPage = page({
  path: "/:owner/:repo/settings/environments",
  operations: [...settingsOperations, "repository.environment.list", "repository.environment.delete"],
  signIn: true,
  load: async (visit) => {
    const query = { page: pageNumber(visit), limit: rowsPerPage }
    const repository = await loadSettings(visit)
    const listed = await visit.forge.repository.environment.list({ params: namedIn(visit), query })
    return { repository, environments: listed }
  },
  view: ({ environments, repository }, visit) => {
    const { environments: t } = visit.texts
    const create = linkButton(settingsPath(visit, "environments", "edit"), t.create, "plus", "primary")
    const body = html`<div class="title"><h2>${t.environments}</h2><span class="push">${create}</span></div>${problemSummary(visit)}
<section class="card" aria-label="${t.environments}">${environments.length === 0 ? empty(t.none, create) : html`<ul class="rows">${environments.map((each) => row(visit, each))}</ul>`}</section>${pagination(visit, environments.length === rowsPerPage)}`
    return settingsView(visit, repository, "environments", t.environments, body)
  },
  submit: async (visit) => {
    const params = { ...namedIn(visit), environment: typed(visit.form, "environment") }
    await visit.forge.repository.environment.delete({ params })
    return { to: visit.url.pathname }
  }
})

/** Returns the name of the environment that the page changes; empty on the page that creates one. */
const changedName = ({ form, query }: Visit): string => form.values.get("was") ?? query.get("name") ?? ""

const ruleFields = (visit: Visit, environment: Environment | undefined): Html => {
  const { environments: t, settings } = visit.texts
  const { preventSelfReview, reviewers, waitMinutes } = rulesOf(environment)
  const names = (type: "Team" | "User") => namesOf(reviewers, type).join(", ")
  return html`${textField(visit, { name: "users", label: t.users, hint: settings.listHint, value: names("User"), maxlength: 1024 })}${textField(visit, { name: "teams", label: t.teams, hint: settings.listHint, value: names("Team"), maxlength: 1024 })}${checkField(visit, { name: "prevent_self_review", label: t.preventSelfReview, checked: preventSelfReview })}
${textField(visit, { name: "wait_timer", label: t.waitTimer, hint: t.waitTimerHint, type: "number", value: String(waitMinutes) })}
${selectField(visit, {
  name: "branches",
  label: t.branches,
  value: branchesOf(environment),
  options: (["all", "protected", "selected"] as const).map((value) => ({ value, label: t.policies[value] }))
})}`
}

const hiddenName = (name: string): Html => html`<input type="hidden" name="was" value="${name}">`

const patternRow = (visit: Visit, environment: Environment, { id, name, type }: EnvironmentPattern): Html => {
  const { environments: t, forms } = visit.texts
  return html`<li><div class="grow"><code>${name}</code> <span class="badge">${t.types[type]}</span></div>${actionButton(visit, { do: "remove", pattern: String(id), was: environment.name }, forms.delete, { className: "button danger", about: name })}</li>`
}

/**
 * Renders the branch and tag patterns of an environment that allows only matching refs, with a form to add a pattern.
 */
const patternSections = (visit: Visit, environment: Environment, patterns: ReadonlyArray<EnvironmentPattern>): Html => {
  const { environments: t } = visit.texts
  const list =
    patterns.length === 0
      ? empty(t.noPatterns)
      : html`<ul class="rows">${patterns.map((each) => patternRow(visit, environment, each))}</ul>`
  return html`<section class="card" aria-label="${t.patterns}"><header><h2>${t.patterns}</h2></header>${list}</section>
${formSection(visit, {
  key: "add",
  title: t.addPattern,
  fields: (own) =>
    html`${hiddenName(environment.name)}${textField(own, { name: "pattern", label: t.pattern, hint: t.patternHint, required: true })}${selectField(own, { name: "type", label: t.type, options: (["branch", "tag"] as const).map((value) => ({ value, label: t.types[value] })) })}`,
  button: t.addPattern
})}`
}

/** `/{owner}/{repo}/settings/environments/edit?name=`: creates an environment, or changes its rules and patterns. */
export const editEnvironmentPage = page({
  path: "/:owner/:repo/settings/environments/edit",
  operations: [
    ...settingsOperations,
    "user.read",
    "organization.team.search",
    "repository.environment.read",
    "repository.environment.set",
    "repository.environment.policy.list",
    "repository.environment.policy.create",
    "repository.environment.policy.delete"
  ],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit)
    const name = changedName(visit)
    if (name === "") return { repository, environment: undefined, patterns: [] }
    const params = { ...namedIn(visit), environment: name }
    const [environment, patterns] = await Promise.all([
      visit.forge.repository.environment.read({ params }),
      Array.fromAsync(visit.forge.repository.environment.policy.list({ params, query: { limit: 50 } }))
    ])
    return { repository, environment, patterns }
  },
  view: ({ environment, patterns, repository }, visit) => {
    const { environments: t, forms } = visit.texts
    const title = environment === undefined ? t.create : t.edit(environment.name)
    const nameField = (own: Visit) =>
      environment === undefined
        ? textField(own, { name: "name", label: t.name, hint: t.nameHint, required: true })
        : hiddenName(environment.name)
    const body = html`<div class="medium">${otherProblems(visit, ["rules", "add"])}${formSection(visit, {
      key: "rules",
      title,
      fields: (own) => html`${nameField(own)}${ruleFields(own, environment)}`,
      button: environment === undefined ? t.create : forms.save
    })}${environment !== undefined && branchesOf(environment) === "selected" && patternSections(visit, environment, patterns)}</div>`
    return settingsView(visit, repository, "environments", title, body)
  },
  submit: async (visit): Promise<Submitted> => {
    const { forge, form, texts } = visit
    const name = changedName(visit) || typed(form, "name").trim()
    if (name === "") return { problems: { name: texts.forms.required } }
    const params = { ...namedIn(visit), environment: name }
    const { environment } = forge.repository
    switch (typed(form, "do")) {
      case "remove": {
        await environment.policy.delete({ params: { ...params, id: typed(form, "pattern") } })
        return { to: editPath(visit, name) }
      }
      case "add": {
        const pattern = typed(form, "pattern").trim()
        if (pattern === "") return { problems: { pattern: texts.forms.required } }
        const body = { name: pattern, type: typed(form, "type") === "tag" ? "tag" : "branch" } as const
        const added = await environment.policy.create({ params, body }).result()
        return added.ok ? { to: editPath(visit, name) } : rejectedAt(added.error, { name: "pattern" })
      }
      default: {
        const minutes = Number(typed(form, "wait_timer").trim() || "0")
        if (!Number.isInteger(minutes)) return { problems: { wait_timer: texts.environments.minutesWrong } }
        const { problems, reviewers } = await reviewersIn(visit)
        if (problems !== undefined) return { problems }
        // The API would replace the rules of an existing environment, which the form does not show.
        const isNew = changedName(visit) === ""
        if (isNew && (await environment.read({ params }).result()).ok) {
          return { problems: { name: texts.environments.taken(name) } }
        }
        const body = {
          reviewers,
          wait_timer: minutes,
          prevent_self_review: typed(form, "prevent_self_review") === "on",
          deployment_branch_policy: branchesIn(typed(form, "branches"))
        }
        const set = await environment.set({ params, body }).result()
        return set.ok
          ? { to: editPath(visit, name) }
          : rejectedAt(set.error, { reviewers: "users", environment: "name" })
      }
    }
  }
})
