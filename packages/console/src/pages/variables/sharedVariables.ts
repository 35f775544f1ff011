import { html } from "@slipway/web/foundation"
import { serverHeading } from "../../layout/frames.ts"
import { environmentPath, projectPath } from "../../layout/links.ts"
import type { ConsolePage, ConsoleVisit } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { administrationFrame, administrationQuestions } from "../administration/administrationFrame.ts"
import { sharedVariablesPage } from "./sharedVariablesPage.ts"

const breadcrumb = ({ texts }: ConsoleVisit, links: ReadonlyArray<readonly [path: string, name: string]>) =>
  html`<div class="title"><nav class="small" aria-label="${texts.layout.breadcrumb}">${links.map(([path, name]) => html`<a href="${path}">${name}</a> / `)}</nav><h1>${texts.variables.title}</h1></div>`

const ofTeam = sharedVariablesPage({
  path: "/variables",
  scope: "team",
  operations: [
    "sharedVariables.teamList",
    "sharedVariables.teamCreate",
    "sharedVariables.teamUpdate",
    "sharedVariables.teamRemove"
  ],
  load: async (visit) => {
    const may = await decisionsOn(visit, administrationQuestions)
    return { title: visit.texts.administration.title, frame: administrationFrame(visit, "variables", may) }
  },
  list: async ({ deploy }) => deploy.sharedVariables.teamList(),
  create: async ({ deploy }, body) => deploy.sharedVariables.teamCreate({ body }),
  update: async ({ deploy }, env_id, body) => deploy.sharedVariables.teamUpdate({ params: { env_id }, body }),
  remove: async ({ deploy }, env_id) => deploy.sharedVariables.teamRemove({ params: { env_id } })
})

const projectIn = ({ params }: ConsoleVisit) => ({ project_uuid: params.project ?? "" })

const ofProject = sharedVariablesPage({
  path: "/projects/:project/variables",
  scope: "project",
  operations: [
    "projects.get",
    "sharedVariables.projectList",
    "sharedVariables.projectCreate",
    "sharedVariables.projectUpdate",
    "sharedVariables.projectRemove"
  ],
  load: async (visit) => {
    const { name, uuid } = await visit.deploy.projects.get({ params: { uuid: visit.params.project ?? "" } })
    return { object: uuid, title: name, heading: breadcrumb(visit, [[projectPath(uuid), name]]) }
  },
  list: async (visit) => visit.deploy.sharedVariables.projectList({ params: projectIn(visit) }),
  create: async (visit, body) => visit.deploy.sharedVariables.projectCreate({ params: projectIn(visit), body }),
  update: async (visit, env_id, body) =>
    visit.deploy.sharedVariables.projectUpdate({ params: { ...projectIn(visit), env_id }, body }),
  remove: async (visit, env_id) =>
    visit.deploy.sharedVariables.projectRemove({ params: { ...projectIn(visit), env_id } })
})

const environmentIn = (visit: ConsoleVisit) => ({
  ...projectIn(visit),
  environment: visit.params.environment ?? ""
})

const ofEnvironment = sharedVariablesPage({
  path: "/projects/:project/environments/:environment/variables",
  scope: "environment",
  operations: [
    "projects.getEnvironment",
    "sharedVariables.environmentList",
    "sharedVariables.environmentCreate",
    "sharedVariables.environmentUpdate",
    "sharedVariables.environmentRemove"
  ],
  load: async (visit) => {
    const { environment, project_uuid: uuid } = environmentIn(visit)
    const found = await visit.deploy.projects.getEnvironment({ params: { uuid, environment } })
    const { words } = visit.texts
    const heading = breadcrumb(visit, [
      [projectPath(uuid), words.project],
      [environmentPath(uuid, found.name), found.name]
    ])
    return { object: found.uuid, title: found.name, heading }
  },
  list: async (visit) => visit.deploy.sharedVariables.environmentList({ params: environmentIn(visit) }),
  create: async (visit, body) => visit.deploy.sharedVariables.environmentCreate({ params: environmentIn(visit), body }),
  update: async (visit, env_id, body) =>
    visit.deploy.sharedVariables.environmentUpdate({ params: { ...environmentIn(visit), env_id }, body }),
  remove: async (visit, env_id) =>
    visit.deploy.sharedVariables.environmentRemove({ params: { ...environmentIn(visit), env_id } })
})

const serverIn = ({ params }: ConsoleVisit) => ({ server_uuid: params.server ?? "" })

const ofServer = sharedVariablesPage({
  path: "/servers/:server/variables",
  scope: "server",
  operations: [
    "servers.get",
    "sharedVariables.serverList",
    "sharedVariables.serverCreate",
    "sharedVariables.serverUpdate",
    "sharedVariables.serverRemove"
  ],
  load: async (visit) => {
    const server = await visit.deploy.servers.get({ params: { uuid: visit.params.server ?? "" } })
    return { object: server.uuid, title: server.name, heading: serverHeading(visit, server) }
  },
  list: async (visit) => visit.deploy.sharedVariables.serverList({ params: serverIn(visit) }),
  create: async (visit, body) => visit.deploy.sharedVariables.serverCreate({ params: serverIn(visit), body }),
  update: async (visit, env_id, body) =>
    visit.deploy.sharedVariables.serverUpdate({ params: { ...serverIn(visit), env_id }, body }),
  remove: async (visit, env_id) => visit.deploy.sharedVariables.serverRemove({ params: { ...serverIn(visit), env_id } })
})

/** The pages of shared variables: of the team, projects, environments and servers. */
export const sharedVariablePages: ReadonlyArray<ConsolePage> = [ofTeam, ofProject, ofEnvironment, ofServer]
