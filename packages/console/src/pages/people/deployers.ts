import type { Deployer } from "@slipway/client/deploy"
import { card, empty, type Html, html } from "@slipway/web/foundation"
import { applicationPath, environmentPath, projectPath } from "../../layout/links.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"

const reasonOf = ({ texts }: ConsoleVisit, { grants, is_instance_owner: isOwner, type }: Deployer): Html => {
  const { people: t } = texts
  const owner = type === "token" ? t.teamToken : t.instanceOwner
  return html`${isOwner && html`<div class="small soft">${owner}</div>`}${grants.map(({ group_name: group, place_type: place, role }) => html`<div class="small soft">${t.roleOn(role, t.places[place])}${group !== null && ` · ${t.group}: ${group}`}</div>`)}`
}

const deployerRow = (visit: ConsoleVisit, deployer: Deployer): Html => {
  const { people: t } = visit.texts
  const { name, needs_approval: waits, steps, type } = deployer
  return html`<li><span class="badge ${waits ? "warn" : "ok"}">${waits ? t.needsApproval : t.mayDeploy}</span><div class="grow"><h3>${type === "token" ? t.tokenNamed(name) : name}</h3>${reasonOf(visit, deployer)}
<details><summary>${t.why}<span class="hidden-text"> ${name}</span></summary><ul class="plain">${steps.map(({ check, facts, passed, rules }) => html`<li>${passed ? "✓" : "✗"} <code>${check}</code><div class="small soft">${[...rules, ...facts].join(" · ")}</div></li>`)}</ul></details></div></li>`
}

const deployersView = (visit: ConsoleVisit, above: Html, name: string, deployers: ReadonlyArray<Deployer>) => {
  const { people: t } = visit.texts
  return {
    title: `${t.deployers} · ${name}`,
    body: html`<div class="title"><nav class="small" aria-label="${visit.texts.layout.breadcrumb}">${above} /</nav><h1>${t.deployers}</h1></div><p class="soft">${t.deployersHint}</p>
${card(t.deployers, deployers.length === 0 ? empty(t.noDeployers) : html`<ul class="rows">${deployers.map((each) => deployerRow(visit, each))}</ul>`)}`
  }
}

/** `/applications/{uuid}/deployers`: the accounts and tokens that may deploy an application, and why. */
const ofApplicationPage = page({
  path: "/applications/:application/deployers",
  operations: ["applications.get", "people.applicationDeployers"],
  load: async ({ deploy, params: { application = "" } }) => {
    const params = { uuid: application }
    const [found, deployers] = await Promise.all([
      deploy.applications.get({ params }),
      deploy.people.applicationDeployers({ params })
    ])
    return { application: found, deployers }
  },
  view: ({ application: { name, uuid }, deployers }, visit) =>
    deployersView(visit, html`<a href="${applicationPath(uuid)}">${name ?? uuid}</a>`, name ?? uuid, deployers)
})

/** `/projects/{uuid}/environments/{name}/deployers`: the accounts and tokens that may deploy there, and why. */
const ofEnvironmentPage = page({
  path: "/projects/:project/environments/:environment/deployers",
  operations: ["people.environmentDeployers"],
  load: async ({ deploy, params: { environment = "", project: uuid = "" } }) => {
    const deployers = await deploy.people.environmentDeployers({ params: { uuid, environment } })
    return { uuid, environment, deployers }
  },
  view: ({ deployers, environment, uuid }, visit) =>
    deployersView(
      visit,
      html`<a href="${projectPath(uuid)}">${visit.texts.words.project}</a> / <a href="${environmentPath(uuid, environment)}">${environment}</a>`,
      environment,
      deployers
    )
})

/** The pages of deploy permissions. */
export const deployerPages: ReadonlyArray<ConsolePage> = [ofApplicationPage, ofEnvironmentPage]
