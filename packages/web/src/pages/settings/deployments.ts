import type { Deployment } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, empty } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { shortSha } from "../code/tree.ts"
import { deployButton, deploymentLinks, stateOf } from "../deployments/deploymentLinks.ts"
import { loadSettings, settingsOperations, settingsView } from "./settings.ts"

/** The number of newest deployments in which environments are searched. */
const mostSearched = 50

/** Returns the newest deployment of each environment. Omits the environments of previews that are closed. */
const newestOfEach = (deployments: ReadonlyArray<Deployment>): ReadonlyArray<Deployment> => {
  const found = new Map<string, Deployment>()
  for (const deployment of deployments) {
    const key = deployment.environment.toLowerCase()
    if (!found.has(key)) found.set(key, deployment)
  }
  return [...found.values()].filter((each) => !(each.transient_environment && each.state === "inactive"))
}

const row = (visit: Visit, deployment: Deployment): Html =>
  html`<li>${stateOf(visit, deployment)}<div class="grow"><h3>${deployment.environment}</h3><div class="small soft">${shortSha(repositoryIn(visit), deployment.sha)}${deployment.ref !== deployment.sha && html` · ${icon("git-branch")} ${deployment.ref}`}${deploymentLinks(visit, deployment)}</div></div><span class="small soft">${time(visit, deployment.updated_at)}</span></li>`

/** `/{owner}/{repo}/settings/deployments`: the newest deployment of each environment, and the link that deploys the repository. */
export const deploymentSettingsPage = page({
  path: "/:owner/:repo/settings/deployments",
  operations: [...settingsOperations, "repository.deployment.list"],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit)
    const query = { limit: mostSearched }
    const deployments = await visit.forge.repository.deployment.list({ params: namedIn(visit), query })
    return { repository, deployments }
  },
  view: ({ deployments, repository }, visit) => {
    const { deployments: t } = visit.texts
    const rows = newestOfEach(deployments)
    const button = deployButton(visit)
    const all = html`<p class="small"><a href="${repositoryPath(repositoryIn(visit))}/deployments">${t.all}</a></p>`
    const body = html`${deployments[0]?.connected === false && html`<p class="alert warn">${t.disconnected}</p>`}${card(
      html`<h2>${t.deployed}</h2>${rows.length > 0 && html`<span class="push">${button}</span>`}`,
      rows.length === 0
        ? empty(visit.deployUrl === "" ? t.none : t.noneYet, button)
        : html`<ul class="rows">${rows.map((each) => row(visit, each))}</ul>`
    )}${rows.length > 0 && all}`
    return settingsView(visit, repository, "deployments", t.deployments, body)
  }
})
